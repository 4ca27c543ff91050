"""Seeded releases, for tests and experiments only. They have NO privacy: anyone who knows the seed can undo them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hushbit import _core_testing
from hushbit._embedder import Embedder, Embedding, embedding_of
from hushbit._privatizer import Privatizer
from hushbit._reporter import Report, Reporter, report_of
from hushbit._text import PrivatizedText, encode, privatized_text
from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["SEED_BYTES", "embed", "privatize", "report", "report_value", "report_word", "reports"]

SEED_BYTES = 32
"""The length of a seed."""


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


def report(reporter: Reporter, text: str, seed: bytes) -> Report:
    """`reporter.report(text)` with the ChaCha20 keystream of `seed`, as in `privatize`. NOT private."""
    _check(seed)
    return report_of(_core_testing.report(reporter._native, encode(text), seed))


def report_value(reporter: Reporter, value: int, seed: bytes) -> Report:
    """`reporter.report_value(value)` with the ChaCha20 keystream of `seed`, as in `privatize`. NOT private."""
    _check(seed)
    return report_of(_core_testing.report_value(reporter._native, value, seed))


def report_word(reporter: Reporter, word: str, seed: bytes) -> Report:
    """`reporter.report_word(word)` with the ChaCha20 keystream of `seed`, as in `privatize`. NOT private."""
    _check(seed)
    return report_of(_core_testing.report_word(reporter._native, encode(word, "word"), seed))


def reports(reporter: Reporter, values: ArrayLike, seed: bytes) -> NDArray[np.uint64]:
    """Reports of values by their numbers, drawn one after another from one keystream: uint64 (count,). NOT private.

    This is meant for simulations: nothing is spent or logged. Raises InvalidArgumentError if there is no such value,
    and for new words, whose values depend on a group that is drawn.
    """
    import numpy as np

    _check(seed)
    if reporter.info.groups > 1:
        raise InvalidArgumentError("values of new words depend on what is drawn: report words one by one")
    return _core_testing.draw_reports(reporter._native, np.asarray(values, dtype=np.uint32), seed)


def _check(seed: bytes) -> None:
    if not isinstance(seed, bytes):
        raise TypeError(f"seed must be bytes, not {type(seed).__name__}")
    if len(seed) != SEED_BYTES:
        raise InvalidArgumentError(f"seed has {len(seed)} bytes; it must have {SEED_BYTES}")
