"""The clustered layout of the codes: the sections `codes` (as tiles) and `clusters` (docs/bundle-format.md).

Words are grouped by balanced recursive 2-means on the bits of their codes. All decisions rest on sums of whole numbers
that floating point holds exactly, so the same codes and seed give the same bytes on every machine.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._progress import Progress, no_progress

TILE_WORDS = 512
CLUSTER_TILES = 16
"""Tiles of a cluster at most, unless the vocabulary is so large that it would have more than MAX_CLUSTERS."""
MAX_CLUSTERS = 2048
_SAMPLE = 4096  # words that a split is fitted to
_ROUNDS = 8  # of 2-means
_SCALE = 4096  # of a direction's whole numbers: a sum of 512 of them stays below 2^24, which float32 holds exactly
_PLANE_BYTES = TILE_WORDS // 8
_GROUP_WORDS = 64

_Codes = NDArray[np.uint8]  # (words, bits / 8), bit i of a code in bit i % 8 of byte i / 8


@dataclass(frozen=True)
class ClusteredCodes:
    """The codes in the clustered layout."""

    ids: NDArray[np.uint32]
    """(N,) the word at each position."""
    tiles: bytes
    """The section `codes`."""
    clusters: bytes
    """The section `clusters`."""


def cluster_codes(codes: _Codes, seed: int = 0, progress: Progress = no_progress) -> ClusteredCodes:
    """Lays codes (N, bits / 8) out in clusters. Reports progress in words."""
    groups = _group(codes, _tiles_of_a_cluster(len(codes)), np.random.Generator(np.random.PCG64(seed)), progress)
    parts = [_encode(codes, group) for group in groups]
    clusters = _encode_clusters(parts, codes.shape[1] * 8)
    return ClusteredCodes(np.concatenate([part.ids for part in parts]), b"".join(p.tiles for p in parts), clusters)


def _tiles_of_a_cluster(words: int) -> int:
    tiles = -(-words // TILE_WORDS)
    return max(CLUSTER_TILES, -(-2 * tiles // MAX_CLUSTERS))


def _group(
    codes: _Codes, most_tiles: int, generator: np.random.Generator, progress: Progress
) -> list[NDArray[np.int64]]:
    """The words of each cluster, ascending. All but the last are a whole number of tiles."""
    groups: list[NDArray[np.int64]] = []
    stack = [np.arange(len(codes))]
    done = 0
    while stack:
        words = stack.pop()
        tiles = -(-len(words) // TILE_WORDS)
        if tiles <= most_tiles:
            groups.append(words)
            done += len(words)
            progress(done, len(codes), "cluster codes")
            continue
        left = tiles // 2 * TILE_WORDS
        direction = _direction(codes, words, left / len(words), generator)
        order = np.argsort(-_scores(codes[words], direction), kind="stable")
        stack += [np.sort(words[order[left:]]), np.sort(words[order[:left]])]  # the last part comes last
    return groups


def _direction(
    codes: _Codes, words: NDArray[np.int64], share: float, generator: np.random.Generator
) -> NDArray[np.float32]:
    """The difference of the means of two parts of the words, the first of which has `share` of them; whole numbers."""
    step = -(-len(words) // _SAMPLE)
    bits = np.unpackbits(codes[words[::step]], axis=1, bitorder="little").astype(np.float32)
    count = len(bits)
    first = min(max(round(count * share), 1), count - 1)
    total = bits.sum(axis=0, dtype=np.float64)
    start = int(generator.integers(count))
    direction = np.round((bits[start] - total / count) * _SCALE).astype(np.float32)
    for _ in range(_ROUNDS):
        chosen = np.argsort(-(bits @ direction), kind="stable")[:first]
        ones = bits[chosen].sum(axis=0, dtype=np.float64)
        direction = np.round((ones / first - (total - ones) / (count - first)) * _SCALE).astype(np.float32)
    return direction


def _scores(codes: _Codes, direction: NDArray[np.float32]) -> NDArray[np.int32]:
    """The sum of the direction's numbers where a code has ones, from a table for each byte."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.int32)
    tables = direction.astype(np.int32).reshape(-1, 8) @ bits.T
    scores = np.zeros(len(codes), dtype=np.int32)
    for column, table in enumerate(tables):
        scores += table[codes[:, column]]
    return scores


