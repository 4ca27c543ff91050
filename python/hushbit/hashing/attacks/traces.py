"""What an attacker looks at to tell genuine rows of a table from synthetic ones.

Every family of observations has traces of its own kind of drawing: rows that are interpolated between genuine ones lie
in the middle of gaps, copies have a near neighbor, computed numbers have longer digits, independent draws never repeat.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit.hashing.table.repeats import row_counts

_STEPS = (1, 2, 4, 8)  # the neighbors to which distances are measured
_MULTIPLES = (2.0, 0.5, 3.0, 1 / 3)  # multiples of a weight: words that one document has twice
_CLOSE = 1e-12  # relatively: equal but for rounding
_MAX_NEIGHBOR_ROWS = 1 << 15
_MAX_COLUMNS = 8
_LOW_BITS = 8
_HUGE = 1e300
_BEYOND_LOGS = 1000.0  # a number beyond the logarithms of float64

Observations = dict[str, NDArray[np.float64]]


class Table:
    """Genuine rows and then synthetic ones, (n, d) and (m, d), together without a copy of them all."""

    def __init__(self, genuine: NDArray[Any], synthetic: NDArray[Any]) -> None:
        self.parts = (genuine, synthetic)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def rows(self, chosen: NDArray[np.intp]) -> NDArray[np.float64]:
        """Some rows, in their order."""
        first = len(self.parts[0])
        rows = np.empty((len(chosen), self.parts[0].shape[1]))
        rows[chosen < first] = self.parts[0][chosen[chosen < first]]
        rows[chosen >= first] = self.parts[1][chosen[chosen >= first] - first]
        return rows

    def column(self, index: int) -> NDArray[np.float64]:
        """All weights of one dimension."""
        return np.concatenate([part[:, index] for part in self.parts]).astype(np.float64)

    def fullest(self, count: int) -> NDArray[np.intp]:
        """The columns with the most weights that are not zero, in their order."""
        filled = np.array([np.count_nonzero(self.column(i)) for i in range(self.parts[0].shape[1])])
        return np.sort(np.argsort(-filled, kind="stable")[:count])


def observe(table: Table, chosen: NDArray[np.intp]) -> Observations:
    """Observations of the `chosen` rows of a table by family, (chosen, any) each.

    Gaps, repeats and multiples are those within the whole table, but of single weights in the 8 fullest columns only;
    nearest rows of a table of more than 32,768 rows are sought among that many, the chosen and random ones.
    """
    rows, fullest = table.rows(chosen), table.fullest(_MAX_COLUMNS)
    mine = rows[:, fullest]
    gaps, multiples = [], []
    inside, anywhere = np.empty(mine.shape), np.zeros(mine.shape)
    for i, index in enumerate(fullest):
        known = np.sort(table.column(index))
        inside[:, i] = _count(known, mine[:, i])
        sizes = np.sort(np.abs(known))
        gaps += [_gaps(np.unique(known), mine[:, i]), _gaps(np.unique(sizes), np.abs(mine[:, i]))]
        multiples += [_count(sizes, np.abs(mine[:, i]) * factor, _CLOSE) > 0 for factor in _MULTIPLES]
        for j, own in enumerate(np.abs(mine.T)):
            anywhere[:, j] += _count(sizes, own)
    counts = np.column_stack([row_counts(*table.parts)[chosen], inside, anywhere])
    found = {
        "weights": _weights(rows),
        "gaps": np.hstack(gaps),
        "digits": _digits(mine),
        "repeats": np.column_stack([np.log(counts), *multiples]),
    }
    if rows.shape[1] > 1:
        found["nearest rows"] = _nearest_rows(table, chosen)
    return found


def _weights(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights, their sum, its size, their norm, and how many are positive and not zero."""
    rows = np.ldexp(rows, -np.frexp(np.abs(rows).max())[1])  # no sum or square overflows
    sums = rows.sum(axis=1)
    return np.column_stack([rows, sums, _log(np.abs(sums)), np.linalg.norm(rows, axis=1), (rows > 0).sum(axis=1),
                            (rows != 0).sum(axis=1)])  # fmt: skip


