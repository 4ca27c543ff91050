"""The sections `codes` (as tiles), `clusters` and `order` against readers written from docs/bundle-format.md alone."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit.bundle import clusters, grouping, order

Codes = NDArray[np.uint8]
TILE = 512


def unpack(data: bytes, width: int, count: int) -> list[int]:
    number = int.from_bytes(data, "little")
    return [number >> (i * width) & ((1 << width) - 1) for i in range(count)]


def read_order(section: bytes, count: int) -> tuple[list[int], list[int]]:
    """Ids by position, and positions by id, found by the shortcuts."""
    step, shortcuts, reserved = struct.unpack_from("<IIQ", section)
    assert reserved == 0
    width = max(1, (count - 1).bit_length())
    at = 16
    ids_bytes = -(-count * width // 64) * 8
    ids = unpack(section[at : at + ids_bytes], width, count)
    at += ids_bytes
    groups = -(-count // TILE)
    marks = unpack(section[at : at + groups * 64], 1, groups * TILE)
    at += groups * 64
    ranks = struct.unpack_from(f"<{groups}I", section, at)
    at += -(-groups // 2) * 8
    target_bytes = -(-shortcuts * width // 64) * 8
    targets = unpack(section[at : at + target_bytes], width, shortcuts)
    assert section[at + target_bytes :] == bytes(8)
    assert sum(marks) == shortcuts
    assert list(ranks) == [sum(marks[: group * TILE]) for group in range(groups)]
    leads_to = dict(zip([i for i, mark in enumerate(marks) if mark], targets, strict=True))
    return ids, [position_of(word, ids, leads_to, step) for word in range(count)]


def position_of(word: int, ids: list[int], leads_to: dict[int, int], step: int) -> int:
    at, jumped, steps = word, False, 0
    while ids[at] != word:
        if at in leads_to and not jumped:
            at, jumped = leads_to[at], True
        else:
            at = ids[at]
        steps += 1
        assert steps <= 2 * step + 2, "the way back is short"
    return at


def read_codes(laid_out: clusters.ClusteredCodes, count: int, bits: int) -> Codes:
    """The codes by position. Checks everything that the format says of the sections."""
    data = laid_out.clusters
    cluster_count, bound_count = struct.unpack_from("<II", data)
    assert data[8:64] == bytes(56)
    size = 16 + bits // 8 + bits + (bits // 8 if bits > 256 else 0)
    records = [data[64 + i * size : 64 + (i + 1) * size] for i in range(cluster_count)]
    tiles = -(-count // TILE)
    at = 64 + cluster_count * size
    groups = struct.unpack_from(f"<{tiles * 8}H", data, at)
    bounds = struct.unpack_from(f"<{bound_count}H", data, at + tiles * 16)
    assert len(data) == at + tiles * 16 + bound_count * 2
    planes = np.frombuffer(laid_out.tiles, dtype=np.uint8).reshape(tiles, bits, 64)
    firsts = [struct.unpack_from("<I", record)[0] for record in records] + [tiles]
    assert firsts == sorted(set(firsts))
    assert firsts[0] == 0
    parts = []
    next_bound = 0
    for i, record in enumerate(records):
        first_bound, lightest, median, heaviest, reserved = struct.unpack_from("<IHHHH", record, 4)
        assert (first_bound, reserved) == (next_bound, 0)
        reference = np.unpackbits(np.frombuffer(record[16 : 16 + bits // 8], dtype=np.uint8), bitorder="little")
        places = [*record[16 + bits // 8 : 16 + bits // 8 + bits]]
        if bits > 256:
            places = [low | high << 8 for low, high in zip(places, unpack(record[-bits // 8 :], 1, bits), strict=True)]
        assert sorted(places) == list(range(bits))
        differences = np.unpackbits(planes[firsts[i] : firsts[i + 1]], axis=2, bitorder="little")
        differences = differences.transpose(0, 2, 1).reshape(-1, bits)
        words = min(count - firsts[i] * TILE, len(differences))
        assert differences[words:].all(), "padding is all ones"
        weights = differences[:words].sum(axis=1).astype(int)
        assert (np.diff(weights) >= 0).all()
        assert (lightest, median, heaviest) == (weights[0], weights[words // 2], weights[-1])
        next_bound += heaviest - lightest + 1
        expected = [(weights <= weight).sum() for weight in range(lightest, heaviest + 1)]
        assert list(bounds[first_bound:next_bound]) == expected
        for group in range((firsts[i + 1] - firsts[i]) * 8):
            in_group = weights[group * 64 : (group + 1) * 64]
            assert groups[firsts[i] * 8 + group] == (in_group[-1] if len(in_group) else 0)
        code = np.zeros((words, bits), dtype=np.uint8)
        code[:, places] = differences[:words]
        parts.append(np.packbits(code ^ reference, axis=1, bitorder="little"))
    assert next_bound == bound_count
    return np.concatenate(parts)


def check_layout(codes: Codes) -> None:
    count, bits = len(codes), codes.shape[1] * 8
    laid_out = clusters.cluster_codes(codes)
    assert sorted(laid_out.ids.tolist()) == list(range(count))
    np.testing.assert_array_equal(read_codes(laid_out, count, bits), codes[laid_out.ids])
    ids, positions = read_order(order.encode_order(laid_out.ids), count)
    assert ids == laid_out.ids.tolist()
    assert [ids[position] for position in positions] == list(range(count))


def random_codes(count: int, code_bytes: int, seed: int = 0) -> Codes:
    return np.random.default_rng(seed).integers(256, size=(count, code_bytes), dtype=np.uint8)


@pytest.mark.parametrize("bits", [64, 128, 256, 512])
@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 511, 512, 513, 1025])
def test_layout_of_small_vocabularies(count: int, bits: int) -> None:
    check_layout(random_codes(count, bits // 8))


def test_layout_in_many_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "GROUP_TILES", 2)
    check_layout(random_codes(9000, 8))
    check_layout(np.zeros((9000, 8), dtype=np.uint8))
    check_layout(random_codes(9000, 8) & 1)


def test_groups_of_a_vocabulary_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "GROUP_TILES", 1)
    monkeypatch.setattr(grouping, "_PART_TILES", 4)
    check_layout(random_codes(7000, 16))


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
    centers = random_codes(6, 32)
    noise = random_codes(6 * 2048, 32, 1) & random_codes(6 * 2048, 32, 2) & random_codes(6 * 2048, 32, 3)
    codes = centers[np.arange(6 * 2048) % 6] ^ noise
    groups = grouping.group_codes(codes, 0, lambda *_: None)
    distances = np.bitwise_count(
        codes[np.concatenate([g[:-1] for g in groups])] ^ codes[np.concatenate([g[1:] for g in groups])]
    )
    assert distances.sum(axis=1).mean() < 85, "two words of a cluster are nearer than the 128 bits of any two"


@pytest.mark.parametrize("seed", [0, 1])
def test_same_seed_same_bytes(seed: int) -> None:
    codes = random_codes(5000, 32, seed)
    assert clusters.cluster_codes(codes, seed).tiles == clusters.cluster_codes(codes, seed).tiles


@settings(max_examples=50)
@given(st.permutations(range(300)), st.integers(1, 64))
def test_order_of_any_permutation(permutation: list[int], step: int) -> None:
    ids, positions = read_order(order.encode_order(np.array(permutation, dtype=np.uint32), step), len(permutation))
    assert ids == permutation
    assert [ids[position] for position in positions] == list(range(len(ids)))
