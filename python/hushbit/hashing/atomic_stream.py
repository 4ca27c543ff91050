"""A file that is written piece by piece and appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from hushbit.bundle.atomic import BundleWriteError, _mode, _sync_folder, check_writable


@contextmanager
def atomic_file(path: Path | str) -> Iterator[BinaryIO]:
    """A temporary file in the folder of `path`, flushed to the disk and renamed when the block ends well.

    On failure or interrupt it is removed, and what was at `path` is as it was. Raises BundleWriteError.
    """
    path = Path(path)
    check_writable(path)
    temporary: str | None = None
    try:
        target = path.resolve()
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
