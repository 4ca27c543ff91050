"""The clustered layout of the codes: the sections `codes` (as tiles) and `clusters` (docs/bundle-format.md)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.toolchain.bundle.grouping import TILE_WORDS, group_codes

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
    """Arranges codes (N, bits / 8) in clusters. The same codes and seed give the same bytes."""
    parts = [_encode(codes, group) for group in group_codes(codes, seed, progress)]
    clusters = _encode_clusters(parts, codes.shape[1] * 8)
    return ClusteredCodes(np.concatenate([part.ids for part in parts]), b"".join(p.tiles for p in parts), clusters)


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
    """Tiles of bits (words, planes). Words that fill the last tile are all ones, so a search rules them out first."""
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
    """The number of words with a weight of at most the lightest, the lightest plus 1, …, the heaviest."""
    return np.searchsorted(weights, np.arange(weights[0], weights[-1] + 1), side="right").astype("<u2")
