"""Privatizing within the tools that people have: a column of pandas or polars, a query of DuckDB."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import hushbit
from hushbit import Privatizer
from hushbit._extras import extra
from hushbit._parallel import processors
from hushbit.corpus.frames import drawn

with extra("corpus"):
    import pyarrow as pa

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import polars as pl


def register_pandas() -> None:
    """Adds `.hushbit.privatize(privatizer=None)` to series of pandas: `frame["text"].hushbit.privatize()`.

    It returns a series of type `str` with the same index and name. Without a privatizer it takes that of the built-in
    bundle. Raises what `privatize` raises. Each call releases the texts once more.
    """
    with extra("corpus"):
        import pandas as pd

    from hushbit.corpus.pandas_frames import strings_of, texts_of

    class Accessor:
        """Privatizes the texts of a series."""

        def __init__(self, series: pd.Series) -> None:
            self._series = series

        def privatize(self, privatizer: Privatizer | None = None) -> pd.Series:
            """The released texts."""
            series = self._series
            released = drawn(privatizer or _built_in(), texts_of(series, series.name), series.name, processors())
            return pd.Series(strings_of(released), index=series.index, name=series.name)

    if not hasattr(pd.Series, "hushbit"):
        pd.api.extensions.register_series_accessor("hushbit")(Accessor)


def register_polars() -> None:
    """Adds `.hushbit.privatize(privatizer=None)` to series of polars: `frame["text"].hushbit.privatize()`.

    It returns a series of strings with the same name, and is otherwise as that of `register_pandas`. Expressions have
    none, since polars computes those as often as it likes.
    """
    with extra("tables"):
        import polars as pl

    from hushbit.corpus.polars_frames import texts_of

    class Namespace:
        """Privatizes the texts of a series."""

        def __init__(self, series: pl.Series) -> None:
            self._series = series

        def privatize(self, privatizer: Privatizer | None = None) -> pl.Series:
            """The released texts."""
            series = self._series
            released = drawn(privatizer or _built_in(), texts_of(series, series.name), series.name, processors())
            return pl.Series(series.name, pl.from_arrow(released))

    if not hasattr(pl.Series, "hushbit"):
        pl.api.register_series_namespace("hushbit")(Namespace)


def register_duckdb(
    connection: duckdb.DuckDBPyConnection, privatizer: Privatizer | None = None, *, name: str = "privatize"
) -> None:
    """Adds a function to a connection of DuckDB: `SELECT privatize(text) FROM reviews`.

    It draws a release for each row that DuckDB computes it for; NULL stays NULL. Each query that calls it releases the
    texts once more, so write the result to a table at once: a view would be computed whenever it is read. Without a
    privatizer it takes that of the built-in bundle. An error of a row, such as an exhausted budget, ends the query with
    an error of DuckDB's own.
    """
    draw = partial(_drawn_chunk, privatizer or _built_in())
    # Without side effects DuckDB would draw once for equal texts, and once for a constant. Where the names of the types
    # of these options are differs between versions of DuckDB; all versions take str.
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special", "side_effects": True}
    connection.create_function(name, draw, ["VARCHAR"], "VARCHAR", **options)


def _drawn_chunk(privatizer: Privatizer, texts: Any) -> pa.ChunkedArray:
    return drawn(privatizer, texts, "of the query", 1)


@cache
def _built_in() -> Privatizer:
    return hushbit.open().privatizer()
