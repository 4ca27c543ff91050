"""Values by their ranks, as if they were normal."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_MAX_VALUES = 1 << 16  # different ones that are kept
_TAIL = 0.01  # of the values, from which lines beyond the ends take their slope


class NormalScores:
    """A monotone map that makes given values normal, and its inverse, linear between the values and beyond them.

    A value that was given c times is the value of as many scores: drawn values repeat as often as the given ones. Of
    too many different values the most frequent are kept, and some of the others at equal distances.
    """

    def __init__(self, values: NDArray[np.float64]) -> None:
        """`values` must have two different ones."""
        self._values, counts = np.unique(values, return_counts=True)
        middle = np.cumsum(counts) - counts / 2  # ranks; a value that occurs once has no more than that
        if len(counts) > _MAX_VALUES:
            frequent = np.argsort(-counts, kind="stable")[: _MAX_VALUES // 2]
            even = np.linspace(0, len(counts) - 1, _MAX_VALUES // 2).astype(np.intp)
            kept = np.union1d(frequent, even)
            self._values, counts, middle = self._values[kept], counts[kept], middle[kept]
        half = np.where(counts > 1, counts / 2, 0)
        ranks = np.column_stack([middle - half, middle + half]).clip(0.5, len(values) - 0.5)
        needed = np.column_stack([np.ones(len(counts), dtype=np.bool_), counts > 1])
        self._knots, self._ends = np.repeat(self._values, needed.sum(axis=1)), _normal(ranks[needed] / len(values))
        self._scores = _normal(middle / len(values))
        inner = min(int(_TAIL * len(self._values)) + 1, len(self._values) - 1)
        self._low_slope = self._slope(0, inner)
        self._high_slope = self._slope(-1 - inner, -1)

    def _slope(self, first: int, last: int) -> float:
        rise = self._values[last] - self._values[first]
        return float(rise / (self._scores[last] - self._scores[first]))

    def scores(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of values between the smallest and the largest given."""
        return np.asarray(np.interp(values, self._values, self._scores), dtype=np.float64)

    def values(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of any scores."""
        beyond = np.minimum(scores - self._ends[0], 0) * self._low_slope
        beyond += np.maximum(scores - self._ends[-1], 0) * self._high_slope
        return np.asarray(np.interp(scores, self._ends, self._knots) + beyond, dtype=np.float64)


def _normal(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard normal numbers below which these shares lie."""
    inverse = NormalDist().inv_cdf
    return np.array([inverse(share) for share in shares.tolist()])
