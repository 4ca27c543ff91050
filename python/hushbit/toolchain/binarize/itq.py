"""Iterative quantization (Gong and Lazebnik, CVPR 2011).

The vectors are reduced to as many principal components as there are bits. Then they are rotated so that their signs are
as near as possible to the rotated vectors. Codes with more bits than dimensions consist of several such rotations, each
with its own start.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.base import Vectors
from hushbit.toolchain.binarize.linear import LinearBinarizer, linear_binarizer
from hushbit.toolchain.binarize.preprocessing import (
    default_components,
    fit_preprocessing,
    unit_sample,
)
from hushbit.toolchain.binarize.projection import random_rotation

_SAMPLE = 30_000


@dataclass(frozen=True)
class ItqMethod:
    """PCA and iteratively improved rotations."""

    iterations: int = 30

    def __post_init__(self) -> None:
        if self.iterations < 0:
            raise InvalidArgumentError(f"iterations is {self.iterations}; it must be 0 or more")

    def default_components(self, dimensions: int) -> int:
        """A tenth of the dimensions, at most 10."""
        return default_components(dimensions)

    def fit(self, vectors: Vectors, *, bits: int, seed: int, components: int, progress: Progress) -> LinearBinarizer:
        """Learns from a sample of the vectors."""
        preprocessing = fit_preprocessing(vectors, components)
        generator = np.random.Generator(np.random.PCG64(seed))
        sample = unit_sample(preprocessing, vectors, _SAMPLE, generator)
        weights = itq_weights(sample, bits, self.iterations, generator, progress)
        return linear_binarizer("itq", seed, {"iterations": self.iterations}, preprocessing, weights)


def itq_weights(
    sample: NDArray[np.float32], bits: int, iterations: int, generator: np.random.Generator, progress: Progress
) -> NDArray[np.float64]:
    """(bits, dimensions): blocks of orthonormal rows. The axes of `sample` are its principal axes, largest first.

    With no iterations they are random rotations of the largest components.
    """
    dimensions = sample.shape[1]
    blocks = []
    for first in range(0, bits, dimensions):
        rows = min(dimensions, bits - first)
        block = np.zeros((rows, dimensions))
        block[:, :rows] = _rotation(sample[:, :rows], iterations, generator).T
        blocks.append(block)
        progress(first + rows, bits, "rotate")
    return np.concatenate(blocks)


def _rotation(vectors: NDArray[np.float32], iterations: int, generator: np.random.Generator) -> NDArray[np.float64]:
    rotation = random_rotation(vectors.shape[1], generator)
    for _ in range(iterations):
        signs = np.where(vectors @ rotation.astype(np.float32) > 0, np.float32(1), np.float32(-1))
        # The rotation that brings the vectors nearest to their signs (orthogonal Procrustes problem).
        left, _, right = np.linalg.svd((signs.T @ vectors).astype(np.float64))
        rotation = (left @ right).T
    return rotation