@dataclass(frozen=True)
class _Cluster:
    ids: NDArray[np.uint32]
    reference: bytes
    order: NDArray[np.uint16]  # the bit of each plane
    weights: NDArray[np.int64]  # ascending
    tiles: bytes


def _encode(codes: _Codes, words: NDArray[np.int64]) -> _Cluster:
    """A cluster of the words, sorted by the weight of their difference from the majority of their bits, then by id."""
    bits = np.unpackbits(codes[words], axis=1, bitorder="little")
    majority = (2 * bits.sum(axis=0, dtype=np.int64) > len(words)).astype(np.uint8)
    differences = bits ^ majority
    weights = differences.sum(axis=1, dtype=np.int64)
    by_weight = np.argsort(weights, kind="stable")
    order = np.argsort(-differences.sum(axis=0, dtype=np.int64), kind="stable").astype(np.uint16)
    return _Cluster(
        words[by_weight].astype(np.uint32),
        np.packbits(majority, bitorder="little").tobytes(),
        order,
        weights[by_weight],
        _encode_tiles(differences[by_weight][:, order]),
    )


def _encode_tiles(differences: NDArray[np.uint8]) -> bytes:
    """Tiles of bits (words, planes). Words that fill up the last tile are all ones: they are the first to be out."""
    words, planes = differences.shape
    tiles = -(-words // TILE_WORDS)
    filled = np.ones((tiles * TILE_WORDS, planes), dtype=np.uint8)
    filled[:words] = differences
    packed = np.packbits(filled, axis=0, bitorder="little")  # (words / 8, planes)
    return packed.reshape(tiles, _PLANE_BYTES, planes).transpose(0, 2, 1).tobytes()


def _encode_clusters(clusters: list[_Cluster], bits: int) -> bytes:
    records = list(_records(clusters, bits))
    groups = b"".join(_heaviest_of_groups(cluster.weights).tobytes() for cluster in clusters)
    bounds = b"".join(_bounds(cluster.weights).tobytes() for cluster in clusters)
    return b"".join([struct.pack("<II56x", len(clusters), len(bounds) // 2), *records, groups, bounds])


def _records(clusters: list[_Cluster], bits: int) -> Iterator[bytes]:
    first_tile = first_bound = 0
    for cluster in clusters:
        weights = cluster.weights
        lightest, median, heaviest = int(weights[0]), int(weights[len(weights) // 2]), int(weights[-1])
        yield struct.pack("<IIHHHH", first_tile, first_bound, lightest, median, heaviest, 0)
        yield cluster.reference
        yield (cluster.order & 0xFF).astype(np.uint8).tobytes()
        if bits > 256:
            yield np.packbits((cluster.order >> 8).astype(np.uint8), bitorder="little").tobytes()
        first_tile += -(-len(weights) // TILE_WORDS)
        first_bound += heaviest - lightest + 1


def _heaviest_of_groups(weights: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The largest weight in each group of each tile, 0 where there is no word."""
    groups = np.zeros(-(-len(weights) // TILE_WORDS) * (TILE_WORDS // _GROUP_WORDS), dtype="<u2")
    last = np.arange(_GROUP_WORDS - 1, len(weights) + _GROUP_WORDS - 1, _GROUP_WORDS)
    groups[: len(last)] = weights[np.minimum(last, len(weights) - 1)]
    return groups


def _bounds(weights: NDArray[np.int64]) -> NDArray[np.uint16]:
    """How many words have a weight of at most the lightest, the lightest plus 1, …, the heaviest."""
    return np.searchsorted(weights, np.arange(weights[0], weights[-1] + 1), side="right").astype("<u2")
