"""The `words` section (docs/bundle-format.md): front coded in blocks, then Huffman coded."""

import struct
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

BLOCK_WORDS = 32
_MAX_WORD_BYTES = 255
_CHUNK_WORDS = BLOCK_WORDS * 1024  # encoded at a time; whole blocks
_PREFIX, _STEP, _SUFFIX = range(3)  # the code with which a symbol is written
MAX_LENGTH = 12


def code_lengths(counts: Sequence[int], max_length: int = MAX_LENGTH) -> list[int]:
    """The lengths of an optimal code with at most `max_length` bits for symbols that occur `counts` times.

    Symbols that do not occur get 0; a symbol that occurs alone gets 1. Package-merge (Larmore and Hirschberg, 1990):
    from the longest length up, combine pairs of the cheapest items into packages and merge them with the symbols. The
    length of a symbol is the number of times that it occurs among the 2n - 2 cheapest items at the end. Ties are
    resolved in favor of the lower symbol, so the same counts always give the same lengths. Needs 2 ** max_length >= the
    number of symbols that occur.
    """
    leaves: list[tuple[int, tuple[int, ...]]]
    leaves = sorted((count, (symbol,)) for symbol, count in enumerate(counts) if count > 0)
    lengths = [0] * len(counts)
    if len(leaves) == 1:
        lengths[leaves[0][1][0]] = 1
    if len(leaves) < 2:
        return lengths
    items = leaves
    for _ in range(max_length - 1):
        pairs = zip(items[0::2], items[1::2], strict=False)
        packages = [(a[0] + b[0], a[1] + b[1]) for a, b in pairs]
        items = sorted(leaves + packages, key=lambda item: item[0])
    for _, symbols in items[: 2 * len(leaves) - 2]:
        for symbol in symbols:
            lengths[symbol] += 1
    return lengths


def canonical_codes(lengths: Sequence[int]) -> list[int]:
    """The code value of each symbol: consecutive in order of (length, symbol), shifted left when the length grows."""
    codes = [0] * len(lengths)
    code = length_before = 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths) if length > 0):
        code <<= length - length_before
        codes[symbol] = code
        code += 1
        length_before = length
    return codes


def encode_words(words: Sequence[bytes], block_words: int = BLOCK_WORDS) -> bytes:
    """The section for words that are sorted by their bytes.

    Raises InvalidArgumentError if they are not sorted, not unique, empty, longer than 255 bytes or contain the byte 0,
    or if their coded form is too large.
    """
    _check(words)
    chunks = list(_symbols(words, block_words))
    counts = np.zeros((3, 256), dtype=np.int64)
    for symbols, kinds, _ in chunks:
        for kind in (_PREFIX, _STEP, _SUFFIX):
            counts[kind] += np.bincount(symbols[kinds == kind], minlength=256)
    lengths = np.array([code_lengths(row.tolist()) for row in counts], dtype=np.uint8)
    payload, starts = _encode(chunks, lengths)
    if starts[-1] >= 1 << 32:
        raise InvalidArgumentError("the vocabulary is too large: its words take 2^32 bits or more")
    head = struct.pack("<IIIIQ40x", len(words), block_words, max(map(len, words)), 0, int(starts[-1]))
    tables = b"".join(_pack_lengths(lengths[kind]) for kind in (_SUFFIX, _PREFIX, _STEP))
    index = starts.astype("<u4").tobytes()
    padding = bytes(-(len(head) + len(tables) + len(index)) % 8)
    return head + tables + index + padding + payload + bytes(8)


def _check(words: Sequence[bytes]) -> None:
    before = b""
    for word in words:
        if not 1 <= len(word) <= _MAX_WORD_BYTES or b"\0" in word:
            raise InvalidArgumentError("a word of a bundle must have 1 to 255 bytes, none of them 0")
        if word <= before:
            raise InvalidArgumentError("the words of a bundle must be sorted by their bytes and unique")
        before = word


