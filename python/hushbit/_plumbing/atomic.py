"""Writing a file so that a reader sees the old file or the new file, never something in between."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from hushbit.errors import HushbitError


class WriteFailedError(HushbitError, OSError):
    """A file could not be written. What is at its path, if anything, was not changed."""


def check_writable(path: Path) -> None:
    """Checks before a long computation what would make `atomic_file` fail after it. Raises WriteFailedError."""
    try:
        folder = path.resolve().parent
    except FileNotFoundError:
        raise WriteFailedError(f"{path}: the current folder no longer exists") from None
    if path.exists() and not path.is_file():
        raise WriteFailedError(f"{path}: not a regular file; give the path of a file to write or to replace")
    if not folder.is_dir():
        raise WriteFailedError(f"{path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WriteFailedError(f"{path}: no permission to write in {folder}")


@contextmanager
def atomic_file(path: Path | str) -> Iterator[BinaryIO]:
    """A temporary file in the folder of `path`. When the block ends, it is flushed to the disk and renamed to `path`.

    On a failure or an interrupt it is removed, and the file at `path` is not changed. Raises WriteFailedError.
    """
    path = Path(path)
    check_writable(path)
    temporary: str | None = None
    try:
        target = path.resolve()  # follow a symbolic link to its target
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            if hasattr(os, "fchmod"):  # Windows, where files have no mode, has it from Python 3.13 on
                os.fchmod(file.fileno(), _mode(target))
            os.fsync(file.fileno())
        Path(temporary).replace(target)
        temporary = None
        sync_folder(target.parent)
    except OSError as error:
        kept = "the existing file was not changed" if path.exists() else "nothing was written"
        raise WriteFailedError(f"{path}: could not be written: {error.strerror or error}; {kept}") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()


def write_atomically(path: Path | str, data: bytes) -> None:
    """Writes a whole file in the way of `atomic_file`. Raises WriteFailedError."""
    with atomic_file(path) as file:
        file.write(data)


def _mode(path: Path) -> int:
    """The mode of the file that is replaced, or the mode of a new file, since mkstemp gives 0600."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable. Windows opens no folders, and writes names by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
