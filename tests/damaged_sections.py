"""Bundles with one section changed, and everything that is computed from it made to fit."""

import hashlib
import struct
import zlib

from reference.bundle_file import ENTRY, align


def with_section(data: bytes, type_: int, section: bytes) -> bytes:
    """The bundle with other bytes in the section."""
    count = struct.unpack_from("<I", data, 28)[0]
    table, body = b"", b""
    start = align(128 + 64 * count)
    for kind, flags, offset, length, reserved, _ in ENTRY.iter_unpack(data[128 : 128 + 64 * count]):
        kept = section if kind == type_ else data[offset : offset + length]
        body = body.ljust(align(len(body)), b"\0")
        table += ENTRY.pack(kind, flags, start + len(body), len(kept), reserved, hashlib.sha256(kept).digest())
        body += kept
    header = bytearray(data[:128])
    struct.pack_into("<Q", header, 32, start + len(body))
    struct.pack_into("<I", header, 120, zlib.crc32(table))
    struct.pack_into("<I", header, 124, zlib.crc32(bytes(header[:124])))
    return (bytes(header) + table).ljust(start, b"\0") + body
