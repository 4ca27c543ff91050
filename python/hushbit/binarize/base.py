"""The seam between embeddings and codes, and encoding in blocks, which every binarizer shares."""

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushbit._progress import Progress, no_progress

Vectors: TypeAlias = NDArray[np.float32]
"""(words, dimensions), finite."""

_BLOCK_ROWS = 1 << 14


class Binarizer(Protocol):
    """A learned map from vectors to codes."""

    @property
    def bits(self) -> int:
        """Of a code."""

    def describe(self) -> dict[str, Any]:
        """What a bundle records of it: name, seed, parameters. JSON values, the same for the same input and seed."""

    def encode(self, vectors: Vectors) -> NDArray[np.uint8]:
        """Packed codes (len(vectors), bits / 8): bit i is bit i % 8, from the least significant, of byte i / 8."""


class Method(Protocol):
    """A way to learn a binarizer."""

    def fit(self, vectors: Vectors, *, bits: int, seed: int, progress: Progress) -> Binarizer:
        """Learns from vectors. Deterministic in its arguments."""


def encode(binarizer: Binarizer, vectors: Vectors, progress: Progress = no_progress) -> NDArray[np.uint8]:
    """Encodes block by block, so that what a binarizer computes on the way need not fit in memory for all words."""
    codes = np.empty((len(vectors), binarizer.bits // 8), dtype=np.uint8)
    for first in range(0, len(vectors), _BLOCK_ROWS):
        block = vectors[first : first + _BLOCK_ROWS]
        codes[first : first + len(block)] = binarizer.encode(block)
        progress(first + len(block), len(vectors), "encode")
    return codes
