"""Makes small bundles for tests, from docs/bundle-format.md alone."""

import hashlib
import json
import struct
import zlib
from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .brr import distances
from .bundle_file import ENTRY, HEADER, MAGIC, WORDS_HEAD, align
from .code_writer import code_sections
from .crowd_sections import CrowdTables, crowd_sections
from .embedding_section import EmbeddingTables, embedding_section
from .huffman import BitWriter, canonical_codes, code_lengths

UNICODE_VERSION = 14 << 16  # every character of the test vocabularies is older


def _pack_lengths(lengths: dict[int, int]) -> bytes:
    return bytes(lengths.get(2 * i, 0) | lengths.get(2 * i + 1, 0) << 4 for i in range(128))


def _common_prefix(a: bytes, b: bytes) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def words_section(words: list[bytes], block: int) -> bytes:
    """The `words` section of sorted, unique words, in blocks of `block`."""
    shared = [0 if i % block == 0 else _common_prefix(words[i - 1], words[i]) for i in range(len(words))]
    coded = []  # a word: (name of the code, symbol)...
    for i, (word, p) in enumerate(zip(words, shared, strict=True)):
        symbols = [("prefix", p)] if i % block else []
        if i % block and p < len(words[i - 1]):
            symbols.append(("step", word[p] - words[i - 1][p]))
            p += 1
        coded.append(symbols + [("suffix", byte) for byte in word[p:] + b"\0"])
    lengths = {
        name: code_lengths(Counter(symbol for symbols in coded for code, symbol in symbols if code == name))
        for name in ("suffix", "prefix", "step")
    }
    codes = {name: canonical_codes(of_code) for name, of_code in lengths.items()}
    payload = BitWriter()
    starts = []
    for i, symbols in enumerate(coded):
        if i % block == 0:
            starts.append(payload.size)
        for name, symbol in symbols:
            payload.put(*codes[name][symbol])
    starts.append(payload.size)
    head = WORDS_HEAD.pack(
        len(words), block, max(map(len, words)), 0, payload.size, bytes(40), *map(_pack_lengths, lengths.values())
    )
    index = head + struct.pack(f"<{len(starts)}I", *starts)
    return index.ljust(align(len(index), 8), b"\0") + payload.bytes() + bytes(8)


def average_distance(codes: NDArray[np.uint8]) -> float:
    """P_avg: the mean Hamming distance over all ordered pairs, self-pairs included."""
    count = len(codes)
    ones = np.unpackbits(codes, axis=1).sum(axis=0, dtype=np.int64)
    return float(sum(2 * int(c) * (count - int(c)) for c in ones)) / count**2


def max_distance(codes: NDArray[np.uint8]) -> int:
    """P_max: the largest distance of two codes."""
    return max(int(distances(code, codes).max()) for code in codes)


def make_bundle(
    words: Mapping[str, bytes],
    *,
    block: int = 16,
    epsilon: float = 1.0,
    farthest: int | None = None,
    index: str = "none",
    mih_shift: int = 0,
    mih_flips: int = 0,
    long_numbers: bool = False,
    tables: CrowdTables | None = None,
    mechanism: int = 1,
    defaults: tuple[float, float, int] = (0.0, 0.0, 0),
    embedding: EmbeddingTables | None = None,
) -> bytes:
    """A bundle of words and their codes, all of the same length.

    `farthest`: P_max, if it is known or only bounded. `index`: both, clusters, mih or none; with a hash, of blocks of
    2^mih_shift words, that is tried first up to mih_flips expected flips, in 1/256. `long_numbers`: words of four or
    more digits are words. `tables` make it a bundle of minor version 1, with codes of output words only. `defaults`:
    the epsilons of BRR and TEM and the size of crowds. An `embedding` makes it one of minor version 2.
    """
    by_bytes = sorted((word.encode(), code) for word, code in words.items())
    codes = np.frombuffer(b"".join(code for _, code in by_bytes), dtype=np.uint8).reshape(len(by_bytes), -1)
    if tables is not None:
        codes = codes[tables.outputs]
    meta = {
        "source": {"name": "made for tests"},
        "tokenizer": {"unicode_version": "14.0.0", "version": 2},
        "tool": {"name": "hushbit test reference", "version": "1"},
    }
    sections = {
        1: json.dumps(meta, sort_keys=True, separators=(",", ":")).encode(),
        2: words_section([word for word, _ in by_bytes], block),
        **code_sections(codes, index, mih_shift),
        **({} if tables is None else crowd_sections(tables, len(by_bytes))),
        **({} if embedding is None else {13: embedding_section(embedding)}),
    }
    table, body = b"", b""
    at = align(128 + 64 * len(sections))
    for type_, section in sections.items():
        body = body.ljust(align(len(body)), b"\0")
        table += ENTRY.pack(type_, int(type_ != 6), at + len(body), len(section), 0, hashlib.sha256(section).digest())
        body += section
    minor = 2 if embedding is not None else int(tables is not None)
    header = HEADER.pack(
        MAGIC, 0x01020304, 1, minor, codes.shape[1] * 8, len(by_bytes), int(long_numbers),
        len(sections), at + len(body), epsilon, average_distance(codes),
        max_distance(codes) if farthest is None else farthest, mechanism, UNICODE_VERSION, mih_flips, *defaults,
        bytes(28), zlib.crc32(table), 0,
    )  # fmt: skip
    header = header[:124] + struct.pack("<I", zlib.crc32(header[:124]))
    return (header + table).ljust(at, b"\0") + body
