"""Corpora: files and data frames of texts, privatized once, and what can be learned from what was released.

`privatize` is for data frames, `PrivatizeTransformer` for scikit-learn, `hushbit corpus` for files, `estimate` for
counts of words behind released ones. Needs `pip install 'hushbit[corpus]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushbit.corpus.frames import privatize
    from hushbit.corpus.transformer import PrivatizeTransformer

__all__ = ["PrivatizeTransformer", "privatize"]

_HOMES = {"privatize": "frames", "PrivatizeTransformer": "transformer"}


def __getattr__(name: str) -> Any:
    """What needs scikit-learn or pyarrow is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hushbit.corpus.{_HOMES[name]}"), name)
