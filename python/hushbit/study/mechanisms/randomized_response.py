"""Formulas of randomized response on the bits of a code, the noise of BRR."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from hushbit.errors import InvalidArgumentError


def loss_distribution(epsilon: float, distance: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The privacy losses of two codes at `distance` bits, and their log-probabilities: two arrays (distance + 1,).

    The loss is ε·(2B - d), where B is binomial(d, e^ε / (1 + e^ε)): the differing bits that are reported truthfully. It
    is the likelihood ratio of BRR's Theorem 2 term by term (Kairouz, Oh and Viswanath 2017 for d = 1).
    """
    _require_epsilon(epsilon)
    truthful = np.arange(distance + 1, dtype=np.float64)
    return epsilon * (2 * truthful - distance), _log_binomial(distance, epsilon, truthful)


def delta_of_pair(epsilon: float, distance: int, bound: float) -> float:
    """δ(ε') = E[max(0, 1 - e^(ε' - L))] over the loss L: the hockey-stick divergence at ε' = `bound`.

    (Dwork and Rothblum 2016; Balle, Barthe and Gaboardi 2018.) It is exact up to rounding, a sum of d + 1 terms.
    """
    losses, log_chances = loss_distribution(epsilon, distance)
    above = losses > bound
    return float(np.sum(np.exp(log_chances[above]) * -np.expm1(bound - losses[above])))


def epsilon_of_pair(epsilon: float, distance: int, delta: float) -> float:
    """The smallest ε' of 0 or more with `delta_of_pair(…, ε')` <= δ: how well two codes can actually be distinguished.

    δ is in [0, 1); 0 gives the pure bound ε·d.
    """
    require_delta(delta)
    low, high = 0.0, epsilon * distance
    if delta == 0 or delta_of_pair(epsilon, distance, low) <= delta:
        return high if delta == 0 else low
    while high - low > 1e-12 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of_pair(epsilon, distance, middle) <= delta else (middle, high)
    return high


def require_delta(delta: float) -> None:
    """Raises InvalidArgumentError for a δ outside [0, 1)."""
    if not 0 <= delta < 1:
        raise InvalidArgumentError(f"delta is {delta}; it must be at least 0 and below 1")


def _log_binomial(count: int, epsilon: float, successes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log-probabilities of `successes` of `count` trials with success probability e^ε / (1 + e^ε)."""
    ways = gammaln(count + 1) - gammaln(successes + 1) - gammaln(count - successes + 1)
    return np.asarray(ways + successes * epsilon - count * np.logaddexp(0, epsilon), dtype=np.float64)


def _require_epsilon(epsilon: float) -> None:
    if not (math.isfinite(epsilon) and epsilon >= 0):
        raise InvalidArgumentError(f"epsilon is {epsilon}; it must be a finite number, 0 or more")
