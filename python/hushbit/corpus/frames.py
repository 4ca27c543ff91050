"""Privatizes one column of a table: of pandas, polars, Arrow or Dask. The same kind of table comes back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from hushbit import Privatizer
from hushbit._extras import extra
from hushbit._parallel import processors
from hushbit.corpus.columns import RowError, is_text, release
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pyarrow as pa

Column: TypeAlias = "pa.Array | pa.ChunkedArray"
Draw: TypeAlias = "Callable[[Column, Hashable], pa.ChunkedArray]"
"""Draws the released form of a column of texts, which has a name, and raises the errors of `privatize`."""


@dataclass(frozen=True)
class Chosen:
    """The columns that come back, by their places, and the one of the texts, by its place among these."""

    places: list[int]
    text: int
    name: Hashable


def privatize(frame: Any, *, column: Hashable, privatizer: Privatizer, keep: Sequence[Hashable] | None = None) -> Any:
    """Returns a table with the privatized texts of one column, and the kept columns, in the order of the input.

    frame: a data frame of pandas, polars (eager or lazy) or Dask, or a table, a record batch or a reader of record
        batches of Arrow. It is not changed.
    column: the name of a column of texts, of any type of text. Missing texts stay missing.
    keep: a list of names of columns to copy unchanged. By default no other column is copied.

    The texts are released once. So a lazy frame of polars and a reader of Arrow draw while they are read, with bounded
    memory, and can be read once: polars raises an error if such a frame is collected again, since that would draw new
    noise and cost again. A Dask frame is computed here and stays in the memory of the cluster (`persist`). Write it to
    a file before you drop it. If a worker is lost in the meantime, Dask computes its partitions again; to exclude that,
    use `hushbit corpus --scheduler`. With Dask the privatizer is sent to the workers as its description, so it cannot
    have a device key, a budget or an audit log: TypeError says why. A budget is charged text by text here; `hushbit
    corpus --budget` charges it once for each part.

    Names and types are checked before anything is drawn. Raises TypeError for another kind of table, and
    InvalidArgumentError if the column does not exist, exists twice or is not text. Also raises the errors of
    `Privatizer.privatize`, with a note that gives the position of the row. In these cases nothing is released.
    """
    draw = partial(drawn, privatizer, threads=processors())
    kinds = {base.__module__.partition(".")[0] for base in type(frame).__mro__}
    choose = partial(_choose, column=column, keep=keep)
    if hasattr(frame, "map_partitions"):
        from hushbit.corpus.pandas_frames import privatized_dask

        return privatized_dask(frame, choose(list(frame.columns)), privatizer)
    if "pandas" in kinds and hasattr(frame, "columns"):
        from hushbit.corpus.pandas_frames import privatized_pandas

        return privatized_pandas(frame, choose(list(frame.columns)), draw)
    if "polars" in kinds and hasattr(frame, "collect_schema"):
        from hushbit.corpus.polars_frames import privatized_polars

        return privatized_polars(frame, choose(frame.collect_schema().names()), draw)
    if isinstance(frame, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        from hushbit.corpus.arrow_tables import privatized_arrow

        return privatized_arrow(frame, choose(frame.schema.names), draw)
    raise TypeError(
        f"the frame is a {type(frame).__name__}; give a data frame of pandas, polars or Dask, or a table, a record "
        "batch or a reader of Arrow. For a list or a single column there is Privatizer.privatize_many"
    )


def _choose(names: Sequence[Hashable], column: Hashable, keep: Sequence[Hashable] | None) -> Chosen:
    if isinstance(keep, str):
        raise InvalidArgumentError("keep is one str; give a list of names")
    kept = list(keep or [])
    for name in (column, *kept):
        if name not in names:
            raise InvalidArgumentError(f"the frame has no column {name}")
    if list(names).count(column) > 1:
        raise InvalidArgumentError(f"the frame has several columns {column}: rename all but one")
    places = [place for place, name in enumerate(names) if name == column or name in kept]
    return Chosen(places, places.index(list(names).index(column)), column)


def check_text(type_: pa.DataType, name: Hashable) -> None:
    """Raises InvalidArgumentError unless a column of this type holds texts, or nothing."""
    if not (is_text(type_) or pa.types.is_null(type_)):
        raise InvalidArgumentError(f"column {name}: is not text throughout")


def drawn(privatizer: Privatizer, texts: Column, name: Hashable, threads: int) -> pa.ChunkedArray:
    """The released texts of a column, which passed `check_text`. Raises the errors of `privatize`, with the row."""
    typed = texts.cast(pa.large_string()) if pa.types.is_null(texts.type) else texts
    try:
        released, _ = release(privatizer, typed, threads)
    except RowError as error:
        failure = error.cause
        failure.add_note(f"in column {name}, row {error.row} (counted from 0) of the frame or partition")
    else:
        return released
    raise failure
