"""Reads the text of a command that works line by line, shows progress, and handles lines that are not UTF-8."""

from __future__ import annotations

import argparse
import io
import os
import stat
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hushbit._plumbing.files import hint_of_encoding
from hushbit._plumbing.parallel import processors
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import is_bundle, not_found, threads
from hushbit.cli._shared.failure import EXIT_FAILURE, CommandError, exit_code
from hushbit.cli._shared.files import reads
from hushbit.errors import HushbitError, InvalidTextError

INVALID_SAID = {
    "replace": "lines in which bytes that are not UTF-8 became U+FFFD",
    "skip": "lines left out since they are not UTF-8",
}


class Block(Protocol):
    """What became of some lines of a text. It holds nothing of them as typed."""

    @property
    def input_bytes(self) -> int:
        """Their length, with the last newline."""

    @property
    def lines(self) -> int:
        """How many were read: all, or those before the one that failed."""

    @property
    def failure(self) -> tuple[str, int] | None:
        """What failed in the line after those, and the exit code."""


Some = TypeVar("Some", bound=Block)


@dataclass(frozen=True)
class Text:
    """The text of a command, line by line; `name` is what messages call it."""

    file: io.FileIO
    name: str

    def released(
        self, doing: str, work: Callable[[int, bytes], Some], threads: int | None, *, one_by_one: bool
    ) -> Generator[Some]:
        """What `work` makes of the lines, some at a time and in order, with a bar of progress. Close it to stop early.

        `one_by_one`: with a budget a line that is begun is spent, so none is begun that may not be written. Otherwise
        `threads` work at once, one for each CPU if it is None. Raises CommandError for the first line that fails, once
        what was released of the lines before it is taken.
        """
        from hushbit._commands import line_pipeline as pipeline

        read, done = 0, 0
        with progress_of(self.file, doing) as show:
            if one_by_one:
                made = pipeline.one_by_one(pipeline.read_lines(self.file, self.name), work)
            else:
                blocks = pipeline.read_blocks(self.file, self.name)
                made = pipeline.in_order(blocks, work, threads or processors(), lambda: show(done))
            with closing(made) as released:
                for some in released:
                    yield some
                    read += some.lines
                    if some.failure is not None:
                        what, code = some.failure
                        raise CommandError(
                            f"{self.name}, line {read + 1}{what}; nothing of this line was released", code
                        )
                    done += some.input_bytes
                    show(done)


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
    """Takes one named file that is no bundle for the text, and the built-in bundle as the bundle."""
    if arguments.file == "-" and arguments.bundle is not None and not is_bundle(arguments.bundle):
        arguments.bundle, arguments.file = None, arguments.bundle


def open_text(path: str) -> Text:
    """Opens the text, unbuffered. Raises CommandError if there is none."""
    name = "standard input" if path == "-" else path
    if path == "-" and sys.stdin is None:
        raise CommandError(f"{name} is closed")
    try:
        return Text(io.FileIO(0 if path == "-" else path, closefd=path != "-"), name)
    except FileNotFoundError:
        raise not_found(path, "FILE", "; text itself is read from standard input") from None


def say_if_typed(text: Text) -> None:
    """Says that the command waits for somebody who types."""
    if text.file.isatty():
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
