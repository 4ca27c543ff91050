"""Converts paths for the core."""

from __future__ import annotations

import os

from hushbit.errors import InvalidArgumentError


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path in the bytes that the operating system uses: the name of a file need not be UTF-8.

    Raises TypeError for anything except str and paths of str, InvalidArgumentError for an impossible file name.
    """
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError(f"path must be str or a path of str, not {type(name).__name__}")
    if "\0" in name:
        raise InvalidArgumentError("path has a NUL character, which no file name has")
    try:
        return os.fsencode(name)
    except UnicodeEncodeError:
        pass
    raise InvalidArgumentError("path has a character that file names cannot express here, such as a lone surrogate")
