"""MurmurHash3 as scikit-learn's feature hashers use it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit.errors import InvalidArgumentError

_MIN_INT32 = -(1 << 31)


def hash_features(features: Iterable[str], size: int, *, seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """The row of every feature in a table of `size` hashes, and its sign, +1 or -1.

    The 32-bit hash of the feature's UTF-8 bytes is taken as a signed number h: the row is |h| modulo `size`, the sign
    is negative if h is (scikit-learn's `alternate_sign`). For h = -2^31 the row is (2^31 - size) modulo `size`, as
    scikit-learn has it. Raises InvalidArgumentError for a size outside 1 to 2^31 - 1. Needs the package mmh3.
    """
    with extra("hashing"):
        import mmh3

    if not 1 <= size < 1 << 31:
        raise InvalidArgumentError(f"a table of {size} hashes is not between 1 and 2147483647")
    hashes = np.array([mmh3.hash(feature.encode(), seed) for feature in features], dtype=np.int64)
    rows = np.where(hashes == _MIN_INT32, ((1 << 31) - 1 - (size - 1)) % size, np.abs(hashes) % size)
    return rows, np.where(hashes < 0, -1, 1).astype(np.int8)
