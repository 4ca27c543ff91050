"""Finds which output words are near: the stand-in of every word, and the crowd of every center."""

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, no_progress

_BLOCK_ROWS = 1024
_BLOCK_ROWS_IN_PARALLEL = 256  # 16 MB of cosines for each processor
_FIRST_LOOK = 512  # entries that are sorted at first; a list that needs more is sorted completely


def nearest_of(
    vectors: NDArray[np.float32], among: NDArray[np.float32], progress: Progress, label: str
) -> NDArray[np.uint32]:
    """The first row of `among` with the largest cosine, for each row of `vectors`. Rows have length 1."""
    nearest = np.empty(len(vectors), dtype=np.uint32)
    columns = np.ascontiguousarray(among.T)

    def of_block(first: int) -> NDArray[np.intp]:
        cosines = vectors[first : first + _BLOCK_ROWS_IN_PARALLEL] @ columns
        found: NDArray[np.intp] = cosines.argmax(axis=1)
        return found

    # Each processor has blocks of its own, so that no sum depends on how many there are.
    starts = range(0, len(vectors), _BLOCK_ROWS_IN_PARALLEL)
    with in_parallel(of_block, starts) as blocks:
        for first, found in zip(starts, blocks, strict=True):
            progress(first, len(vectors), label)
            nearest[first : first + len(found)] = found
    progress(len(vectors), len(vectors), label)
    return nearest


def crowd_lists(
    outputs: NDArray[np.float32],
    weights: NDArray[np.uint32],
    centers: NDArray[np.uint32],
    mass: int,
    progress: Progress = no_progress,
) -> list[NDArray[np.uint32]]:
    """The crowd of each center: itself and its nearest output words, until their weights sum to `mass`.

    `outputs` are the vectors of the output words (Y, dimensions), of length 1; `centers` are rows of it. Equally near
    words come in the order of their rows.
    """
    columns = np.ascontiguousarray(outputs.T)
    lists: list[NDArray[np.uint32]] = []
    for first in range(0, len(centers), _BLOCK_ROWS):
        progress(first, len(centers), "crowds")
        block = centers[first : first + _BLOCK_ROWS]
        cosines = outputs[block] @ columns
        cosines[np.arange(len(block)), block] = np.inf  # rounding must not put another word before the center
        lists += [_nearest_until(row, weights, mass) for row in cosines]
    progress(len(centers), len(centers), "crowds")
    return lists


def _nearest_until(cosines: NDArray[np.float32], weights: NDArray[np.uint32], mass: int) -> NDArray[np.uint32]:
    """The nearest words until their weights sum to `mass`; all words if they never do."""
    look = min(_FIRST_LOOK, len(cosines))
    while True:
        if look < len(cosines):
            least = np.partition(cosines, len(cosines) - look)[len(cosines) - look]
            near = np.flatnonzero(cosines >= least)
        else:
            near = np.arange(len(cosines))
        near = near[np.argsort(-cosines[near], kind="stable")]
        reached = np.cumsum(weights[near], dtype=np.uint64)
        if reached[-1] >= mass or look == len(cosines):
            return near[: int(np.searchsorted(reached, mass)) + 1].astype(np.uint32)
        look = min(4 * look, len(cosines))