def _gaps(known: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances to smaller and larger values of those `known`, distinct and sorted, and how they compare."""
    at = np.searchsorted(known, own) + _STEPS[-1]
    padded = np.pad(known, _STEPS[-1], constant_values=(-np.inf, np.inf))
    with np.errstate(over="ignore"):
        below = np.column_stack([_log(own - padded[at - step]) for step in _STEPS])
        above = np.column_stack([_log(padded[at + step] - own) for step in _STEPS])
    nearer, farther = np.minimum(below, above), np.maximum(below, above)
    return np.hstack([below, above, nearer[:, :1] - nearer[:, -1:], farther[:, :1] - farther[:, -1:], nearer[:, :1]])


def _digits(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Zeros at the end of the binary digits, the last bits, and the decimal digits that it takes to write a number."""
    whole = np.ldexp(np.frexp(np.abs(rows))[0], 53).astype(np.int64)
    zeros = np.frexp((whole & -whole).astype(np.float64))[1]
    written = np.array([[len(repr(value)) for value in row] for row in np.abs(rows).tolist()], dtype=np.float64)
    return np.hstack([zeros, whole % (1 << _LOW_BITS), written])


def _count(known: NDArray[np.float64], wanted: NDArray[np.float64], tolerance: float = 0.0) -> NDArray[np.int64]:
    """How often each of `wanted` is among sorted numbers."""
    last = np.searchsorted(known, wanted * (1 + tolerance), "right")
    return np.asarray(last - np.searchsorted(known, wanted * (1 - tolerance), "left"))


def _nearest_rows(table: Table, chosen: NDArray[np.intp]) -> NDArray[np.float64]:
    """Distances to the nearest distinct rows, how they compare, and how near those are to theirs and how often."""
    places, distances, nearest = _search(table, chosen)
    steps = _log(distances[:, [step - 1 for step in _STEPS]])
    popular = np.bincount(nearest[:, 0], minlength=len(nearest))
    own = np.column_stack([steps, steps[:, 0] - steps[:, -1], steps[:, 0] - steps[nearest[:, 0], 0], popular])
    return np.asarray(own[places])


def _search(table: Table, chosen: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
    """The place of each chosen row among the distinct rows, and the distances and places of the 8 nearest others of
    each.
    """
    with extra("hashing"):
        from sklearn.neighbors import NearestNeighbors

    rest = np.setdiff1d(np.arange(len(table)), chosen, assume_unique=True)
    room = max(_MAX_NEIGHBOR_ROWS - len(chosen), 0)
    if len(rest) > room:
        rest = np.random.default_rng(0).choice(rest, room, replace=False)
    rows = table.rows(np.concatenate([chosen, rest]))
    with np.errstate(over="ignore"):
        rows = rows / np.median(np.abs(rows[rows != 0]))
    rows = np.arcsinh(rows.clip(-_HUGE, _HUGE))  # long tails would be all that distances see
    first = np.take_along_axis(rows, (rows != 0).argmax(axis=1)[:, None], axis=1)
    rows *= np.sign(first)
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    count = min(_STEPS[-1] + 1, len(distinct))
    distances, nearest = NearestNeighbors(n_neighbors=count).fit(distinct).kneighbors(distinct)
    return places.reshape(-1)[: len(chosen)], _padded(distances[:, 1:]), _padded(nearest[:, 1:])


def _padded(columns: NDArray[Any]) -> NDArray[Any]:
    missing = _STEPS[-1] - columns.shape[1]
    return np.pad(columns, ((0, 0), (0, missing)), mode="edge") if missing else columns


def _log(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithms of distances. Where a distance is missing or zero, it is beyond those of all numbers."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(np.log(distance), nan=_BEYOND_LOGS, posinf=_BEYOND_LOGS, neginf=-_BEYOND_LOGS)
