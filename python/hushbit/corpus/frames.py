"""Releases one column of a table: of pandas, polars, Arrow or Dask. The same kind of table comes back."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from hushbit import Embedder, Privatizer, Reporter
from hushbit._plumbing.extras import extra
from hushbit._plumbing.parallel import processors
from hushbit.corpus.columns import Releaser
from hushbit.corpus.drawing import Chosen, Draw, check_text
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pyarrow as pa

Arrow: TypeAlias = "pa.Table | pa.RecordBatch | pa.RecordBatchReader"


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
    require(Privatizer, privatizer)
    return _released(frame, privatizer, column, keep)


def embed(frame: Any, embedder: Embedder, *, column: Hashable, keep: Sequence[Hashable] | None = None) -> Any:
    """Returns a table with the index of the embedding of each text in place of the column of texts.

    The indexes are uint32, in pandas and Dask the nullable `UInt32`. Each text costs one epsilon of the embedder,
    whatever its length; a missing text stays missing and costs nothing. All else is as in `privatize`, with the errors
    of `Embedder.embed`.
    """
    require(Embedder, embedder)
    return _released(frame, embedder, column, keep)


def report(frame: Any, reporter: Reporter, *, column: Hashable, keep: Sequence[Hashable] | None = None) -> Any:
    """Returns a table with the number of a report of each text in place of the column of texts.

    The numbers are uint64, in pandas and Dask the nullable `UInt64`. Each text costs one epsilon of the reporter,
    whatever its length; a missing text stays missing and costs nothing. All else is as in `privatize`, with the errors
    of `Reporter.report`.
    """
    require(Reporter, reporter)
    return _released(frame, reporter, column, keep)


def require(kind: type[Releaser], releaser: object) -> None:
    """Raises TypeError unless it is of this kind, so that nothing is released in another form than was asked for."""
    if not isinstance(releaser, kind):
        name = kind.__name__.lower()
        raise TypeError(f"the {name} is of type {type(releaser).__name__}; give what Bundle.{name} returns")


def _released(frame: Any, releaser: Releaser, column: Hashable, keep: Sequence[Hashable] | None) -> Any:
    kind = kind_of(frame)
    if kind is None:
        raise TypeError(
            f"the frame is a {type(frame).__name__}; give {TABLES}. For a list or a single column there are "
            "Privatizer.privatize_many, Embedder.embed_indexes and Reporter.report_many"
        )
    draw = Draw(releaser, processors())
    chosen = choose(frame, kind, column, keep)
    if kind == "dask":
        from hushbit.corpus.pandas_frames import released_dask

        return released_dask(frame, chosen, releaser)
    if kind == "pandas":
        from hushbit.corpus.pandas_frames import released_pandas

        return released_pandas(frame, chosen, draw)
    if kind == "polars":
        from hushbit.corpus.polars_frames import released_polars

        return released_polars(frame, chosen, draw)
    return _released_arrow(frame, chosen, draw)


def _released_arrow(table: Arrow, chosen: Chosen, draw: Draw) -> Arrow:
    """Releases a column of a table, a record batch or a reader of Arrow. A reader draws each batch when it is read."""
    fields = [table.schema.field(place) for place in chosen.places]
    check_text(fields[chosen.text].type, chosen.name)
    fields[chosen.text] = pa.field(fields[chosen.text].name, draw.type)
    schema = pa.schema(fields, metadata=table.schema.metadata)

    def released(part: pa.Table) -> pa.Table:
        columns = [part.column(place) for place in chosen.places]
        columns[chosen.text] = draw(columns[chosen.text], chosen.name)
        return pa.table(columns, schema=schema)

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in table:
            yield from released(pa.Table.from_batches([batch])).combine_chunks().to_batches()

    if isinstance(table, pa.Table):
        return released(table)
    if isinstance(table, pa.RecordBatch):
        whole = released(pa.Table.from_batches([table])).combine_chunks().to_batches()
        return whole[0] if whole else pa.RecordBatch.from_pylist([], schema=schema)
    return pa.RecordBatchReader.from_batches(schema, batches())


TABLES = "a data frame of pandas, polars or Dask, or a table, a record batch or a reader of Arrow"


def kind_of(frame: Any) -> Literal["dask", "pandas", "polars", "arrow"] | None:
    """The package whose table it is, or None for anything else."""
    kinds = {base.__module__.partition(".")[0] for base in type(frame).__mro__}
    if hasattr(frame, "map_partitions"):
        return "dask"
    if "pandas" in kinds and hasattr(frame, "columns"):
        return "pandas"
    if "polars" in kinds and hasattr(frame, "collect_schema"):
        return "polars"
    return "arrow" if isinstance(frame, pa.Table | pa.RecordBatch | pa.RecordBatchReader) else None


def choose(frame: Any, kind: str, column: Hashable, keep: Sequence[Hashable] | None = None) -> Chosen:
    """Raises InvalidArgumentError for names that the frame does not have, or has twice."""
    if kind == "polars":
        return _choose(frame.collect_schema().names(), column, keep)
    return _choose(frame.schema.names if kind == "arrow" else list(frame.columns), column, keep)


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
