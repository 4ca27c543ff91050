"""Embeddings: a whole text in, one public direction out (docs/bundle-format.md, docs/proofs.md)."""

import hashlib
import hmac
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import crowd, memo
from .brr import Source, uniform_index
from .bundle_file import BundleFile
from .chacha20 import SeededSource, keystream
from .embedding_section import EmbeddingTables
from .millionths import at_most_as_stated
from .privatizer import Punctuation
from .projection import Projection
from .tokenizer import Token, Tokenizer

MOST_WORDS = 1 << 24
_MECHANISM = 4
_ANGLES = 400_001


def directions(dimensions: int, count: int, seed: int) -> NDArray[np.int64]:
    """The public directions: (K, d) of 1 and -1."""
    key = hashlib.sha256(b"hushbit directions 1\0" + struct.pack("<IIQ", dimensions, count, seed)).digest()
    stream = np.frombuffer(keystream(key, 0, count * dimensions // 8), dtype=np.uint8)
    return np.unpackbits(stream, bitorder="little").reshape(count, dimensions).astype(np.int64) * 2 - 1


def crowd_size(dimensions: int, count: int, epsilon: float) -> int:
    """k: the share of the directions at which the released one points best along a vector, by numeric integration.

    E f T(f) / (1 + E f) is largest, E = e^epsilon - 1, T(f) the mean inner product with the f nearest directions of the
    sphere; the epsilon is the nearest quarter, at most 12, and f is rounded to a multiple of 2^-16.
    """
    epsilon = min(np.floor(epsilon * 4 + 0.5), 48) / 4
    if epsilon == 0:
        share = 0.5
    else:
        angles = np.linspace(0, np.pi / 2, _ANGLES)
        density = np.sin(angles) ** (dimensions - 2)
        within = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
        shares = within / (2 * within[-1])
        gain = np.sin(angles) ** (dimensions - 1) / (1 + np.expm1(epsilon) * shares)
        share = float(shares[1:][np.argmax(gain[1:])])
    units = round(share * 65536)
    return max((units * count + 32768) >> 16, 1)


@dataclass(frozen=True)
class Released:
    """What one call released."""

    index: int
    signs: int
    epsilon: float


class Embedder:
    """Embeds the texts of a bundle at `epsilon`, with the policies of the C interface."""

    def __init__(
        self,
        bundle: BundleFile,
        epsilon: float,
        punctuation: Punctuation = "drop",
        device_key: bytes | None = None,
        epoch: int = 0,
    ) -> None:
        if bundle.embedding is None:
            raise ValueError("the bundle has no embedding")
        self._bundle = bundle
        self.tables: EmbeddingTables = bundle.embedding
        self._punctuation = punctuation
        self._device_key = device_key
        self._epoch = epoch
        self._tokenizer = Tokenizer(bundle.ids, bundle.max_word_bytes, bundle.long_numbers)
        self._set_up(self.tables.dimensions, self.tables.directions, self.tables.seed, epsilon)

    def _set_up(self, dimensions: int, count: int, seed: int, epsilon: float) -> None:
        epsilon += 0.0  # which makes 0 of -0
        self.size = crowd_size(dimensions, count, epsilon)
        self.threshold = crowd.threshold(at_most_as_stated(epsilon), self.size, count)
        self.epsilon = min(epsilon, crowd.epsilon_of(self.threshold, self.size, count))
        self.directions = directions(dimensions, count, seed)

    def tokens(self, text: str) -> list[Token]:
        """The tokens that count."""
        return [
            token
            for token in self._tokenizer.tokenize(text)
            if token.kind != "punctuation" or self._punctuation == "privatize"
        ]

    def vector(self, text: str) -> list[int]:
        """v, as Python's integers."""
        bits = np.unpackbits(self._bundle.codes, axis=1, bitorder="little").astype(np.int64) * 2 - 1
        sums = np.zeros(self._bundle.bits, dtype=object)
        for token in self.tokens(text):
            if token.form is not None:
                index = self._bundle.tables.standins[self._bundle.ids[token.form.encode()]]
                sums = sums + self.tables.weights[index] * bits[index].astype(object)
        return [int(value) for value in np.array(self.tables.matrix).astype(object) @ sums]

    def crowd(self, vector: list[int]) -> list[int]:
        """The directions by inner product, the largest first, ties by index: the first k are the crowd."""
        scores = self.directions.astype(object) @ np.array(vector, dtype=object)
        return sorted(range(len(scores)), key=lambda index: (-scores[index], index))

    def _key(self, text: str) -> bytes:
        """The key of the keystream of a memoized text."""
        tokens = b"".join(
            b"\1" + memo.unknown_bytes(text[token.begin : token.end]) + b"\xff"
            if token.form is None
            else b"\0" + token.form.encode() + b"\xff"
            for token in self.tokens(text)
        )
        return self._memo_key(self._bundle.hash, tokens)

    def _memo_key(self, hash_: bytes, typed: bytes) -> bytes:
        assert self._device_key is not None
        head = struct.pack("<32sI2QQ", hash_, _MECHANISM, self.threshold, self.size, self._epoch)
        return hmac.digest(self._device_key, b"hushbit memoized text 1\0" + head + typed, hashlib.sha256)

    def embed(self, text: str, source: Source | None) -> Released:
        """The embedding of a text. No source is needed with a device key."""
        drawn_from = source if self._device_key is None else SeededSource(self._key(text), chunk=1 << 13)
        assert drawn_from is not None
        return self.draw(self.vector(text), drawn_from)

    def draw(self, vector: list[int], source: Source) -> Released:
        """A direction for a vector."""
        coin, of_crowd, of_all = struct.unpack("<3Q", source.take(24))
        rank = uniform_index(of_crowd, self.size, source)
        index = uniform_index(of_all, len(self.directions), source)
        if any(vector) and coin < self.threshold:
            index = self.crowd(vector)[rank]
        signs = sum(1 << i for i, sign in enumerate(self.directions[index]) if sign > 0)
        return Released(index, signs, self.epsilon)


class VectorEmbedder(Embedder):
    """Embeds vectors of a caller's own by a projection."""

    def __init__(self, projection: Projection, epsilon: float, device_key: bytes | None = None, epoch: int = 0) -> None:
        self._projection = projection
        self._device_key = device_key
        self._epoch = epoch
        self._set_up(projection.dimensions, projection.directions, projection.seed, epsilon)

    def embed_vector(self, numbers: list[float], source: Source | None) -> Released:
        """The embedding of a vector. It needs no source with a device key. Raises ValueError for an infinite number."""
        quantized = self._projection.quantized(numbers)
        if self._device_key is not None:
            integers = struct.pack(f"<{len(quantized)}i", *quantized)
            source = SeededSource(self._memo_key(self._projection.hash, b"\2" + integers), chunk=1 << 13)
        assert source is not None
        return self.draw(self._projection.vector(quantized), source)
