"""Data frames of pandas and Dask with a column privatized."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from hushbit import Privatizer
from hushbit._parallel import processors
from hushbit.corpus.cluster import Description
from hushbit.corpus.columns import RowError, is_text, release
from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    import pandas as pd


def privatize(frame: Any, *, column: str, privatizer: Privatizer, keep: list[str] | None = None) -> Any:
    """A frame with the privatized texts of one column, and the columns of `keep`, in the order of the frame.

    frame: a data frame of pandas or Dask. It is not changed.
    column: of str; missing texts stay missing.
    keep: other columns that go along as they are; without it none does.

    The texts are released once. A frame of Dask is computed here and stays in the memory of the cluster (`persist`),
    since one that was computed anew every time it is used would draw, release and cost anew each time. Write it to a
    file before you let it go. Should a worker be lost meanwhile, Dask computes its partitions again: where that must
    not be, use `hushbit corpus --scheduler`. The privatizer travels as its description, so with Dask it has no device
    key, budget or audit log: TypeError says why. With a budget each text is spent by itself here; `hushbit corpus
    --budget` spends once a part.

    Raises InvalidArgumentError if there is no such column or it is not text, and what `Privatizer.privatize` raises,
    with a note that names the row by its place; then nothing is released.
    """
    for name in (column, *(keep or [])):
        if name not in frame.columns:
            raise InvalidArgumentError(f"the frame has no column {name}")
    wanted = [name for name in frame.columns if name == column or name in (keep or [])]
    if hasattr(frame, "map_partitions"):
        description = privatizer.__reduce__()  # says why it cannot travel before anything begins
        meta = frame._meta[wanted].astype({column: "str"})
        lazy = frame[wanted].map_partitions(_privatized_there, column, description, meta=meta)
        return lazy.persist()
    return _privatized(frame[wanted], column, privatizer, processors())


def _privatized_there(frame: pd.DataFrame, column: str, description: Description) -> pd.DataFrame:
    opened, arguments = description
    return _privatized(frame, column, opened(*arguments), 1)


def _privatized(frame: pd.DataFrame, column: str, privatizer: Privatizer, threads: int) -> pd.DataFrame:
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
