"""Learned numbers on a grid, so that the same seed gives the same encoder under another version of numpy."""

import math

import numpy as np
from numpy.typing import NDArray

_PLACES = 20


def on_grid(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounds to 20 binary places below the largest magnitude: steps of about a millionth of it.

    The last bits of sums, eigenvectors and singular vectors differ between versions of numpy and of the library that
    multiplies its matrices, by some 1e-15 of the largest number. On the grid those differences are gone, unless a
    number lies that near to the middle of a step: a chance of about 1e-9 for each number. Codes do not suffer: scores
    move by millionths.
    """
    largest = float(np.abs(array).max(initial=0.0))
    if largest == 0 or not math.isfinite(largest):
        return array
    # The step must not depend on last bits either, and a largest number of 1 is common; one of 2/3 is not.
    exponent = _PLACES - math.frexp(1.5 * largest)[1]
    return np.ldexp(np.rint(np.ldexp(array, exponent)), -exponent) + 0.0  # no -0, whose bytes are others
