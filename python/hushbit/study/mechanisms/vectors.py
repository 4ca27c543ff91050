"""The real vectors of a bundle's words."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.embeddings import Embeddings
from hushbit.toolchain.quality.aligned import require_source

Vectors: TypeAlias = NDArray[np.float32]
"""Real vectors, (words, dimensions), in the order of the words' ids."""


def vectors_of(bundle: Bundle, embeddings: Embeddings) -> Vectors:
    """The vectors of the bundle's words, in the order of their ids.

    Raises InvalidArgumentError unless the bundle was made of exactly these embeddings.
    """
    require_source(bundle, embeddings)
    if bundle.meta["source"].get("extension_sha256") != embeddings.source.extension_sha256:
        raise InvalidArgumentError(
            "the bundle and the embeddings have not the same new words: give by --extend the file that the bundle was"
            " exported with (english_new_words.txt for the built-in bundle), and none if it was exported without"
        )
    return _aligned(bundle._native, embeddings)


def _aligned(bundle: _core.Bundle, embeddings: Embeddings) -> Vectors:
    row_of = {word.encode(): row for row, word in enumerate(embeddings.words)}
    try:
        rows = [row_of[bundle.word(i)] for i in range(bundle.info().words)]
    except KeyError:
        raise InvalidArgumentError(
            "the bundle has words that the embeddings lack: read as many rows as in the export"
        ) from None
    return embeddings.vectors[rows]
