"""Numbers of other sizes than bytes (docs/bundle-format.md)."""

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 16  # numbers packed at a time


def pack_numbers(numbers: NDArray[np.uint32], width: int) -> bytes:
    """Numbers of `width` bits each, starting with the least significant bit, padded to a multiple of 8 bytes."""
    parts: list[bytes] = []
    columns = np.arange(width, dtype=np.uint32)
    for first in range(0, len(numbers), _CHUNK):  # a whole number of bytes each, except the last
        bits = (numbers[first : first + _CHUNK, None] >> columns & 1).astype(np.uint8)
        parts.append(np.packbits(bits, bitorder="little").tobytes())
    packed = b"".join(parts)
    return packed + bytes(-len(packed) % 8)
