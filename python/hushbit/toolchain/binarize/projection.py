"""Signs of centered vectors along random orthogonal directions.

This is the baseline: it learns only the mean. The share of bits in which two codes differ estimates the angle between
the centered vectors divided by π; orthogonal directions estimate it with less variance than independent ones (Ji et
al., "Super-Bit Locality-Sensitive Hashing", 2012).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress
from hushbit.toolchain.binarize.base import Vectors
from hushbit.toolchain.binarize.linear import LinearBinarizer, linear_binarizer
from hushbit.toolchain.binarize.preprocessing import fit_preprocessing


@dataclass(frozen=True)
class ProjectionMethod:
    """Takes the mean of the vectors and draws the directions from the seed."""

    def default_components(self, dimensions: int) -> int:  # noqa: ARG002 - none, whatever the dimensions
        """None, to keep the baseline simple."""
        return 0

    def fit(self, vectors: Vectors, *, bits: int, seed: int, components: int, progress: Progress) -> LinearBinarizer:
        """Needs only the mean of the vectors, their dimensions and the components to remove."""
        preprocessing = fit_preprocessing(vectors, components)
        generator = np.random.Generator(np.random.PCG64(seed))
        weights = orthogonal_blocks(bits, preprocessing.kept, generator)
        progress(1, 1, "fit projection")
        return linear_binarizer("projection", seed, {"centered": True, "orthogonal": True}, preprocessing, weights)


def random_rotation(dimensions: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """An orthogonal matrix, uniform over all of them."""
    q, r = np.linalg.qr(generator.standard_normal((dimensions, dimensions)))
    rotation: NDArray[np.float64] = q * np.sign(np.diag(r))  # the signs make it uniform (Mezzadri, 2007)
    return rotation


def orthogonal_blocks(bits: int, dimensions: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """(bits, dimensions): blocks of orthonormal rows, with as many rows per block as there are dimensions."""
    blocks = [random_rotation(dimensions, generator).T for _ in range(0, bits, dimensions)]
    return np.concatenate(blocks)[:bits]
