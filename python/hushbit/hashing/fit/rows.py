"""The distribution of a table's rows, and synthetic rows drawn from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.hashing.fit import DEFAULT_FIT, FIT_KINDS
from hushbit.hashing.fit.density import Density, Gaussian, Kernel, Mixture, ScaledCopies
from hushbit.hashing.fit.dependence import Dependence, find_dependence
from hushbit.hashing.fit.grid import Grid, find_grid
from hushbit.hashing.fit.random import Source, normal, shuffled, source, urn
from hushbit.hashing.table.repeats import Groups, find_groups

_DENSITIES: dict[str, Callable[[NDArray[np.float64]], Density]] = {
    "gaussian": Gaussian,
    "mixture": Mixture,
    "kernel": Kernel,
}
_MOVE = 0.05  # the change of a copied weight, in the logarithm
# How many distinct rows of a kind it takes to fit a density to them alone.
_ENOUGH = 100
# Rows that occur once, twice, 3 to 4 times, 5 to 8 times, more often: rare words weigh less.
_COUNT_EDGES = (1, 2, 4, 8)


@dataclass(frozen=True)
class _Stratum:
    """Rows with the same columns zero and similarly many repeats."""

    members: NDArray[np.int64]  # indexes of the distinct rows
    columns: NDArray[np.intp]  # those that are not zero
    dependence: Dependence  # among them
    density: Density | None  # None if no column is free

    def draw(self, positions: NDArray[np.int64], grid: Grid, words: Source) -> NDArray[np.float64]:
        rows = np.zeros((len(positions), len(grid.bits)))
        drawn = np.empty((len(positions), 0)) if self.density is None else self.density.draw(positions, words)
        free = list(self.dependence.free)
        grid.round(drawn[:, : len(free)], self.columns[free])
        rows[:, self.columns] = self.dependence.complete(drawn)
        return rows


class SyntheticRows:
    """Drawn rows, a few bytes each beside the distinct ones: `rows[i:j]` is (j - i, d)."""

    def __init__(self, values: NDArray[Any], ids: NDArray[np.int32], negative: NDArray[np.bool_]) -> None:
        self._values = values
        self._ids = ids
        self._negative = negative

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, window: slice | NDArray[np.integer]) -> NDArray[Any]:
        rows = self._values[self._ids[window]]
        negative = self._negative[window]
        rows[negative] = 0 - rows[negative]  # never -0, which only a change of sign makes
        return rows


class FittedRows:
    """What `fit_rows` returns."""

    def __init__(self, kind: str, dtype: np.dtype[Any], grid: Grid, groups: Groups, strata: list[_Stratum]) -> None:
        self.kind = kind
        self.repeated = 1 - float((groups.counts == 1).sum() / groups.counts.sum())
        """The share of genuine rows that repeat another one, but for the sign."""
        self._dtype = dtype
        self._grid = grid
        self._counts = groups.counts
        self._opposite = groups.opposite
        self._strata = strata
        self._stratum_of = np.empty(len(groups.counts), dtype=np.int32)
        self._position_of = np.empty(len(groups.counts), dtype=np.int64)
        for index, stratum in enumerate(strata):
            self._stratum_of[stratum.members] = index
            self._position_of[stratum.members] = np.arange(len(stratum.members))

    def describe(self) -> dict[str, int]:
        """How many of the distinct rows are modeled in which way."""
        kinds: Counter[str] = Counter()
        for stratum in self._strata:
            kinds["constant" if stratum.density is None else stratum.density.describe()] += len(stratum.members)
        return dict(kinds.most_common())

    def draw(self, count: int, *, generator_for_tests: np.random.Generator | None = None) -> SyntheticRows:
        """`count` synthetic rows in random order, with the operating system's randomness.

        Which rows are chosen as patterns is exact; the numbers themselves are floating-point (`random.normal`).
        Raises RandomnessFailedError.
        """
        words = source(generator_for_tests)
        chosen = self._choose_groups(count, words)
        return self._scattered(self._draw_values(chosen, words), chosen, count, words)

    def _scattered(self, values: NDArray[Any], chosen: NDArray[np.int64], count: int, words: Source) -> SyntheticRows:
        """The first `count` rows of the chosen groups in random order, as many with the other sign as in the group."""
        sizes = self._counts[chosen]
        ids = np.repeat(np.arange(len(chosen), dtype=np.int32), sizes)[:count]
        places = np.arange(count) - (np.cumsum(sizes) - sizes)[ids]
        negative = places >= (sizes - self._opposite[chosen])[ids]
        order = shuffled(np.arange(count, dtype=np.int32), words)
        return SyntheticRows(values, ids[order], negative[order])

    def _choose_groups(self, count: int, words: Source) -> NDArray[np.int64]:
        """Groups from an urn of the genuine ones, until they have `count` rows, which every group has at least one of.

        Drawn uniformly, they would be distributed more like the genuine ones than a second sample of such groups is,
        and who knows some rows would expect the opposite of what is common among those.
        """
        chosen = urn(len(self._counts), count, words)
        reached = np.cumsum(self._counts[chosen])
        return chosen[: int(np.searchsorted(reached, count)) + 1 if count else 0]

    def _draw_values(self, chosen: NDArray[np.int64], words: Source) -> NDArray[Any]:
        values = np.empty((len(chosen), len(self._grid.bits)), dtype=self._dtype)
        missing = np.arange(len(chosen))
        while len(missing):  # a row of zeros would be no row at all
            kinds = self._stratum_of[chosen[missing]]
            for index in np.unique(kinds):
                mine = missing[kinds == index]
                for part in np.array_split(mine, len(mine) // (1 << 16) + 1):
                    positions = self._position_of[chosen[part]]
                    values[part] = self._strata[index].draw(positions, self._grid, words)
            missing = missing[~values[missing].any(axis=1)]
        return values


class FittedCopies(FittedRows):
    """The whole table again and again, in which every different weight is multiplied by a random number of its own.

    Weights that were equal stay equal, in whatever row and column, and zeros stay zero: that is how rows of several
    labels look. Sums of three weights or more are not kept. Takes several times the memory of the table.
    """

    def __init__(self, weights: NDArray[Any], groups: Groups) -> None:
        super().__init__("copies", weights.dtype, find_grid(weights), groups, [])
        rows = weights[groups.index].astype(np.float64)
        self._signs = np.sign(rows)
        self._magnitudes, places = np.unique(np.abs(rows), return_inverse=True)
        self._places = places.reshape(rows.shape)
        self._step = find_grid(self._magnitudes[:, None])

    def describe(self) -> dict[str, int]:
        """How many of the distinct rows are modeled in which way."""
        return {"copies with moved weights": len(self._counts)}

    def draw(self, count: int, *, generator_for_tests: np.random.Generator | None = None) -> SyntheticRows:
        """`count` synthetic rows in random order: each group once before any comes a second time."""
        words = source(generator_for_tests)
        values, parts, total = [np.empty(self._signs[:0].shape, dtype=self._dtype)], [np.empty(0, dtype=np.int64)], 0
        while total < count:
            order = shuffled(np.arange(len(self._counts), dtype=np.int32), words)
            order = order[: int(np.searchsorted(np.cumsum(self._counts[order]), count - total)) + 1]
            values.append((self._signs[order] * self._moved(words)[self._places[order]]).astype(self._dtype))
            parts.append(order.astype(np.int64))
            total += int(self._counts[order].sum())
        return self._scattered(np.concatenate(values), np.concatenate(parts), count, words)

    def _moved(self, words: Source) -> NDArray[np.float64]:
        """Every different magnitude times a random number, as far as the weights' own digits allow."""
        moved = self._magnitudes[:, None] * np.exp(_MOVE * normal(len(self._magnitudes), 1, words))
        self._step.round(moved, np.array([0]))
        result = moved[:, 0]
        return np.where(result == 0, self._magnitudes, result)


