"""Columns of data frames of pandas, and of Dask, whose partitions are such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushbit._plumbing.extras import extra
from hushbit.corpus.cluster import Description
from hushbit.corpus.columns import Releaser, is_text, released_type
from hushbit.corpus.drawing import Chosen, Draw, check_text
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pandas as pd
    import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Hashable


def released_pandas(frame: pd.DataFrame, chosen: Chosen, draw: Draw) -> pd.DataFrame:
    """See `privatize`, `embed` and `report`. Columns are taken and put by place, since names may be of any kind."""
    result = frame.iloc[:, chosen.places]
    typed = texts_of(result.iloc[:, chosen.text], chosen.name)
    result = result.copy(deep=False)
    result.isetitem(chosen.text, column_of(draw(typed, chosen.name)))
    return result


def texts_of(series: pd.Series, name: Hashable) -> pa.Array | pa.ChunkedArray:
    """A column as Arrow has it; strings that are Arrow's already are not copied. Raises InvalidArgumentError."""
    try:
        typed = pa.array(series, from_pandas=True)
    except (pa.ArrowException, UnicodeEncodeError):
        typed = None
    if typed is None:
        raise InvalidArgumentError(f"column {name}: is not text throughout")
    check_text(typed.type, name)
    return typed


def column_of(released: pa.ChunkedArray) -> Any:
    """A column of pandas: numbers of `UInt32` or `UInt64`, which can be missing; texts of type `str`, without a Python
    object for each text, where that type is Arrow's."""
    if not is_text(released.type):
        numbers = pd.UInt32Dtype() if pa.types.is_uint32(released.type) else pd.UInt64Dtype()
        return numbers.__from_arrow__(released)
    dtype = pd.Series([], dtype="str").dtype
    if hasattr(dtype, "__from_arrow__"):
        return dtype.__from_arrow__(released)
    return pd.array(released.to_pandas(), dtype=object)


def released_dask(frame: Any, chosen: Chosen, releaser: Releaser) -> Any:
    """See `privatize`, `embed` and `report`."""
    description = releaser.__reduce__()  # raises TypeError, with the reason, before anything begins
    wanted = [frame.columns[place] for place in chosen.places]
    within = Chosen(list(range(len(wanted))), chosen.text, chosen.name)
    meta = frame._meta[wanted].copy()
    check_text(pa.array(meta.iloc[:, chosen.text], from_pandas=True).type, chosen.name)
    meta.isetitem(chosen.text, column_of(pa.chunked_array([], type=released_type(releaser))))
    return frame[wanted].map_partitions(_released_there, within, description, meta=meta).persist()


def _released_there(frame: pd.DataFrame, chosen: Chosen, description: Description) -> pd.DataFrame:
    opened, arguments = description
    return released_pandas(frame, chosen, Draw(opened(*arguments), threads=1))
