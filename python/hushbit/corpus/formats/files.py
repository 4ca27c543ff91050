"""A file of a corpus: where it is, how it is opened and unpacked, and the hash of its contents."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, BinaryIO
from urllib.parse import unquote

from hushbit._plumbing.extras import extra
from hushbit._plumbing.files import kind_of_head, reading
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa

READ_BYTES = 1 << 18
_HEAD = 8
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"

Read = Callable[[int], bytes]
"""Reads at most so many bytes; no bytes at the end."""


@dataclass(frozen=True)
class File:
    """A file to read, of this machine or of a file system of Arrow. `str` of it names it in messages.

    name: the path, as it was given or found, or an address such as s3://bucket/key.
    filesystem: the file system of Arrow, and `key`: the path there; None: this machine's.
    """

    name: str
    filesystem: Any = None
    key: str = ""

    def __str__(self) -> str:
        return self.name

    @property
    def partitions(self) -> dict[str, str | None]:
        """The columns that its folders have in their names, as in Hive: year=2024/part-0.parquet."""
        folders = [folder.partition("=") for folder in PurePath(self.name).parts[:-1] if "=" in folder]
        return {unquote(name): None if value == _NO_VALUE else unquote(value) for name, _, value in folders if name}

    def open(self) -> BinaryIO:
        """Opens it as it is."""
        if self.filesystem is None:
            return Path(self.name).open("rb")
        opened: BinaryIO = self.filesystem.open_input_file(self.key)
        return opened

    def check_not_empty(self) -> None:
        """Raises InputFileError if it is empty, or not a regular file."""
        with reading(self.name):
            if self.filesystem is None and not Path(self.name).is_file():
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
        native = packed if isinstance(packed, pa.NativeFile) else pa.PythonFile(packed, "r")
        unpacked: Any = stack.enter_context(pa.CompressedInputStream(native, "zstd"))
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
        if isinstance(error, OSError) and error.errno is not None:  # an error of the system, not of Arrow
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
