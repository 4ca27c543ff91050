"""Bob Jenkins' hash `hashlittle` (lookup3, 2006, public domain), over many keys of one length at a time.

It is apart from `cqdb`, which alone uses it, since it is tested alone, by its published values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_Words = NDArray[np.uint32]


def hash_little(keys: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The hashes of (n, length) bytes, length 1 or more, with initial value 0."""
    count, length = keys.shape
    padded = np.zeros((count, -(-length // 12) * 12), dtype=np.uint8)
    padded[:, :length] = keys
    words = padded.view("<u4").astype(np.uint32)
    a = np.full(count, (0xDEADBEEF + length) & 0xFFFFFFFF, dtype=np.uint32)
    b, c = a.copy(), a.copy()
    last = words.shape[1] - 3
    for first in range(0, last, 3):
        a, b, c = a + words[:, first], b + words[:, first + 1], c + words[:, first + 2]
        a, b, c = _mix(a, b, c)
    a, b, c = a + words[:, last], b + words[:, last + 1], c + words[:, last + 2]
    return _final(a, b, c)


def _rotate(x: _Words, bits: int) -> _Words:
    return (x << np.uint32(bits)) | (x >> np.uint32(32 - bits))


def _mix(a: _Words, b: _Words, c: _Words) -> tuple[_Words, _Words, _Words]:
    for bits in (4, 6, 8, 16, 19, 4):
        # a -= c; a ^= rot(c, bits); c += b; then the names move on by one.
        a = (a - c) ^ _rotate(c, bits)
        c = c + b
        a, b, c = b, c, a
    return a, b, c


def _final(a: _Words, b: _Words, c: _Words) -> _Words:
    for bits in (14, 11, 25, 16, 4, 14, 24):
        # c ^= b; c -= rot(b, bits); then a takes the place of c, b that of a, c that of b.
        c = (c ^ b) - _rotate(b, bits)
        a, b, c = b, c, a
    return b
