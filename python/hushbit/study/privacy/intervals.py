"""Confidence intervals."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtri, stdtrit

CONFIDENCE = 0.95
_ROUNDING = 1e-12  # shares that differ by at most this are equal: sums of probabilities have such errors


def mean_interval(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """An interval for the mean of a population, from a sample `values`, (count,), by the normal approximation.

    For figures of words it covers both the spread between sampled words and the noise of each word's draws.
    """
    if len(values) < 2:
        return -math.inf, math.inf
    half = float(ndtri((1 + confidence) / 2) * values.std(ddof=1) / math.sqrt(len(values)))
    return float(values.mean()) - half, float(values.mean()) + half


def resampled_interval(values: Sequence[float], test_to_train: float) -> tuple[float, float]:
    """An interval for what is measured on splits of the same data, each drawn anew: `values`, (trials,).

    Documents of one trial's test are another's training, so that trials are alike and Student's interval is too narrow.
    Nadeau and Bengio (2003) correct it for how many documents are tested on for one that is trained on. It is infinite
    for one trial.
    """
    count = len(values)
    if count < 2:
        return -math.inf, math.inf
    variance = float(np.var(values, ddof=1)) * (1 / count + test_to_train)
    half = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * math.sqrt(variance)
    mean = float(np.mean(values))
    return mean - half, mean + half


def share_interval(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The same for shares in [0, 1], also valid near 0 and 1: none of 500 words does not mean that there is none.

    Wilson's interval (1927), with the number of trials for which shares of 0 or 1 have the observed variance.
    """
    count, mean = len(values), min(1.0, max(0.0, float(values.mean())))
    variance = float(values.var(ddof=1)) if count > 1 else 0.0
    spread = mean * (1 - mean)
    trials = count * spread / variance if spread > 0 and variance > _ROUNDING**2 else count
    z = float(ndtri((1 + confidence) / 2))
    center = (mean + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(spread / trials + z * z / (4 * trials * trials))
    return max(0.0, min(mean, center - half)), min(1.0, max(mean, center + half))


def binomial_bounds(
    successes: ArrayLike, trials: int, confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Exact bounds of a probability (Clopper and Pearson 1934), each one-sided at `confidence`: lower and upper."""
    hits = np.asarray(successes, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        lower = np.where(hits > 0, betaincinv(hits, trials - hits + 1, 1 - confidence), 0.0)
        upper = np.where(hits < trials, betaincinv(hits + 1, trials - hits, confidence), 1.0)
    return lower, upper
