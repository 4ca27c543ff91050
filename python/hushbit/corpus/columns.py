"""Privatizes, embeds or reports Arrow columns of texts, without creating a Python object for each text."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hushbit import Embedder, Privatizer, Reporter
from hushbit._core import Batch
from hushbit._plumbing.extras import extra
from hushbit._plumbing.records import Record
from hushbit._text import Cost, sum_rounded_up
from hushbit.errors import HushbitError

with extra("corpus"):
    import pyarrow as pa

Releaser: TypeAlias = Privatizer | Embedder | Reporter
"""What draws the release of a whole text."""
_TEXTS_A_CALL = 8192
_RELEASED_TYPES = {Privatizer: pa.large_string(), Embedder: pa.uint32(), Reporter: pa.uint64()}
_Released = tuple["pa.Array", "Tally", HushbitError | None]


@dataclass(frozen=True, slots=True)
class Tally(Record):
    """The cost of releasing texts.

    rows: the number of rows; missing texts are counted and cost nothing.
    missing: the number of missing texts, which stay missing.
    tokens: released tokens with a replacement; of embeddings and reports one a text.
    largest: the worst case of the row with the largest cost.
    cost: the total cost of all rows.
    """

    rows: int = 0
    missing: int = 0
    tokens: int = 0
    largest: float = 0.0
    cost: Cost = Cost.zero()  # noqa: RUF009 - it is frozen

    def __add__(self, other: Tally) -> Tally:
        """The tally of both."""
        return Tally(
            rows=self.rows + other.rows,
            missing=self.missing + other.missing,
            tokens=self.tokens + other.tokens,
            largest=max(self.largest, other.largest),
            cost=self.cost + other.cost,
        )


class RowError(Exception):
    """The error of one row, counted from 0. Its cause is the error of the core, which contains no text."""

    def __init__(self, row: int, cause: HushbitError) -> None:
        super().__init__(row, cause)
        self.row = row
        self.cause = cause


def is_text(type_: pa.DataType) -> bool:
    """Whether a column of this type contains texts."""
    if pa.types.is_dictionary(type_):
        return is_text(type_.value_type)
    return any(test(type_) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view))


def released_type(releaser: Releaser) -> pa.DataType:
    """large_string for released texts, uint32 for indexes of embeddings, uint64 for reports."""
    return _RELEASED_TYPES[type(releaser)]


def draw(releaser: Releaser, column: pa.Array | pa.ChunkedArray, threads: int = 1) -> tuple[pa.ChunkedArray, Tally]:
    """What is released of a column of texts, of type `released_type`, and its cost. Missing texts stay missing.

    Raises RowError for the first row that fails. Then nothing is released.
    """

    def work(part: pa.Array) -> _Released:
        return _privatized(releaser, part) if isinstance(releaser, Privatizer) else _numbered(releaser, part)

    released, tally = _in_parts(work, column, threads)
    return pa.chunked_array(released, type=released_type(releaser)), tally


def _in_parts(
    work: Callable[[pa.Array], _Released], column: pa.Array | pa.ChunkedArray, threads: int
) -> tuple[list[pa.Array], Tally]:
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts = [chunk.slice(at, _TEXTS_A_CALL) for chunk in chunks for at in range(0, len(chunk), _TEXTS_A_CALL)]
    if threads == 1 or len(parts) == 1:
        released = [work(part) for part in parts]
    else:
        with ThreadPoolExecutor(threads) as executor:
            released = list(executor.map(work, parts))
    row, tally = 0, Tally()
    for part, (_, cost, error) in zip(parts, released, strict=True):
        if error is not None:
            raise RowError(row + cost.rows, error)
        row += len(part)
        tally += cost
    return [values for values, _, _ in released], tally


def _numbered(releaser: Embedder | Reporter, part: pa.Array) -> _Released:
    """The index or the report of each text. It costs one epsilon, whatever its length."""
    texts = part.cast(pa.large_string())
    present = texts.drop_null()
    _, offsets, data = present.buffers()
    begin = present.offset
    native = np.frombuffer(offsets, dtype=np.int64)[begin : begin + len(present) + 1]
    batch = releaser._native.embed_batch if isinstance(releaser, Embedder) else releaser._native.report_batch
    numbers, error = batch(native, data if data is not None else b"")
    valid = np.asarray(texts.is_valid())
    if error is not None:
        return pa.array([], type=released_type(releaser)), Tally(rows=int(np.flatnonzero(valid)[len(numbers)])), error
    values = np.zeros(len(texts), dtype=numbers.dtype)
    values[valid] = numbers
    total = sum_rounded_up([releaser.epsilon * len(numbers)])
    cost = Cost(
        epsilon=releaser.epsilon,
        average=total,
        worst_case=total,
        words=0,
        unknown=0,
        dropped=0,
        verbatim=0,
        epsilon_unit="text",
    )
    largest = releaser.epsilon if len(numbers) else 0.0
    tally = Tally(rows=len(texts), missing=texts.null_count, tokens=len(numbers), largest=largest, cost=cost)
    return pa.array(values, mask=~valid), tally, None


def _privatized(privatizer: Privatizer, part: pa.Array) -> _Released:
    texts = part.cast(pa.large_string())
    present = texts.fill_null("") if texts.null_count else texts
    _, offsets, data = present.buffers()
    begin = present.offset
    native = np.frombuffer(offsets, dtype=np.int64)[begin : begin + len(present) + 1]
    batch, error = privatizer._native.privatize_batch(native, data if data is not None else b"")
    valid = None
    if texts.null_count:
        valid = pa.array(np.asarray(texts.is_valid())).buffers()[1]
    count = len(batch.offsets) - 1
    buffers = pa.py_buffer(batch.offsets), pa.py_buffer(batch.text), valid
    released = pa.LargeStringArray.from_buffers(count, *buffers)
    return released, _tally(batch, count, texts.null_count), error


def _tally(batch: Batch, rows: int, missing: int) -> Tally:
    counts, worst = batch.counts, batch.worst_cases
    if rows == 0:
        return Tally()
    cost = Cost(
        epsilon=counts.epsilon,
        average=sum_rounded_up(batch.averages.tolist()),
        worst_case=sum_rounded_up(worst.tolist()),
        words=counts.words,
        unknown=counts.unknown,
        dropped=counts.dropped,
        verbatim=counts.verbatim,
        public_words=counts.public_words,
        epsilon_unit=counts.epsilon_unit,
    )
    return Tally(rows=rows, missing=missing, tokens=batch.released, largest=float(worst.max()), cost=cost)


def kind_of_type(type_: pa.DataType) -> str:
    """A type for a message, without what is in it: the fields of a nested type have names, which may be data."""
    return str(type_).split("<", 1)[0]
