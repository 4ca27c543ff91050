"""Privatizes one column of a pandas or Dask data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushbit import Privatizer
from hushbit._extras import extra
from hushbit._parallel import processors
from hushbit.corpus.cluster import Description
from hushbit.corpus.columns import RowError, is_text, release
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd


def privatize(frame: Any, *, column: str, privatizer: Privatizer, keep: list[str] | None = None) -> Any:
    """Returns a frame with the privatized texts of one column, and the kept columns, in the order of the input.

    frame: a pandas or Dask data frame. It is not changed.
    column: the name of a column of str. Missing texts stay missing.
    keep: the names of columns to copy unchanged. By default no other column is copied.

    The texts are released once. A Dask frame is computed here and stays in the memory of the cluster (`persist`),
    because a lazy frame would draw new noise, and cost again, each time it is used. Write it to a file before you drop
    it. If a worker is lost in the meantime, Dask computes its partitions again; to exclude that, use `hushbit corpus
    --scheduler`. With Dask the privatizer is sent to the workers as its description, so it cannot have a device key, a
    budget or an audit log: TypeError says why. A budget is charged text by text here; `hushbit corpus --budget` charges
    it once for each part.

    Raises InvalidArgumentError if the column does not exist or is not text. Also raises the errors of
    `Privatizer.privatize`, with a note that gives the position of the row. In both cases nothing is released.
    """
    for name in (column, *(keep or [])):
        if name not in frame.columns:
            raise InvalidArgumentError(f"the frame has no column {name}")
    wanted = [name for name in frame.columns if name == column or name in (keep or [])]
    if hasattr(frame, "map_partitions"):
        description = privatizer.__reduce__()  # raises TypeError, with the reason, before anything begins
        meta = frame._meta[wanted].astype({column: "str"})
        lazy = frame[wanted].map_partitions(_privatized_there, column, description, meta=meta)
        return lazy.persist()
    return _privatized(frame[wanted], column, privatizer, processors())


def _privatized_there(frame: pd.DataFrame, column: str, description: Description) -> pd.DataFrame:
    opened, arguments = description
    return _privatized(frame, column, opened(*arguments), 1)


def _privatized(frame: pd.DataFrame, column: str, privatizer: Privatizer, threads: int) -> pd.DataFrame:
    with extra("corpus"):
        import pandas as pd

    texts = frame[column]
    try:
        typed = pa.array(texts, from_pandas=True)
    except (pa.ArrowException, UnicodeEncodeError):
        typed = None
    if typed is not None and pa.types.is_null(typed.type):
        typed = typed.cast(pa.large_string())
    if typed is None or not is_text(typed.type):
        raise InvalidArgumentError(f"column {column}: is not text throughout")
    try:
        released, _ = release(privatizer, typed, threads)
    except RowError as error:
        failure = error.cause
        failure.add_note(f"in column {column}, row {error.row} (counted from 0) of the frame or partition")
    else:
        strings = pd.Series(released.to_pandas(), dtype="str").set_axis(frame.index)
        return frame.assign(**{column: strings})
    raise failure
