"""Corpora: files and data frames of texts that are privatized once, and estimates from released text.

`privatize` is for data frames, `PrivatizeTransformer` for scikit-learn, and `hushbit corpus` for files. `estimate`
estimates counts of typed words from released words. The extra `corpus` brings what they need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushbit.corpus.frames import privatize
    from hushbit.corpus.transformer import PrivatizeTransformer

__all__ = ["PrivatizeTransformer", "privatize"]

_HOMES = {"privatize": "frames", "PrivatizeTransformer": "transformer"}


def __getattr__(name: str) -> Any:
    """Imports what needs scikit-learn or pyarrow on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hushbit.corpus.{_HOMES[name]}"), name)
