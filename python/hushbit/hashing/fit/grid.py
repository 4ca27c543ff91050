"""The numbers that training can produce: some tables hold whole numbers, or float32 numbers in float64.

Synthetic weights with more bits than any genuine one would be told apart by their last digits. This is apart from
`rows`, which alone uses it, since it is tested alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BITS = 53  # significant bits of a float64


@dataclass(frozen=True)
class Grid:
    """The grid of each column: the significant `bits` and the power of two, 2^`steps`, of which all its weights are
    multiples.

    A column whose weights use the whole width of float64 has nothing to round to: 53 bits and a step of None.
    """

    bits: tuple[int, ...]
    steps: tuple[int | None, ...]

    def round(self, drawn: NDArray[np.float64], columns: NDArray[np.intp]) -> None:
        """Rounds (n, k) drawn weights of the k `columns` in place. No zero becomes negative."""
        for values, column in zip(drawn.T, columns, strict=True):
            bits, step = self.bits[column], self.steps[column]
            if bits < _BITS:
                fractions, exponents = np.frexp(values)
                values[:] = np.ldexp(np.rint(np.ldexp(fractions, bits)), exponents - bits)
            if step is not None:
                values[:] = np.ldexp(np.rint(np.ldexp(values, -step)), step) + 0


def find_grid(weights: NDArray[Any]) -> Grid:
    """The grid of (n, d) weights."""
    found = [_of_column(np.asarray(column[column != 0], dtype=np.float64)) for column in weights.T]
    return Grid(tuple(bits for bits, _ in found), tuple(step for _, step in found))


def _of_column(values: NDArray[np.float64]) -> tuple[int, int | None]:
    if not len(values):
        return _BITS, None
    fractions, exponents = np.frexp(np.abs(values))
    whole = np.ldexp(fractions, _BITS).astype(np.int64)
    zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # zeros at the end of the binary digits
    step = int((exponents - _BITS + zeros).min())
    return _BITS - int(zeros.min()), step if int(exponents.max()) - step < _BITS else None
