"""Tables that lack K rows: which K make the fitted Gaussians differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

TAILS = ("upper", "lower", "both")
"""The rows that a neighbor lacks: the K largest, the K smallest, or the K farthest from the mean on either side."""


@dataclass(frozen=True)
class Moments:
    """Mean and variance of the fitted Gaussians: (d,) for the whole table, (tails, d) for its neighbors."""

    mean: NDArray[np.float64]
    variance: NDArray[np.float64]


def worst_neighbors(weights: NDArray[Any], removed: Sequence[int]) -> tuple[Moments, list[Moments]]:
    """The moments of a table, (d,), and for each of `removed` those of its worst neighbors, (tails, d).

    Each dimension is taken on its own, and loses the K rows that move its Gaussian most. Removing rows from one tail
    moves the mean, removing them from both shrinks the variance; which is worse depends on the weights, so all of TAILS
    are candidates. Means are relative to the table's, and all in units of a power of two near the dimension's largest
    weight, on which no divergence depends. Raises InvalidArgumentError for fewer than 2 rows, and unless 0 <= K < n.
    """
    rows, dimensions = weights.shape
    if rows < 2:
        raise InvalidArgumentError(f"a distribution needs 2 rows or more; there are {rows}")
    for count in removed:
        if not 0 <= count < rows:
            raise InvalidArgumentError(
                f"a term of {count} features cannot be removed from a table of {rows} rows; it must be fewer"
            )
    counts = np.array([0, *removed])
    moments = np.empty((dimensions, len(counts), len(TAILS), 2))
    for dimension in range(dimensions):
        moments[dimension] = _without(np.sort(weights[:, dimension].astype(np.float64)), counts)
    mean, variance = moments[..., 0].transpose(1, 2, 0), moments[..., 1].transpose(1, 2, 0)
    whole = Moments(mean[0, 0], variance[0, 0])
    return whole, [Moments(m, v) for m, v in zip(mean[1:], variance[1:], strict=True)]


def _without(column: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean and variance of a sorted column without `counts` values from each tail, (counts, tails, 2)."""
    result = np.zeros((len(counts), len(TAILS), 2))
    if column[0] == column[-1]:  # a constant stays one, whatever rounding says
        return result
    column = np.ldexp(column, -np.frexp(np.abs(column).max())[1])  # squares of very large or small numbers are none
    column -= column.mean()
    farthest = column[np.argsort(-np.abs(column), kind="stable")]
    left = len(column) - counts
    for tail, order in enumerate((column[::-1], column, farthest)):
        sums, squares = (_sums_from(values, counts) for values in (order, np.square(order)))
        result[:, tail, 0] = sums / left
        result[:, tail, 1] = np.where(left > 1, np.maximum(squares / left - (sums / left) ** 2, 0), 0)
    result[counts == 0] = result[0, 0]  # the table itself, in whatever order it was added up
    return result


def _sums_from(values: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sums of all values but the first `counts`."""
    running = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray(running[-1] - running[counts], dtype=np.float64)
