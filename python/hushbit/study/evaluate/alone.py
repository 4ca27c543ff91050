"""One run at a time in a folder: two would overwrite each other's results."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hushbit.errors import StorageError


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Holds the folder; a process that ends, in whatever way, lets it go. Raises StorageError if another has it."""
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StorageError(
                f"{folder}: another run writes to it: wait for that one, or name another folder"
            ) from None
        yield
    finally:
        os.close(descriptor)
