"""Formulas of the truncated exponential mechanism (Carvalho et al., SDM 2023), on either distance."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError


def truncation_distance(epsilon: float, beta: float, words: int) -> float:
    """γ = (2 / ε) · ln((1 - β)(|W| - 1) / β), clipped at 0 (TEM, Theorem 4.2).

    The total probability of words beyond γ is then at most about β. The theorem gives a negative number for a small |W|
    and a large β, but a distance is not negative.
    """
    if not 0 < beta < 1:
        raise InvalidArgumentError(f"beta is {beta}; it must lie strictly between 0 and 1")
    if not (math.isfinite(epsilon) and epsilon >= 0):
        raise InvalidArgumentError(f"epsilon is {epsilon}; it must be a finite number, 0 or more")
    farther = (1 - beta) / beta * (words - 1)
    if farther <= 1:
        return 0.0
    return math.inf if epsilon == 0 else 2 / epsilon * math.log(farther)


def worst_case(epsilon: float, gamma: float, largest: float) -> float:
    """ε·min(γ, P_max): the local-DP ε of a word, where `largest` is P_max. No weight is below that of a word at γ."""
    return 0.0 if epsilon == 0 else epsilon * min(gamma, largest)


def bottom_score(epsilon: float, gamma: float, far: NDArray[np.integer]) -> NDArray[np.float64]:
    """The score -γ + 2·ln|W∖L| / ε of ⊥, which represents `far` = |W∖L| words beyond γ (TEM, Algorithm 2).

    -∞ if there are none. With this score ⊥ has the same weight as those words would have at distance γ.
    """
    with np.errstate(divide="ignore"):
        return np.where(far > 0, -gamma + 2 / epsilon * np.log(far), -np.inf)


def epsilon_of_weights(weights: NDArray[np.uint64]) -> float:
    """2 · max over d of ln(v(d) / v(d + 1)): the guarantee of a table (docs/proofs.md, "TEM over Hamming distance")."""
    whole = [int(weight) for weight in weights]
    return 2 * max(math.log(a) - math.log(b) for a, b in pairwise(whole))


def shell_chances(counts: NDArray[np.integer], weights: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The probability of each distance of the output: c(d)·v(d) / Z, from counts (…, bits + 1) of the words at it."""
    scaled = counts * (weights / weights[0])
    return np.asarray(scaled / scaled.sum(axis=-1, keepdims=True))


def word_chances(counts: NDArray[np.integer], weights: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The probability of one word at each distance: v(d) / Z, from counts (…, bits + 1)."""
    scale = weights / weights[0]
    return np.asarray(scale / (counts * scale).sum(axis=-1, keepdims=True))
