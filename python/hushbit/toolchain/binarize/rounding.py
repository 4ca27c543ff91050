"""Rounds learned numbers to a grid, so that the same seed gives the same encoder with every version of numpy."""

import math

import numpy as np
from numpy.typing import NDArray

_PLACES = 20


def on_grid(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounds to 20 binary places below the largest magnitude, in steps of about a millionth of it.

    The last bits of sums, eigenvectors and singular vectors differ between versions of numpy and of the library that
    multiplies its matrices, by about 1e-15 of the largest number. Rounding to the grid removes those differences,
    unless a number is that near to the middle of a step, which has a probability of about 1e-9 for each number. The
    effect on codes is negligible: scores move by millionths.
    """
    largest = float(np.abs(array).max(initial=0.0))
    if largest == 0 or not math.isfinite(largest):
        return array
    # The step must not depend on last bits either. A largest number of 1 is common, one of 2/3 is not.
    exponent = _PLACES - math.frexp(1.5 * largest)[1]
    return np.ldexp(np.rint(np.ldexp(array, exponent)), -exponent) + 0.0  # no -0, whose bytes differ
