"""Nearest words by real-valued vectors, and by codes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, step_of
from hushbit.toolchain.quality.aligned import Aligned

NEAREST = (10, 100)
_SAMPLE = 500
_BLOCK_ROWS = 32  # rows of cosines with all words, and of their order, that are held at once


def nearest_by_cosine(
    vectors: NDArray[np.float32], ids: NDArray[np.int64], count: int, progress: Progress
) -> NDArray[np.int64]:
    """(len(ids), count): the rows nearest to each of `ids` but itself, nearest first. `vectors` have length 1."""
    nearest = np.empty((len(ids), count), dtype=np.int64)
    for first in range(0, len(ids), _BLOCK_ROWS):
        block = ids[first : first + _BLOCK_ROWS]
        cosines = vectors[block] @ vectors.T
        cosines[np.arange(len(block)), block] = -np.inf
        some = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(cosines, some, axis=1), axis=1, kind="stable")
        nearest[first : first + len(block)] = np.take_along_axis(some, order, axis=1)
        progress(first + len(block), len(ids), "true neighbors")
    return nearest


def neighbor_overlap(aligned: Aligned, generator: np.random.Generator, progress: Progress) -> list[dict[str, Any]]:
    """The share of the k nearest words by cosine that is also among the k nearest by code."""
    words = len(aligned.codes)
    ids = generator.choice(words, min(_SAMPLE, words), replace=False)
    most = min(max(NEAREST), words - 1)
    true = {
        "raw": nearest_by_cosine(aligned.raw, ids, most, step_of(progress, 0, 2)),
        "preprocessed": nearest_by_cosine(aligned.preprocessed, ids, most, step_of(progress, 1, 2)),
    }
    by_code = _nearest_by_code(aligned, ids, most)
    overlaps = []
    for k in (k for k in NEAREST if k <= most):
        shares = {
            name: float(np.mean([np.isin(a[:k], b[:k]).mean() for a, b in zip(rows, by_code, strict=True)]))
            for name, rows in true.items()
        }
        overlaps.append({"k": k, "words": len(ids), **shares})
    return overlaps


def _nearest_by_code(aligned: Aligned, ids: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    def one(word: int) -> NDArray[np.int64]:
        found = aligned.neighbors(aligned.codes[word], count + 1)
        others: NDArray[np.int64] = found[found != word][:count]
        return others

    with in_parallel(one, ids.tolist()) as rows:
        return np.stack(list(rows))
