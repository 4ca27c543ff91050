"""Lines of a file of text, which may be packed, in any encoding."""

from __future__ import annotations

import codecs
from collections.abc import Generator
from contextlib import closing

from hushbit.corpus.formats.files import READ_BYTES, File, Read
from hushbit.corpus.formats.options import Reading
from hushbit.errors import InputFileError

MAX_LINE = 64 << 20
"""Bytes of a line and characters of a cell, at most."""

_MARKS = (
    *((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32")),
    *((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"), (codecs.BOM_UTF8, "utf-8-sig")),
)


def lines(file: File, options: Reading) -> Generator[tuple[str, bool]]:
    """The lines of a file, with their line ends, and whether each is valid in its encoding.

    Bytes that are not valid become U+FFFD or, if the row is to be left out, surrogates. Raises InputFileError.
    """
    number = 0
    rest = b""
    with file.unpacked() as packed, closing(_chunks(file, packed, options)) as chunks:
        for chunk in chunks:
            *whole, rest = (rest + chunk).split(b"\n")
            if len(rest) > MAX_LINE:
                raise InputFileError(f"{file}, line {number + len(whole) + 1}: is longer than {MAX_LINE >> 20} MiB")
            for line in whole:
                number += 1
                yield _decoded(line + b"\n", file, number, options)
    if rest:
        yield _decoded(rest, file, number + 1, options)


def count_lines(file: File) -> int:
    """The approximate number of lines of a file."""
    with file.unpacked() as read:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: read(READ_BYTES), b""))


def _chunks(file: File, read: Read, options: Reading) -> Generator[bytes]:
    """The text in UTF-8, without a mark. Bytes that are invalid in another encoding stay as they are."""
    chunk = read(READ_BYTES)
    marked = next((name for mark, name in _MARKS if chunk.startswith(mark)), None)
    encoding = codecs.lookup(options.encoding or marked or "utf-8").name
    if encoding in ("utf-8", "utf-8-sig"):
        yield chunk.removeprefix(codecs.BOM_UTF8)
        while chunk := read(READ_BYTES):
            yield chunk
        return
    decoder = codecs.getincrementaldecoder(encoding)("surrogateescape")
    begun = False
    while True:
        try:
            text = decoder.decode(chunk, final=not chunk)
            yield (text if begun else text.removeprefix("\ufeff")).encode("utf-8", "surrogateescape")
        except UnicodeError:
            raise InputFileError(f"{file}: is not text in {encoding}; --encoding says another") from None
        if not chunk:
            return
        begun = begun or bool(text)
        chunk = read(READ_BYTES)


def _decoded(line: bytes, file: File, number: int, options: Reading) -> tuple[str, bool]:
    try:
        return line.decode(), True
    except UnicodeDecodeError as error:
        at = error.start
    if options.invalid == "error":
        encoding = options.encoding or "UTF-8"
        hint = "" if options.encoding else "; --encoding latin-1, cp1252 or another reads it, if it is in that"
        raise InputFileError(f"{file}, line {number}: is not {encoding} at its byte {at + 1}{hint}")
    if options.invalid == "replace":
        return line.decode(errors="replace"), True
    return line.decode(errors="surrogateescape"), False
