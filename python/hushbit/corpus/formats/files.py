"""A file of a corpus: where it is, how it is opened and unpacked, and the hash of its contents."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from hushbit._extras import extra
from hushbit._files import kind_of_head, reading
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa

READ_BYTES = 1 << 18
_HEAD = 8

Read = Callable[[int], bytes]
"""Reads at most so many bytes; no bytes at the end."""


@dataclass(frozen=True)
class File:
    """A file to read. `str` of it names it in messages.

    name: the path, as it was given or found.
    """

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        """The path on this machine."""
        return Path(self.name)

    def open(self) -> BinaryIO:
        """Opens it as it is."""
        return self.path.open("rb")

    def check_not_empty(self) -> None:
        """Raises InputFileError if it is empty, or not a regular file."""
        with reading(self.name):
            if not self.path.is_file():
                raise InputFileError(f"{self}: not a regular file")
            with self.open() as file:
                if not file.read(1):
                    raise InputFileError(f"{self}: the file is empty")

    @contextmanager
    def unpacked(self) -> Iterator[Read]:
        """Opens it; if its first bytes say that it is packed, unpacks it. Raises InputFileError."""
        with ExitStack() as stack:
            with reading(self.name):
                read = _unpacking(self, stack)

            def reading_read(size: int) -> bytes:
                with reading(self.name), arrow_errors(f"{self}: cannot be decompressed: it is cut off or damaged"):
                    return read(size)

            yield reading_read

    def sha256(self) -> str:
        """The SHA-256 of its contents, unpacked, in hex. Raises InputFileError."""
        digest = hashlib.sha256()
        with self.unpacked() as read:
            while chunk := read(READ_BYTES):
                digest.update(chunk)
        return digest.hexdigest()


def _unpacking(file: File, stack: ExitStack) -> Read:
    packed = stack.enter_context(file.open())
    kind = kind_of_head(packed.read(_HEAD))
    packed.seek(0)
    if kind == "gzip":
        return stack.enter_context(gzip.GzipFile(fileobj=packed)).read
    if kind == "bzip2":
        return stack.enter_context(bz2.BZ2File(packed)).read
    if kind == "xz":
        return stack.enter_context(lzma.LZMAFile(packed)).read
    if kind == "zstd":
        unpacked: Any = stack.enter_context(pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd"))
        return lambda size: bytes(unpacked.read(size))
    if kind == "zip":
        raise InputFileError(f"{file}: is a zip archive; unpack it first")
    return packed.read


@contextmanager
def arrow_errors(message: str) -> Iterator[None]:
    """Replaces Arrow's messages, since they can quote the content of the file."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system, not of Arrow
            raise
        raise InputFileError(message) from None


class _Zstd:
    """Packs what is written. Arrow's own stream would close the file below it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held = bytearray()

    def write(self, data: bytes) -> int:
        self._held += data
        if len(self._held) >= READ_BYTES:
            self.close()
        return len(data)

    def close(self) -> None:
        """Writes what is held as a frame; a file may have many."""
        if self._held:
            self._file.write(pa.compress(bytes(self._held), codec="zstd", asbytes=True))
            self._held.clear()


PACKERS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file, mode="wb", mtime=0),
    ".bz2": lambda file: bz2.BZ2File(file, "wb"),
    ".xz": lambda file: lzma.LZMAFile(file, "wb"),  # noqa: SIM115
    ".zst": _Zstd,
}
"""What packs a file, by the suffix that says so. It has `write` and `close`, which leaves the file below it open."""
