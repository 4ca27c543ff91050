"""File formats: reads the columns of a file, reads its rows as Arrow tables of bounded size, and writes such tables.

All formats except Parquet are read as text, and no type is guessed: a cell of CSV stays a string, and a kept value of
JSON lines stays JSON. Errors name the file and the line, never the content.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from hushbit._extras import extra
from hushbit._files import Location, kind_of, open_text, reading
from hushbit.corpus.columns import is_text
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa
    import pyarrow.parquet as pq

CHUNK_ROWS = 8192
CHUNK_BYTES = 8 << 20
_MAX_LINE = 64 << 20  # bytes, and of a cell characters
_READ_BYTES = 1 << 18


@dataclass(frozen=True)
class Format:
    """How files with one suffix are read and written.

    schema: returns the schema of a file. A typed format keeps its own types.
    read: returns the named columns of a file, at most CHUNK_ROWS rows and about CHUNK_BYTES bytes at a time. The last
        argument is the column of texts.
    write: writes tables to an open file. The last argument is the column of texts.
    rows: returns the approximate number of rows of a file, for progress.
    """

    schema: Callable[[Path], pa.Schema]
    read: Callable[[Path, Sequence[str], str], Iterator[pa.Table]]
    write: Callable[[BinaryIO, pa.Schema, Iterable[pa.Table], str], None]
    rows: Callable[[Path], int]


# ---- Parquet


def _parquet_schema(path: Path) -> pa.Schema:
    with _arrow_errors(path), pq.ParquetFile(path) as file:
        return file.schema_arrow.remove_metadata()


def _read_parquet(path: Path, columns: Sequence[str], _: str) -> Iterator[pa.Table]:
    with _arrow_errors(path), pq.ParquetFile(path) as file:
        meta = file.metadata
        groups = (meta.row_group(i) for i in range(meta.num_row_groups))
        widest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=0)
        rows = max(1, min(CHUNK_ROWS, CHUNK_BYTES // max(widest, 1)))
        for batch in file.iter_batches(batch_size=rows, columns=list(columns)):
            yield pa.Table.from_batches([batch]).select(list(columns)).replace_schema_metadata()


def _write_parquet(file: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table], _: str) -> None:
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)


def _parquet_rows(path: Path) -> int:
    with _arrow_errors(path):
        return int(pq.read_metadata(path).num_rows)


@contextmanager
def _arrow_errors(path: Path) -> Iterator[None]:
    """Replaces Arrow's messages, since they can quote the content of the file."""
    with reading(path):
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # of the system, not of Arrow
                raise
            raise InputFileError(f"{path}: is no whole Parquet file: cut off, damaged or another kind") from None


# ---- CSV, TSV


def _csv_rows(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each row, with the number of its last line."""
    csv.field_size_limit(_MAX_LINE)
    begin, ended = 1, False

    def until_the_end(lines: Iterable[str]) -> Iterator[str]:
        nonlocal ended
        yield from lines
        ended = True

    with closing(_lines(path)) as lines:
        reader = csv.reader(until_the_end(lines), delimiter=separator, strict=True)
        try:
            for row in reader:
                yield reader.line_num, row
                begin = reader.line_num + 1
        except csv.Error:
            what = "the quotes do not fit: a quoted cell ends before a separator or a new line, and"
            if ended:
                what = "a quote in this row is not closed;"
            raise InputFileError(f'{path}, line {begin}: {what} a quote inside a cell is written twice ("")') from None


def _csv_header(path: Path, rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    _, names = next(rows, (0, []))
    if len(set(names)) != len(names):
        raise InputFileError(f"{path}, line 1: two columns have one name")
    return names


def _csv_format(separator: str) -> Format:
    def schema(path: Path) -> pa.Schema:
        return pa.schema([(name, pa.large_string()) for name in _csv_header(path, _csv_rows(path, separator))])

    def read(path: Path, columns: Sequence[str], _: str) -> Iterator[pa.Table]:
        rows = _csv_rows(path, separator)
        names = _csv_header(path, rows)
        places = [names.index(column) for column in columns]

        def cells() -> Iterator[list[str | None]]:
            for line, row in rows:
                if len(row) != len(names):
                    if not row:  # an empty line
                        continue
                    raise InputFileError(f"{path}, line {line}: the row has {len(row)} cells, the header {len(names)}")
                yield [row[place] or None for place in places]

        return _tables(cells(), columns)

    def write(file: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table], _: str) -> None:
        # UTF-8, with the line ends of RFC 4180. A missing text becomes an empty cell, as in the input.
        writer = csv.writer(_Encoded(file), delimiter=separator)
        writer.writerow(schema.names)
        for table in tables:
            writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))

    return Format(schema, read, write, _count_lines)


class _Encoded:
    """A text file for the csv module, on top of a binary one."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        self._file.write(text.encode())


# ---- JSON lines


def _objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with closing(_lines(path)) as lines:
        for number, line in enumerate(lines, start=1):
            if line.isspace():
                continue
            try:
                value = json.loads(line, parse_constant=_no_constant)
            except (ValueError, RecursionError):
                value = None
            if not isinstance(value, dict):
                raise InputFileError(f"{path}, line {number}: is not a JSON object on one line")
            yield number, value


def _no_constant(_: str) -> NoReturn:
    raise ValueError


def _json_schema(path: Path) -> pa.Schema:
    """The columns of the first object. Later objects may have other columns, so each row is checked when it is read."""
    _, first = next(_objects(path), (0, {}))
    return pa.schema([(name, pa.large_string()) for name in first])


def _read_json(path: Path, columns: Sequence[str], text: str) -> Iterator[pa.Table]:
    """Reads the texts as strings, and the values of other columns as JSON."""

    def cells() -> Iterator[list[str | None]]:
        for number, value in _objects(path):
            typed = value.get(text)
            if typed is not None and not (isinstance(typed, str) and _can_be_encoded(typed)):
                raise InputFileError(f"{path}, line {number}, column {text}: is no text but another kind of value")
            yield [typed if name == text else _json(value[name]) if name in value else None for name in columns]

    return _tables(cells(), columns)


def _write_json(file: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table], text: str) -> None:
    keys = [_json(name) for name in schema.names]
    place = schema.names.index(text)
    for table in tables:
        columns = [column.to_pylist() for column in table.columns]
        columns[place] = [_json(released) for released in columns[place]]
        for row in zip(*columns, strict=True):
            pairs = (f"{key}: {value}" for key, value in zip(keys, row, strict=True) if value is not None)
            file.write(f"{{{', '.join(pairs)}}}\n".encode())


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if _can_be_encoded(text) else json.dumps(value)


