"""Columns that are computed from others, up to rounding.

The two weights of a binary model add up to zero, and so do those of a row trained by passive-aggressive updates. Drawn
independently, synthetic rows would miss that and be told apart at a glance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows that factors are sought with; they are then checked against all.
_SAMPLE = 4096


@dataclass(frozen=True)
class Dependence:
    """`free` columns are drawn; column `derived[i]` is `coefficients[i]` times (1, the free columns)."""

    free: tuple[int, ...]
    derived: tuple[int, ...]
    coefficients: NDArray[np.float64]

    def complete(self, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        """All columns from the free ones, (rows, free) to (rows, d)."""
        result = np.empty((len(drawn), len(self.free) + len(self.derived)))
        result[:, self.free] = drawn
        for column, (constant, *factors) in zip(self.derived, self.coefficients, strict=True):
            # Added one after the other: a sum of two exact opposites then is exactly zero, as in a genuine row.
            value = np.full(len(drawn), constant)
            for factor, source in zip(factors, drawn.T, strict=True):
                if factor != 0:
                    value += factor * source
            result[:, column] = value
        return result


def find_dependence(rows: NDArray[Any]) -> Dependence:
    """What the columns of (n, d) rows have in common. A constant column depends on nothing."""
    values = np.asarray(rows, dtype=np.float64)
    tolerance = 1e-9 if rows.dtype == np.float64 else 1e-5
    free: list[int] = []
    derived: dict[int, NDArray[np.float64]] = {}
    for column in range(values.shape[1]):
        found = _solve(values[:, free], values[:, column], tolerance)
        if found is None:
            free.append(column)
        else:
            derived[column] = found
    coefficients = np.zeros((len(derived), 1 + len(free)))
    for i, found in enumerate(derived.values()):
        coefficients[i, : len(found)] = found
    return Dependence(tuple(free), tuple(derived), coefficients)


def _solve(known: NDArray[np.float64], target: NDArray[np.float64], tolerance: float) -> NDArray[np.float64] | None:
    """A constant and factors that make `target` of `known` columns, if there are any."""
    if (target == target[0]).all():
        return np.concatenate([target[:1], np.zeros(known.shape[1])])
    sample = np.linspace(0, len(target) - 1, min(len(target), _SAMPLE)).astype(np.intp)
    basis = np.column_stack([np.ones(len(sample)), known[sample]])
    scale = np.maximum(np.abs(basis).max(axis=0), np.finfo(np.float64).tiny)
    solution = np.linalg.lstsq(basis / scale, target[sample], rcond=None)[0] / scale
    allowed = tolerance * np.abs(target).max()
    for candidate in (np.round(solution), solution):  # whole factors give exact sums, so they are tried first
        if np.abs(basis @ candidate - target[sample]).max() > allowed:
            continue
        if np.abs(known @ candidate[1:] + candidate[0] - target).max() <= allowed:
            return np.asarray(candidate, dtype=np.float64)
    return None
