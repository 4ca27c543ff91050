"""Values by their ranks, as if they were normal."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_MAX_KNOTS = 1 << 16
_TAIL = 0.01  # of the values, from which lines beyond the ends take their slope


class NormalScores:
    """A monotone map that makes given values normal, and its inverse, linear between the values and beyond them."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        """`values` must have two different ones."""
        self._values, counts = np.unique(values, return_counts=True)
        shares = (np.cumsum(counts) - counts / 2) / len(values)
        if len(shares) > _MAX_KNOTS:
            kept = np.linspace(0, len(shares) - 1, _MAX_KNOTS).astype(np.intp)
            self._values, shares = self._values[kept], shares[kept]
        standard = NormalDist()
        self._scores = np.array([standard.inv_cdf(share) for share in shares.tolist()])
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
        beyond = np.minimum(scores - self._scores[0], 0) * self._low_slope
        beyond += np.maximum(scores - self._scores[-1], 0) * self._high_slope
        return np.asarray(np.interp(scores, self._scores, self._values) + beyond, dtype=np.float64)
