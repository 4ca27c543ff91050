"""The sections `codes` (as tiles), `clusters` and `order` against readers written from docs/bundle-format.md alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit.toolchain.bundle import clusters, grouping, layout
from reference.code_reader import TILE, read_order, read_tiles
from search_cases import random_codes

Codes = NDArray[np.uint8]


def check_layout(codes: Codes) -> None:
    count, bits = len(codes), codes.shape[1] * 8
    laid_out = clusters.cluster_codes(codes)
    assert sorted(laid_out.ids.tolist()) == list(range(count))
    read = read_tiles(laid_out.tiles, laid_out.clusters, count, bits)
    np.testing.assert_array_equal(read, codes[laid_out.ids])
    assert read_order(layout.encode_order(laid_out.ids), count) == laid_out.ids.tolist()


@pytest.mark.parametrize("bits", [64, 128, 256, 512])
@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 511, 512, 513, 1025])
def test_layout_of_small_vocabularies(count: int, bits: int) -> None:
    check_layout(random_codes(count, bits))


@pytest.mark.parametrize("count", [1, 2, 256, 257])
def test_the_median_is_the_weight_in_the_middle(count: int) -> None:
    codes = random_codes(count, 64)
    record = clusters.cluster_codes(codes).clusters[64:]
    weights = np.sort(np.bitwise_count(codes ^ np.frombuffer(record[16:24], dtype=np.uint8)).sum(axis=1))
    assert int.from_bytes(record[10:12], "little") == weights[count // 2]


def test_layout_in_many_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "GROUP_TILES", 2)
    check_layout(random_codes(9000, 64))
    check_layout(np.zeros((9000, 8), dtype=np.uint8))
    check_layout(random_codes(9000, 64) & np.uint8(1))


def test_groups_of_a_vocabulary_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "GROUP_TILES", 1)
    monkeypatch.setattr(grouping, "_PART_TILES", 4)
    check_layout(random_codes(7000, 128))


def test_no_group_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "GROUP_TILES", 2)
    monkeypatch.setattr(grouping, "MAX_GROUP_TILES", 3)
    groups = grouping.group_codes(np.zeros((6001, 8), dtype=np.uint8), 0, lambda *_: None)
    sizes = [len(group) for group in groups]
    assert max(sizes) <= 3 * TILE
    assert all(size % TILE == 0 for size in sizes[:-1])
    assert sum(sizes) == 6001


def test_clusters_hold_similar_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "GROUP_TILES", 2)
    centers = random_codes(6, 256)
    noise = random_codes(6 * 2048, 256, 1) & random_codes(6 * 2048, 256, 2) & random_codes(6 * 2048, 256, 3)
    codes = centers[np.arange(6 * 2048) % 6] ^ noise
    groups = grouping.group_codes(codes, 0, lambda *_: None)
    distances = np.bitwise_count(
        codes[np.concatenate([g[:-1] for g in groups])] ^ codes[np.concatenate([g[1:] for g in groups])]
    )
    assert distances.sum(axis=1).mean() < 85, "two words of a cluster are nearer than the 128 bits of any two"


@pytest.mark.parametrize("seed", [0, 1])
def test_same_seed_same_bytes(seed: int) -> None:
    codes = random_codes(5000, 256, seed)
    assert clusters.cluster_codes(codes, seed).tiles == clusters.cluster_codes(codes, seed).tiles


@settings(max_examples=50)
@given(st.permutations(range(300)), st.integers(1, 64))
def test_order_of_any_permutation(permutation: list[int], step: int) -> None:
    section = layout.encode_order(np.array(permutation, dtype=np.uint32), step)
    assert read_order(section, len(permutation)) == permutation
