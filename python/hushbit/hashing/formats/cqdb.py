"""CRFsuite's dictionary of strings and their numbers, a "constant quark database".

A chunk, little-endian throughout, offsets from its first byte:

    0     "CQDB", u32 size of the chunk, u32 flags (0), u32 0x62445371,
          u32 entries of the backward array, u32 its offset
    24    256 times: u32 offset of a hash table (0 if it is empty), u32 its slots
    2072  the strings, each: u32 number, u32 length with the final NUL, the bytes and the NUL
          the hash tables, slots of u32 hash and u32 offset of the string; 0 is a free slot
          the backward array: u32 offset of the string of number 0, 1, ...

A string is in table hash % 256, from slot (hash >> 8) % slots on, at the first free one. Half of the slots are free.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from hushbit.hashing.formats.lookup3 import hash_little

_MAGIC = b"CQDB"
_BYTE_ORDER = 0x62445371
_HEADER = struct.Struct("<4s5I")
_TABLES = 256
_DATA = _HEADER.size + 8 * _TABLES
_BLOCK = 1 << 16


class BadDictionaryError(ValueError):
    """The bytes are no such chunk."""


def read_strings(file: BinaryIO, count: int) -> Iterator[bytes]:
    """The strings of the numbers 0 to count - 1 of the chunk that begins here. Raises BadDictionaryError."""
    begin = file.tell()
    whole = file.seek(0, 2) - begin
    file.seek(begin)
    try:
        magic, size, _, order, entries, backward = _HEADER.unpack(file.read(_HEADER.size))
        if magic != _MAGIC or order != _BYTE_ORDER or entries < count or not backward + 4 * count <= size <= whole:
            raise BadDictionaryError
        file.seek(begin)
        data = file.read(size)
        for number, offset in enumerate(np.frombuffer(data, dtype="<u4", count=count, offset=backward)):
            yield _string_at(data, int(offset), number)
    except (struct.error, ValueError):  # the file ends before the chunk does
        raise BadDictionaryError from None


def _string_at(data: bytes, offset: int, number: int) -> bytes:
    stored, length = struct.unpack_from("<2I", data, offset)
    text = data[offset + 8 : offset + 8 + length]
    if stored != number or len(text) != length or text[-1:] != b"\0":
        raise BadDictionaryError
    return text[:-1]


def write_strings(file: BinaryIO, strings: list[str]) -> None:
    """Writes a chunk in which strings[i] has the number i."""
    keys = [np.frombuffer(string.encode() + b"\0", dtype=np.uint8)[None] for string in strings]
    _write(file, iter(keys), len(strings))


def write_decimals(file: BinaryIO, count: int) -> None:
    """Writes a chunk in which every number 0 to count - 1 stands for itself, in decimal digits."""
    _write(file, _decimals(count), count)


def _decimals(count: int) -> Iterator[NDArray[np.uint8]]:
    """Blocks of keys of one length, (n, digits + 1)."""
    digits, low = 1, 0
    while low < count:
        high = min(10**digits, count)
        powers = 10 ** np.arange(digits - 1, -1, -1, dtype=np.int64)
        for first in range(low, high, _BLOCK):
            numbers = np.arange(first, min(first + _BLOCK, high), dtype=np.int64)
            keys = np.zeros((len(numbers), digits + 1), dtype=np.uint8)
            keys[:, :-1] = numbers[:, None] // powers % 10 + ord("0")
            yield keys
        digits, low = digits + 1, high


def _write(file: BinaryIO, blocks: Iterator[NDArray[np.uint8]], count: int) -> None:
    begin = file.tell()
    file.write(bytes(_DATA))
    hashes = np.empty(count, dtype=np.uint32)
    offsets = np.empty(count, dtype=np.uint32)
    number, offset = 0, _DATA
    for keys in blocks:
        rows, length = keys.shape
        records = np.empty(rows, dtype=[("number", "<u4"), ("length", "<u4"), ("key", "u1", (length,))])
        records["number"], records["length"], records["key"] = np.arange(number, number + rows), length, keys
        file.write(records.tobytes())
        hashes[number : number + rows] = hash_little(keys)
        offsets[number : number + rows] = offset + records.itemsize * np.arange(rows)
        number, offset = number + rows, offset + records.itemsize * rows
    references = _write_tables(file, hashes, offsets, offset)
    backward = file.tell() - begin
    file.write(offsets.astype("<u4").tobytes())
    end = file.tell()
    file.seek(begin)
    file.write(_HEADER.pack(_MAGIC, end - begin, 0, _BYTE_ORDER, count, backward) + references.tobytes())
    file.seek(end)


def _write_tables(
    file: BinaryIO, hashes: NDArray[np.uint32], offsets: NDArray[np.uint32], begin: int
) -> NDArray[np.uint32]:
    """Writes the hash tables, which begin at the offset `begin`, and returns the references to them."""
    references = np.zeros((_TABLES, 2), dtype="<u4")
    order = np.argsort(hashes % _TABLES, kind="stable")
    ends = np.cumsum(np.bincount(hashes % _TABLES, minlength=_TABLES))
    for table, members in enumerate(np.split(order, ends[:-1])):
        if len(members):
            slots = 2 * len(members)
            references[table] = begin, slots
            buckets = np.zeros((slots, 2), dtype="<u4")
            homes = (hashes[members] >> np.uint32(8)) % np.uint32(slots)
            buckets[_places(homes.astype(np.int64), slots)] = np.column_stack([hashes[members], offsets[members]])
            file.write(buckets.tobytes())
            begin += buckets.nbytes
    return references


def _places(homes: NDArray[np.int64], slots: int) -> NDArray[np.int64]:
    """The slots in which open addressing puts strings that begin to look at `homes`: never beyond a free slot."""
    order = np.argsort(homes, kind="stable")
    steps = np.arange(len(homes))
    places = steps + np.maximum.accumulate(homes[order] - steps)
    beyond = places >= slots  # these go on at the first slots
    taken = np.zeros(slots, dtype=np.bool_)
    taken[places[~beyond]] = True
    places[beyond] = np.flatnonzero(~taken)[: beyond.sum()]
    result = np.empty_like(places)
    result[order] = places
    return result
