"""Equal privacy for mechanisms on different distances (BRR, Carvalho et al. 2021, section 5 and appendix A)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.privacy.intervals import mean_interval

EXACT_PAIRS = 1 << 32  # all pairs of 65,536 words: a minute or two
SAMPLED_WORDS = 2000
_BLOCK_NUMBERS = 1 << 23
_LARGEST = "P_max of vectors"


@dataclass(frozen=True)
class MeanDistance:
    """P_avg: the mean distance over all ordered pairs of words, self-pairs included."""

    value: float
    interval: tuple[float, float]
    """The 95 % interval if sampled, otherwise the value twice."""
    exact: bool


def matched_epsilon(epsilon: float, distance: float, other_distance: float) -> float:
    """ε_B = (P_A / P_B) · ε_A: the ε at which mechanism B has the same ε·P as A (BRR, section 5).

    P is the mean or the largest distance of pairs. Raises InvalidArgumentError unless both are above 0.
    """
    if not (distance > 0 and other_distance > 0):
        raise InvalidArgumentError("privacy cannot be matched: all words of the bundle are at distance 0")
    return distance / other_distance * epsilon


def mean_euclidean_distance(
    vectors: NDArray[np.float32], generator: np.random.Generator, progress: Progress = no_progress
) -> MeanDistance:
    """P_avg of real vectors (words, dimensions): exact if feasible, otherwise from sampled words to all words."""
    exact = len(vectors) ** 2 <= EXACT_PAIRS
    rows = np.arange(len(vectors)) if exact else generator.choice(len(vectors), SAMPLED_WORDS, replace=False)
    blocks = _distances(vectors, rows, progress, "P_avg of vectors")
    means = np.concatenate([block.mean(axis=1, dtype=np.float64) for block in blocks])
    value = float(means.mean())
    return MeanDistance(value, (value, value) if exact else mean_interval(means), exact)


def largest_euclidean_distance(vectors: NDArray[np.float32], progress: Progress = no_progress) -> tuple[float, bool]:
    """P_max of real vectors, and whether it is exact; otherwise it is an upper bound.

    |a - b| <= |a - m| + |b - m|, so only words far from the mean m can be farther apart than a known pair.
    """
    radius = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1).astype(np.float64)
    far = np.argsort(-radius)
    outer = far[:SAMPLED_WORDS]
    best = max(float(block.max()) for block in _distances(vectors[outer], np.arange(len(outer)), progress, _LARGEST))
    candidates = far[radius[far] + radius[far[0]] >= best * (1 - 1e-6)]
    if len(candidates) ** 2 > EXACT_PAIRS:
        return float(radius[far[0]] + radius[far[1]]), False
    blocks = _distances(vectors[candidates], np.arange(len(candidates)), progress, _LARGEST)
    return max([best, *(float(block.max()) for block in blocks)]), True


def _distances(
    vectors: NDArray[np.float32], rows: NDArray[np.integer], progress: Progress, label: str
) -> Iterator[NDArray[np.float32]]:
    """Distances of some rows to all, block by block: arrays (rows of the block, words)."""
    centered = vectors - vectors.mean(axis=0)
    squares = np.einsum("ij,ij->i", centered, centered)
    size = max(1, _BLOCK_NUMBERS // len(vectors))
    for first in range(0, len(rows), size):
        block = rows[first : first + size]
        between = squares[block, None] + squares - 2 * (centered[block] @ centered.T)
        between[np.arange(len(block)), block] = 0
        yield np.sqrt(np.maximum(between, 0, out=between), out=between)
        progress(min(first + size, len(rows)), len(rows), label)


def privacy_ratio(epsilon: float, distance: float, other_epsilon: float, other_distance: float) -> float:
    """(ε_A·P_A) / (ε_B·P_B): if above 1, mechanism A promises less than B (BRR, appendix A)."""
    return math.inf if other_epsilon * other_distance == 0 else epsilon * distance / (other_epsilon * other_distance)
