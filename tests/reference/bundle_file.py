"""A bundle read from docs/bundle-format.md alone: everything at once, into plain Python, every rule checked."""

import hashlib
import json
import math
import struct
import zlib
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .code_reader import read_codes
from .crowd_sections import CrowdTables, read_crowd_sections
from .embedding_section import EmbeddingTables, read_embedding_section
from .huffman import SymbolReader, as_text, check_lengths
from .rules import BundleFileError, align
from .rules import need as _need

MAGIC = b"\x89HSB\r\n\x1a\n"
HEADER = struct.Struct("<8sIHHIIIIQddIIIIddI28sII")
ENTRY = struct.Struct("<IIQQQ32s")
WORDS_HEAD = struct.Struct("<IIIIQ40s128s128s128s")
SECTION_NAMES = dict(
    enumerate(
        ("meta", "words", "codes", "clusters", "order", "mih", "outputs", "standins", "weights", "crowds", "grades",
         "public", "embedding"), 1)
)  # fmt: skip
_ALWAYS_THERE = {1, 2, 3}
BITS = (64, 128, 256, 512)

__all__ = ["BITS", "ENTRY", "HEADER", "MAGIC", "WORDS_HEAD", "BundleFile", "BundleFileError", "align", "read_bundle"]


@dataclass(frozen=True)
class BundleFile:
    """What a bundle holds. `words` are sorted by bytes; `codes` is uint8 (Y, bits / 8), of the output words."""

    bits: int
    words: list[bytes]
    codes: NDArray[np.uint8]
    meta: dict[str, object]
    hash: bytes
    default_epsilon: float
    average_distance: float
    max_distance: int
    unicode_version: int
    mih_flips: int
    long_numbers: bool
    sections: tuple[str, ...]
    mechanism: int
    brr_epsilon: float
    tem_epsilon: float
    crowd: int
    tables: CrowdTables
    embedding: EmbeddingTables | None
    ids: dict[bytes, int] = field(repr=False)

    @property
    def max_word_bytes(self) -> int:
        """The length in bytes of the longest word."""
        return max(map(len, self.words))


