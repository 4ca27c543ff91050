"""Writing a file so that a reader sees the old one or the new one, never something between."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from hushbit.errors import HushbitError


class BundleWriteError(HushbitError, OSError):
    """A bundle could not be written; what was at its path is as it was."""


def check_writable(path: Path) -> None:
    """Says early what `write_atomically` would fail on after a long computation. Raises BundleWriteError."""
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


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a temporary file in the same folder, flushes it to the disk and renames it over the old one.

    On failure or interrupt the temporary file is removed and `path` is as it was. Raises BundleWriteError.
    """
    temporary: str | None = None
    try:
        target = path.resolve()  # through a symbolic link, to what it names
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
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