_Chunk = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]


def _symbols(words: Sequence[bytes], block_words: int) -> Iterator[_Chunk]:
    """The symbols to write, chunk by chunk: the symbols, the code of each, and where each block starts in the chunk."""
    for first in range(0, len(words), _CHUNK_WORDS):
        chunk = words[first : first + _CHUNK_WORDS]
        lengths = np.array([len(word) for word in chunk])
        table = np.zeros((len(chunk), int(lengths.max()) + 1), dtype=np.uint8)  # rows end in the symbol 0
        inside = np.arange(table.shape[1]) < lengths[:, None]
        table[inside] = np.frombuffer(b"".join(chunk), dtype=np.uint8)
        heads = np.arange(len(chunk)) % block_words == 0
        prefixes = np.zeros(len(chunk), dtype=np.int64)
        prefixes[1:] = np.argmax(table[1:] != table[:-1], axis=1)  # words are unique, so two rows always differ
        prefixes[heads] = 0
        # One row per word: the prefix symbol, then the word; `used` marks the written part.
        rows = np.concatenate([prefixes[:, None].astype(np.uint8), table], axis=1)
        columns = np.arange(rows.shape[1])
        used = (columns > prefixes[:, None]) & (columns <= lengths[:, None] + 1)
        used[:, 0] = ~heads
        kinds = np.full(rows.shape, _SUFFIX, dtype=np.uint8)
        kinds[:, 0] = _PREFIX
        # The first byte after the prefix becomes the step from the byte of the previous word at this place, if there is
        # one.
        others = np.flatnonzero(~heads)
        places = others, prefixes[others] + 1
        replaced = table[others - 1, prefixes[others]]
        rows[places] -= replaced
        kinds[places] = np.where(replaced > 0, _STEP, _SUFFIX)
        ends = np.cumsum(used.sum(axis=1))
        starts = np.concatenate([[0], ends[:-1]])[heads]
        yield rows[used], kinds[used], starts


def _encode(chunks: Sequence[_Chunk], lengths: NDArray[np.uint8]) -> tuple[bytes, NDArray[np.int64]]:
    """The payload, and the bit at which each block starts, followed by the total number of bits."""
    codes = np.array([canonical_codes(row.tolist()) for row in lengths], dtype=np.uint16)
    payload: list[bytes] = []
    starts: list[NDArray[np.int64]] = []
    total = 0
    carry = np.zeros(0, dtype=np.uint8)  # the bits of an unfinished byte
    for symbols, kinds, block_starts in chunks:
        symbol_lengths = lengths[kinds, symbols].astype(np.int64)
        positions = np.concatenate([[0], np.cumsum(symbol_lengths)])
        bits = np.zeros(len(carry) + int(positions[-1]), dtype=np.uint8)
        bits[: len(carry)] = carry
        _write_bits(bits[len(carry) :], positions[:-1], symbol_lengths, codes[kinds, symbols])
        whole = len(bits) // 8 * 8
        payload.append(np.packbits(bits[:whole]).tobytes())
        carry = bits[whole:]
        starts.append(total + positions[block_starts])
        total += int(positions[-1])
    payload.append(np.packbits(carry).tobytes())
    return b"".join(payload), np.concatenate([*starts, [total]])


def _write_bits(
    bits: NDArray[np.uint8], positions: NDArray[np.int64], lengths: NDArray[np.int64], codes: NDArray[np.uint16]
) -> None:
    """Writes each code, starting with its most significant bit, one bit of all codes at a time."""
    for i in range(int(lengths.max())):
        longer = lengths > i
        shift = (lengths[longer] - 1 - i).astype(np.uint16)
        bits[positions[longer] + i] = codes[longer] >> shift & 1


def _pack_lengths(lengths: NDArray[np.uint8]) -> bytes:
    return (lengths[0::2] | lengths[1::2] << 4).astype(np.uint8).tobytes()
