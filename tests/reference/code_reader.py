"""The sections `codes`, `clusters`, `order` and `mih`, read from docs/bundle-format.md alone, every rule checked."""

import struct
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .rules import Bits, need

TILE = 512
GROUP = 64
_MAX_CLUSTERS, _MAX_CLUSTER_TILES = 1024, 127

Codes = NDArray[np.uint8]  # (words, bits / 8), bit i of a code in bit i % 8 of byte i / 8


def read_codes(sections: dict[int, bytes], count: int, bits: int) -> Codes:
    """The codes in the order of ids, from the sections by type, and all that says where to find them checked."""
    need((4 in sections) == (5 in sections), "clusters and order come together")
    if 4 in sections:
        by_position = read_tiles(sections[3], sections[4], count, bits)
        codes = np.empty_like(by_position)
        codes[read_order(sections[5], count)] = by_position
    else:
        need(len(sections[3]) == count * bits // 8, "length of codes")
        codes = by_position = np.frombuffer(sections[3], dtype=np.uint8).reshape(count, bits // 8)
    if 6 in sections:
        check_mih(sections[6], by_position)
    return codes


# ---- Tiles


def read_tiles(codes: bytes, clusters: bytes, count: int, bits: int) -> Codes:
    """The codes by position."""
    tiles = -(-count // TILE)
    need(len(codes) == tiles * bits * GROUP, "length of codes")
    cluster_count, bound_count = struct.unpack_from("<II", clusters)
    need(1 <= cluster_count <= min(_MAX_CLUSTERS, tiles) and not any(clusters[8:64]), "head of clusters")
    size = 16 + bits // 8 + bits + (bits // 8 if bits > 256 else 0)
    at = 64 + cluster_count * size
    need(len(clusters) == at + tiles * 16 + bound_count * 2, "length of clusters")
    heaviest = struct.unpack_from(f"<{tiles * 8}H", clusters, at)
    bounds = struct.unpack_from(f"<{bound_count}H", clusters, at + tiles * 16)
    planes = np.frombuffer(codes, dtype=np.uint8).reshape(tiles, bits, GROUP)
    records = [clusters[64 + i * size : 64 + (i + 1) * size] for i in range(cluster_count)]
    firsts = [struct.unpack_from("<I", record)[0] for record in records] + [tiles]
    need(firsts[0] == 0 and all(0 < b - a <= _MAX_CLUSTER_TILES for a, b in pairwise(firsts)), "tiles of clusters")
    parts, next_bound = [], 0
    for record, (first, end) in zip(records, pairwise(firsts), strict=True):
        reference, plane_bits = _reference_and_planes(record, bits)
        words = min(count - first * TILE, (end - first) * TILE)
        differences = _differences(planes[first:end])
        need(bool(differences[words:].all()), "places without a word are all ones")
        weights = differences[:words].sum(axis=1, dtype=np.int64)
        first_bound = struct.unpack_from("<I", record, 4)[0]
        need(first_bound == next_bound, "place of the bounds")
        next_bound += _check_weights(record, weights, heaviest[first * 8 : end * 8], bounds[first_bound:])
        code = np.zeros((words, bits), dtype=np.uint8)
        code[:, plane_bits] = differences[:words]
        parts.append(np.packbits(code ^ reference, axis=1, bitorder="little"))
    need(next_bound == bound_count, "bounds left over")
    return np.concatenate(parts)


def _reference_and_planes(record: bytes, bits: int) -> tuple[NDArray[np.uint8], list[int]]:
    """The bits of the reference code, and the bit of each plane."""
    reference = np.unpackbits(np.frombuffer(record[16 : 16 + bits // 8], dtype=np.uint8), bitorder="little")
    plane_bits = list(record[16 + bits // 8 : 16 + bits // 8 + bits])
    if bits > 256:
        upper = Bits(record[-bits // 8 :])
        plane_bits = [low | upper.read(1) << 8 for low in plane_bits]
    need(sorted(plane_bits) == list(range(bits)), "every bit in one plane")
    return reference, plane_bits


def _differences(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(places, planes), 0 or 1, of tiles (tiles, planes, 64)."""
    bits = np.unpackbits(tiles, axis=2, bitorder="little")
    return bits.transpose(0, 2, 1).reshape(-1, tiles.shape[1])


def _check_weights(record: bytes, weights: NDArray[np.int64], heaviest: Sequence[int], bounds: tuple[int, ...]) -> int:
    """Whether all that is said of the weights of a cluster is so. Returns how many bounds it has."""
    need(bool((np.diff(weights) >= 0).all()), "words sorted by weight")
    lightest, most = int(weights[0]), int(weights[-1])
    said_lightest, median, said_most, reserved = struct.unpack_from("<HHHH", record, 8)
    need((said_lightest, said_most, reserved) == (lightest, most, 0), "lightest, heaviest, reserved bytes")
    need(lightest <= median <= most, "median")
    wanted = [
        int(weights[i : i + GROUP][-1]) if i < len(weights) else 0 for i in range(0, len(heaviest) * GROUP, GROUP)
    ]
    need(list(heaviest) == wanted, "the heaviest of each group")
    numbers = [int((weights <= weight).sum()) for weight in range(lightest, most + 1)]
    need(list(bounds[: len(numbers)]) == numbers, "bounds")
    return len(numbers)


# ---- Order


def read_order(section: bytes, count: int) -> list[int]:
    """The id at each position."""
    step, shortcuts, reserved = struct.unpack_from("<IIQ", section)
    need(1 <= step <= 64 and shortcuts <= count and reserved == 0, "head of order")
    width = max(1, (count - 1).bit_length())
    groups = -(-count // TILE)
    bits = Bits(section[16:])
    ids = [bits.read(width) for _ in range(count)]
    bits.align()
    marks = [bits.read(1) for _ in range(groups * TILE)]
    ranks = [bits.read(32) for _ in range(groups)]
    bits.align()
    targets = [bits.read(width) for _ in range(shortcuts)]
    bits.align()
    need(bits.read(64) == 0 and bits.left == 0, "end of order")
    marked = [position for position, mark in enumerate(marks) if mark]
    need(len(marked) == shortcuts and all(position < count for position in marked), "marks")
    need(ranks == [sum(marks[: group * TILE]) for group in range(groups)], "ranks")
    need(sorted(ids) == list(range(count)) and all(target < count for target in targets), "a permutation")
    leads_to = dict(zip(marked, targets, strict=True))
    need(all(ids[position_of(word, ids, leads_to, step)] == word for word in range(count)), "the way back")
    return ids


def position_of(word: int, ids: list[int], leads_to: dict[int, int], step: int) -> int:
    """The position of a word, found by the shortcuts."""
    at, jumped = word, False
    for _ in range(4 * step):
        if ids[at] == word:
            return at
        if at in leads_to and not jumped:
            at, jumped = leads_to[at], True
        else:
            at = ids[at]
    need(False, "the way back is short")
    return at


# ---- Multi-index hash


def check_mih(section: bytes, codes: Codes) -> None:
    """Whether the section names the words of codes by position, all of them and no other."""
    count, bits = len(codes), codes.shape[1] * 8
    shift, tables = read_mih(section, count, bits)
    need(tables == tables_of(codes, len(tables), shift), "blocks of the values")


def read_mih(section: bytes, count: int, bits: int) -> tuple[int, list[dict[int, list[int]]]]:
    """The block shift, and for each substring the blocks of each value that occurs."""
    head = struct.unpack_from("<IIII48s", section)
    substrings, shift = head[2:4]
    need(head[:2] == (count, bits) and not any(head[4]), "head of mih")
    need(1 <= substrings <= 62 and substrings * 26 >= bits and shift <= 6, "substrings and blocks")
    blocks = ((count - 1) >> shift) + 1
    need(blocks <= 1 << 18, "blocks")
    data = Bits(section[64:])
    counts = [data.read(32) for _ in range(substrings)]
    data.align()
    need(all(blocks <= entries <= count for entries in counts), "entries")
    widths = [(i + 1) * bits // substrings - i * bits // substrings for i in range(substrings)]
    block_bits = (blocks - 1).bit_length()
    tables = [_read_table(data, width, n, block_bits) for width, n in zip(widths, counts, strict=True)]
    need(data.read(64) == 0 and data.left == 0, "end of mih")
    return shift, tables


def _read_table(data: Bits, width: int, count: int, block_bits: int) -> dict[int, list[int]]:
    a_group = min(16, 1 << width)
    starts = read_ascending(data, (1 << width) // a_group + 1, count)
    table: dict[int, list[int]] = {}
    for group, (start, end) in enumerate(pairwise(starts)):
        values = range(group * a_group, (group + 1) * a_group)
        table |= _read_group(data, values, end - start, block_bits)
    data.align()
    return table


def _read_group(data: Bits, values: range, count: int, block_bits: int) -> dict[int, list[int]]:
    sizes = []
    for _ in values:
        size = 0
        while data.read(1) == 0:
            size += 1
        sizes.append(size)
    need(sum(sizes) == count, "entries of a group")
    return {
        value: [data.read(block_bits) for _ in range(size)] for value, size in zip(values, sizes, strict=True) if size
    }


def read_ascending(data: Bits, count: int, last: int) -> list[int]:
    """Numbers from 0 to `last` in Elias-Fano code."""
    low_bits = max((last // count).bit_length() - 1, 0)
    samples = [data.read(32) for _ in range(0, count, 128)]
    data.align()
    upper = [data.read(1) for _ in range(count + (last >> low_bits))]
    data.align()
    lower = [data.read(low_bits) for _ in range(count)]
    data.align()
    places = [place for place, bit in enumerate(upper) if bit]
    need(len(places) == count and samples == places[::128], "samples")
    numbers = [(place - i) << low_bits | low for i, (place, low) in enumerate(zip(places, lower, strict=True))]
    need(numbers[0] == 0 and numbers[-1] == last and all(a <= b for a, b in pairwise(numbers)), "ascending numbers")
    return numbers


def tables_of(codes: Codes, substrings: int, shift: int) -> list[dict[int, list[int]]]:
    """What the tables of `mih` must say: for each substring, the blocks of positions where each value occurs."""
    bits = codes.shape[1] * 8
    numbers = [int.from_bytes(row.tobytes(), "little") for row in codes]
    tables = []
    for i in range(substrings):
        first, end = i * bits // substrings, (i + 1) * bits // substrings
        table: dict[int, list[int]] = {}
        for position, number in enumerate(numbers):
            blocks = table.setdefault(number >> first & ((1 << (end - first)) - 1), [])
            if position >> shift not in blocks[-1:]:
                blocks.append(position >> shift)
        tables.append(table)
    return tables
