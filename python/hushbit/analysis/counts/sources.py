"""Counts the reports of files, standard input and data frames; the partial sums of parts add up, wherever they are
made.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeVar

import numpy as np

from hushbit._plumbing.files import Location, find_files, kind_of, open_text
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.analysis.counts.geometry import Whole
from hushbit.analysis.counts.reading import DAMAGED, NO_CLASS, Buffer, Wanted, first_of, lines_of, read_lines
from hushbit.analysis.counts.tally import Counted, Refused
from hushbit.errors import InputFileError, InvalidArgumentError

if TYPE_CHECKING:
    import pyarrow as pa

COLUMN = "report"
_ROWS = 1 << 16
_TOGETHER = 1 << 20  # reports
_BRANCHES = 8
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PACKED = {".gz", ".bz2", ".xz"}

Labeled = Iterator[tuple[str, Whole]]


class Adds(Protocol):
    """What adds up reports: `Counted`, `NewWords`."""

    refused: Refused

    def add(self, reports: Whole, label: str = "", /) -> None:
        """Adds reports of a class."""


Sum = TypeVar("Sum", bound=Adds)


class Sink:
    """A place that takes reports by class. `counted` is what came of them."""

    def __init__(self, counted: Adds) -> None:
        self.counted = counted
        self._held: dict[str, list[Whole]] = {}
        self._count = 0

    def take(self, parts: Labeled) -> None:
        """Takes reports; counts those that it has when they are many, since counting few takes as long."""
        for label, reports in parts:
            self._held.setdefault(label, []).append(reports)
            self._count += len(reports)
            if self._count >= _TOGETHER:
                self.flush()

    def flush(self) -> None:
        """Counts those that it has."""
        held, self._held, self._count = self._held, {}, 0
        for label, reports in held.items():
            self.counted.add(np.concatenate(reports), label)


def find_sources(sources: Iterable[str]) -> list[Path]:
    """The files of names, folders and patterns, each once. Raises InputNotFoundError."""
    found = [path for source in sources for path, passed_over in find_files(source) if not passed_over]
    return list({path.resolve(): path for path in found}.values())


def count_files(
    files: Iterable[Path], wanted: Wanted, counted: Sum, column: str = COLUMN, progress: Progress = no_progress
) -> Sum:
    """Adds the reports of files: JSON lines or numbers, .csv, .tsv (each may be compressed) and .parquet.

    Where lines or cells are damaged, nothing else is lost. Raises InputFileError for a file that cannot be read, or has
    no column of that name.
    """
    files = list(files)
    sink = Sink(counted)
    for done, file in enumerate(files):
        progress(done, len(files), "counting")
        sink.take(_reports_of(file, wanted, counted.refused, column))
    sink.flush()
    progress(len(files), len(files), "counting")
    return counted


def count_stream(stream: BinaryIO, wanted: Wanted, counted: Sum) -> Sum:
    """Adds the reports of JSON lines, or of a number a line."""
    sink = Sink(counted)
    sink.take(read_lines(stream, wanted, counted.refused))
    sink.flush()
    return counted


def first_report(file: Path) -> dict[str, Any] | None:
    """The first report of a file of JSON lines that says its epsilon; None in other formats."""
    if _suffix(file) in (".parquet", *_SEPARATORS):
        return None
    with _opened(file) as text:
        return first_of(lines_of(text, Refused()))


def _opened(file: Path) -> Any:
    kind_of(file)
    return open_text(Location(file))


def _suffix(file: Path) -> str:
    return (file.with_suffix("") if file.suffix.lower() in _PACKED else file).suffix.lower()


def _reports_of(file: Path, wanted: Wanted, refused: Refused, column: str) -> Labeled:
    suffix = _suffix(file)
    if suffix in (".parquet", ".pq"):
        yield from _of_parquet(file, wanted, refused, column)
    elif suffix in _SEPARATORS:
        yield from _of_csv(file, _SEPARATORS[suffix], wanted, refused, column)
    else:
        with _opened(file) as text:
            yield from read_lines(text, wanted, refused)


# ---- CSV


def _of_csv(file: Path, separator: str, wanted: Wanted, refused: Refused, column: str) -> Labeled:
    buffer = Buffer()
    with _opened(file) as text:
        lines = lines_of(text, buffer.refused)
        names = next(csv.reader([_text(next(lines, b"")).removeprefix("\ufeff")], delimiter=separator), [])
        for name in filter(None, (column, wanted.by)):
            if name not in names:
                raise InputFileError(f"{file}, line 1: there is no column {name}")
        for line in lines:
            cells = next(csv.reader([_text(line)], delimiter=separator), [])
            if len(cells) != len(names):
                buffer.refused[DAMAGED] += 1
            else:
                _take_row(dict(zip(names, cells, strict=True)), wanted, buffer, column)
            if buffer.full:
                yield from buffer.empty()
    yield from buffer.empty()
    refused.update(buffer.refused)


def _text(line: bytes) -> str:
    return line.decode(errors="replace")


def _take_row(row: dict[str, str], wanted: Wanted, buffer: Buffer, column: str) -> None:
    said = [row.get(name) or None for name in ("values", "epsilon", "version")]
    reason = wanted.refuses(said[0], _number(said[1]), _number(said[2]))
    if reason is not None:
        buffer.refused[reason] += 1
    else:
        cell = row[column].strip()
        whole = int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 19 else None
        buffer.take(whole, "" if wanted.by is None else row[wanted.by])


def _number(cell: str | None) -> object:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return cell


# ---- Parquet and frames


def _of_parquet(file: Path, wanted: Wanted, refused: Refused, column: str) -> Labeled:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kind_of(file)
    try:
        with pq.ParquetFile(file) as opened:
            names = _columns(opened.schema_arrow.names, wanted, column, str(file))
            for batch in opened.iter_batches(batch_size=_ROWS, columns=names):
                yield from reports_of_table(batch, wanted, refused, column)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputFileError(f"{file}: is no whole Parquet file: cut off, damaged or another kind") from None


def _columns(names: Iterable[str], wanted: Wanted, column: str, where: str) -> list[str]:
    names = list(names)
    for name in filter(None, (column, wanted.by)):
        if name not in names:
            raise InputFileError(f"{where}: there is no column {name}")
    return [name for name in (column, "values", "epsilon", "version", wanted.by) if name in names]


def reports_of_table(table: pa.Table | pa.RecordBatch, wanted: Wanted, refused: Refused, column: str) -> Labeled:
    """The reports of a table of Arrow by class; the column of reports holds whole numbers, other rows are damaged."""
    import pyarrow as pa

    held = table.column(column)
    if not pa.types.is_integer(held.type):
        raise InvalidArgumentError(f"the column {column} holds no whole numbers but {held.type}")
    kept = np.asarray(held.is_valid())
    reports = np.asarray(held.fill_null(0)).astype(np.int64)
    refused[DAMAGED] += int((~kept).sum())
    said = [
        table.column(name).to_pylist() if name in table.schema.names else [None] * table.num_rows
        for name in ("values", "epsilon", "version")
    ]
    if any(name in table.schema.names for name in ("values", "epsilon", "version")):
        reasons = [wanted.refuses(*row) for row in zip(*said, strict=True)]
        refused.update(reason for reason, fine in zip(reasons, kept, strict=True) if fine and reason is not None)
        kept &= np.array([reason is None for reason in reasons], dtype=bool)
    if wanted.by is None:
        yield "", reports[kept]
        return
    labels = np.array([None if label is None else str(label) for label in table.column(wanted.by).to_pylist()])
    none = np.array([label is None for label in labels], dtype=bool)
    refused[NO_CLASS] += int((kept & none).sum())
    kept &= ~none
    for label in sorted(set(labels[kept].tolist())):
        yield label, reports[kept & (labels == label)]


def count_frame(frame: Any, wanted: Wanted, counted: Counted, column: str = COLUMN) -> Counted:
    """Adds the reports of a data frame of pandas or Dask. Partitions of Dask are counted where they are, and their sums
    added up in a tree, so memory is bounded whatever the number of reports.

    Raises InputFileError if there is no such column.
    """
    names = _columns(frame.columns, wanted, column, "the frame")
    if not hasattr(frame, "to_delayed"):
        return counted + _count_partition(frame[names], wanted, _empty(counted), column)
    from dask.delayed import delayed

    count = delayed(_count_partition)
    parts = [count(part, wanted, _empty(counted), column) for part in frame[names].to_delayed()]
    while len(parts) > 1:
        parts = [delayed(_sum)(parts[first : first + _BRANCHES]) for first in range(0, len(parts), _BRANCHES)]
    return counted + parts[0].compute() if parts else counted


def _empty(counted: Counted) -> Counted:
    return Counted(counted.design, counted.groups)


def _count_partition(frame: Any, wanted: Wanted, counted: Counted, column: str) -> Counted:
    import pyarrow as pa

    sink = Sink(counted)
    for first in range(0, len(frame), _ROWS * 4):
        table = pa.Table.from_pandas(frame.iloc[first : first + _ROWS * 4], preserve_index=False)
        sink.take(reports_of_table(table, wanted, counted.refused, column))
    sink.flush()
    return counted


def _sum(parts: list[Counted]) -> Counted:
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total


def count_files_there(address: str, files: list[Path], wanted: Wanted, counted: Counted, column: str) -> Counted:
    """`count_files` on the workers of a Dask cluster, which must see the files: a file a task.

    Raises OSError if there is no cluster at the address.
    """
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        tasks = [client.submit(count_files, [file.resolve()], wanted, _empty(counted), column) for file in files]
        for task in tasks:
            counted += task.result()
    return counted
