"""Uniform numbers for the mechanisms on real vectors."""

import os

import numpy as np
from numpy.typing import NDArray

_BITS = 52


def uniforms(shape: tuple[int, ...], generator: np.random.Generator | None = None) -> NDArray[np.float64]:
    """Independent uniform numbers strictly between 0 and 1, on a grid of 2^-52.

    They are from the operating system, or from `generator` in tests and experiments. The resulting noise is in floating
    point and therefore not exact: see Mironov, "On significance of the least significant bits for differential
    privacy", 2012.
    """
    count = int(np.prod(shape))
    data = os.urandom(8 * count) if generator is None else generator.bytes(8 * count)
    integers = np.frombuffer(data, dtype="<u8") >> np.uint64(64 - _BITS)
    return ((integers.astype(np.float64) + 0.5) * 2.0**-_BITS).reshape(shape)
