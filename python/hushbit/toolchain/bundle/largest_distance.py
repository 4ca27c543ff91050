"""P_max, the largest Hamming distance between two codes, exactly.

First a distant pair is found by moving repeatedly from a word to the word farthest from it. Then it remains to show
that no pair is farther apart. If the pair is nearly antipodal, this is a search for near neighbors of the complements,
which `antipodes` does without comparing all pairs. Otherwise the core compares every pair.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress
from hushbit.toolchain.bundle import antipodes

_STARTS, _HOPS = 512, 3
_BATCH = 16  # codes in one call of the core
_RANGE_PAIRS = 1 << 27  # compared in one call of the core: some tenths of a second, so that an interrupt takes effect
_MAX_PAIRS = 1 << 37  # minutes on two processors
_LABEL = "largest distance"


def largest_distance(
    bundle: _core.Bundle, codes: NDArray[np.uint8], starts: NDArray[np.uint32], progress: Progress
) -> tuple[int, bool]:
    """P_max of a bundle with these codes (N, bits / 8), and whether it is exact.

    It is exact, except for vocabularies of over 500,000 words without a nearly antipodal pair: then it is the bits of a
    code. `starts` are the ids of words with codes from which the first step starts; the result does not depend on them.
    """
    progress(0, 1, _LABEL)
    best = _far_pair(bundle, starts[:_STARTS])
    radius = antipodes.radius_for(codes, best)
    if radius is not None:
        return antipodes.largest_distance(codes, best, radius, lambda done, total: progress(done, total, _LABEL)), True
    if _pairs(0, len(codes), len(codes)) > _MAX_PAIRS:
        return bundle.info().bits, False
    return _compare_all(bundle, len(codes), best, progress), True


def _far_pair(bundle: _core.Bundle, ids: NDArray[np.uint32]) -> int:
    """The distance between the words of some distant pair."""
    best = 0
    for _ in range(_HOPS):
        batches = [ids[first : first + _BATCH] for first in range(0, len(ids), _BATCH)]
        # The word farthest from a code is the one nearest to its complement.
        with in_parallel(lambda batch: bundle.nearest(~bundle.codes(batch)), batches) as values:
            answers = list(values)
        best = max([best, *(bundle.info().bits - int(nearest.min()) for nearest, _, _ in answers)])
        ids = np.unique(np.concatenate([farthest for _, _, farthest in answers]))
    return best


def _compare_all(bundle: _core.Bundle, words: int, best: int, progress: Progress) -> int:
    ranges = list(_ranges(words))
    done = 0
    # A range gets the largest distance of the ranges that have ended as its floor. The result does not depend on the
    # order.
    with in_parallel(lambda bounds: bundle.farthest(bounds[0], bounds[1], best), ranges) as distances:
        for (first, last), distance in zip(ranges, distances, strict=True):
            best = max(best, distance)
            done += _pairs(first, last, words)
            progress(done, _pairs(0, words, words), _LABEL)
    return best


def _ranges(words: int) -> Iterator[tuple[int, int]]:
    first = 0
    while first < words:
        last = min(words, first + max(1, _RANGE_PAIRS // (words - first)))
        yield first, last
        first = last


def _pairs(first: int, last: int, words: int) -> int:
    """Pairs of a word at a place of the layout in [first, last) and a word at the same or a higher place."""
    return (last - first) * (2 * words - first - last + 1) // 2
