"""Vectors of a caller's own: the projection file and what it makes of numbers (docs/bundle-format.md)."""

import hashlib
import math
import struct
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

_HEAD = struct.Struct("<8sIIIIQi28x")
MAGIC = b"\x89HSP\r\n\x1a\n"
_LARGEST = 1 << 24


@dataclass(frozen=True)
class Projection:
    """v = A (q - mean), with q the numbers as integers."""

    directions: int
    seed: int
    scale_bits: int
    mean: list[int]
    matrix: NDArray[np.int16]
    """(d, n)"""

    @property
    def dimensions(self) -> int:
        """d"""
        return len(self.matrix)

    def file(self) -> bytes:
        """The bytes of the file."""
        head = _HEAD.pack(MAGIC, 1, len(self.mean), self.dimensions, self.directions, self.seed, self.scale_bits)
        body = head + struct.pack(f"<{len(self.mean)}i", *self.mean) + self.matrix.astype("<i2").tobytes()
        return body + hashlib.sha256(body).digest()

    @property
    def hash(self) -> bytes:
        """What identifies it."""
        return self.file()[-32:]

    def quantized(self, numbers: list[float]) -> list[int]:
        """Integers, in exact arithmetic. ValueError for a number that is not finite."""
        if not all(map(math.isfinite, numbers)):
            raise ValueError("not finite")
        exact = [math.floor(Fraction(x) * Fraction(2) ** self.scale_bits + Fraction(1, 2)) for x in numbers]
        return [max(-_LARGEST, min(_LARGEST, q)) for q in exact]

    def vector(self, quantized: list[int]) -> list[int]:
        """v"""
        centered = np.array([q - m for q, m in zip(quantized, self.mean, strict=True)], dtype=object)
        return [int(value) for value in self.matrix.astype(object) @ centered]
