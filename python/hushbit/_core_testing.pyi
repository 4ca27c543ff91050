"""Seeded randomness, as python/src/testing.cpp binds hushbit/testing.h, for tests and experiments.

`hushbit._core`, which privatizes text for apps, contains none of it. Anyone who knows a seed can undo what was
privatized with it. A `seed` has 32 bytes; None means the operating system's randomness. Failures, threads and the
interpreter lock are as in `_core`.
"""

import numpy as np
from numpy.typing import NDArray

from hushbit._core import Budget, Embedder, Embedding, Privatizer, Report, Reporter, Result

class SeededResult(Result):
    """A result that keeps its noisy codes, uint8 (count, bits / 8), in the order of the tokens that were noised."""

    noisy_codes: NDArray[np.uint8]

def privatize(privatizer: Privatizer, text: bytes, seed: bytes | None) -> SeededResult:
    """`privatizer.privatize(text)` with a seed. NOT private."""

def replace(privatizer: Privatizer, words: NDArray[np.uint32], seed: bytes | None = None) -> NDArray[np.uint32]:
    """The mechanism without text: ids in, ids out, (count,)."""

def keystream(seed: bytes, offset: int, size: int) -> bytes:
    """Bytes of the ChaCha20 keystream from which `privatize` draws."""

def set_clock(budget: Budget, seconds: int) -> None:
    """Sets the budget's clock to seconds since 1970; -1 restores the system's clock."""

def embed(embedder: Embedder, text: bytes, seed: bytes | None) -> Embedding:
    """`embedder.embed(text)` with a seed. NOT private."""

def embed_vector(embedder: Embedder, numbers: NDArray[np.float32], seed: bytes | None) -> Embedding:
    """`embedder.embed_vector(numbers)` with a seed. NOT private."""

def draw_directions(
    embedder: Embedder, vector: NDArray[np.int64], count: int, seed: bytes | None = None
) -> NDArray[np.uint32]:
    """uint32 (count,): directions drawn for one vector, int64 (d,), as for a text."""

def report(reporter: Reporter, text: bytes, seed: bytes | None) -> Report:
    """`reporter.report(text)` with a seed. NOT private."""

def report_value(reporter: Reporter, value: int, seed: bytes | None) -> Report:
    """`reporter.report_value(value)` with a seed. NOT private."""

def report_word(reporter: Reporter, word: bytes, seed: bytes | None) -> Report:
    """`reporter.report_word(word)` with a seed. NOT private."""

def draw_reports(reporter: Reporter, values: NDArray[np.uint32], seed: bytes | None = None) -> NDArray[np.uint64]:
    """The mechanism without budget and log: a report of each value, uint64 (count,); of new words, in the group 0."""
