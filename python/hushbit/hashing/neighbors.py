"""Tables that lack K rows: which K make the fitted Gaussians differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

TAILS = ("upper", "lower", "both")
"""Which rows a neighbor lacks: the K largest, the K smallest, or the K farthest from the mean on either side."""


@dataclass(frozen=True)
class Moments:
    """Mean and variance of the fitted Gaussians: (d,) for the whole table, (tails, d) for its neighbors."""

    mean: NDArray[np.float64]
    variance: NDArray[np.float64]


class WorstNeighbors:
    """The neighbors of a table, one dimension at a time, each with the K rows removed that move the Gaussian most.

    Removing rows from one tail moves the mean, removing them from both shrinks the variance; which is worse depends on
    the weights, so all of TAILS are candidates.
    """

    def __init__(self, weights: NDArray[Any]) -> None:
        """`weights` is (n, d) with n of 2 or more. Raises InvalidArgumentError."""
        if len(weights) < 2:
            raise InvalidArgumentError(f"a distribution needs 2 rows or more; there are {len(weights)}")
        values = np.asarray(weights, dtype=np.float64)
        self.rows, self.dimensions = values.shape
        self._center = values.mean(axis=0)
        columns = [np.sort(values[:, j] - self._center[j]) for j in range(self.dimensions)]
        self._constant = np.array([column[0] == column[-1] for column in columns])
        self.whole = self._moments(self._whole(columns))
        self._ends = [_Ends(column) for column in columns]

    def _whole(self, columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.array([[column.sum(), np.square(column).sum(), len(column)] for column in columns])

    def without(self, removed: int) -> Moments:
        """The moments of the candidates, (tails, d). Raises InvalidArgumentError unless 0 <= removed < n."""
        if not 0 <= removed < self.rows:
            raise InvalidArgumentError(
                f"a term of {removed} features cannot be removed from a table of {self.rows} rows; it must be fewer"
            )
        return self._moments(np.stack([ends.without(removed) for ends in self._ends], axis=1))

    def _moments(self, sums: NDArray[np.float64]) -> Moments:
        """From sums, sums of squares and counts of the centered values, in the last axis."""
        mean = sums[..., 0] / sums[..., 2]
        variance = np.maximum(sums[..., 1] / sums[..., 2] - mean**2, 0)
        # A constant stays one, whatever rounding says.
        return Moments(np.where(self._constant, 0, mean), np.where(self._constant | (sums[..., 2] < 2), 0, variance))


class _Ends:
    """Running sums from either end of a sorted column, and from the farthest value inward."""

    def __init__(self, column: NDArray[np.float64]) -> None:
        farthest = column[np.argsort(-np.abs(column), kind="stable")]
        self._sums = [_running(order) for order in (column[::-1], column, farthest)]
        self._length = len(column)

    def without(self, removed: int) -> NDArray[np.float64]:
        """Sum, sum of squares and count that are left, (tails, 3)."""
        return np.array([[*(s[-1] - s[removed]), self._length - removed] for s in self._sums])


def _running(values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros((len(values) + 1, 2))
    np.cumsum(values, out=sums[1:, 0])
    np.cumsum(np.square(values), out=sums[1:, 1])
    return sums
