"""The ChaCha20 keystream of RFC 8439, all blocks at once."""

import struct

import numpy as np
from numpy.typing import NDArray

_CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _rotate(x: NDArray[np.uint32], by: int) -> NDArray[np.uint32]:
    return (x << np.uint32(by)) | (x >> np.uint32(32 - by))


def _quarter_round(x: NDArray[np.uint32], a: int, b: int, c: int, d: int) -> None:
    for first, second, by in ((a, b, 16), (c, d, 12), (a, b, 8), (c, d, 7)):
        target = d if first == a else b
        x[first] += x[second]
        x[target] = _rotate(x[target] ^ x[first], by)


def blocks(key: bytes, counter: int, nonce: bytes, count: int) -> bytes:
    """`count` keystream blocks of 64 bytes from block number `counter` on."""
    start = np.zeros((16, count), dtype=np.uint32)
    start[0:4] = np.array(_CONSTANTS, dtype=np.uint32)[:, None]
    start[4:12] = np.frombuffer(key, dtype="<u4")[:, None]
    start[12] = np.arange(counter, counter + count, dtype=np.uint32)
    start[13:16] = np.frombuffer(nonce, dtype="<u4")[:, None]
    x = start.copy()
    for _ in range(10):
        for quarter in _COLUMNS + _DIAGONALS:
            _quarter_round(x, *quarter)
    return np.ascontiguousarray((x + start).T).astype("<u4").tobytes()


def keystream(seed: bytes, offset: int, size: int) -> bytes:
    """Bytes [offset, offset + size) of the stream that a seed of 32 bytes stands for: nonce 0, counter from 0."""
    first = offset // 64
    last = (offset + size + 63) // 64
    skip = offset - 64 * first
    return blocks(seed, first, bytes(12), last - first)[skip : skip + size]


class SeededSource:
    """The keystream handed out from its start, as `privatize_seeded` draws it."""

    def __init__(self, seed: bytes, chunk: int = 1 << 16) -> None:
        self._seed = seed
        self._chunk = chunk  # how much is made at a time
        self._made = 0
        self._ready = b""

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        while len(self._ready) < size:
            wanted = max(self._chunk, size)
            self._ready += keystream(self._seed, self._made, wanted)
            self._made += wanted
        taken, self._ready = self._ready[:size], self._ready[size:]
        return taken


class FixedSource:
    """Given bytes handed out from their start, for cases that no seed reaches."""

    def __init__(self, stream: bytes) -> None:
        self._left = stream

    @property
    def left(self) -> int:
        """How many bytes there still are."""
        return len(self._left)

    def take(self, size: int) -> bytes:
        """The next `size` bytes; running out is an error of the case."""
        if size > len(self._left):
            raise ValueError(f"the stream has {len(self._left)} bytes left, {size} were asked for")
        taken, self._left = self._left[:size], self._left[size:]
        return taken
