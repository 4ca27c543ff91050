"""Spherical k-means."""

import numpy as np
from numpy.typing import NDArray

from hushbit._progress import Progress

_BLOCK_ROWS = 1024


def spherical_centers(
    vectors: NDArray[np.float32], count: int, iterations: int, generator: np.random.Generator, progress: Progress
) -> NDArray[np.float32]:
    """(count, dimensions), of length 1, from `vectors` of length 1. A cell that nobody is in keeps its center."""
    centers = vectors[generator.choice(len(vectors), count, replace=False)]
    for iteration in range(iterations):
        sums = np.zeros(centers.shape)
        for first in range(0, len(vectors), _BLOCK_ROWS):
            block = vectors[first : first + _BLOCK_ROWS]
            np.add.at(sums, (block @ centers.T).argmax(axis=1), block)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        filled = lengths[:, 0] > 0
        centers[filled] = (sums[filled] / lengths[filled]).astype(np.float32)
        progress(iteration + 1, iterations, "find anchors")
    return centers
