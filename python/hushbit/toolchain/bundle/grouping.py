"""Groups of similar codes. Each group is a whole number of tiles.

This is k-means with the Hamming distance: a group's center is the majority of its codes' bits. All decisions depend on
sums of integers that floating point represents exactly, so the same codes and seed give the same groups on every
machine.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress

TILE_WORDS = 512
GROUP_TILES = 8
"""Average number of tiles in a group. Smaller groups are tighter, but each group costs a query some time."""
MAX_GROUP_TILES = 127
_MAX_GROUPS = 1024
_PART_TILES = 1024  # larger vocabularies are first split into parts, so that the work is proportional to the words
_SAMPLE = 1 << 16  # words to which centers are fitted
_ROUNDS = 10
_BLOCK = 1 << 14  # words compared with all centers at a time

_Codes = NDArray[np.uint8]  # (words, bits / 8)
_Words = NDArray[np.int64]  # indexes into the codes, ascending
_Signs = NDArray[np.float32]  # codes or centers as -1 and 1: their products are bits - 2 * distance


def group_codes(codes: _Codes, seed: int, progress: Progress) -> list[_Words]:
    """The words of each group. All groups except the last have a multiple of TILE_WORDS words."""
    generator = np.random.Generator(np.random.PCG64(seed))
    tiles = _tiles(len(codes))
    group_tiles = max(GROUP_TILES, -(-tiles // _MAX_GROUPS))
    groups: list[_Words] = []
    done = 0
    for words in _parts(codes, np.arange(len(codes)), generator):
        groups += _k_means(codes, words, max(1, round(_tiles(len(words)) / group_tiles)), generator)
        done += len(words)
        progress(done, len(codes), "cluster codes")
    return groups


def _tiles(words: int) -> int:
    return -(-words // TILE_WORDS)


def _parts(codes: _Codes, words: _Words, generator: np.random.Generator) -> Iterator[_Words]:
    """Splits words repeatedly in half, by the nearer of two centers, until the parts are small enough."""
    tiles = _tiles(len(words))
    if tiles <= _PART_TILES:
        yield words
        return
    centers = _fit(codes, words, 2, generator)
    first = np.concatenate([signs @ (centers[0] - centers[1]) for signs in _blocks(codes, words)])
    order = np.argsort(-first, kind="stable")
    cut = tiles // 2 * TILE_WORDS
    yield from _parts(codes, np.sort(words[order[:cut]]), generator)
    yield from _parts(codes, np.sort(words[order[cut:]]), generator)


def _k_means(codes: _Codes, words: _Words, count: int, generator: np.random.Generator) -> list[_Words]:
    """Groups around `count` centers. The last group contains the words that do not fill a tile."""
    if count == 1:
        return [words]
    centers = _fit(codes, words, count, generator)
    labels = np.concatenate([np.argmax(signs @ centers.T, axis=1) for signs in _blocks(codes, words)])
    sizes = _whole_tiles(np.bincount(labels, minlength=count))
    _fill(codes, words, centers, labels, sizes)
    order = sorted(range(count), key=lambda group: int(sizes[group]) % TILE_WORDS != 0)
    return [words[labels == group] for group in order if sizes[group] > 0]


def _fit(codes: _Codes, words: _Words, count: int, generator: np.random.Generator) -> _Signs:
    """Centers (count, bits), fitted to a sample of the words."""
    signs = _signs(codes[words[:: -(-len(words) // _SAMPLE)]])
    centers = signs[np.sort(generator.permutation(len(signs))[:count])]
    for _ in range(_ROUNDS):
        labels = np.argmax(signs @ centers.T, axis=1)
        order = np.argsort(labels, kind="stable")
        present, starts = np.unique(labels[order], return_index=True)  # a center without nearest words does not move
        centers[present] = np.where(np.add.reduceat(signs[order], starts, axis=0) > 0, 1, -1)
    return centers


def _blocks(codes: _Codes, words: _Words) -> Iterator[_Signs]:
    for first in range(0, len(words), _BLOCK):
        yield _signs(codes[words[first : first + _BLOCK]])


def _signs(codes: _Codes) -> _Signs:
    return np.unpackbits(codes, axis=1, bitorder="little").astype(np.float32) * 2 - 1


def _whole_tiles(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sizes near the given ones with the same sum.

    All except one are multiples of TILE_WORDS; none exceeds the maximum.
    """
    most = MAX_GROUP_TILES * TILE_WORDS
    whole = np.minimum(sizes // TILE_WORDS * TILE_WORDS, most)
    missing = int((sizes - whole).sum())
    while missing > 0:
        for group in np.argsort(whole - sizes, kind="stable").tolist():  # those with the largest deficit come first
            if whole[group] < most and missing > 0:
                added = min(missing, TILE_WORDS)
                whole[group] += added
                missing -= added
    return whole


def _fill(codes: _Codes, words: _Words, centers: _Signs, labels: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    """Moves words from groups that are too large to groups that are too small, the words that lose least first."""
    room = sizes - np.bincount(labels, minlength=len(sizes))
    while room.any():
        movable = np.flatnonzero(room[labels] < 0)
        targets = np.flatnonzero(room > 0)
        best, losses = _best_targets(codes, words[movable], centers, labels[movable], targets)
        for i in np.argsort(losses, kind="stable").tolist():
            word, target = movable[i], best[i]
            if room[labels[word]] < 0 and room[target] > 0:
                room[labels[word]] += 1
                room[target] -= 1
                labels[word] = target


def _best_targets(
    codes: _Codes, words: _Words, centers: _Signs, labels: NDArray[np.int64], targets: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The nearest of the target centers for each word, and twice how much farther it is than the word's own center."""
    best: list[NDArray[np.int64]] = []
    losses: list[NDArray[np.float32]] = []
    at = 0
    for signs in _blocks(codes, words):
        products = signs @ centers[targets].T
        best.append(targets[np.argmax(products, axis=1)])
        own = (signs * centers[labels[at : at + len(signs)]]).sum(axis=1)
        losses.append(own - products.max(axis=1))
        at += len(signs)
    return np.concatenate(best), np.concatenate(losses)
