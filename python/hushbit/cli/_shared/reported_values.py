"""What reports are about: the options of commands that report."""

from __future__ import annotations

import argparse
from pathlib import Path

from hushbit._options import REPORTED_VALUES
from hushbit._plumbing.value_lists import lines_of_list, values_of_list
from hushbit.cli._shared.arguments import not_found
from hushbit.cli._shared.failure import CommandError
from hushbit.cli._shared.files import reads


def add_options(parser: argparse.ArgumentParser, whole: str, about: str = "") -> None:
    """Adds them to a parser. `whole`: what is a value of a list as a whole; `about`: when they are used."""
    reads(
        parser.add_argument(
            "--values",
            metavar="LIST",
            help=f"{about}what is reported: words, emoji, new-words, or a file with one value a line (default: words)",
        ),
        lambda value: [] if value in REPORTED_VALUES else [Path(value)],
    )
    parser.add_argument(
        "--none", action="store_true", help=f"report {whole}s that are none of the values of the file as none"
    )


def values_of(arguments: argparse.Namespace) -> str | list[str]:
    """The name of the values, or those of a file. Raises CommandError and InputFileError if it is no list."""
    values: str = arguments.values or "words"
    return values if values in REPORTED_VALUES else values_of_list(_content(values, "--values"), values)


def lines_of(path: str, option: str) -> list[str]:
    """The lines of a file that an option names. Raises CommandError and InputFileError."""
    return lines_of_list(_content(path, option), path)


def _content(path: str, option: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise not_found(path, option) from None
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
