"""Checks that the files of a corpus have the same schema, and splits their rows into parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hushbit._plumbing.extras import extra
from hushbit._plumbing.names import has_no_column
from hushbit.corpus.columns import is_text, kind_of_type
from hushbit.corpus.formats import SOME_ROWS, Format, Reading, format_of, known_names, suffixes_of
from hushbit.corpus.formats.files import File
from hushbit.corpus.inputs import Inputs, find_inputs
from hushbit.corpus.manifest import Rows
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa

PART_BYTES = 32 << 20
"""A part ends with the chunk with which it reaches this size, so that rows of any length fit into memory."""


@dataclass(frozen=True)
class Corpus:
    """Files of one format, and the columns that are released.

    packed: the suffix of what packs the output, such as ".gz"; "" for nothing.
    column: the column of the texts.
    schema: the schema of the released columns, in the order of the files.
    of_folders: those of them that are in the names of folders.
    left_out: columns that are not released.
    left_out_of_some: the number of further ones, which some rows lack.
    inputs: the files, and what was passed over.
    reading: how they are read.
    """

    format: Format
    suffix: str
    packed: str
    column: str
    schema: pa.Schema
    of_folders: frozenset[str]
    left_out: tuple[str, ...]
    left_out_of_some: int
    inputs: Inputs
    reading: Reading

    @property
    def files(self) -> tuple[File, ...]:
        """The files to read, each once."""
        return self.inputs.files

    def tables(self, file: File) -> Iterator[pa.Table]:
        """The rows of a file, with the columns and types of the schema. Raises InputFileError."""
        partitions = {name: value for name, value in file.partitions.items() if name in self.of_folders}
        inside = [name for name in self.schema.names if name not in self.of_folders]
        for table in self.format.read(file, inside, self.column):
            columns = dict(zip(inside, table.columns, strict=True))
            for name, value in partitions.items():
                columns[name] = pa.chunked_array([pa.repeat(pa.scalar(value, pa.large_string()), len(table))])
            types = zip(self.schema.names, self.schema.types, strict=True)
            cast = [columns[n] if columns[n].type == type_ else columns[n].cast(type_) for n, type_ in types]
            yield pa.table(cast, schema=self.schema)


@dataclass(frozen=True)
class Part:
    """Some rows of one file, which are released together. `where` they are, and `rows`: what is in them."""

    number: int
    file: File
    where: Rows
    rows: pa.Table


def find_corpus(
    sources: Sequence[str], column: str, keep: Sequence[str], output: Path, reading: Reading | None = None
) -> Corpus:
    """Raises InputFileError for input that cannot be privatized as a whole."""
    reading = reading or Reading()
    inputs = find_inputs(sources, output)
    name, packed = _common_suffixes(inputs.files, reading)
    format_ = format_of(name, reading)
    wanted = (column, *(name for name in keep if name != column))
    found, schema, of_folders = _common_schema(inputs.files, format_, wanted)
    released = [name for name in found if name in wanted]
    left_out = [name for name in found if name not in wanted]
    return Corpus(
        format=format_,
        suffix=f".{name}{packed}",
        packed=packed,
        column=column,
        schema=pa.schema([_released_field(schema.field(name), name == column) for name in released]),
        of_folders=of_folders,
        left_out=tuple(name for name in left_out if found[name]),
        left_out_of_some=sum(not found[name] for name in left_out),
        inputs=inputs,
        reading=reading,
    )


def _common_suffixes(files: Sequence[File], reading: Reading) -> tuple[str, str]:
    found: dict[tuple[str, str], File] = {}
    for file in files:
        suffixes = suffixes_of(file.name, reading.format)
        if suffixes is None:
            raise InputFileError(
                f"{file}: is of no known format; say it with --format, or by the name of the file, which may end in: "
                f"{known_names()} and so on"
            )
        found.setdefault(suffixes, file)
    if len(found) > 1:
        first, second = list(found.values())[:2]
        raise InputFileError(f"{first} and {second} are of different formats: privatize each format by itself")
    return next(iter(found))


def _common_schema(
    files: Sequence[File], format_: Format, wanted: Sequence[str]
) -> tuple[dict[str, bool], pa.Schema, frozenset[str]]:
    """All columns, and whether all rows of some file have them; types of the wanted ones; those that are of folders."""
    found: dict[str, bool] = {}
    of_folders: set[str] = set()
    types: dict[str, pa.DataType] = {}
    for file in files:
        file.check_not_empty()
        schema = format_.schema(file, wanted)
        if len(set(schema.names)) != len(schema.names):
            raise InputFileError(f"{file}: two columns have one name")
        outside = [name for name in file.partitions if name not in schema.names and name != wanted[0]]
        of_folders.update(outside)
        for name in of_folders.intersection(schema.names, wanted):
            raise InputFileError(f"{file}: has a column {name}, which other files have in the names of their folders")
        for name in outside:
            schema = schema.append(pa.field(name, pa.large_string()))
        for field in schema:
            found[field.name] = found.get(field.name, False) or field.metadata != SOME_ROWS
        _check_text(file, schema, wanted[0])
        for name in wanted:
            types[name] = _type_in(file, schema, name, types, files[0])
    return found, pa.schema(list(types.items())), frozenset(of_folders & types.keys())


def _check_text(file: File, schema: pa.Schema, column: str) -> None:
    type_ = schema.field(column).type if column in schema.names else pa.null()
    if not (is_text(type_) or pa.types.is_null(type_)):
        raise InputFileError(f"{file}, column {column}: is no text but {kind_of_type(type_)}")


def _type_in(file: File, schema: pa.Schema, name: str, types: dict[str, pa.DataType], first: File) -> pa.DataType:
    """The type of a column that holds what it holds in this file and in those before."""
    if name not in schema.names:
        raise InputFileError(f"{file}: {has_no_column(name, schema.names)}")
    type_ = schema.field(name).type
    before = types.get(name, type_)
    common = _common_type(type_, before)
    if common is None:
        kinds = f"is {kind_of_type(type_)}, but {kind_of_type(before)} in {first}"
        raise InputFileError(f"{file}, column {name}: {kinds}: make them of one type")
    return common


def _common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType | None:
    """The type that holds what both hold: of two types of text, and of no type at all and another."""
    if first == second or pa.types.is_null(second):
        return first
    if pa.types.is_null(first):
        return second
    return pa.large_string() if is_text(first) and is_text(second) else None


def _released_field(field: pa.Field, released: bool) -> pa.Field:
    return pa.field(field.name, pa.large_string()) if released else field.remove_metadata()


def parts_of(corpus: Corpus, rows: int) -> Iterator[Part]:
    """All parts in order. A corpus without rows is one part without rows. Raises InputFileError.

    For the same files and number of rows they are the same while the versions are; `check_borders` sees to it.
    """
    number = 0
    for at, file in enumerate(corpus.files):
        first = 1
        for table in _cut(corpus.tables(file), rows):
            yield Part(number, file, Rows(at, first, len(table)), table)
            number += 1
            first += len(table)
    if number == 0:
        yield Part(0, corpus.files[0], Rows(0, 1, 0), corpus.schema.empty_table())


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
