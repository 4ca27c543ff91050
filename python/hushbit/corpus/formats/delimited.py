"""CSV, TSV and their relatives: cells with something between them, in double quotes or not."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO, NoReturn

from hushbit._plumbing.extras import extra
from hushbit.corpus.formats.files import File
from hushbit.corpus.formats.lines import MAX_LINE, count_lines, lines
from hushbit.corpus.formats.options import Format, Reading
from hushbit.corpus.formats.rows import tables
from hushbit.errors import InputFileError

with extra("corpus"):
    import pyarrow as pa


@dataclass(frozen=True)
class _Row:
    line: int  # the last one
    cells: list[str]


def delimited(options: Reading, separator: str, *, quoted: bool) -> Format:
    """The format with this separator and quoting, unless the options have others."""
    if options.quoting is not None:
        quoted = options.quoting == "double"
    form = _Delimited(options, options.delimiter or separator, quoted)
    return Format(form.schema, form.read, form.write, count_lines, form.skipped)


@dataclass(frozen=True)
class _Delimited:
    options: Reading
    separator: str
    quoted: bool
    skipped: set[tuple[str, int]] = field(default_factory=set)

    def schema(self, file: File, _: Sequence[str]) -> pa.Schema:
        names = self._header(file)[0]
        return pa.schema([(name, pa.large_string()) for name in names])

    def read(self, file: File, columns: Sequence[str], _: str) -> Iterator[pa.Table]:
        names, rows = self._header(file)
        places = [names.index(column) for column in columns]
        what = "the header" if self.options.header else "the first row"

        def cells() -> Iterator[list[str | None]]:
            for row in rows:
                if len(row.cells) != len(names):
                    if row.cells in ([], [""]):  # an empty line
                        continue
                    raise InputFileError(
                        f"{file}, line {row.line}: the row has {len(row.cells)} cells, {what} {len(names)}"
                    )
                yield [row.cells[place] or None for place in places]

        return tables(cells(), columns)

    def write(self, file: BinaryIO, schema: pa.Schema, parts: Iterable[pa.Table], _: str) -> None:
        """Writes UTF-8. A missing text becomes an empty cell, as in the input."""
        names = [tuple(schema.names)] if self.options.header else []
        columns = ([column.to_pylist() for column in table.columns] for table in parts)
        rows = chain(names, chain.from_iterable(zip(*cells, strict=True) for cells in columns))
        if self.quoted:  # RFC 4180 ends lines so
            csv.writer(_Encoded(file), delimiter=self.separator).writerows(rows)
            return
        for row in rows:
            cells = [cell or "" for cell in row]
            if any(mark in cell for cell in cells for mark in (self.separator, "\n", "\r")):
                raise InputFileError("a cell holds what separates cells or lines, and this format has no quotes")
            file.write((self.separator.join(cells) + "\n").encode())

    def _header(self, file: File) -> tuple[list[str], Iterator[_Row]]:
        """The names of the columns, and the rows after them."""
        rows = self._rows(file)
        first = next(rows, _Row(0, []))
        if not self.options.header:
            return [str(number) for number in range(1, len(first.cells) + 1)], chain([first], rows)
        if len(set(first.cells)) != len(first.cells):
            raise InputFileError(f"{file}, line 1: two columns have one name")
        return first.cells, rows

    def _rows(self, file: File) -> Iterator[_Row]:
        valid = True
        with closing(lines(file, self.options)) as found:

            def texts() -> Iterator[str]:
                nonlocal valid
                for text, is_valid in found:
                    valid &= is_valid
                    yield text

            for row in self._quoted(file, texts()) if self.quoted else self._plain(file, texts()):
                if valid:
                    yield row
                elif row.line == 1 and self.options.header:
                    raise InputFileError(
                        f"{file}, line 1: names columns, and is not {self.options.encoding or 'UTF-8'}"
                    )
                else:
                    self.skipped.add((file.name, row.line))
                    valid = True

    def _plain(self, file: File, texts: Iterator[str]) -> Iterator[_Row]:
        for number, text in enumerate(texts, start=1):
            line = text.removesuffix("\n").removesuffix("\r")
            if "\r" in line:
                _refuse_return(file, number)
            yield _Row(number, line.split(self.separator))

    def _quoted(self, file: File, texts: Iterator[str]) -> Iterator[_Row]:
        csv.field_size_limit(MAX_LINE)
        begin, ended = 1, False

        def until_the_end() -> Iterator[str]:
            nonlocal ended
            yield from texts
            ended = True

        reader = csv.reader(until_the_end(), delimiter=self.separator, strict=True)
        try:
            for row in reader:
                yield _Row(reader.line_num, row)
                begin = reader.line_num + 1
        except csv.Error as error:
            what = str(error)
        else:
            return
        if what.startswith("new-line character"):
            _refuse_return(file, reader.line_num)
        if what.startswith("field larger"):
            raise InputFileError(f"{file}, line {begin}: a cell of this row is longer than {MAX_LINE >> 20} MiB")
        if ended:
            raise InputFileError(
                f"{file}, line {begin}: a quote in this row is not closed, so all lines after it would be one cell; if "
                "quotes are text in this file, add --quoting none"
            )
        raise InputFileError(
            f"{file}, line {begin}: the quotes do not fit: a quoted cell ends before a separator or a new line, and a "
            'quote inside a cell is written twice (""); if quotes are text in this file, add --quoting none'
        )


def _refuse_return(file: File, line: int) -> NoReturn:
    raise InputFileError(
        f"{file}, line {line}: has a carriage return (CR) that no line feed (LF) follows; lines end with LF or CR LF, "
        "so turn each lone CR into LF if it ends a line, or into a space"
    )


class _Encoded:
    """A text file for the csv module, on top of a binary one."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        self._file.write(text.encode())
