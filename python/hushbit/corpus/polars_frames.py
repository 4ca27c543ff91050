"""Columns of data frames of polars, eager and lazy."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hushbit._plumbing.extras import extra
from hushbit.corpus.drawing import Chosen, Draw, check_text
from hushbit.errors import InvalidArgumentError

with extra("tables"):
    import polars as pl
    import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Hashable

CHUNK_ROWS = 50_000
"""The largest number of rows of a lazy frame that are in memory at a time."""


def released_polars(frame: pl.DataFrame | pl.LazyFrame, chosen: Chosen, draw: Draw) -> pl.DataFrame | pl.LazyFrame:
    """See `privatize`, `embed` and `report`."""
    names = frame.collect_schema().names()
    wanted = [names[place] for place in chosen.places]
    if isinstance(frame, pl.DataFrame):
        return _released(frame.select(wanted), chosen, draw)
    return _Once(frame.select(wanted), chosen, draw).lazy()


def texts_of(series: pl.Series, name: Hashable) -> pa.Array:
    """A column as Arrow has it. Raises InvalidArgumentError."""
    check_polars_type(series.dtype, name)
    return series.to_arrow()


def columns_of(frame: pl.DataFrame | pl.LazyFrame, chosen: Chosen) -> Iterator[pa.Array]:
    """The texts of a frame, chunk by chunk. Raises InvalidArgumentError before anything is read."""
    name, dtype = list(frame.collect_schema().items())[chosen.places[chosen.text]]
    check_polars_type(dtype, name)
    chunks = frame.lazy().select(pl.col(name)).collect_batches(chunk_size=CHUNK_ROWS)
    return (texts_of(chunk.to_series(), chosen.name) for chunk in chunks)


def series_of(name: str, released: pa.Array | pa.ChunkedArray) -> pl.Series:
    """A series of what was released."""
    return pl.Series(name, pl.from_arrow(released))


def check_polars_type(dtype: pl.DataType, name: Hashable) -> None:
    """Raises InvalidArgumentError unless a column of this type holds texts, or nothing."""
    if dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        check_text(pa.bool_(), name)


def _released(frame: pl.DataFrame, chosen: Chosen, draw: Draw) -> pl.DataFrame:
    typed = texts_of(frame.to_series(chosen.text), chosen.name)
    return frame.with_columns(series_of(str(chosen.name), draw(typed, chosen.name)))


class _Once:
    """The source of a lazy frame that draws chunk by chunk as it is collected, and can be collected once."""

    def __init__(self, frame: pl.LazyFrame, chosen: Chosen, draw: Draw) -> None:
        self._frame = frame
        self._chosen = chosen
        self._draw = draw
        self._begun = threading.Lock()

    def lazy(self) -> pl.LazyFrame:
        """The frame."""
        from polars.io.plugins import register_io_source

        schema = dict(self._frame.collect_schema())
        name = list(schema)[self._chosen.text]
        check_polars_type(schema[name], name)
        return register_io_source(
            self._chunks, schema={**schema, name: series_of(name, pa.array([], self._draw.type)).dtype}
        )

    def _chunks(
        self, columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, size: int | None
    ) -> Iterator[pl.DataFrame]:
        """What polars asks for: these columns of the first rows, as far as the predicate is true."""
        if not self._begun.acquire(blocking=False):
            raise InvalidArgumentError(
                "the texts of this lazy frame were drawn already; collecting it again would release them, and cost, "
                "again. Collect it once, and keep the result"
            )
        left = rows
        for chunk in self._frame.collect_batches(chunk_size=min(size or CHUNK_ROWS, CHUNK_ROWS), maintain_order=True):
            some = chunk if left is None else chunk.head(left)
            released = _released(some, self._chosen, self._draw)
            if columns is not None:
                released = released.select(columns)
            yield released if predicate is None else released.filter(predicate)
            if left is not None:
                left -= len(some)
                if left == 0:
                    return
