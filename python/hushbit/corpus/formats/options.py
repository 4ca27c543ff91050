"""What a format is, and the options with which files of text are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Literal

from hushbit._plumbing.extras import extra
from hushbit.corpus.formats.files import File

with extra("corpus"):
    import pyarrow as pa

SOME_ROWS = {b"hushbit": b"some rows lack it"}
"""Such a column may have its name from what somebody typed, so messages do not say it."""


@dataclass(frozen=True)
class Reading:
    """How files are read.

    format: a format's name; None: the suffix of each file says it.
    encoding: a name that Python knows; None: UTF-8, or UTF-16 or UTF-32 by the file's mark.
    invalid: what is done with bytes that the encoding does not have: "error" refuses the file, "replace" makes them
        U+FFFD, "skip" leaves the row out.
    delimiter: what separates cells of CSV and TSV; None: a comma or a tab.
    header: whether the first line of CSV and TSV names the columns. Otherwise they have the names 1, 2 and so on.
    quoting: "double": a cell of CSV or TSV may be in double quotes; "none": quotes are text. None: CSV has quotes, TSV
        has none.
    """

    format: str | None = None
    encoding: str | None = None
    invalid: Literal["error", "replace", "skip"] = "error"
    delimiter: str | None = None
    header: bool = True
    quoting: Literal["double", "none"] | None = None


@dataclass(frozen=True)
class Format:
    """How files of one format are read and written.

    schema: returns the schema of a file: its columns, and those of the wanted names that are fields of a nested column
        ("a.b" of the column a). A typed format keeps its own types. The metadata of a column that some rows
        lack are SOME_ROWS.
    read: returns the named columns of a file, at most CHUNK_ROWS rows and about CHUNK_BYTES bytes at a time. The last
        argument is the column of texts.
    write: writes tables to an open file. The last argument is the column of texts.
    rows: returns the approximate number of rows of a file, for progress.
    skipped: the lines that were left out since their bytes are invalid, by file.
    """

    schema: Callable[[File, Sequence[str]], pa.Schema]
    read: Callable[[File, Sequence[str], str], Iterator[pa.Table]]
    write: Callable[[BinaryIO, pa.Schema, Iterable[pa.Table], str], None]
    rows: Callable[[File], int]
    skipped: set[tuple[str, int]] = field(default_factory=set)
