"""Writing a file so that a reader sees the old one or the new one, never something between."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from hushbit.errors import HushbitError


class BundleWriteError(HushbitError, OSError):
    """A bundle could not be written; what was at its path is as it was."""


def check_writable(path: Path) -> None:
    """Says early what `atomic_file` would fail on after a long computation. Raises BundleWriteError."""
    try:
        folder = path.resolve().parent
    except FileNotFoundError:
        raise BundleWriteError(f"{path}: the current folder is gone") from None
    if path.exists() and not path.is_file():
        raise BundleWriteError(f"{path}: is not a regular file; name a file to write or to replace")
    if not folder.is_dir():
        raise BundleWriteError(f"{path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BundleWriteError(f"{path}: no permission to write in {folder}")


@contextmanager
def atomic_file(path: Path | str) -> Iterator[BinaryIO]:
    """A temporary file in the folder of `path`, flushed to the disk and renamed over the old one when a block ends.

    On failure or interrupt it is removed, and what was at `path` is as it was. Raises BundleWriteError.
    """
    path = Path(path)
    check_writable(path)
    temporary: str | None = None
    try:
        target = path.resolve()  # through a symbolic link, to what it names
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), _mode(target))
            os.fsync(file.fileno())
        Path(temporary).replace(target)
        temporary = None
        _sync_folder(target.parent)
    except OSError as error:
        raise BundleWriteError(
            f"{path}: could not be written: {error.strerror or error}; what was there is as it was"
        ) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()


def write_atomically(path: Path | str, data: bytes) -> None:
    """Writes a whole file as `atomic_file` does. Raises BundleWriteError."""
    with atomic_file(path) as file:
        file.write(data)


def _mode(path: Path) -> int:
    """Of the file that is replaced, or what a new file would get; mkstemp gives 0600."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Makes the rename last."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
