"""Columns that are computed from others, up to rounding.

The two weights of a binary model add up to zero, and so do those of a row trained by passive-aggressive updates. Drawn
independently, synthetic rows would miss that and be told apart at a glance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows that factors are sought with; they are then checked against all.
_SAMPLE = 4096


@dataclass(frozen=True)
class Dependence:
    """`free` columns are drawn; column `derived[i]` is `coefficients[i]` times (1, the free columns).

    An optimizer's weights add up to almost nothing, but not to zero. What is left, for the derived columns of which i
    is in `inexact`, is drawn as well: exact sums would be told apart.
    """

    free: tuple[int, ...]
    derived: tuple[int, ...]
    coefficients: NDArray[np.float64]
    inexact: tuple[int, ...] = ()

    def reduce(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """What is drawn of (n, d) rows: the free columns, and then what is left of the inexact ones."""
        if not self.derived:
            return np.asarray(rows, dtype=np.float64)
        known = [rows[:, column] for column in self.free]
        result = np.empty((len(rows), len(self.free) + len(self.inexact)))
        for i, column in enumerate(known):
            result[:, i] = column
        for i, which in enumerate(self.inexact, len(known)):
            result[:, i] = rows[:, self.derived[which]] - _combine(self.coefficients[which], known, len(rows))
        return result

    def complete(self, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        """The rows, (n, d), that `drawn`, as `reduce` makes it, stands for."""
        result = np.empty((len(drawn), len(self.free) + len(self.derived)))
        known = list(drawn.T[: len(self.free)])
        for column, values in zip(self.free, known, strict=True):
            result[:, column] = values
        for column, factors in zip(self.derived, self.coefficients, strict=True):
            result[:, column] = _combine(factors, known, len(drawn))
        for i, which in enumerate(self.inexact, len(known)):
            result[:, self.derived[which]] += drawn[:, i]
        return result


def find_dependence(rows: NDArray[Any]) -> Dependence:
    """What the columns of (n, d) rows have in common. A constant column depends on nothing."""
    tolerance = 1e-9 if rows.dtype == np.float64 else 1e-5
    free: list[int] = []
    derived: dict[int, tuple[NDArray[np.float64], bool]] = {}
    for column in range(rows.shape[1]):
        found = _solve([rows[:, i] for i in free], rows[:, column], tolerance)
        if found is None:
            free.append(column)
        else:
            derived[column] = found
    coefficients = np.zeros((len(derived), 1 + len(free)))
    for i, (factors, _) in enumerate(derived.values()):
        coefficients[i, : len(factors)] = factors
    inexact = tuple(i for i, (_, exact) in enumerate(derived.values()) if not exact)
    return Dependence(tuple(free), tuple(derived), coefficients, inexact)


def _solve(
    known: list[NDArray[Any]], target: NDArray[Any], tolerance: float
) -> tuple[NDArray[np.float64], bool] | None:
    """A constant and factors that make `target` of `known` columns, if there are any, and whether they do exactly."""
    if (target == target[0]).all():
        return np.array([target[0], *(0.0 for _ in known)], dtype=np.float64), True
    sample = np.linspace(0, len(target) - 1, min(len(target), _SAMPLE)).astype(np.intp)
    basis = np.column_stack([np.ones(len(sample)), *(column[sample] for column in known)])
    scale = np.maximum(np.abs(basis).max(axis=0), np.finfo(np.float64).tiny)
    solution = np.linalg.lstsq(basis / scale, target[sample], rcond=None)[0] / scale
    allowed = tolerance * float(np.abs(target).max())
    for candidate in (np.round(solution), solution):  # whole factors give exact sums, so they are tried first
        if np.abs(basis @ candidate - target[sample]).max() > allowed:
            continue
        rest = np.abs(_combine(candidate, known, len(target)) - target).max()
        if rest <= allowed:
            return np.asarray(candidate, dtype=np.float64), bool(rest == 0)
    return None


def _combine(factors: NDArray[np.float64], columns: Sequence[NDArray[Any]], count: int) -> NDArray[np.float64]:
    """A constant plus the weighted sum of some columns, `count` numbers.

    Added one after the other: a sum of two exact opposites then is exactly zero, as in a genuine row.
    """
    value = np.full(count, factors[0])
    for factor, column in zip(factors[1:], columns, strict=False):
        if factor != 0:
            value += factor * column
    return value
