"""Memoized noise: the key of a word's keystream (docs/repetition-and-budget.md)."""

import hashlib
import hmac
import struct
from dataclasses import dataclass

from .chacha20 import SeededSource
from .tokenizer import units_of

MECHANISM_NUMBERS = {"brr": 1, "tem": 2, "crowd": 3}


@dataclass(frozen=True)
class Terms:
    """What noise depends on beside the word. The parameters are 64-bit integers."""

    device_key: bytes
    bundle_hash: bytes
    mechanism: str
    parameters: tuple[int, int]
    epoch: int


def double_bits(value: float) -> int:
    """The bits of a double; those of 0 for -0."""
    return int.from_bytes(struct.pack("<d", value + 0.0), "little")


def unknown_bytes(typed: str) -> bytes:
    """What stands for an unknown token: its units' normal forms, and as typed the units that have none."""
    return "".join(typed[u.begin : u.end] if u.form is None else u.form for u in units_of(typed)).encode()


def noise_key(terms: Terms, kind: int, word: bytes) -> bytes:
    """The key of a word of the vocabulary (kind 0), or of what stands for an unknown token (kind 1)."""
    number = MECHANISM_NUMBERS[terms.mechanism]
    head = struct.pack("<32sI2QQB", terms.bundle_hash, number, *terms.parameters, terms.epoch, kind)
    return hmac.digest(terms.device_key, b"hushbit memoized noise 1\0" + head + word, hashlib.sha256)


def source(terms: Terms, kind: int, word: bytes) -> SeededSource:
    """The keystream that a word draws from."""
    return SeededSource(noise_key(terms, kind, word), chunk=1 << 13)
