"""What is searched: codes of real words, and queries with noise like that of a privatized word."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain import binarize
from hushbit.toolchain.embeddings import Embeddings, read_embeddings

SOURCE = "glove-6b-50d"
Codes = NDArray[np.uint8]
"""(count, bits / 8)"""


@dataclass(frozen=True)
class Setup:
    """A vocabulary of codes."""

    bits: int
    words: int

    def __str__(self) -> str:
        return f"{self.bits} bits, {self.words:,} words"


@cache
def _embeddings() -> Embeddings:
    return read_embeddings(SOURCE)


def codes_of(setup: Setup) -> Codes:
    """Codes of the most frequent words, in the order of a bundle: sorted by the bytes of the words."""
    embeddings = _embeddings()
    order = sorted(range(setup.words), key=lambda i: embeddings.words[i].encode())
    vectors = embeddings.vectors[: setup.words]
    binarizer = binarize.fit("projection", vectors, bits=setup.bits, seed=0)
    return binarize.encode(binarizer, vectors[order])


def queries_of(codes: Codes, noise: float, count: int) -> Codes:
    """Codes of words drawn uniformly, each bit flipped with probability `noise`. The same every time."""
    generator = np.random.Generator(np.random.PCG64(round(noise * 1000)))
    words = generator.integers(len(codes), size=count)
    flips = generator.random((count, codes.shape[1] * 8)) < noise
    return codes[words] ^ np.packbits(flips, axis=1, bitorder="little")
