"""The section `embedding`: read with every rule checked, and written, from docs/bundle-format.md alone."""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rules import need

_HEAD = struct.Struct("<IIQ48s")


@dataclass(frozen=True)
class EmbeddingTables:
    """What the vectors of texts are made with, and the number of directions."""

    directions: int
    """K"""
    seed: int
    matrix: NDArray[np.int16]
    """(d, bits)"""
    weights: list[int]
    """Weights of the output words by index, 0 to 255."""

    @property
    def dimensions(self) -> int:
        """d"""
        return len(self.matrix)


def embedding_section(tables: EmbeddingTables) -> bytes:
    """The bytes of the section."""
    head = _HEAD.pack(tables.dimensions, tables.directions, tables.seed, bytes(48))
    return head + tables.matrix.astype("<i2").tobytes() + bytes(tables.weights)


def read_embedding_section(section: bytes, bits: int, outputs: int) -> EmbeddingTables:
    """The tables from the section's bytes."""
    dimensions, directions, seed, reserved = _HEAD.unpack_from(section)
    need(dimensions in range(8, 65, 8) and 2 <= directions <= 65536, "dimensions and directions")
    need(not any(reserved), "reserved bytes of embedding")
    end = 64 + 2 * dimensions * bits
    need(len(section) == end + outputs, "length of embedding")
    matrix = np.frombuffer(section[64:end], dtype="<i2").reshape(dimensions, bits)
    return EmbeddingTables(directions, seed, matrix, list(section[end:]))
