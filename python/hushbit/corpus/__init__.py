"""Corpora: files and data frames of texts that are released once.

`privatize`, `embed` and `report` are for tables of pandas, polars, Arrow and Dask, `PrivatizeTransformer` for
scikit-learn, and `hushbit corpus` for files. `register_pandas`, `register_polars` and `register_duckdb` add functions
to these. The extra `corpus` brings what they need; polars and DuckDB are of the extra `tables`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushbit.corpus.engines import register_duckdb, register_pandas, register_polars
    from hushbit.corpus.frames import embed, privatize, report
    from hushbit.corpus.transformer import PrivatizeTransformer

__all__ = [
    "PrivatizeTransformer",
    "embed",
    "privatize",
    "register_duckdb",
    "register_pandas",
    "register_polars",
    "report",
]

_HOMES = {
    "PrivatizeTransformer": "transformer",
    "embed": "frames",
    "privatize": "frames",
    "register_duckdb": "engines",
    "register_pandas": "engines",
    "register_polars": "engines",
    "report": "frames",
}


def __getattr__(name: str) -> Any:
    """Imports what needs scikit-learn or pyarrow on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hushbit.corpus.{_HOMES[name]}"), name)
