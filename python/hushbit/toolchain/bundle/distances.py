"""Statistics of all pairs of codes by closed forms and sorting: the mean distance, shared codes."""

import numpy as np
from numpy.typing import NDArray

_BLOCK_ROWS = 1 << 14


def average_distance(codes: NDArray[np.uint8]) -> float:
    """P_avg of packed codes (N, bits / 8): the mean Hamming distance over all N² ordered pairs.

    Exact: a bit that is 1 in c codes differs in 2 · c · (N - c) ordered pairs.
    """
    count = len(codes)
    ones = np.zeros(codes.shape[1] * 8, dtype=np.int64)
    for first in range(0, count, _BLOCK_ROWS):
        ones += np.unpackbits(codes[first : first + _BLOCK_ROWS], axis=1).sum(axis=0, dtype=np.int64)
    differing: int = sum(2 * c * (count - c) for c in ones.tolist())  # Python's integers do not overflow
    return differing / (count * count)


def words_with_shared_code(codes: NDArray[np.uint8]) -> int:
    """The number of words that share their code with another word."""
    rows = np.ascontiguousarray(codes).view(np.dtype((np.void, codes.shape[1]))).ravel()
    _, counts = np.unique(rows, return_counts=True)
    return int(counts[counts > 1].sum())
