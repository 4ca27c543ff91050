"""The `mih` section (docs/bundle-format.md): for every value of every substring, the blocks of words that have it."""

import math
import struct

import numpy as np
from numpy.typing import NDArray

MAX_SUBSTRINGS = 62
_MIN_WIDTH, _MAX_WIDTH = 8, 26
_MAX_BLOCKS = 1 << 18
_GROUP_VALUES = 16
_SAMPLE_STEP = 128
_TAIL_BYTES = 8


def encode_mih(codes: NDArray[np.uint8], block_shift: int, substrings: int | None = None) -> bytes:
    """The section for packed codes (words, bits / 8), in the order in which the bundle stores them.

    A block is 2^block_shift words, 0 to 6, or more if there would be too many blocks. The default number of
    `substrings`, at most 62, gives about one value per word.
    """
    words, bits = len(codes), codes.shape[1] * 8
    shift = max(block_shift, (words - 1).bit_length() - (_MAX_BLOCKS - 1).bit_length())
    parts = substrings or _usual_substrings(words, bits)
    blocks = np.arange(words, dtype=np.uint64) >> np.uint64(shift)
    block_bits = int(blocks[-1]).bit_length()
    counts: list[int] = []
    tables: list[bytes] = []
    for i in range(parts):
        first, end = i * bits // parts, (i + 1) * bits // parts
        pairs = _distinct(_values(codes, first, end) << np.uint64(32) | blocks)
        counts.append(len(pairs))
        tables.append(_encode_table(pairs, end - first, block_bits))
    head = struct.pack("<IIII48x", words, bits, parts, shift)
    return b"".join([head, _aligned(np.array(counts, dtype="<u4").tobytes()), *tables, bytes(_TAIL_BYTES)])


def _encode_table(pairs: NDArray[np.uint64], width: int, block_bits: int) -> bytes:
    """Sorted pairs of a value of `width` bits (in the upper half of the number) and a block in which it occurs."""
    group_values = min(_GROUP_VALUES, 1 << width)
    values = (pairs >> np.uint64(32)).astype(np.int64)
    order = np.arange(len(pairs))
    groups = values // group_values
    starts = np.concatenate([[0], np.cumsum(np.bincount(groups, minlength=(1 << width) // group_values))])
    # A group: a 0 for each entry and a 1 for each value, then the entries.
    bits = np.zeros((1 << width) + len(pairs) * (1 + block_bits), dtype=np.uint8)
    ends = np.cumsum(np.bincount(values, minlength=1 << width))  # entries up to and including each value
    value = np.arange(1 << width)
    first = starts[value // group_values]
    bits[value + ends + first * block_bits] = 1
    entries = (groups + 1) * group_values + starts[groups + 1] + order * block_bits
    for bit in range(block_bits):
        bits[entries + bit] = pairs >> np.uint64(bit) & np.uint64(1)
    return encode_ascending(starts) + _aligned(np.packbits(bits, bitorder="little").tobytes())


def _usual_substrings(words: int, bits: int) -> int:
    width = min(max(math.log2(words), _MIN_WIDTH), _MAX_WIDTH)
    return min(math.ceil(bits / width), MAX_SUBSTRINGS)


def _values(codes: NDArray[np.uint8], first: int, end: int) -> NDArray[np.uint64]:
    """Bits [first, end) of every code as a number, with the first bit as the least significant."""
    values = np.zeros(len(codes), dtype=np.uint64)
    for byte in range(first // 8, (end - 1) // 8 + 1):
        values |= codes[:, byte].astype(np.uint64) << np.uint64(8 * (byte - first // 8))
    return values >> np.uint64(first % 8) & np.uint64((1 << (end - first)) - 1)


def _distinct(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The sorted numbers, each once. (numpy.unique uses hashes and takes ten times as long.)"""
    numbers.sort()
    first = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=first[1:])
    return numbers[first]


def encode_ascending(numbers: NDArray[np.int64]) -> bytes:
    """Ascending numbers, the first 0, in Elias-Fano code: samples, upper and lower bits, each aligned to 8 bytes."""
    count, last = len(numbers), int(numbers[-1])
    low_bits = max((last // count).bit_length() - 1, 0)
    places = (numbers >> low_bits) + np.arange(count)
    upper = np.zeros(count + (last >> low_bits), dtype=np.uint8)
    upper[places] = 1
    samples = places[::_SAMPLE_STEP].astype("<u4").tobytes()
    lower = _pack((numbers & ((1 << low_bits) - 1)).astype(np.uint64), low_bits)
    return _aligned(samples) + _aligned(np.packbits(upper, bitorder="little").tobytes()) + _aligned(lower)


def _pack(values: NDArray[np.uint64], width: int) -> bytes:
    """Each value in `width` bits, with the least significant bit first."""
    if width == 0:
        return b""
    little = values.astype("<u4").view(np.uint8).reshape(-1, 4)
    bits = np.unpackbits(little, axis=1, bitorder="little", count=width)
    return np.packbits(bits.ravel(), bitorder="little").tobytes()


def _aligned(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)
