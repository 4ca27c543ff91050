"""Packages that only some commands need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hushbit.cli._failure import CommandError

_IN_EXTRA = ("scipy", "dp_accounting", "matplotlib", "faiss")


@contextmanager
def privacy_extra() -> Iterator[None]:
    """Turns the lack of a package of the extra `privacy` into a message that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing not in _IN_EXTRA:
            raise
        raise CommandError(f"this needs the package {missing}: pip install 'hushbit[privacy]'") from None
