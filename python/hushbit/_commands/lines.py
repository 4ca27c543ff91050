"""The text of a command that works line by line: where it comes from, how far it is, and lines that are not UTF-8."""

from __future__ import annotations

import argparse
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hushbit._plumbing.files import hint_of_encoding
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import is_bundle, not_found, threads
from hushbit.cli._shared.failure import EXIT_FAILURE, CommandError, exit_code
from hushbit.cli._shared.files import reads
from hushbit.errors import HushbitError, InvalidTextError

INVALID_SAID = {
    "replace": "lines in which bytes that are not UTF-8 became U+FFFD",
    "skip": "lines left out since they are not UTF-8",
}


def add_file(parser: argparse.ArgumentParser) -> None:
    """Adds the argument FILE."""
    reads(
        parser.add_argument(
            "file", metavar="FILE", nargs="?", default="-", help="file of text in UTF-8; - is stdin (default: -)"
        ),
        stdin=True,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds --invalid-utf8 and --threads."""
    parser.add_argument(
        "--invalid-utf8",
        choices=("error", *INVALID_SAID),
        default="error",
        help="what to do with a line that is not UTF-8: end the command, put U+FFFD for the bad bytes, or leave "
        "the line out (default: error)",
    )
    parser.add_argument(
        "--threads", type=threads, metavar="N", help="number of lines at a time (default: one for each CPU)"
    )


def take_text_for_text(arguments: argparse.Namespace) -> None:
    """Where one file is named, and it is no bundle, it is the text, and the bundle is the built-in one."""
    if arguments.file == "-" and arguments.bundle is not None and not is_bundle(arguments.bundle):
        arguments.bundle, arguments.file = None, arguments.bundle


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


def mended(lines: list[bytes], invalid_utf8: str) -> tuple[dict[int, bytes], list[int]]:
    """The lines to release by their places, and the places of those that are not UTF-8, unless the core is to find
    out.
    """
    if invalid_utf8 == "error":
        return dict(enumerate(lines)), []
    kept, invalid = {}, []
    for place, line in enumerate(lines):
        try:
            line.decode()
            kept[place] = line
        except UnicodeDecodeError:
            invalid.append(place)
            if invalid_utf8 == "replace":
                kept[place] = line.decode(errors="replace").encode()
    return kept, invalid


def failure_of(error: HushbitError, block: bytes) -> tuple[str, int]:
    """What to say of a line that failed, after its number, and the exit code."""
    if isinstance(error, InvalidTextError):
        return f", byte {error.position}: the text is not UTF-8; {hint_of_encoding(block)}", EXIT_FAILURE
    return f": {str(error).removesuffix('; nothing was released')}", exit_code(error)
