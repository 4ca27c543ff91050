"""Releases within the tools that people have: of a column of pandas or polars, in a query of DuckDB."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import hushbit
from hushbit import Bundle, Embedder, Privatizer, Reporter
from hushbit._plumbing.extras import extra
from hushbit._plumbing.parallel import processors
from hushbit.corpus.columns import Releaser
from hushbit.corpus.drawing import Draw
from hushbit.corpus.frames import require

with extra("corpus"):
    import pyarrow as pa

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import polars as pl

_DUCKDB = {Privatizer: ("privatize", "VARCHAR"), Embedder: ("embed", "UINTEGER"), Reporter: ("report", "UBIGINT")}
"""The usual name of the function of each kind of releaser, and the type of what it returns."""


class _Texts(ABC):
    """Releases the texts of a series: what is added to pandas and polars."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def privatize(self, privatizer: Privatizer | None = None) -> Any:
        """The released texts."""
        return self._checked(Privatizer, _built_in().privatizer() if privatizer is None else privatizer)

    def embed(self, embedder: Embedder | None = None) -> Any:
        """The indexes of the embeddings of the texts."""
        return self._checked(Embedder, _built_in().embedder() if embedder is None else embedder)

    def report(self, reporter: Reporter | None = None) -> Any:
        """The numbers of reports of the texts; of their words without a reporter."""
        return self._checked(Reporter, _built_in().reporter() if reporter is None else reporter)

    def _checked(self, kind: type[Releaser], releaser: Releaser) -> Any:
        require(kind, releaser)
        return self._released(releaser)

    @abstractmethod
    def _released(self, releaser: Releaser) -> Any:
        """The series of what is released."""


def register_pandas() -> None:
    """Adds `.hushbit.privatize(privatizer=None)` to series of pandas: `frame["text"].hushbit.privatize()`.

    It returns a series of type `str` with the same index and name. Likewise `.hushbit.embed(embedder=None)` returns
    indexes of embeddings, of type `UInt32`, and `.hushbit.report(reporter=None)` reports, of type `UInt64`. Without an
    argument they take the built-in bundle. Raises what `privatize`, `embed` and `report` of this package raise. Each
    call releases the texts once more.
    """
    with extra("corpus"):
        import pandas as pd

    from hushbit.corpus.pandas_frames import column_of, texts_of

    class Accessor(_Texts):
        """Releases the texts of a series."""

        def _released(self, releaser: Releaser) -> pd.Series:
            series = self._series
            released = Draw(releaser, processors())(texts_of(series, series.name), series.name)
            return pd.Series(column_of(released), index=series.index, name=series.name)

    if not hasattr(pd.Series, "hushbit"):
        pd.api.extensions.register_series_accessor("hushbit")(Accessor)


def register_polars() -> None:
    """Adds `.hushbit.privatize(privatizer=None)` to series of polars: `frame["text"].hushbit.privatize()`.

    It returns a series of strings with the same name, `.hushbit.embed(embedder=None)` one of UInt32 and
    `.hushbit.report(reporter=None)` one of UInt64, and all else is as in `register_pandas`. Expressions have none,
    since polars computes those as often as it likes.
    """
    with extra("tables"):
        import polars as pl

    from hushbit.corpus.polars_frames import series_of, texts_of

    class Namespace(_Texts):
        """Releases the texts of a series."""

        def _released(self, releaser: Releaser) -> pl.Series:
            series = self._series
            return series_of(series.name, Draw(releaser, processors())(texts_of(series, series.name), series.name))

    if not hasattr(pl.Series, "hushbit"):
        pl.api.register_series_namespace("hushbit")(Namespace)


def register_duckdb(
    connection: duckdb.DuckDBPyConnection, releaser: Releaser | None = None, *, name: str | None = None
) -> None:
    """Adds a function to a connection of DuckDB: `SELECT privatize(text) FROM reviews`.

    releaser: a privatizer, by default that of the built-in bundle; an embedder or a reporter.
    name: of the function, by default `privatize`, or `embed`, which returns UINTEGER, or `report`, which returns
        UBIGINT.

    It draws a release for each row that DuckDB computes it for; NULL stays NULL. Each query that calls it releases the
    texts once more, so write the result to a table at once: a view would be computed whenever it is read. An error of a
    row, such as an exhausted budget, ends the query with an error of DuckDB's own.
    """
    used = _built_in().privatizer() if releaser is None else releaser
    usual, type_ = _DUCKDB[type(used)]
    draw = partial(_drawn_chunk, Draw(used, threads=1))
    # Without side effects DuckDB would draw once for equal texts, and once for a constant. Where the names of the types
    # of these options are differs between versions of DuckDB; all versions take str.
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special", "side_effects": True}
    connection.create_function(name or usual, draw, ["VARCHAR"], type_, **options)


def _drawn_chunk(draw: Draw, texts: Any) -> pa.ChunkedArray:
    return draw(texts, "of the query")


@cache
def _built_in() -> Bundle:
    return hushbit.open()
