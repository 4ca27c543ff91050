"""What the mechanisms have in common."""

import math
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError

Ids: TypeAlias = NDArray[np.uint32]
"""Word ids; the shape is stated where the type is used."""


class Mechanism(Protocol):
    """A mechanism that replaces words. It is immutable, and any number of threads may use it at once."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    @property
    def epsilon(self) -> float:
        """The effective ε, per unit of the mechanism's distance: a differing bit, or Euclidean length 1."""

    def replace(
        self, words: Ids, *, generator: np.random.Generator | None = None, progress: Progress = no_progress
    ) -> Ids:
        """Draws a replacement for each of `words`, (count,), independently.

        Randomness comes from the operating system. `generator` replaces it in tests and experiments; such draws are NOT
        private.
        """


def require_positive(epsilon: float) -> float:
    """Checks the ε of a mechanism whose noise is undefined at 0. Raises InvalidArgumentError."""
    if not (math.isfinite(epsilon) and epsilon > 0):
        raise InvalidArgumentError(f"epsilon is {epsilon}; it must be a finite number above 0")
    return float(epsilon)


def require_ids(words: Ids, count: int) -> Ids:
    """Checks word ids against the number of words. Raises InvalidArgumentError."""
    words = np.asarray(words, dtype=np.uint32)
    if words.ndim != 1:
        raise InvalidArgumentError(f"word ids have the shape {words.shape}; expected (count,)")
    if words.size and int(words.max()) >= count:
        raise InvalidArgumentError(f"word id {int(words.max())} is out of range; there are {count} words")
    return words
