"""What an output may replace: a file of its own kind, told by its first bytes, and nothing that somebody else wrote."""

from __future__ import annotations

import io
import stat
from pathlib import Path
from typing import NamedTuple

from hushbit.cli._shared.failure import EXIT_USAGE, CommandError


class Kind(NamedTuple):
    """Files that a command writes."""

    name: str
    """The name with its article, as in "a bundle"."""
    beginnings: tuple[bytes, ...]
    """The bytes with which a file of this kind begins, one of these."""
    suffix: str = ""
    """Only files with this suffix are looked at, of those that an option means."""


BUNDLE = Kind("a bundle", (b"\x89HSB\r\n\x1a\n",))
LEDGER = Kind("a budget's ledger", (b"\x89HSL\r\n\x1a\n",))
AUDIT_LOG = Kind("an audit log", (b'{"day":',))
MANIFEST = Kind("a manifest of hushbit corpus", (b'{"version": ',))
ENCODER = Kind("an ONNX file", (b"\x08",))
CODES = Kind("an array", (b"\x93NUMPY",), ".npy")
COUNTS = Kind("a table of hushbit estimate", (b"kind,name,released",))
COUNTED = Kind(
    "a table of hushbit count",
    (b"kind,name,count", b"class,kind,name,count", b"name,first,second", b'{\n "reports"', b"PAR1"),
)
FOUND = Kind("a table of hushbit discover", (b"word,share,low,high",))
INDEXES = Kind("a Parquet file", (b"PAR1",))
WORDS = Kind("a table of words", (b'{"mechanism": ',))
PAGE = Kind("a page", (b"<!doctype html>", b"<!DOCTYPE html>"))
PICTURE = Kind("a picture", (b"\x89PNG", b"%PDF", b"<?xml", b"<svg"))
MODEL = Kind("a hashed model", (b"PK", b"Version ", b"lCRF"))
RESULTS = Kind("a result of hushbit evaluate", (*PICTURE.beginnings, *PAGE.beginnings, b"{"))


def check_replaceable(shown: str, path: Path, kind: Kind) -> None:
    """Raises CommandError if there is a file with something in it at `path`, and it is none of the kind.

    A file that a crash cut off in its first bytes is of the kind. A device or a pipe holds nothing that could be lost.
    """
    if kind.suffix and path.suffix != kind.suffix:
        return
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return
        with io.FileIO(path) as file:
            found = file.read(max(map(len, kind.beginnings)))
    except (OSError, ValueError):  # there is none, or writing it will say why it cannot be
        return
    if not any(found.startswith(beginning) or beginning.startswith(found) for beginning in kind.beginnings):
        raise CommandError(
            f"{shown}: is there already and is not {kind.name}: it was left as it is; name another file, or remove it",
            EXIT_USAGE,
        )
