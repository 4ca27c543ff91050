"""The truncated exponential mechanism on a metric of one's own: a matrix of distances, or a function."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushbit._options import DEFAULTS
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.distance_tem import DistanceTem

Metric: TypeAlias = Callable[[Ids, Ids], NDArray[np.floating]]
"""The distances of words (n,) to words (m,): (n, m)."""

OWN_METRIC = "tem (own metric)"
_CENTERS = 12
_AROUND = 12
_RANDOM = 160
_ROUNDING = 1e-5  # relative: distances are often computed in float32


class MetricTem(DistanceTem):
    """TEM on any metric of the words 0 … `words` - 1. ε is per unit of it.

    `metric` is a matrix (words, words), or a function. Raises InvalidArgumentError where it is found not to be a
    metric: the promise e^(ε·d) needs the triangle inequality and symmetry, and a distance of 0 between two words would
    promise that nothing tells them apart. A matrix is looked at as a whole but for the triangles; triangles, and all of
    a function, on a sample: neighbors of some words, and words at random. A sample finds what fails often; it proves
    nothing.
    """

    def __init__(
        self,
        metric: Metric | NDArray[np.floating],
        words: int,
        epsilon: float,
        beta: float = DEFAULTS.beta,
        *,
        name: str = OWN_METRIC,
        seed: int = 0,
    ) -> None:
        super().__init__(words, epsilon, beta)
        self.name = name
        self._metric = checked_metric(metric, words, np.random.default_rng(seed))
        self._all = np.arange(words, dtype=np.uint32)

    def distances(self, words: Ids) -> NDArray[np.floating]:
        """Distances from each of `words` to every word, (len(words), |W|)."""
        return np.array(self._metric(words, self._all), dtype=np.float64)


def checked_metric(metric: Metric | NDArray[np.floating], words: int, generator: np.random.Generator) -> Metric:
    """The function, or one that reads the matrix. Raises InvalidArgumentError if it is found not to be a metric."""
    if callable(metric):
        function = metric
    else:
        matrix = metric
        if matrix.shape != (words, words):
            raise InvalidArgumentError(
                f"the distances have the shape {matrix.shape}; expected ({words}, {words}), a row and a column for "
                "each word, in the order of the words' ids"
            )
        for first in range(0, words, 1024):
            rows = np.arange(first, min(first + 1024, words), dtype=np.uint32)
            _require_pairs(matrix[rows], matrix[:, rows].T, rows, np.arange(words, dtype=np.uint32))
        function = lambda a, b: matrix[np.ix_(a, b)]  # noqa: E731
    ids = _looked_at(function, words, generator)
    distances = np.asarray(function(ids, ids), dtype=np.float64)
    if distances.shape != (len(ids), len(ids)):
        raise InvalidArgumentError(
            f"the metric gives the shape {distances.shape} for {len(ids)} by {len(ids)} words; expected a row for each "
            "of the first and a column for each of the second"
        )
    _require_pairs(distances, distances.T, ids, ids)
    _require_triangles(distances, ids)
    return function


def _looked_at(metric: Metric, words: int, generator: np.random.Generator) -> Ids:
    """Random words, and the neighbors of some of them, where triangles are thin."""
    if words <= _RANDOM + _CENTERS * _AROUND:
        return np.arange(words, dtype=np.uint32)
    chosen = generator.choice(words, _RANDOM, replace=False).astype(np.uint32)
    rows = np.asarray(metric(chosen[:_CENTERS], np.arange(words, dtype=np.uint32)))
    if rows.shape != (_CENTERS, words):  # said by the caller, of the words at random
        return chosen
    return np.unique(np.concatenate([chosen, np.argsort(rows, axis=1)[:, :_AROUND].ravel()])).astype(np.uint32)


def _require_pairs(distances: NDArray[np.floating], turned: NDArray[np.floating], rows: Ids, columns: Ids) -> None:
    """Requires distances that are finite, 0 or more, symmetric, and 0 for a word itself and for nothing else."""
    same = rows[:, None] == columns
    with np.errstate(invalid="ignore"):  # numbers that are not finite are reported first
        turned_off = np.abs(distances - turned) > _ROUNDING * np.abs(distances)
    faults = (
        (~np.isfinite(distances), "is not a finite number"),
        (distances < 0, "is below 0"),
        (same & (distances != 0), "is not 0, though it is one word"),
        (~same & (distances == 0), "is 0, though they are two words"),
        (turned_off, "is another one the other way around"),
    )
    for wrong, what in faults:
        if wrong.any():
            i, j = (int(place) for place in np.argwhere(wrong)[0])
            raise InvalidArgumentError(
                f"no metric: the distance of the words with the ids {rows[i]} and {columns[j]}, {distances[i, j]:.6g}, "
                f"{what}"
            )


def _require_triangles(distances: NDArray[np.float64], ids: Ids) -> None:
    for middle in range(len(ids)):
        detour = distances[:, middle, None] + distances[middle]
        wrong = distances > detour * (1 + _ROUNDING)
        if wrong.any():
            i, j = (int(place) for place in np.argwhere(wrong)[0])
            raise InvalidArgumentError(
                f"no metric: from the word with the id {ids[i]} to {ids[j]} it is {distances[i, j]:.6g}, by way of "
                f"{ids[middle]} only {detour[i, j]:.6g}, which breaks the triangle inequality, and with it the "
                "guarantee; squared distances and 1 - cosine do so, the square root and the angle do not"
            )
