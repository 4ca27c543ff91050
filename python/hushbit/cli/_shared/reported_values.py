"""What reports are about: the options of commands that report."""

from __future__ import annotations

import argparse
from pathlib import Path

from hushbit._options import REPORTED_VALUES
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
    """The name of the values, or those of a file. Raises CommandError if it cannot be read."""
    values: str = arguments.values or "words"
    return values if values in REPORTED_VALUES else lines_of(values, "--values")


def lines_of(path: str, option: str) -> list[str]:
    """The lines of a file that an option names. Raises CommandError."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise not_found(path, option) from None
    except UnicodeDecodeError:
        raise CommandError(f"{path}: is not UTF-8") from None
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
