"""The section `embedding`: what makes the vectors of texts (docs/bundle-format.md).

This is apart from `toolchain.embedding`, which knows no crowds, so that packages import each other in one direction.
"""

import struct

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain.crowds import Crowds
from hushbit.toolchain.defaults import EMBEDDING_DIRECTIONS
from hushbit.toolchain.embedding import embedding_of

_HEADER = struct.Struct("<IIQ48x")
_FIRST_RANKS = 10  # how often the output word of rank r = 0, 1, … is typed, by the law of Zipf: 1 / (r + 10)


def encode_embedding(
    codes: NDArray[np.uint8], ranks: NDArray[np.intp], crowds: Crowds | None, dimensions: int, seed: int
) -> bytes:
    """The section for the codes of output words (Y, bits / 8).

    `ranks` (N,) are the frequency ranks of all words, the most frequent first. How often an output word is typed is
    taken from its rank among output words alone: to count the words that it stands for, too, made classifiers worse.
    `seed` is the seed of the directions.
    """
    outputs = ranks if crowds is None else ranks[crowds.outputs]
    typed = 1 / (outputs.argsort().argsort() + float(_FIRST_RANKS))
    matrix, weights = embedding_of(codes, typed, dimensions)
    head = _HEADER.pack(dimensions, EMBEDDING_DIRECTIONS, seed)
    return head + matrix.astype("<i2").tobytes() + weights.astype(np.uint8).tobytes()