def _nibbles(packed: bytes) -> dict[int, int]:
    """Symbol -> length, the low half of a byte first."""
    return {symbol: packed[symbol // 2] >> 4 * (symbol % 2) & 15 for symbol in range(256)}


def read_words(section: bytes, expected: int) -> list[bytes]:
    """The words of a `words` section in the order of their ids."""
    count, block, longest, reserved, bits, zeros, *packed = WORDS_HEAD.unpack_from(section)
    _need(count == expected, "the words section counts other words than the header")
    _need(block in (1, 2, 4, 8, 16, 32, 64), "block size")
    _need(reserved == 0 and not any(zeros), "reserved bytes of words")
    blocks = -(-count // block)
    starts = struct.unpack_from(f"<{blocks + 1}I", section, WORDS_HEAD.size)
    starts_end = WORDS_HEAD.size + 4 * (blocks + 1)
    payload_at = align(starts_end, 8)
    payload_bytes = -(-bits // 8)
    _need(len(section) == payload_at + payload_bytes + 8, "length of words")
    _need(not any(section[starts_end:payload_at]), "padding before the payload")
    _need(not any(section[-8:]), "the 8 bytes after the payload")
    lengths = [_nibbles(table) for table in packed]
    for of_code in lengths:
        check_lengths(of_code)
    suffix_codes, prefix_codes, step_codes = map(as_text, lengths)
    reader = SymbolReader(section[payload_at : payload_at + payload_bytes], bits)
    words: list[bytes] = []
    for id in range(count):
        first_of_block = id % block == 0
        if first_of_block:
            _need(reader.at == starts[id // block], "start of a block")
        before = b"" if first_of_block else words[-1]
        shared = 0 if first_of_block else reader.symbol(prefix_codes)
        _need(shared <= len(before), "shared bytes")
        word = bytearray(before[:shared])
        if shared < len(before):
            step = reader.symbol(step_codes)
            _need(0 < step <= 255 - before[shared], "step")
            word.append(before[shared] + step)
        while symbol := reader.symbol(suffix_codes):
            word.append(symbol)
        words.append(bytes(word))
    _need(reader.at == bits == starts[-1], "end of the payload")
    _need(max(map(len, words)) == longest <= 255, "longest word")
    _need(min(map(len, words)) >= 1, "empty word")
    _need(all(a < b for a, b in pairwise(words)), "words sorted and unique")
    for word_bytes in words:
        word_bytes.decode("utf-8")
    return words


def _read_sections(data: bytes, table: bytes) -> dict[int, bytes]:
    """Type -> bytes, with offsets, padding and hashes checked."""
    sections: dict[int, bytes] = {}
    end = 128 + len(table)
    for type_, flags, offset, length, reserved, digest in ENTRY.iter_unpack(table):
        _need(flags in (0, 1) and reserved == 0, "reserved part of a table entry")
        _need(type_ in SECTION_NAMES or not flags, "an unknown section that must be known")
        _need(type_ == 6 or type_ not in SECTION_NAMES or flags == 1, "a section that must be known")
        _need(type_ not in sections, "section types unique")
        _need(offset == align(end) and length >= 1, "section offset")
        _need(not any(data[end:offset]), "padding between sections")
        end = offset + length
        sections[type_] = data[offset:end]
        _need(hashlib.sha256(sections[type_]).digest() == digest, f"SHA-256 of section {type_}")
    _need(end == len(data), "end of the last section")
    return sections


def read_bundle(data: bytes) -> BundleFile:
    """Everything in a bundle, checked as `verify` would; raises BundleFileError naming the rule that is broken."""
    (magic, endian, major, minor, bits, count, flags, section_count, size, epsilon, average, maximum, mechanism,
     unicode_version, mih_flips, brr_epsilon, tem_epsilon, crowd, reserved, table_crc, header_crc,
    ) = HEADER.unpack_from(data)  # fmt: skip
    table = data[128 : 128 + 64 * section_count]
    _need(magic == MAGIC and endian == 0x01020304 and major == 1, "magic, endian tag, version")
    _need(zlib.crc32(data[:124]) == header_crc and zlib.crc32(table) == table_crc, "CRC")
    _need(bits in BITS and 1 <= count <= 1 << 24 and flags in (0, 1) and 3 <= section_count <= 64, "header counts")
    _need(size == len(data) and not any(reserved), "size, reserved bytes")
    _need(minor >= 1 or not any(data[72:120]), "reserved bytes of minor version 0")
    _need(mechanism in ((1, 2, 3) if minor else (1, 2)), "mechanism")
    _need(crowd in ((1, 2, 3) if mechanism == 3 else (0,)), "default crowd")
    _need(all(0 <= value < math.inf for value in (epsilon, brr_epsilon, tem_epsilon)), "default epsilons")
    sections = _read_sections(data, table)
    _need(set(sections) >= _ALWAYS_THERE, "meta, words and codes are required")
    _need(mih_flips <= (bits * 256 if 6 in sections else 0), "flips up to which mih is tried first")
    words = read_words(sections[2], count)
    tables = read_crowd_sections(sections, count)
    codes = read_codes(sections, len(tables.outputs), bits)
    embedding = read_embedding_section(sections[13], bits, len(tables.outputs)) if 13 in sections else None
    meta = json.loads(sections[1].decode("utf-8"))
    bundle_hash = hashlib.sha256(data[: 128 + len(table)]).digest()
    ids = {word: id for id, word in enumerate(words)}
    names = tuple(SECTION_NAMES[type_] for type_ in sections if type_ in SECTION_NAMES)
    return BundleFile(
        bits, words, codes, meta, bundle_hash, epsilon, average, maximum, unicode_version, mih_flips, flags == 1, names,
        mechanism, brr_epsilon, tem_epsilon, crowd, tables, embedding, ids,
    )  # fmt: skip
