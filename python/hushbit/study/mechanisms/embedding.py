"""Embeddings of whole texts, as the core releases them.

This is apart from the audit, which alone uses it, as each mechanism is, and since tests of the audit replace it.
"""

import numpy as np
from numpy.typing import NDArray

from hushbit import _core, _core_testing
from hushbit.study.mechanisms.base import Ids


class EmbeddingMechanism:
    """One public direction for a whole text, at an epsilon for all of it."""

    def __init__(self, bundle: _core.Bundle, epsilon: float) -> None:
        self.bundle = bundle
        self.embedder = _core.Embedder(bundle, epsilon=epsilon)
        self.info: _core.EmbedderInfo = self.embedder.info()

    def directions(self) -> NDArray[np.int64]:
        """The public directions, (K, d) of 1 and -1."""
        rows = self.embedder.directions().astype("<u8").view(np.uint8).reshape(-1, 8)
        return np.unpackbits(rows, axis=1, bitorder="little")[:, : self.info.dimensions].astype(np.int64) * 2 - 1

    def vectors(self, texts: list[bytes]) -> NDArray[np.int64]:
        """The vectors of texts, (texts, d)."""
        return _core.text_vectors(self.embedder, texts)

    def crowd(self, vector: NDArray[np.int64]) -> Ids:
        """The indexes of the directions nearest to a vector, (k,), nearest first."""
        return _core.text_crowd(self.embedder, vector)

    def release(self, text: bytes, seed: bytes) -> int:
        """The index of the direction that a seed gives."""
        return _core_testing.embed(self.embedder, text, seed).index

    def draw(self, text: bytes, count: int) -> Ids:
        """The indexes of fresh releases of one text, (count,), by the operating system's randomness."""
        offsets = np.arange(count + 1, dtype=np.int64) * len(text)
        indexes, error = self.embedder.embed_batch(offsets, text * count)
        if error is not None:
            raise error
        return indexes
