"""Mean, covariance and class means of what was typed, from releases alone."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit.analysis.embeddings.response import Response
from hushbit.errors import InvalidArgumentError

_BLOCK = 1024


@dataclass
class Releases:
    """How often each direction was released, for each class: all that learning needs, of any number of releases.

    Add releases as they come, add up parts that others counted, and ask. Its size does not depend on their number.
    """

    response: Response
    classes: int = 1
    weights: NDArray[np.float64] = field(init=False)
    """(classes, K): the sum of the weights of the releases of each direction."""
    squares: NDArray[np.float64] = field(init=False)
    """(classes, K): the sum of their squares."""

    def __post_init__(self) -> None:
        if self.classes < 1:
            raise InvalidArgumentError(f"there are {self.classes} classes; at least 1 is needed")
        self.weights = np.zeros((self.classes, len(self.response.directions)))
        self.squares = np.zeros_like(self.weights)

    def add(self, indexes: ArrayLike, classes: ArrayLike | None = None, weights: ArrayLike | None = None) -> Self:
        """Counts releases: indexes (releases,) of directions, their classes (0 without), their weights (1 without).

        Raises InvalidArgumentError for other shapes, for indexes, classes or weights that are out of range; then
        nothing is counted.
        """
        found = np.asarray(indexes)
        rows = np.zeros(found.shape, dtype=np.int64) if classes is None else np.asarray(classes)
        sizes = np.ones(found.shape) if weights is None else np.asarray(weights, dtype=np.float64)
        count = self.weights.shape[1]
        if found.ndim != 1 or rows.shape != found.shape or sizes.shape != found.shape:
            raise InvalidArgumentError(
                f"indexes {found.shape}, classes {rows.shape} and weights {sizes.shape} must be as many, in one row"
            )
        if len(found) == 0:
            return self
        for name, numbers, end in (("index of a direction", found, count), ("class", rows, self.classes)):
            if numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= end:
                raise InvalidArgumentError(f"every {name} must be an integer from 0 to {end - 1}")
        if not (np.isfinite(sizes).all() and (sizes >= 0).all()):
            raise InvalidArgumentError("the weights of releases must be finite, 0 or more")
        cells = rows.astype(np.int64) * count + found.astype(np.int64)
        size = self.weights.size
        self.weights += np.bincount(cells, sizes, minlength=size).reshape(self.weights.shape)
        self.squares += np.bincount(cells, sizes**2, minlength=size).reshape(self.weights.shape)
        return self

    def __iadd__(self, other: "Releases") -> Self:
        """Adds a part that was counted elsewhere, with the same embedder and classes."""
        same = self.weights.shape == other.weights.shape and self.response.chance == other.response.chance
        if not same or not np.array_equal(self.response.directions, other.response.directions):
            raise InvalidArgumentError("these releases are of other directions, another epsilon or other classes")
        self.weights += other.weights
        self.squares += other.squares
        return self

    @property
    def class_weights(self) -> NDArray[np.float64]:
        """(classes,): the weight of the releases of each class: their number, if each counts 1."""
        return np.asarray(self.weights.sum(axis=1))

    def mean(self) -> "Estimate":
        """The mean unit vector of typed texts, (d,)."""
        return _mean(self.response, self.weights.sum(axis=0), self.squares.sum(axis=0))

    def class_means(self) -> list["Estimate"]:
        """The mean unit vector of the typed texts of each class, (d,) each."""
        rows = zip(self.weights, self.squares, strict=True)
        return [_mean(self.response, weights, squares) for weights, squares in rows]

    def covariance(self) -> "Estimate":
        """The covariance of the unit vectors of typed texts, (d, d).

        On the diagonal the mean square of each coordinate is taken as 1/d, since signs do not tell it: bundles rotate
        their axes so that this is nearly so.
        """
        return _covariance(self.response, self.weights.sum(axis=0), self.squares.sum(axis=0))


@dataclass(frozen=True)
class Estimate:
    """An estimate of something typed, and the standard error of each of its numbers, by the noise and the sample."""

    value: NDArray[np.float64]
    error: NDArray[np.float64]


def _total(weights: NDArray[np.float64]) -> float:
    total = float(weights.sum())
    if total <= 0:
        raise InvalidArgumentError("there are no releases of a class, or none at all: nothing can be estimated")
    return total


def _mean(response: Response, weights: NDArray[np.float64], squares: NDArray[np.float64]) -> Estimate:
    total, units = _total(weights), response.units
    seen = weights @ units / total
    # Each square of a coordinate is 1/d, so the squared deviations from `seen` need no sum over directions but one.
    deviations = squares.sum() / response.dimensions - 2 * seen * (squares @ units) + squares.sum() * seen**2
    error = np.sqrt(np.maximum(deviations, 0)) / (total * response.m)
    return Estimate((seen - response.mean_of_all) / response.m, error)


def _covariance(response: Response, weights: NDArray[np.float64], squares: NDArray[np.float64]) -> Estimate:
    total, units, d = _total(weights), response.units, response.dimensions
    mean = _mean(response, weights, squares).value
    second = (units * (weights / total)[:, None]).T @ units
    value = (second - response.moments_of_all) / response.kappa
    np.fill_diagonal(value, 1 / d)
    value -= np.outer(mean, mean)
    # The delta method: what one release of direction j adds to the estimate, beyond the mean of all.
    seen = weights @ units / total
    variance = np.zeros((d, d))
    for first in range(0, len(units), _BLOCK):
        rows = slice(first, first + _BLOCK)
        own = units[rows]
        moved = (own - seen) / response.m
        product = (own[:, :, None] * own[:, None, :] - second) / response.kappa
        product[:, np.arange(d), np.arange(d)] = 0
        product -= moved[:, :, None] * mean[None, None, :] + mean[None, :, None] * moved[:, None, :]
        variance += np.einsum("j,jik->ik", squares[rows], product**2)
    return Estimate(value, np.sqrt(variance) / total)
