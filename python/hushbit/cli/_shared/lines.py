"""The text of a command that works line by line: where it comes from, and how far it is."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import not_found
from hushbit.cli._shared.failure import CommandError


def name_of(path: str) -> str:
    """What messages call it."""
    return "standard input" if path == "-" else path


def open_text(path: str) -> io.FileIO:
    """Opens the text, unbuffered. Raises CommandError if there is none."""
    if path == "-" and sys.stdin is None:
        raise CommandError(f"{name_of(path)} is closed")
    try:
        return io.FileIO(0 if path == "-" else path, closefd=path != "-")
    except FileNotFoundError:
        raise not_found(path, "FILE", "; text itself is read from standard input") from None


def say_if_typed(file: io.FileIO) -> None:
    """Says that the command waits for somebody who types."""
    if file.isatty():
        streams.say("text is read from this terminal, line by line, until Ctrl-D")


@contextmanager
def progress_of(file: io.FileIO, doing: str) -> Iterator[Callable[[int], None]]:
    """Shows how many bytes of a file are done, unless the lines that come out are on the screen anyway."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode) or sys.stdout is None or sys.stdout.isatty():
        yield lambda _: None
        return
    from hushbit.cli._shared.progress import ProgressBar

    with ProgressBar() as bar:
        yield lambda done: bar(min(done, status.st_size), status.st_size, doing)
