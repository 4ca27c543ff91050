"""The real vectors of a bundle's words."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.embeddings import Embeddings

Vectors: TypeAlias = NDArray[np.float32]
"""(words, dimensions), in the order of the words' ids."""


def vectors_of(bundle: Bundle, embeddings: Embeddings) -> Vectors:
    """The vectors of the bundle's words, in the order of their ids.

    Raises InvalidArgumentError unless the bundle was made of exactly these embeddings.
    """
    require_source(bundle, embeddings)
    return _aligned(bundle._native, embeddings)


def require_source(bundle: Bundle, embeddings: Embeddings) -> None:
    """Raises InvalidArgumentError unless the bundle was made of exactly these embeddings: their hashes are compared."""
    made_of, given = bundle.meta.get("source"), embeddings.source
    if not isinstance(made_of, dict) or "sha256" not in made_of:
        raise InvalidArgumentError("the bundle does not say from which embeddings it was made: export it again")
    if (made_of["sha256"], made_of.get("words_sha256")) != (given.sha256, given.words_sha256):
        raise InvalidArgumentError(
            f"the bundle was made of other embeddings: {made_of.get('name')} with SHA-256 {made_of['sha256'][:12]}…; "
            f"{given.name} has {given.sha256[:12]}…: give those that it was exported from"
        )


def _aligned(bundle: _core.Bundle, embeddings: Embeddings) -> Vectors:
    row_of = {word.encode(): row for row, word in enumerate(embeddings.words)}
    try:
        rows = [row_of[bundle.word(i)] for i in range(bundle.info().words)]
    except KeyError:
        raise InvalidArgumentError(
            "the bundle has words that the embeddings lack: read as many rows as in the export"
        ) from None
    return embeddings.vectors[rows]
