"""Opens input files, plain or compressed."""

import bz2
import glob
import gzip
import hashlib
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO

from hushbit.errors import InputFileError, InputNotFoundError

_MAGIC = (
    *((b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip")),
    *((b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\x93NUMPY", "npy")),
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UNPACKING_ERRORS = (
    *(EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(NotImplementedError, RuntimeError),
)
_MARKS = (".", "_")
"""What begins with one of these is passed over in a folder: copies of editors, what jobs have not finished, marks."""


@dataclass(frozen=True)
class Location:
    """A file, and a member of it if it is an archive."""

    path: Path
    member: str | None = None

    @property
    def name(self) -> str:
        """The name without the folder. It is written into bundles, so it must not reveal the location of the file."""
        return base_name(self.path) if self.member is None else f"{base_name(self.path)}/{self.member}"


def base_name(path: Path) -> str:
    """The name of a file without its folder, as text: bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(path.name).decode(errors="replace")


def locate(argument: str) -> Location:
    """Finds `FILE` or `ARCHIVE.zip/MEMBER`. Raises InputNotFoundError."""
    path = Path(argument)
    with reading(path):
        if path.exists():
            return Location(path)
        for archive in path.parents:
            if archive.is_file() and kind_of(archive) == "zip":
                return Location(archive, path.relative_to(archive).as_posix())
    raise InputNotFoundError(f"{argument}: no such file")


def kind_of(path: Path) -> str:
    """The kind of a file by its first bytes: "gzip", "zip", "bzip2", "xz", "zstd", "npy", or "text" for anything else.

    Raises InputFileError, also if it is empty.
    """
    with reading(path):
        if path.exists() and not path.is_file():
            raise InputFileError(f"{path}: not a regular file")
        with path.open("rb") as file:
            head = file.read(8)
    if not head:
        raise InputFileError(f"{path}: the file is empty")
    return kind_of_head(head)


def kind_of_head(head: bytes) -> str:
    """The kind of a file that begins with these 8 bytes."""
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), "text")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hex. Raises InputFileError."""
    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_files(source: str) -> list[tuple[Path, bool]]:
    """The files that a source means, the name of a file, a folder or a pattern, and whether each is to be passed over.

    Raises InputNotFoundError if there is none.
    """
    path = Path(source)
    if path.is_dir():
        found = [(inner, is_marked(inner.relative_to(path))) for inner in sorted(path.rglob("*")) if inner.is_file()]
        if all(marked for _, marked in found):
            others = f' whose name or folder does not begin with "." or "_"; {len(found)} others' if found else ""
            raise InputNotFoundError(f"{source}: there is no file in this folder{others}")
        return found
    if path.exists():
        return [(path, False)]
    matches = sorted(Path(match) for match in glob.glob(source, recursive=True))  # noqa: PTH207 - of any folder
    asked = {part[0] for part in path.parts if is_marked(Path(part))}
    found = [(match, is_marked(match, asked)) for match in matches if match.is_file()]
    if all(marked for _, marked in found):
        raise InputNotFoundError(f"{source}: no such file, folder or pattern of files")
    return found


def is_marked(path: PurePath, asked: set[str] | None = None) -> bool:
    """Whether a name on the path begins with a mark that was not asked for."""
    marks = tuple(mark for mark in _MARKS if mark not in (asked or ()))
    return any(part.startswith(marks) for part in path.parts if part != "..") if marks else False


def hint_of_encoding(head: bytes) -> str:
    """What text that is not UTF-8 seems to be by its first bytes, and how to convert it; to be added to a message."""
    if any(head.startswith(magic) for magic, _ in _MAGIC):
        return "it is compressed or packed: unpack it first"
    encoding = "UTF-16" if head.startswith(_UTF16) or b"\0" in head else "WINDOWS-1252"
    seems = "it seems to be UTF-16" if encoding == "UTF-16" else "if it is in Windows-1252 or Latin-1"
    return f"{seems}, convert it, as in: iconv -f {encoding} -t UTF-8 FILE > NEW"


@contextmanager
def reading(path: Path | str) -> Iterator[None]:
    """Converts errors of the operating system and of decompression into InputFileError."""
    try:
        yield
    except InputFileError:
        raise
    except FileNotFoundError as error:
        raise InputNotFoundError(f"{path}: no such file") from error
    except _UNPACKING_ERRORS as error:
        raise InputFileError(f"{path}: cannot be decompressed: {error or type(error).__name__}") from error
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror or error}") from error


class Text:
    """A stream of decompressed text that knows how far the compressed file has been read."""

    def __init__(self, path: Path, read: Callable[[int], bytes], packed: BinaryIO) -> None:
        self._path = path
        self._read = read
        self._packed = packed
        self._head = b""
        self.size = os.fstat(packed.fileno()).st_size
        """Size of the compressed file in bytes."""

    def peek(self, size: int) -> bytes:
        """The first `size` bytes, or all if there are fewer; `read` returns them again. Raises InputFileError."""
        while len(self._head) < size:
            with reading(self._path):
                chunk = self._read(size - len(self._head))
            if not chunk:
                break
            self._head += chunk
        return self._head

    def read(self, size: int) -> bytes:
        """Returns at most `size` bytes of text, or no bytes at its end. Raises InputFileError."""
        if self._head:
            chunk, self._head = self._head[:size], self._head[size:]
            return chunk
        with reading(self._path):
            return self._read(size)

    def position(self) -> int:
        """The number of bytes of the compressed file that were read."""
        return min(self._packed.tell(), self.size)


@contextmanager
def open_text(location: Location) -> Iterator[Text]:
    """Opens a file, plain or compressed with gzip, bzip2, xz or zip. Raises InputFileError."""
    with ExitStack() as stack:
        with reading(location.path):
            text = _open_text(location, stack)
        yield text


def _open_text(location: Location, stack: ExitStack) -> Text:
    kind = kind_of(location.path)
    file = stack.enter_context(location.path.open("rb"))
    if kind == "gzip":
        unpacked = stack.enter_context(gzip.GzipFile(fileobj=file))
        return Text(location.path, unpacked.read, file)
    if kind == "bzip2":
        return Text(location.path, stack.enter_context(bz2.BZ2File(file)).read, file)
    if kind == "xz":
        return Text(location.path, stack.enter_context(lzma.LZMAFile(file)).read, file)
    if kind == "zip":
        archive = stack.enter_context(zipfile.ZipFile(file))
        member = stack.enter_context(archive.open(_member(archive, location)))
        return Text(location.path, member.read, file)
    return Text(location.path, file.read, file)


def _member(archive: zipfile.ZipFile, location: Location) -> str:
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    files = [name for name in names if not name.startswith("__MACOSX/")]
    if location.member is not None:
        if location.member in files:
            return location.member
        raise InputNotFoundError(f"{location.path}: contains no {location.member}; it contains: {', '.join(files)}")
    if len(files) == 1:
        return files[0]
    if not files:
        raise InputFileError(f"{location.path}: the archive is empty")
    raise InputFileError(
        f"{location.path}: contains several files ({', '.join(files)}); choose one, as in {location.path}/{files[0]}"
    )
