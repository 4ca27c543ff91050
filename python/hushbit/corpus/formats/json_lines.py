"""JSON lines: an object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, BinaryIO, NoReturn

from hushbit._plumbing.extras import extra
from hushbit.corpus.formats.files import File
from hushbit.corpus.formats.lines import count_lines, lines
from hushbit.corpus.formats.options import SOME_ROWS, Format, Reading
from hushbit.corpus.formats.rows import tables
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa

_NOTHING = object()
_SPACE = re.compile(r"[ \t\n\r]*")


def json_lines(options: Reading) -> Format:
    """The format."""
    form = _JsonLines(options)
    return Format(form.schema, form.read, _write, count_lines, form.skipped)


class _NoNumberError(ValueError):
    """NaN or Infinity, which JSON does not have."""


def _no_number(_: str) -> NoReturn:
    raise _NoNumberError


# Numbers are only looked at, and int would refuse more than 4300 digits.
_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_int=float)


@dataclass(frozen=True)
class _JsonLines:
    options: Reading
    skipped: set[tuple[str, int]] = field(default_factory=set)

    def schema(self, file: File, wanted: Sequence[str]) -> pa.Schema:
        """The columns of all objects, in the order in which they first occur, and then wanted fields of objects."""
        nested = [name for name in wanted if "." in name]
        counts: dict[str, int] = {}
        objects = 0
        for _, _, value in self._objects(file):
            objects += 1
            for name in value:
                counts[name] = counts.get(name, 0) + 1
            for name in nested:
                if name not in value and _at(value, name) is not _NOTHING:
                    counts[name] = counts.get(name, 0) + 1
        names = {name.encode(errors="replace").decode(): count for name, count in counts.items()}
        return pa.schema(
            [
                pa.field(name, pa.large_string(), metadata=SOME_ROWS if count < objects else None)
                for name, count in names.items()
            ]
        )

    def read(self, file: File, columns: Sequence[str], text: str) -> Iterator[pa.Table]:
        """Reads the texts as strings, and the values of other columns as they are written."""
        kept = [name for name in columns if name != text]

        def cells() -> Iterator[list[str | None]]:
            for number, line, value in self._objects(file):
                typed = _at(value, text)
                typed = None if typed is _NOTHING else typed
                if typed is not None and not isinstance(typed, str):
                    raise InputFileError(f"{file}, line {number}, column {text}: is no text but another kind of value")
                if typed is not None and not _can_be_encoded(typed):
                    raise InputFileError(
                        f"{file}, line {number}, column {text}: is no text, since it has half of a surrogate pair"
                    )
                written = _as_written(line) if kept else {}
                yield [typed if name == text else _written_at(written, name) for name in columns]

        return tables(cells(), columns)

    def _objects(self, file: File) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """The number of each line, the line, and the object on it."""
        with closing(lines(file, self.options)) as found:
            for number, (line, valid) in enumerate(found, start=1):
                if not valid:
                    self.skipped.add((file.name, number))
                elif not line.isspace():
                    yield number, line, _parsed(file, number, line)


def _at(value: Any, name: str) -> Any:
    """The member of an object, or of an object in it, by its path; _NOTHING if it has none."""
    if not isinstance(value, dict):
        return _NOTHING
    if name in value:
        return value[name]
    outer, _, inner = name.partition(".")
    return _at(value.get(outer), inner) if inner else _NOTHING


def _written_at(written: dict[str, str], name: str) -> str | None:
    """The same, as it is written."""
    if name in written:
        return written[name]
    outer, _, inner = name.partition(".")
    text = written.get(outer, "") if inner else ""
    return _written_at(_as_written(text), inner) if text.startswith("{") else None


def _parsed(file: File, number: int, line: str) -> dict[str, Any]:
    what = "is not a JSON object on one line"
    try:
        value = _DECODER.decode(line)
    except _NoNumberError:
        value, what = None, "has NaN or Infinity, which are no numbers of JSON"
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    if number == 1 and line.lstrip().startswith("["):
        what += "; a file that is one list of objects must be turned into lines, as by jq -c '.[]'"
    raise InputFileError(f"{file}, line {number}: {what}")


def _as_written(line: str) -> dict[str, str]:
    """The values of an object as they are written. The line is known to be one object."""
    found: dict[str, str] = {}
    at = _SPACE.match(line, line.index("{") + 1).end()  # type: ignore[union-attr]
    while line[at] == '"':
        name, at = scanstring(line, at + 1, True)
        at = _SPACE.match(line, line.index(":", at) + 1).end()  # type: ignore[union-attr]
        _, end = _DECODER.raw_decode(line, at)
        found[name] = line[at:end]
        at = _SPACE.match(line, end).end()  # type: ignore[union-attr]
        if line[at] == ",":
            at = _SPACE.match(line, at + 1).end()  # type: ignore[union-attr]
    return found


def _write(file: BinaryIO, schema: pa.Schema, parts: Iterable[pa.Table], text: str) -> None:
    keys = [json.dumps(name, ensure_ascii=False) for name in schema.names]
    place = schema.names.index(text)
    for table in parts:
        columns = [column.to_pylist() for column in table.columns]
        columns[place] = [json.dumps(released, ensure_ascii=False) for released in columns[place]]
        for row in zip(*columns, strict=True):
            pairs = (f"{key}: {value}" for key, value in zip(keys, row, strict=True) if value is not None)
            file.write(f"{{{', '.join(pairs)}}}\n".encode())


def _can_be_encoded(text: str) -> bool:
    """Whether the text has no lone surrogate, which JSON can express and UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
