"""Seeded privatizing, for tests and experiments only. It has NO privacy: anyone who knows the seed can undo it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hushbit import _core_testing
from hushbit._embedder import Embedder, Embedding, embedding_of
from hushbit._privatizer import Privatizer
from hushbit._text import PrivatizedText, encode, privatized_text
from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SEED_BYTES", "embed", "privatize", "vectors"]

SEED_BYTES = 32


def privatize(privatizer: Privatizer, text: str, seed: bytes) -> PrivatizedText:
    """`privatizer.privatize(text)` with the ChaCha20 keystream of `seed` instead of fresh randomness. NOT private.

    `seed` is 32 bytes. Every call starts its stream from the beginning, so equal arguments give equal results. Raises
    what `Privatizer.privatize` raises.
    """
    _check(seed)
    return privatized_text(_core_testing.privatize(privatizer._native, encode(text), seed))


def embed(embedder: Embedder, text: str, seed: bytes) -> Embedding:
    """`embedder.embed(text)` with the ChaCha20 keystream of `seed`, as in `privatize`. NOT private."""
    _check(seed)
    return embedding_of(_core_testing.embed(embedder._native, encode(text), seed))


def vectors(embedder: Embedder, texts: Iterable[str]) -> NDArray[np.int64]:
    """The vectors of texts as typed: int64 (texts, d). NOT private: for public texts, and to check what is learned.

    Only the direction of a vector counts for an embedding. Raises what `Embedder.embed` raises.
    """
    return _core_testing.text_vectors(embedder._native, [encode(text) for text in texts])


def _check(seed: bytes) -> None:
    if not isinstance(seed, bytes):
        raise TypeError(f"seed must be bytes, not {type(seed).__name__}")
    if len(seed) != SEED_BYTES:
        raise InvalidArgumentError(f"seed has {len(seed)} bytes; it must have {SEED_BYTES}")
