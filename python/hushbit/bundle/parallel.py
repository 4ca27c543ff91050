"""Calls into the core on all processors; the core releases the interpreter lock."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Value = TypeVar("_Value")


def map_in_order(function: Callable[[_Item], _Value], items: Sequence[_Item]) -> Iterator[_Value]:
    """The values of `function` in the order of the items. An error or interrupt drops what has not begun."""
    executor = ThreadPoolExecutor(processors())
    try:
        yield from executor.map(function, items)
    finally:
        executor.shutdown(cancel_futures=True)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
