"""The search of the core against faiss.IndexBinaryFlat: every distance, every tie, every neighbor."""

import numpy as np
import pytest
from numpy.typing import NDArray

from hushbit import _core
from reference.bundle_maker import make_bundle, max_distance
from search_cases import faiss_distances, random_codes
from typed import word_of

Codes = NDArray[np.uint8]
BITS = (64, 128, 256, 512)


def bundle_of(codes: Codes) -> _core.Bundle:
    """A bundle whose word i has code i."""
    words = {word_of(i): code.tobytes() for i, code in enumerate(codes)}
    return _core.Bundle.from_bytes(make_bundle(words, farthest=codes.shape[1] * 8))


def clustered_codes(count: int, bits: int, seed: int) -> Codes:
    """Codes as embeddings give them: gathered around topics, some bits nearly constant, some words sharing a code."""
    chance = np.random.default_rng(seed)
    topics = chance.random((40, bits)) < chance.beta(0.7, 0.7, bits)
    flips = chance.random((count, bits)) < 0.08
    rows = np.packbits(topics[chance.integers(0, 40, count)] ^ flips, axis=1, bitorder="little")
    twins = chance.integers(0, count, (count // 20, 2))
    rows[twins[:, 0]] = rows[twins[:, 1]]
    return np.asarray(rows, dtype=np.uint8)


def queries_for(codes: Codes, seed: int) -> Codes:
    """Words' own codes, noisy ones, and uniformly random ones. Their number is no multiple of the core's group."""
    chance = np.random.default_rng(seed)
    own = codes[chance.integers(0, len(codes), 31)]
    flips = np.packbits(chance.random((90, codes.shape[1] * 8)) < 0.27, axis=1)
    noisy = codes[chance.integers(0, len(codes), 90)] ^ flips
    return np.concatenate([own, noisy, random_codes(50, codes.shape[1] * 8, seed)])


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("make", [random_codes, clustered_codes])
@pytest.mark.parametrize("count", [1, 2, 7, 63, 257, 3001])
def test_agrees_with_faiss(make: object, bits: int, count: int) -> None:
    codes = (clustered_codes if make is clustered_codes else random_codes)(count, bits, bits + count)
    bundle, queries = bundle_of(codes), queries_for(codes, 7)
    truth = faiss_distances(codes, queries)
    distances, ties, words = bundle.nearest(queries)
    assert np.array_equal(distances, truth.min(axis=1))
    assert np.array_equal(ties, (truth == truth.min(axis=1, keepdims=True)).sum(axis=1))
    assert np.array_equal(words, truth.argmin(axis=1)), "the lowest id of those at the minimum"
    for row, query in zip(truth[::17], queries[::17], strict=True):
        order = np.argsort(row, kind="stable")
        for k in {1, min(10, count), count}:
            ids, near = bundle.neighbors(query, k)
            assert np.array_equal(ids, order[:k])
            assert np.array_equal(near, row[order[:k]])


def test_ties_occur() -> None:
    """Else the test above would not show that ties are counted."""
    codes = clustered_codes(3001, 64, 64 + 3001)
    _, ties, _ = bundle_of(codes).nearest(queries_for(codes, 7))
    assert np.count_nonzero(ties > 1) > 20


def test_farthest() -> None:
    for bits in BITS:
        codes = clustered_codes(300, bits, bits)
        bundle, truth = bundle_of(codes), max_distance(codes)
        assert bundle.farthest(0, 300, 0) == truth
        assert bundle.farthest(0, 0, 5) == 5
        assert bundle.farthest(0, 300, truth + 1) == truth + 1
        so_far = 0
        for first in range(0, 300, 50):
            so_far = bundle.farthest(first, first + 50, so_far)
        assert so_far == truth
