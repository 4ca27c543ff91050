"""Values by their ranks, as if they were normal."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_TAIL = 0.01  # the share of values from which lines beyond the ends take their slope
_LAST_DIGITS = 2.0**-30
_END_BLOCKS = 0.25  # a block has at most this share of the values beyond it


class NormalScores:
    """A monotone map that makes given values normal, and its inverse, linear between knots and beyond them.

    A value that was given c times is the value of as many scores: drawn values repeat as often as the given ones. The
    knots of the others are means of up to `block` neighbors, fewer toward the ends: with a knot at every value, drawn
    values would be as many between two close ones as between two distant ones, so that gaps gave the given ones away.
    """

    def __init__(self, values: NDArray[np.float64], block: int) -> None:
        """`values` must have two different ones."""
        self._values, counts = np.unique(values, return_counts=True)
        middle = np.cumsum(counts) - counts / 2  # ranks; a value that occurs once has no more than that
        self._scores = _normal(middle / len(values))
        blocks = _blocks(counts, block)
        sizes = np.bincount(blocks)
        knots, ranks = (np.bincount(blocks, weights=of) / sizes for of in (self._values, middle))
        repeats = np.bincount(blocks, weights=counts) * (np.bincount(blocks, weights=counts > 1) > 0)
        ends = np.column_stack([ranks - repeats / 2, ranks + repeats / 2]).clip(0.5, len(values) - 0.5)
        needed = np.column_stack([np.ones(len(knots), dtype=np.bool_), repeats > 0])
        self._knots, self._ends = np.repeat(knots, needed.sum(axis=1)), _normal(ends[needed] / len(values))
        inner = min(int(_TAIL * len(self._values)) + 1, len(self._values) - 1)
        self._low_slope = self._slope(0, inner)
        self._high_slope = self._slope(-1 - inner, -1)

    def _slope(self, first: int, last: int) -> float:
        rise = self._values[last] - self._values[first]
        return float(rise / (self._scores[last] - self._scores[first]))

    def scores(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The normal scores of values between the smallest and the largest given."""
        return np.asarray(np.interp(values, self._values, self._scores), dtype=np.float64)

    def values(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of any normal scores."""
        beyond = np.minimum(scores - self._ends[0], 0) * self._low_slope
        beyond += np.maximum(scores - self._ends[-1], 0) * self._high_slope
        found = np.interp(scores, self._ends, self._knots) + beyond
        right = np.searchsorted(self._ends, scores).clip(1, len(self._ends) - 1)
        between = (self._knots[right] != self._knots[right - 1]) | (beyond != 0)
        # A sum of a knot and less ends in zeros where it is smaller than the knot; a product has as many digits as any.
        found[between] *= 1 + _LAST_DIGITS * scores[between]
        return np.asarray(found, dtype=np.float64)


def _blocks(counts: NDArray[np.int64], block: int) -> NDArray[np.int64]:
    """The number of the block that each value is in: one of its own if it repeats."""
    edges, last = [0], len(counts)
    repeated = counts > 1
    starts = np.zeros(last, dtype=np.bool_)
    starts[repeated] = True
    starts[1:][repeated[:-1]] = True
    while edges[-1] < last:
        at = edges[-1]
        size = min(block, int(_END_BLOCKS * min(at, last - at)))
        edges.append(at + max(size, 1))
    starts[edges[:-1]] = True
    return np.cumsum(starts) - 1


def _normal(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard normal numbers below which these shares lie."""
    inverse = NormalDist().inv_cdf
    return np.array([inverse(share) for share in shares.tolist()])
