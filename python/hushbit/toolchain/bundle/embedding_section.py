"""The section `embedding`: what makes the vectors of texts (docs/bundle-format.md)."""

import struct

import numpy as np
from numpy.typing import NDArray

from hushbit._options import EMBEDDING_DIRECTIONS
from hushbit.toolchain.crowds import Crowds
from hushbit.toolchain.embedding import embedding_of

_HEADER = struct.Struct("<IIQ48x")
_MANDELBROT = 2.7  # how often a word of rank r is typed, by the law of Zipf and Mandelbrot: 1 / (r + 2.7)


def encode_embedding(
    codes: NDArray[np.uint8], ranks: NDArray[np.intp], crowds: Crowds | None, dimensions: int, seed: int
) -> bytes:
    """The section for the codes of output words (Y, bits / 8).

    `ranks` (N,) are the frequency ranks of all words, the most frequent first. A word that is no output word is typed
    for its stand-in. `seed` is that of the directions.
    """
    typed = 1 / (ranks.argsort().argsort() + 1 + _MANDELBROT)
    if crowds is not None:
        typed = np.bincount(crowds.standins, weights=typed, minlength=len(codes)).astype(np.float64)
    matrix, weights = embedding_of(codes, typed, dimensions)
    head = _HEADER.pack(dimensions, EMBEDDING_DIRECTIONS, seed)
    return head + matrix.astype("<i2").tobytes() + weights.astype(np.uint8).tobytes()