def fit_rows(weights: NDArray[Any], kind: str = DEFAULT_FIT) -> FittedRows:
    """Fits the joint distribution of (n, d) weights.

    Rows are first told apart by which weights are exactly zero and by how often the row repeats; each such kind gets a
    density of its own, `kind` being one of FIT_KINDS, over the columns that are not computed from others. Kinds with
    too few rows for that get slightly scaled copies. The kind "copies" fits no density: see FittedCopies. Raises
    InvalidArgumentError for an unknown `kind`, for fewer than 2 rows, and if all rows are the same.
    """
    if kind not in FIT_KINDS:
        raise InvalidArgumentError(f"there is no fit '{kind}'; choose one of {', '.join(FIT_KINDS)}")
    if len(weights) < 2:
        raise InvalidArgumentError(f"a distribution needs 2 rows or more; the table has {len(weights)}")
    present = weights.any(axis=1)
    if not present.all():
        weights = weights[present]
    groups = find_groups(weights)
    if len(groups.counts) < 2:
        raise InvalidArgumentError("all rows are the same, so there is no distribution to draw others from")
    if kind == "copies":
        return FittedCopies(weights, groups)
    strata = [_fit_stratum(weights, groups, members, kind, alone) for members, alone in _split(weights, groups)]
    return FittedRows(kind, weights.dtype, find_grid(weights), groups, strata)


def _split(weights: NDArray[Any], groups: Groups) -> list[tuple[NDArray[np.int64], bool]]:
    """Members of each stratum, and whether they are enough for a density."""
    zeros = np.packbits(weights != 0, axis=1)[groups.index]
    patterns = np.unique(zeros, axis=0, return_inverse=True)[1].reshape(-1)
    buckets = np.searchsorted(_COUNT_EDGES, groups.counts)
    order = np.argsort(patterns, kind="stable")
    result: list[tuple[NDArray[np.int64], bool]] = []
    for same in np.split(order, np.flatnonzero(np.diff(patterns[order])) + 1):
        parts = [same[buckets[same] == bucket] for bucket in range(len(_COUNT_EDGES) + 1)]
        rest = [part for part in parts if len(part) < _ENOUGH]
        result += [(part, True) for part in parts if len(part) >= _ENOUGH]
        merged = np.sort(np.concatenate(rest)) if rest else same[:0]
        if len(merged):
            result.append((merged, len(merged) >= _ENOUGH))
    return result


def _fit_stratum(
    weights: NDArray[Any], groups: Groups, members: NDArray[np.int64], kind: str, enough: bool
) -> _Stratum:
    index = groups.index[members]
    columns = np.flatnonzero(weights[index[0]])
    every_row = len(index) == len(weights)  # they are in order, so that no copy is needed
    mine = weights if every_row else weights[index]
    mine = mine if len(columns) == mine.shape[1] else mine[:, columns]
    if not enough:
        every = Dependence(tuple(range(len(columns))), (), np.empty((0, 1 + len(columns))))
        return _Stratum(members, columns, every, ScaledCopies(np.asarray(mine, dtype=np.float64)))
    dependence = find_dependence(mine)
    drawn = dependence.reduce(mine)
    if not drawn.shape[1]:
        return _Stratum(members, columns, dependence, None)
    fitted = Kernel(drawn, len(dependence.inexact)) if kind == "kernel" else _DENSITIES[kind](drawn)
    return _Stratum(members, columns, dependence, fitted)
