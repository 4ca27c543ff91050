"""Seeded privatizing, for tests and experiments only. It has NO privacy: anyone who knows the seed can undo it."""

from __future__ import annotations

from hushbit import _core_testing
from hushbit._privatizer import Privatizer
from hushbit._text import PrivatizedText, encode, privatized_text
from hushbit.errors import InvalidArgumentError

__all__ = ["SEED_BYTES", "privatize"]

SEED_BYTES = 32


def privatize(privatizer: Privatizer, text: str, seed: bytes) -> PrivatizedText:
    """`privatizer.privatize(text)` with the ChaCha20 keystream of `seed` instead of fresh randomness. NOT private.

    `seed` is 32 bytes. Every call starts its stream from the beginning, so equal arguments give equal results. Raises
    what `Privatizer.privatize` raises.
    """
    if not isinstance(seed, bytes):
        raise TypeError(f"seed must be bytes, not {type(seed).__name__}")
    if len(seed) != SEED_BYTES:
        raise InvalidArgumentError(f"seed has {len(seed)} bytes; it must have {SEED_BYTES}")
    return privatized_text(_core_testing.privatize(privatizer._native, encode(text), seed))
