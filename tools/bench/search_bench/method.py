"""A way to search, as the bench sees it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from search_bench.data import Codes

Distances = NDArray[np.uint32]
"""(queries,)"""


@dataclass(frozen=True)
class Run:
    """What searching some queries took."""

    microseconds: float
    """The time of a query: the median over calls, by the wall for one query a call, otherwise in processor time."""
    distances: Distances
    """The distance of the word found for each query."""
    work: dict[str, float] = field(default_factory=dict)
    """What was read, per query, if the method counts it; does not depend on the machine's load."""


class Method(Protocol):
    """A way to search a fixed vocabulary of codes, on one thread."""

    name: str
    exact: bool
    """Whether it always finds a nearest code. If so, it has one setting."""

    @property
    def settings(self) -> Sequence[str]:
        """The settings from fast to thorough."""

    def run(self, setting: str, queries: Codes, batch: int, noise: float) -> Run:
        """Searches the queries, `batch` a call, whose bits were flipped with probability `noise`."""
