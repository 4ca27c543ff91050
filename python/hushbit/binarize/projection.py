"""Signs of centered vectors along random orthogonal directions.

The baseline: it learns nothing but the mean. The share of bits in which two codes differ estimates the angle between
the centered vectors divided by π; orthogonal directions estimate it with less variance than independent ones (Ji et
al., "Super-Bit Locality-Sensitive Hashing", 2012).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._progress import Progress
from hushbit.binarize.base import Vectors


@dataclass(frozen=True)
class Projection:
    """The binarizer: bit i is 1 where (vector - mean) · directions[i] > 0."""

    mean: NDArray[np.float64]
    """(dimensions,)"""
    directions: NDArray[np.float64]
    """(bits, dimensions): blocks of orthonormal rows, as many rows a block as there are dimensions."""
    seed: int

    @property
    def bits(self) -> int:
        """Of a code."""
        return len(self.directions)

    def describe(self) -> dict[str, Any]:
        """Name, seed and what identifies the construction."""
        return {"name": "projection", "seed": self.seed, "parameters": {"centered": True, "orthogonal": True}}

    def encode(self, vectors: Vectors) -> NDArray[np.uint8]:
        """Packed codes (len(vectors), bits / 8)."""
        signs = (vectors - self.mean) @ self.directions.T > 0
        return np.packbits(signs, axis=1, bitorder="little")


class ProjectionMethod:
    """Takes the mean of the vectors and draws the directions from the seed."""

    def fit(self, vectors: Vectors, *, bits: int, seed: int, progress: Progress) -> Projection:
        """Needs nothing of the vectors but their mean and dimensions."""
        directions = _orthogonal_blocks(bits, vectors.shape[1], np.random.Generator(np.random.PCG64(seed)))
        progress(1, 1, "fit projection")
        return Projection(vectors.mean(axis=0, dtype=np.float64), directions, seed)


def _orthogonal_blocks(bits: int, dimensions: int, generator: np.random.Generator) -> NDArray[np.float64]:
    blocks = []
    for _ in range(0, bits, dimensions):
        q, r = np.linalg.qr(generator.standard_normal((dimensions, dimensions)))
        blocks.append((q * np.sign(np.diag(r))).T)  # the signs make q uniform over rotations (Mezzadri, 2007)
    return np.concatenate(blocks)[:bits]
