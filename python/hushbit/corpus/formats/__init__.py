"""File formats: reads the columns of a file, reads its rows as Arrow tables of bounded size, and writes such tables.

All formats except Parquet are read as text, and no type is guessed: a cell of CSV stays a string, and a kept value of
JSON lines stays as it is written. Errors name the file and the line, never the content.
"""

from __future__ import annotations

from hushbit.corpus.formats.delimited import delimited
from hushbit.corpus.formats.files import PACKERS
from hushbit.corpus.formats.json_lines import json_lines
from hushbit.corpus.formats.options import SOME_ROWS, Format, Reading
from hushbit.corpus.formats.parquet import PARQUET
from hushbit.errors import InvalidArgumentError

__all__ = ["FORMATS", "SOME_ROWS", "Format", "Reading", "format_of", "known_names", "suffixes_of"]

FORMATS = ("parquet", "csv", "tsv", "jsonl")
_SAME = {"pq": "parquet", "tab": "tsv", "ndjson": "jsonl", "jsonlines": "jsonl", "ldjson": "jsonl", "json": "jsonl"}


def format_of(name: str, reading: Reading) -> Format:
    """A format by its name, of FORMATS. Raises InvalidArgumentError for options that it does not have."""
    if name != "parquet":
        if name == "jsonl":
            _refuse(name, header=not reading.header, delimiter=reading.delimiter, quoting=reading.quoting)
            return json_lines(reading)
        return delimited(reading, "," if name == "csv" else "\t", quoted=name == "csv")
    others = {"encoding": reading.encoding, "invalid": reading.invalid != "error"}
    _refuse(name, header=not reading.header, delimiter=reading.delimiter, quoting=reading.quoting, **others)
    return PARQUET


def _refuse(name: str, **given: object) -> None:
    options = {"header": "no-header", "invalid": "invalid-utf8"}
    for option, value in given.items():
        if value:
            raise InvalidArgumentError(f"--{options.get(option, option)} is not for files of the format {name}")


def suffixes_of(name: str, format_: str | None) -> tuple[str, str] | None:
    """The format of a file, and the suffix of what packs it ("" for none); None if its name does not say the format.

    name: of the file. format_: its format, if that is known.
    """
    stem, _, last = name.lower().rpartition(".")
    packed = f".{last}" if f".{last}" in PACKERS else ""
    if packed:
        last = stem.rpartition(".")[2]
    found = format_ or _SAME.get(last, last)
    if found not in FORMATS or (found == "parquet" and packed):
        return None
    return found, packed


def known_names() -> str:
    """The suffixes that say a format, for a message."""
    return ", ".join([f".{name}" for name in FORMATS] + [f".csv{packed}" for packed in PACKERS])
