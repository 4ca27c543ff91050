"""Exclusive locks on open files. A process that ends, in whatever way, lets go of its locks."""

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # a byte beyond what is in the file: nobody can read one that is locked

    def try_lock(descriptor: int) -> bool:
        """Locks an open file; False if another process has it locked."""
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, at, os.SEEK_SET)
        return True

    def open_folder_to_lock(folder: Path) -> int:
        """A descriptor that stands for a folder, for `try_lock`: of a file in it, since folders cannot be opened."""
        return os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_BINARY)

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Locks an open file; False if another process has it locked."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def open_folder_to_lock(folder: Path) -> int:
        """A descriptor that stands for a folder, for `try_lock`."""
        return os.open(folder, os.O_RDONLY)
