"""The `mih` section against a reader written from docs/bundle-format.md alone."""

import hashlib
import struct
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit.bundle.mih import encode_ascending, encode_mih

Codes = NDArray[np.uint8]


class Bits:
    """Reads numbers of bits, the least significant first."""

    def __init__(self, data: bytes) -> None:
        self._number, self.at = int.from_bytes(data, "little"), 0

    def read(self, width: int) -> int:
        value = self._number >> self.at & ((1 << width) - 1)
        self.at += width
        return value

    def align(self, bits: int) -> None:
        skipped = -self.at % bits
        assert self.read(skipped) == 0, "padding"


def read_ascending(bits: Bits, count: int, last: int) -> list[int]:
    low_bits = max((last // count).bit_length() - 1, 0)
    samples = [bits.read(32) for _ in range(0, count, 128)]
    bits.align(64)
    upper = [bits.read(1) for _ in range(count + (last >> low_bits))]
    bits.align(64)
    lower = [bits.read(low_bits) for _ in range(count)]
    bits.align(64)
    places = [place for place, bit in enumerate(upper) if bit]
    assert samples == places[::128]
    return [(place - i) << low_bits | low for i, (place, low) in enumerate(zip(places, lower, strict=True))]


def read_group(bits: Bits, values: range, count: int, block_bits: int) -> dict[int, list[int]]:
    sizes = []
    for _ in values:
        size = 0
        while bits.read(1) == 0:
            size += 1
        sizes.append(size)
    assert sum(sizes) == count
    return {
        value: [bits.read(block_bits) for _ in range(size)] for value, size in zip(values, sizes, strict=True) if size
    }


def read_section(section: bytes) -> tuple[int, list[dict[int, list[int]]]]:
    """The words of a block, and for each substring the blocks of each value that occurs."""
    words, bits_of_code, substrings, shift = struct.unpack_from("<IIII", section)
    block_bits = ((words - 1) >> shift).bit_length()
    bits = Bits(section)
    bits.at = 16 * 8
    assert bits.read(48 * 8) == 0
    counts = [bits.read(32) for _ in range(substrings)]
    bits.align(64)
    tables = []
    for i, count in enumerate(counts):
        width = (i + 1) * bits_of_code // substrings - i * bits_of_code // substrings
        per_group = min(16, 1 << width)
        starts = read_ascending(bits, (1 << width) // per_group + 1, count)
        assert (starts[0], starts[-1]) == (0, count)
        table: dict[int, list[int]] = {}
        for group, (start, end) in enumerate(pairwise(starts)):
            values = range(group * per_group, (group + 1) * per_group)
            table |= read_group(bits, values, end - start, block_bits)
        bits.align(64)
        tables.append(table)
    assert bits.read(64) == 0
    assert bits.at == len(section) * 8
    return 1 << shift, tables


def expected_tables(codes: Codes, substrings: int, block_words: int) -> list[dict[int, list[int]]]:
    bits = codes.shape[1] * 8
    numbers = [int.from_bytes(row.tobytes(), "little") for row in codes]
    tables = []
    for i in range(substrings):
        first, end = i * bits // substrings, (i + 1) * bits // substrings
        table = defaultdict(set)
        for word, number in enumerate(numbers):
            table[number >> first & ((1 << (end - first)) - 1)].add(word // block_words)
        tables.append({value: sorted(blocks) for value, blocks in table.items()})
    return tables


def codes_of(words: int, bits: int, seed: int, *, alike: bool = False) -> Codes:
    """Random codes; `alike` ones differ in few bits, so that they share values."""
    codes = np.random.Generator(np.random.PCG64(seed)).integers(0, 256, (words, bits // 8), dtype=np.uint8)
    return codes & np.uint8(1) if alike else codes


@pytest.mark.parametrize("bits", [64, 128, 256, 512])
@pytest.mark.parametrize("words", [1, 2, 257, 700])
@pytest.mark.parametrize("shift", [0, 6])
def test_section_says_where_each_value_occurs(bits: int, words: int, shift: int) -> None:
    codes = codes_of(words, bits, seed=words)
    section = encode_mih(codes, shift)
    block_words, tables = read_section(section)
    assert block_words == 1 << shift
    assert tables == expected_tables(codes, len(tables), block_words)


@given(st.integers(1, 300), st.sampled_from([64, 128]), st.integers(0, 6), st.integers(0, 9), st.booleans())
def test_any_codes(words: int, bits: int, shift: int, seed: int, alike: bool) -> None:
    codes = codes_of(words, bits, seed, alike=alike)
    block_words, tables = read_section(encode_mih(codes, shift))
    assert tables == expected_tables(codes, len(tables), block_words)


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=400))
def test_ascending_numbers(numbers: list[int]) -> None:
    ascending = [0, *sorted(numbers)]
    bits = Bits(encode_ascending(np.array(ascending)))
    assert read_ascending(bits, len(ascending), ascending[-1]) == ascending


def test_equal_codes_make_one_value() -> None:
    _, tables = read_section(encode_mih(np.zeros((500, 32), dtype=np.uint8), 3))
    assert all(table == {0: list(range(63))} for table in tables)


def test_same_codes_same_bytes() -> None:
    codes = np.frombuffer(hashlib.shake_128(b"codes").digest(1000 * 32), dtype=np.uint8).reshape(1000, 32)
    digest = hashlib.sha256(encode_mih(codes, 3)).hexdigest()
    assert digest == "95bff8b49cdbf3637c977d8211d9e3edac790c97f141463361936902c1e0685e"
