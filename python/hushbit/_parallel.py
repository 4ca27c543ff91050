"""Calls into the core on all processors; the core releases the interpreter lock."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

_Item = TypeVar("_Item")
_Value = TypeVar("_Value")


@contextmanager
def in_parallel(function: Callable[[_Item], _Value], items: Sequence[_Item]) -> Iterator[Iterator[_Value]]:
    """Gives the values of `function` in the order of the items. On leaving, what has not begun is dropped."""
    from concurrent.futures import ThreadPoolExecutor  # which takes a while to import

    executor = ThreadPoolExecutor(processors())
    try:
        yield executor.map(function, items)
    finally:
        executor.shutdown(cancel_futures=True)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
