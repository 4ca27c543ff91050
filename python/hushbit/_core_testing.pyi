"""Seeded randomness and analysis, as python/src/testing.cpp binds hushbit/testing.h, for tests, study and toolchain.

`hushbit._core`, which privatizes text for apps, contains none of it. Anyone who knows a seed can undo what was
privatized with it. A `seed` has 32 bytes; None means the operating system's randomness. Failures, threads and the
interpreter lock are as in `_core`.
"""

import numpy as np
from numpy.typing import NDArray

from hushbit._core import Budget, Bundle, Embedder, Embedding, Privatizer, Report, Reporter, Result

class SeededResult(Result):
    """A result that keeps its noisy codes, uint8 (count, bits / 8), in the order of the tokens that were noised."""

    noisy_codes: NDArray[np.uint8]

def privatize(privatizer: Privatizer, text: bytes, seed: bytes | None) -> SeededResult:
    """`privatizer.privatize(text)` with a seed. NOT private."""

def replace(privatizer: Privatizer, words: NDArray[np.uint32], seed: bytes | None = None) -> NDArray[np.uint32]:
    """The mechanism without text: ids in, ids out, (count,)."""

def is_public(bundle: Bundle, words: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """(words,): which are released as typed."""

def keystream(seed: bytes, offset: int, size: int) -> bytes:
    """Bytes of the ChaCha20 keystream from which `privatize` draws."""

def set_clock(budget: Budget, seconds: int) -> None:
    """Sets the budget's clock to seconds since 1970; -1 restores the system's clock."""

def weights(privatizer: Privatizer) -> NDArray[np.uint64]:
    """The weights of TEM, uint64 (bits + 1,); InvalidArgumentError for other mechanisms."""

def crowd(privatizer: Privatizer, word: int) -> NDArray[np.uint32]:
    """uint32 (members, 3): id, share and weight of each word in the crowd of a word, in order."""

def output_weights(privatizer: Privatizer) -> NDArray[np.uint32]:
    """The weights with which crowds draw words as noise, uint32 (words,); 0 for words that are not output words."""

def distance_counts(bundle: Bundle, codes: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """For uint8 (count, bits / 8): the number of output words at each distance, uint32 (count, bits + 1)."""

def nearest(
    bundle: Bundle, codes: NDArray[np.uint8], search: str = "auto", expected_flips: float | None = None
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    """`bundle.nearest(codes)` with the search auto, rows, cluster or mih; the answers are the same.

    auto chooses by `expected_flips`, the expected number of bits in which codes differ from those of their words, if it
    is known.
    """

class SearchWork:
    """`hushbit_search_work`, field by field: sums over the queries."""

    rows: int
    clusters: int
    tiles: int
    planes: int
    lookups: int
    entries: int
    blocks: int
    fallbacks: int

def search_work(bundle: Bundle, codes: NDArray[np.uint8], search: str) -> SearchWork:
    """What `nearest` reads for the same codes."""

def embed(embedder: Embedder, text: bytes, seed: bytes | None) -> Embedding:
    """`embedder.embed(text)` with a seed. NOT private."""

def text_vectors(embedder: Embedder, texts: list[bytes]) -> NDArray[np.int64]:
    """int64 (len(texts), d): the vectors of texts as typed. NOT private."""

def embed_vector(embedder: Embedder, numbers: NDArray[np.float32], seed: bytes | None) -> Embedding:
    """`embedder.embed_vector(numbers)` with a seed. NOT private."""

def project(embedder: Embedder, rows: NDArray[np.float32]) -> NDArray[np.int64]:
    """int64 (len(rows), d): what a projection makes of vectors, float32 (count, n). NOT private."""

def draw_directions(
    embedder: Embedder, vector: NDArray[np.int64], count: int, seed: bytes | None = None
) -> NDArray[np.uint32]:
    """uint32 (count,): directions drawn for one vector, int64 (d,), as for a text."""

def text_crowd(embedder: Embedder, vector: NDArray[np.int64]) -> NDArray[np.uint32]:
    """uint32 (k,): the crowd of a vector, int64 (d,), the largest inner product first."""

def report(reporter: Reporter, text: bytes, seed: bytes | None) -> Report:
    """`reporter.report(text)` with a seed. NOT private."""

def report_value(reporter: Reporter, value: int, seed: bytes | None) -> Report:
    """`reporter.report_value(value)` with a seed. NOT private."""

def report_word(reporter: Reporter, word: bytes, seed: bytes | None) -> Report:
    """`reporter.report_word(word)` with a seed. NOT private."""

def draw_reports(reporter: Reporter, values: NDArray[np.uint32], seed: bytes | None = None) -> NDArray[np.uint64]:
    """The mechanism without budget and log: a report of each value, uint64 (count,); of new words, in the group 0."""
