"""Packages that only some commands need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from hushbit.cli._shared.failure import CommandError

_IN_PRIVACY = ("scipy", "dp_accounting", "matplotlib", "faiss")
_IN_EVALUATE = (*_IN_PRIVACY, "torch", "pyarrow", "annoy", "threadpoolctl")


@contextmanager
def privacy_extra() -> Iterator[None]:
    """Turns the lack of a package of the extra `privacy` into a message that says how to get it."""
    with _extra("privacy", _IN_PRIVACY):
        yield


@contextmanager
def evaluate_extra() -> Iterator[None]:
    """The same for the extra `evaluate`, all of whose packages are looked for first: some are needed late."""
    for package in _IN_EVALUATE:
        if find_spec(package) is None:
            raise _missing("evaluate", package)
    with _extra("evaluate", _IN_EVALUATE):
        yield


@contextmanager
def _extra(name: str, packages: tuple[str, ...]) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing not in packages:
            raise
        raise _missing(name, missing) from None


def _missing(name: str, package: str) -> CommandError:
    return CommandError(f"this needs the package {package}: pip install 'hushbit[{name}]'")
