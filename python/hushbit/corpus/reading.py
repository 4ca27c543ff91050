"""Options of commands that say how files of texts are read."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hushbit.corpus.formats import Reading

_FORMATS = ("parquet", "csv", "tsv", "jsonl")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to a parser."""
    group = parser.add_argument_group("how files are read")
    group.add_argument(
        "--format", choices=_FORMATS, help="format of all files (default: as the name of each file says)"
    )
    group.add_argument(
        "--encoding",
        type=_encoding,
        metavar="NAME",
        help="encoding of text, such as latin-1 (default: UTF-8, or UTF-16 or UTF-32 if a file has its mark)",
    )
    group.add_argument(
        "--invalid-utf8",
        choices=("error", "replace", "skip"),
        default="error",
        help="what to do with a row that is not valid in its encoding: refuse the file, put U+FFFD for those bytes, or "
        "leave the row out (default: error)",
    )
    group.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="CHARACTER",
        help="character between cells; \\t is a tab (default: a comma in CSV, a tab in TSV)",
    )
    group.add_argument(
        "--quoting",
        choices=("double", "none"),
        help="whether cells may be in double quotes, or quotes are text (default: double in CSV, none in TSV)",
    )
    group.add_argument(
        "--no-header",
        action="store_true",
        help="take the first line of CSV and TSV as a row, too; columns are then called 1, 2 and so on",
    )


def reading_of(arguments: argparse.Namespace) -> Reading:
    """What the options ask for."""
    from hushbit.corpus.formats import Reading

    return Reading(
        format=arguments.format,
        encoding=arguments.encoding,
        invalid=arguments.invalid_utf8,
        delimiter=arguments.delimiter,
        header=not arguments.no_header,
        quoting=arguments.quoting,
    )


def _encoding(name: str) -> str:
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(
            "is no encoding that Python knows; utf-8, latin-1 and cp1252 are some"
        ) from None
    return name


def _delimiter(value: str) -> str:
    character = "\t" if value == "\\t" else value
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError("must be one character, and neither a quote nor the end of a line")
    return character
