"""Codes that are hard to search, and bundles of them in every layout, for the tests of searches."""

import faiss
import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections
from hushbit.toolchain.bundle.layout import INDEXES
from typed import word_of

Codes = NDArray[np.uint8]  # (words, bits / 8)

KINDS = ("random", "topics", "equal", "tied", "two far groups", "nearly equal")


def make_codes(kind: str, count: int, bits: int, generator: np.random.Generator) -> Codes:
    """Codes (count, bits / 8) of one of KINDS.

    "topics": as embeddings give them, and some words share a code. "tied": each has a quarter of its bits set, so that
    all are as far from the code of zeros, and from that of ones. "two far groups": around a code and its complement.
    "nearly equal": one code, of which every word may have one bit flipped.
    """
    if kind == "random":
        return generator.integers(256, size=(count, bits // 8), dtype=np.uint8)
    if kind == "tied":
        places = np.argsort(generator.random((count, bits)), axis=1)
        return packed(places < bits // 4)
    center = generator.integers(256, size=bits // 8, dtype=np.uint8)
    codes = np.tile(center, (count, 1))
    if kind == "topics":
        centers = generator.integers(256, size=(7, bits // 8), dtype=np.uint8)
        codes = centers[generator.integers(7, size=count)] ^ packed(generator.random((count, bits)) < 0.08)
        codes[generator.integers(count, size=count // 10)] = codes[generator.integers(count, size=count // 10)]
    elif kind == "two far groups":
        codes[::2] = ~codes[::2]
        codes ^= packed(generator.random((count, bits)) < 0.03)
    elif kind == "nearly equal":
        flipped = generator.integers(2 * bits, size=count)
        codes ^= packed(flipped[:, None] == np.arange(bits))
    return codes


def random_codes(count: int, bits: int, seed: int = 0) -> Codes:
    """Codes (count, bits / 8) of independent bits."""
    return np.random.default_rng(seed).integers(256, size=(count, bits // 8), dtype=np.uint8)


def packed(bits: NDArray[np.bool_]) -> Codes:
    """Codes of bits (count, bits)."""
    return np.packbits(bits, axis=1, bitorder="little")


def make_queries(codes: Codes, noise: float, generator: np.random.Generator) -> Codes:
    """Noisy codes of words, codes of words and their complements, all zeros, all ones: more than are searched together.

    `noise` is the chance that a bit flips.
    """
    count, bits = len(codes), codes.shape[1] * 8
    noisy = codes[generator.integers(count, size=70)] ^ packed(generator.random((70, bits)) < noise)
    own = codes[generator.integers(count, size=3)]
    ends = np.array([[0], [255]], dtype=np.uint8).repeat(bits // 8, axis=1)
    return np.concatenate([noisy, own, ~own, ends])


def bundle_of(codes: Codes, index: str, words: list[bytes] | None = None) -> _core.Bundle:
    """A bundle whose word i has code i, and whose plan is to try the hash first up to a quarter of the bits flipped.

    Without `words`, word i is `word_of(i)`.
    """
    bits = codes.shape[1] * 8
    flips = bits // 4 * 256 if index in ("both", "mih") else 0
    header = Header(1.0, 0.0, bits, _core.UNICODE_VERSION, "brr", mih_flips=flips)
    named = words or [word_of(i).encode() for i in range(len(codes))]
    return _core.Bundle.from_bytes(assemble(header, encode_meta({}), encode_sections(named, codes, index)))


def searches() -> list[tuple[str, str]]:
    """Every index with each of the searches that it allows."""
    return [(index, search) for index in INDEXES for search in searches_of(index)]


def searches_of(index: str) -> list[str]:
    """What can be asked of a bundle with this index."""
    allowed = {"clusters": ("both", "clusters"), "mih": ("both", "mih")}
    return ["auto", "rows", *(search for search, indexes in allowed.items() if index in indexes)]


def distances_of(codes: Codes, queries: Codes) -> NDArray[np.int64]:
    """int64 (queries, words): the Hamming distances, by numpy."""
    words = codes.view(np.uint64)
    return np.stack([np.bitwise_count(words ^ query).sum(axis=1, dtype=np.int64) for query in queries.view(np.uint64)])


def faiss_distances(codes: Codes, queries: Codes) -> NDArray[np.int64]:
    """int64 (queries, words): all distances, in the order of ids."""
    index = faiss.IndexBinaryFlat(codes.shape[1] * 8)
    index.add(codes)
    found, ids = index.search(queries, len(codes))
    distances = np.full((len(queries), len(codes)), -1, dtype=np.int64)
    np.put_along_axis(distances, ids, found, axis=1)
    return distances
