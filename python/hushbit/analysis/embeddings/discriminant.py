"""The linear discriminant of typed texts, from what releases tell of them."""

import math

import numpy as np
from numpy.typing import NDArray

from hushbit.analysis.embeddings.moments import Releases
from hushbit.errors import InvalidArgumentError

Floats = NDArray[np.float64]
_TRUSTED = 1.5
"""Smallest eigenvalue that the covariance of signs can tell, by the mean of all: below it the assumption of equal mean
squares, which is off by a factor of 2 or 3 on reviews and messages, decides. From 1 to 2 classifiers are as good."""
_LEAST = 0.1  # the share of a seeming difference of means or variance that is kept if noise explains all of it


def discriminant(releases: Releases, priors: Floats | None = None) -> tuple[Floats, Floats]:
    """Weights (classes, d) and biases (classes,) for the unit vector u of a typed text.

    The logarithm of the probability of class c is weights[c] · u + biases[c], up to a number for each text. `priors`
    (classes,) are the shares of the classes among the texts to come; without them those of the releases count.

    The covariance within classes is inverted after its eigenvalues are raised, to the largest that noise alone would
    show, and above their mean: signs do not tell how much a coordinate varies, so smaller ones are not to be trusted
    however many releases there are. With few releases at a small ε, noise would show all of them, and the discriminant
    compares distances to class means.
    One factor for all weights then makes up for what noise adds to the differences of means and takes from the inverse,
    so that probabilities are neither too sure nor too unsure.

    Raises InvalidArgumentError if a class has no releases.
    """
    response = releases.response
    shares = _shares(releases, priors)
    sizes = releases.class_weights
    total = sizes.sum()
    means = np.stack([estimate.value for estimate in releases.class_means()])
    errors = np.stack([(estimate.error**2).sum() for estimate in releases.class_means()])
    of_all = sizes / total @ means
    # A class mean differs from the mean of all by noise alone by so much, squared, in each dimension.
    noise = np.maximum(errors * (1 - sizes / total), 0) / response.dimensions
    apart = means - of_all
    covariance = _within(releases, apart, noise, sizes / total)
    values, axes = np.linalg.eigh(covariance)
    raised = np.maximum(values, max(_edge(releases), _TRUSTED * values.mean()))
    weights = (apart @ axes / raised) @ axes.T
    seeming = (weights * apart).sum(axis=1)
    true = np.maximum(seeming - noise * (1 / raised).sum(), _LEAST * seeming)
    factor = _factor(weights, covariance, (axes * raised) @ axes.T, shares, true)
    centered = -weights @ of_all - true / 2
    return factor * weights, factor * centered + np.log(shares)


def _shares(releases: Releases, priors: Floats | None) -> Floats:
    sizes = releases.class_weights
    if (sizes <= 0).any():
        raise InvalidArgumentError("every class needs releases; at least one has none, or none of a weight above 0")
    shares = sizes if priors is None else np.asarray(priors, dtype=np.float64)
    if shares.shape != sizes.shape or not (np.isfinite(shares).all() and (shares > 0).all()):
        raise InvalidArgumentError(f"priors must be {len(sizes)} numbers above 0, one for each class")
    return np.asarray(shares / shares.sum())


def _within(releases: Releases, apart: Floats, noise: Floats, shares: Floats) -> Floats:
    """The covariance within classes: that of all, less that of the class means, which noise inflates."""
    between = (apart * shares[:, None]).T @ apart - (shares @ noise) * np.eye(apart.shape[1])
    found = releases.covariance().value - between
    return np.asarray((found + found.T) / 2)


def _edge(releases: Releases) -> float:
    """The largest eigenvalue of a covariance that is nothing but noise: 2σ√d, by the semicircle law."""
    response = releases.response
    weights, squares = releases.weights.sum(), releases.squares.sum()
    d = response.dimensions
    sigma = math.sqrt(squares) / weights / (d * response.kappa)
    return float(2 * sigma * math.sqrt(d))


def _factor(weights: Floats, covariance: Floats, raised: Floats, shares: Floats, true: Floats) -> float:
    """What weights are multiplied by, so that the spread of scores within classes fits the distance of means."""
    spread = np.einsum("ci,ij,cj->c", weights, covariance, weights)
    least = _LEAST * np.einsum("ci,ij,cj->c", weights, raised, weights)
    spread = float(shares @ np.maximum(spread, least))
    return float(shares @ true) / spread if spread > 0 else 1.0
