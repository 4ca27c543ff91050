"""Checks that the files of a corpus have the same schema, and splits their rows into parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hushbit._extras import extra
from hushbit._names import has_no_column
from hushbit.corpus.columns import is_text, kind_of_type
from hushbit.corpus.formats import COMPRESSED, FORMATS, Format, check_not_empty, suffixes_of
from hushbit.corpus.inputs import find_inputs
from hushbit.corpus.manifest import Rows
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa

PART_BYTES = 32 << 20
"""A part ends with the chunk with which it reaches this size, so that rows of any length fit into memory."""


@dataclass(frozen=True)
class Corpus:
    """Files of one format, and the columns that are released.

    suffix: the suffix of every output, such as ".csv.gz".
    column: the column of the texts.
    schema: the schema of the released columns, in the order of the files.
    left_out: columns that are not released.
    passed_over, repeated: see `Inputs`.
    """

    files: tuple[Path, ...]
    format: Format
    suffix: str
    column: str
    schema: pa.Schema
    left_out: tuple[str, ...]
    passed_over: int
    repeated: int


@dataclass(frozen=True)
class Part:
    """Some rows of one file, which are released together. `where` they are, and `rows`: what is in them."""

    number: int
    file: Path
    where: Rows
    rows: pa.Table


def find_corpus(sources: Sequence[str], column: str, keep: Sequence[str], output: Path) -> Corpus:
    """Raises InputFileError for input that cannot be privatized as a whole."""
    inputs = find_inputs(sources, output)
    files = inputs.files
    suffixes: dict[tuple[str, str], Path] = {}
    for file in files:
        found = suffixes_of(file)
        if found is None:
            names = ", ".join([*FORMATS, *(f".csv{packed}" for packed in COMPRESSED)])
            raise InputFileError(f"{file}: is of no known format; by their names, files are: {names} and so on")
        suffixes.setdefault(found, file)
    if len(suffixes) > 1:
        first, second = list(suffixes.values())[:2]
        raise InputFileError(f"{first} and {second} are of different formats: privatize each format by itself")
    suffix, packed = next(iter(suffixes))
    format_ = FORMATS[suffix]
    schema = _common_schema(files, format_, column, keep)
    wanted = [name for name in schema.names if name == column or name in keep]
    return Corpus(
        files=files,
        format=format_,
        suffix=suffix + packed,
        column=column,
        schema=pa.schema([_released_field(schema.field(name), name == column) for name in wanted]),
        left_out=tuple(name for name in schema.names if name not in wanted),
        passed_over=inputs.passed_over,
        repeated=inputs.repeated,
    )


def _common_schema(files: Sequence[Path], format_: Format, column: str, keep: Sequence[str]) -> pa.Schema:
    first: pa.Schema | None = None
    for file in files:
        check_not_empty(file)
        schema = format_.schema(file)
        if len(set(schema.names)) != len(schema.names):
            raise InputFileError(f"{file}: two columns have one name")
        for name in (column, *keep):
            if name not in schema.names:
                raise InputFileError(f"{file}: {has_no_column(name, schema.names)}")
        if not is_text(schema.field(column).type):
            raise InputFileError(f"{file}, column {column}: is no text but {kind_of_type(schema.field(column).type)}")
        if first is None:
            first = schema
        for name in (column, *keep):
            if schema.field(name).type != first.field(name).type:
                raise InputFileError(
                    f"{file}, column {name}: is {kind_of_type(schema.field(name).type)}, but "
                    f"{kind_of_type(first.field(name).type)} in {files[0]}: make them of one type"
                )
    assert first is not None  # noqa: S101 - there is a file at least
    return first


def _released_field(field: pa.Field, released: bool) -> pa.Field:
    return pa.field(field.name, pa.large_string()) if released else field.remove_metadata()


def parts_of(corpus: Corpus, rows: int) -> Iterator[Part]:
    """All parts in order. Raises InputFileError.

    For the same files and number of rows they are the same while the versions are; `check_borders` sees to it.
    """
    number = 0
    for at, file in enumerate(corpus.files):
        first = 1
        for table in _cut(corpus.format.read(file, corpus.schema.names, corpus.column), rows):
            yield Part(number, file, Rows(at, first, len(table)), table)
            number += 1
            first += len(table)


def _cut(tables: Iterator[pa.Table], rows: int) -> Iterator[pa.Table]:
    held: list[pa.Table] = []
    count = size = 0
    for table in tables:
        rest = table
        while count + len(rest) >= rows:
            yield pa.concat_tables([*held, rest.slice(0, rows - count)])
            rest = rest.slice(rows - count)
            held, count, size = [], 0, 0
        if len(rest):
            held.append(rest)
            count += len(rest)
            size += rest.nbytes
        if size >= PART_BYTES:
            yield pa.concat_tables(held)
            held, count, size = [], 0, 0
    if held:
        yield pa.concat_tables(held)