def _can_be_encoded(text: str) -> bool:
    """Whether the text has no lone surrogate, which JSON can express and UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# ---- What they share


def _tables(rows: Iterator[list[str | None]], columns: Sequence[str]) -> Iterator[pa.Table]:
    schema = pa.schema([(name, pa.large_string()) for name in columns])
    held: list[list[str | None]] = []
    size = 0
    for row in rows:
        held.append(row)
        size += sum(len(cell) for cell in row if cell is not None)
        if len(held) == CHUNK_ROWS or size >= CHUNK_BYTES:
            yield _table(held, schema)
            held, size = [], 0
    if held:
        yield _table(held, schema)


def _table(rows: list[list[str | None]], schema: pa.Schema) -> pa.Table:
    return pa.table([pa.array(column, pa.large_string()) for column in zip(*rows, strict=True)], schema=schema)


def _lines(path: Path) -> Generator[str]:
    """The lines of a file, which may be compressed, with their line ends. Raises InputFileError."""
    number = 0
    rest = b""
    with open_text(Location(path)) as text:
        while True:
            chunk = text.read(_READ_BYTES)
            *whole, rest = (rest + chunk).split(b"\n") if chunk else (rest, b"")
            if len(rest) > _MAX_LINE:
                raise InputFileError(f"{path}, line {number + len(whole) + 1}: is longer than {_MAX_LINE >> 20} MiB")
            for line in whole:
                number += 1
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line or chunk:
                    yield _decoded(line, path, number) + ("\n" if chunk else "")
            if not chunk:
                return


def _count_lines(path: Path) -> int:
    with open_text(Location(path)) as text:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: text.read(_READ_BYTES), b""))


def _decoded(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        at = error.start
    raise InputFileError(f"{path}, line {number}: is not UTF-8 at its byte {at + 1}")


FORMATS = {
    ".parquet": Format(_parquet_schema, _read_parquet, _write_parquet, _parquet_rows),
    ".csv": _csv_format(","),
    ".tsv": _csv_format("\t"),
    ".jsonl": Format(_json_schema, _read_json, _write_json, _count_lines),
}
_SAME = {".pq": ".parquet", ".ndjson": ".jsonl"}
COMPRESSED: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file, mode="wb", mtime=0),
    ".bz2": lambda file: bz2.BZ2File(file, "wb"),
    ".xz": lambda file: lzma.LZMAFile(file, "wb"),  # noqa: SIM115
}


def suffixes_of(path: Path) -> tuple[str, str] | None:
    """The suffix of the format and that of the compression ("" for none); None if the format is unknown."""
    packed = path.suffix.lower()
    name = path.with_suffix("") if packed in COMPRESSED else path
    suffix = _SAME.get(name.suffix.lower(), name.suffix.lower())
    if suffix not in FORMATS or (suffix == ".parquet" and name is not path):
        return None
    return suffix, packed if name is not path else ""


def check_not_empty(path: Path) -> None:
    """Raises InputFileError if a file is empty, or not a regular file."""
    kind_of(path)


__all__ = ["COMPRESSED", "FORMATS", "Format", "check_not_empty", "is_text", "suffixes_of"]
