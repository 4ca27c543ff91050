"""The binarizer that projection, ITQ and the autoencoder produce: a bit is the side of a hyperplane."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain.binarize.base import Vectors, pack
from hushbit.toolchain.binarize.preprocessing import Preprocessing
from hushbit.toolchain.binarize.rounding import on_grid


@dataclass(frozen=True)
class LinearBinarizer:
    """Bit i is 1 where (vector - mean) · directions[i] > 0."""

    kind: ClassVar[str] = "linear"

    name: str
    seed: int
    parameters: dict[str, Any]
    mean: NDArray[np.float64]
    """(dimensions,)"""
    directions: NDArray[np.float64]
    """(bits, dimensions)"""
    warnings: tuple[str, ...] = ()

    @property
    def bits(self) -> int:
        """The number of bits of a code."""
        return len(self.directions)

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector."""
        return int(self.directions.shape[1])

    def describe(self) -> dict[str, Any]:
        """Name, seed and parameters."""
        return {"name": self.name, "seed": self.seed, "parameters": self.parameters}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned."""
        return {"mean": self.mean, "directions": self.directions}

    def scores(self, vectors: Vectors) -> NDArray[np.float64]:
        """(len(vectors), bits)."""
        return (vectors - self.mean) @ self.directions.T

    def encode(self, vectors: Vectors) -> NDArray[np.uint8]:
        """Packed codes (len(vectors), bits / 8)."""
        return pack(self.scores(vectors))


def linear_binarizer(
    name: str,
    seed: int,
    parameters: dict[str, Any],
    preprocessing: Preprocessing,
    weights: NDArray[np.floating[Any]],
    warnings: tuple[str, ...] = (),
) -> LinearBinarizer:
    """Makes a binarizer from weights (bits, kept) for preprocessed vectors. Preprocessing is linear, so it is part of
    the directions.
    """
    removed = len(preprocessing.mean) - preprocessing.kept
    directions = on_grid(weights.astype(np.float64) @ preprocessing.basis.T)
    return LinearBinarizer(name, seed, {"components": removed, **parameters}, preprocessing.mean, directions, warnings)
