"""Pairs of codes that are nearly complements of each other, by multi-index hashing (Norouzi et al., 2012).

Every code is divided into k substrings. If two codes agree in at most m bits, then in one of the substrings they agree
in at most floor(m / k) bits, the *radius*: there, one is the complement of the other up to a few bits. So the codes are
sorted by each substring in turn, the few near-complements of each substring are looked up, and only the codes that are
found are compared.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.parallel import in_parallel

_SUBSTRING_BITS = 21  # three per 64-bit word, with one unused bit
_SUBSTRINGS_A_WORD = 3
_ALL = (1 << _SUBSTRING_BITS) - 1
_MAX_RADIUS = 2
_PAIRS_A_LOOKUP = 16  # codes that the core compares in the time of one lookup here
_BATCH_PAIRS = 1 << 19


def radius_for(codes: NDArray[np.uint8], best: int) -> int | None:
    """The radius that finds every pair farther apart than `best`, or None if comparing all pairs is cheaper."""
    count, bits = len(codes), codes.shape[1] * 8
    substrings = _substrings(codes)
    radius = max(0, bits - best - 1) // len(substrings)
    if radius > _MAX_RADIUS:
        return None
    masks = sum(comb(_SUBSTRING_BITS, i) for i in range(radius + 1))
    lookups = count * len(substrings) * masks
    if lookups * _PAIRS_A_LOOKUP >= count * count // 2:
        return None
    found = masks * sum(_exact_complements(_keys(codes, *at)) for at in substrings)
    return radius if (lookups + found) * _PAIRS_A_LOOKUP < count * count // 2 else None


def largest_distance(codes: NDArray[np.uint8], best: int, radius: int, progress: Callable[[int, int], None]) -> int:
    """The larger of `best` and the largest distance between two codes, with a `radius` from `radius_for`."""
    substrings = _substrings(codes)
    with in_parallel(lambda at: _farthest_by_substring(codes, *at, radius), substrings) as farthest:
        for done, distance in enumerate(farthest, 1):
            best = max(best, distance)
            progress(done, len(substrings))
    return best


def _substrings(codes: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """The 64-bit word of a code, and the place in it, of each substring."""
    return [(word, part) for word in range(codes.shape[1] // 8) for part in range(_SUBSTRINGS_A_WORD)]


def _rows(codes: NDArray[np.uint8]) -> NDArray[np.uint64]:
    return np.ascontiguousarray(codes).view("<u8")


def _keys(codes: NDArray[np.uint8], word: int, part: int) -> NDArray[np.int32]:
    """One substring of every code."""
    return (_rows(codes)[:, word] >> np.uint64(part * _SUBSTRING_BITS) & np.uint64(_ALL)).astype(np.int32)


def _exact_complements(keys: NDArray[np.int32]) -> int:
    """The number of pairs whose substrings are complements."""
    counts = np.bincount(keys, minlength=_ALL + 1)
    return int(counts @ counts[::-1])


def _farthest_by_substring(codes: NDArray[np.uint8], word: int, part: int, radius: int) -> int:
    """The largest distance between two codes whose substrings agree in at most `radius` bits; 0 if there are none."""
    keys = _keys(codes, word, part)
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], _rows(codes)[order]
    # The codes of substring s are rows[starts[s]] to rows[starts[s + 1] - 1].
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=_ALL + 1))]).astype(np.int32)
    best = 0
    for mask in _masks(radius):
        partners = keys ^ (_ALL ^ mask)
        first = starts[partners]
        for left, right in _pairs(first, starts[partners + 1] - first):
            distances = np.bitwise_count(rows[left] ^ rows[right]).sum(axis=1, dtype=np.uint16)
            best = max(best, int(distances.max()))
    return best


def _masks(radius: int) -> Iterator[int]:
    """All substrings with at most `radius` ones."""
    for ones in range(radius + 1):
        for bits in combinations(range(_SUBSTRING_BITS), ones):
            yield sum(1 << bit for bit in bits)


def _pairs(
    first: NDArray[np.int32], counts: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The pairs (i, first[i] + 0 … counts[i] - 1) of every i, in batches."""
    hits = np.flatnonzero(counts)
    ends = np.cumsum(counts[hits], dtype=np.int64)
    begin = 0
    while begin < len(hits):
        before = int(ends[begin - 1]) if begin > 0 else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _BATCH_PAIRS, side="right")))
        batch = hits[begin:end]
        left = np.repeat(batch, counts[batch])
        # The place of each pair among the pairs with the same i, counted from 0.
        first_pair = np.repeat(ends[begin:end] - counts[batch], counts[batch])
        place = np.arange(before, before + len(left)) - first_pair
        yield left, first[left] + place
        begin = end
