"""Calls the core on all processors; the core releases the interpreter lock."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

_Item = TypeVar("_Item")
_Value = TypeVar("_Value")


@contextmanager
def in_parallel(function: Callable[[_Item], _Value], items: Sequence[_Item]) -> Iterator[Iterator[_Value]]:
    """Yields the values of `function` in the order of the items. On exit, calls that have not started are canceled."""
    from concurrent.futures import ThreadPoolExecutor  # a module that takes long to import

    executor = ThreadPoolExecutor(processors())
    try:
        yield executor.map(function, items)
    finally:
        executor.shutdown(cancel_futures=True)


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
