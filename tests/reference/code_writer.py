"""The sections `codes`, `clusters`, `order` and `mih`, written from docs/bundle-format.md alone, the simplest way."""

import struct

import numpy as np
from numpy.typing import NDArray

from .code_reader import GROUP, TILE, Codes, tables_of
from .rules import align, pack

_STEP = 4
_SUBSTRING_BITS = 9
INDEXES = ("both", "clusters", "mih", "none")


def code_sections(codes: Codes, index: str, shift: int, cluster_tiles: int = 1) -> dict[int, bytes]:
    """Type -> section of codes in the order of ids. A block of `mih` is 2^shift positions."""
    sections: dict[int, bytes] = {}
    if index in ("both", "clusters"):
        size = cluster_tiles * TILE
        clusters = [_Cluster(codes, first, min(first + size, len(codes))) for first in range(0, len(codes), size)]
        ids = np.concatenate([cluster.ids for cluster in clusters])
        sections[3] = b"".join(cluster.tiles() for cluster in clusters)
        sections[4] = _clusters_section(clusters, codes.shape[1] * 8)
        sections[5] = order_section(ids.tolist())
        codes = codes[ids]
    else:
        sections[3] = codes.tobytes()
    if index in ("both", "mih"):
        sections[6] = mih_section(codes, shift)
    return sections


class _Cluster:
    """Words [first, end), sorted by weight; the code of the first of them is the reference. Planes in order of bits."""

    def __init__(self, codes: Codes, first: int, end: int) -> None:
        self.reference = codes[first]
        differences = np.unpackbits(codes[first:end] ^ self.reference, axis=1, bitorder="little")
        weights = differences.sum(axis=1, dtype=np.int64)
        order = np.argsort(weights, kind="stable")
        self.ids = first + order
        self.weights: list[int] = weights[order].tolist()
        self._differences: NDArray[np.uint8] = differences[order]

    @property
    def tile_count(self) -> int:
        return -(-len(self.ids) // TILE)

    def tiles(self) -> bytes:
        words, bits = self._differences.shape
        filled = np.ones((self.tile_count * TILE, bits), dtype=np.uint8)
        filled[:words] = self._differences
        return b"".join(
            np.packbits(filled[first : first + TILE].T, axis=1, bitorder="little").tobytes()
            for first in range(0, len(filled), TILE)
        )

    def heaviest(self) -> list[int]:
        """The heaviest weight of each group of each tile."""
        firsts = range(0, self.tile_count * TILE, GROUP)
        return [max(self.weights[first : first + GROUP], default=0) for first in firsts]

    def bounds(self) -> list[int]:
        weights = range(self.weights[0], self.weights[-1] + 1)
        return [sum(other <= weight for other in self.weights) for weight in weights]


def _clusters_section(clusters: list[_Cluster], bits: int) -> bytes:
    records, heaviest, bounds = b"", list[int](), list[int]()
    for cluster in clusters:
        weights = cluster.weights
        first_tile, median = len(heaviest) * GROUP // TILE, weights[len(weights) // 2]
        records += struct.pack("<IIHHHH", first_tile, len(bounds), weights[0], median, weights[-1], 0)
        records += cluster.reference.tobytes()
        records += bytes(bit & 255 for bit in range(bits))
        if bits > 256:
            records += pack([bit >> 8 for bit in range(bits)], 1)
        heaviest += cluster.heaviest()
        bounds += cluster.bounds()
    head = struct.pack("<II56x", len(clusters), len(bounds))
    return head + records + struct.pack(f"<{len(heaviest)}H", *heaviest) + struct.pack(f"<{len(bounds)}H", *bounds)


def order_section(ids: list[int]) -> bytes:
    """The section of the word at each position."""
    leads_to: dict[int, int] = {}
    seen: set[int] = set()
    for start in range(len(ids)):
        cycle = []
        at = start
        while at not in seen:
            seen.add(at)
            cycle.append(at)
            at = ids[at]
        if len(cycle) > _STEP:
            marked = cycle[::_STEP]
            leads_to |= {position: marked[i - 1] for i, position in enumerate(marked)}
    width = max(1, (len(ids) - 1).bit_length())
    marks = [int(position in leads_to) for position in range(align(len(ids), TILE))]
    ranks = [sum(marks[:first]) for first in range(0, len(marks), TILE)]
    targets = [leads_to[position] for position in sorted(leads_to)]
    parts = [pack(ids, width), pack(marks, 1), pack(ranks, 32), pack(targets, width)]
    return struct.pack("<IIQ", _STEP, len(targets), 0) + b"".join(parts) + bytes(8)


def mih_section(codes: Codes, shift: int, substrings: int | None = None) -> bytes:
    """The section of codes in the order of positions."""
    count, bits = len(codes), codes.shape[1] * 8
    parts = substrings or -(-bits // _SUBSTRING_BITS)
    block_bits = ((count - 1) >> shift).bit_length()
    tables = tables_of(codes, parts, shift)
    counts = [sum(map(len, table.values())) for table in tables]
    widths = [(i + 1) * bits // parts - i * bits // parts for i in range(parts)]
    body = b"".join(_table(table, width, block_bits) for table, width in zip(tables, widths, strict=True))
    return struct.pack("<IIII48x", count, bits, parts, shift) + pack(counts, 32) + body + bytes(8)


def _table(table: dict[int, list[int]], width: int, block_bits: int) -> bytes:
    a_group = min(16, 1 << width)
    starts, text = [0], ""
    for first in range(0, 1 << width, a_group):
        blocks = [table.get(value, []) for value in range(first, first + a_group)]
        text += "".join("0" * len(of_value) + "1" for of_value in blocks)
        text += "".join(f"{block:0{block_bits}b}"[::-1] for of_value in blocks for block in of_value if block_bits)
        starts.append(starts[-1] + sum(map(len, blocks)))
    return ascending(starts) + pack([int(bit) for bit in text], 1)


def ascending(numbers: list[int]) -> bytes:
    """Ascending numbers from 0 on in Elias-Fano code."""
    low_bits = max((numbers[-1] // len(numbers)).bit_length() - 1, 0)
    places = [(number >> low_bits) + i for i, number in enumerate(numbers)]
    upper = [0] * (len(numbers) + (numbers[-1] >> low_bits))
    for place in places:
        upper[place] = 1
    lower = [number & ((1 << low_bits) - 1) for number in numbers]
    return pack(places[::128], 32) + pack(upper, 1) + pack(lower, low_bits)
