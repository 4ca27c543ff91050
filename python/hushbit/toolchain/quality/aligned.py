"""The words of a bundle beside their vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.preprocessing import default_components, fit_preprocessing, to_unit_length
from hushbit.toolchain.embeddings import Embeddings


@dataclass(frozen=True)
class Aligned:
    """Row i of every array is word i of the bundle."""

    bundle: _core.Bundle
    words: dict[str, int]
    """Ids by word."""
    codes: NDArray[np.uint8]
    """(words, bits / 8)."""
    raw: NDArray[np.float32]
    """(words, dimensions), of length 1."""
    preprocessed: NDArray[np.float32]
    """(words, kept): without mean and largest principal components, of length 1."""
    components: int
    """How many were removed for `preprocessed`."""

    def cosines(self, pairs: NDArray[np.int64], *, preprocessed: bool = False) -> NDArray[np.float32]:
        """Of pairs (count, 2) of ids."""
        vectors = self.preprocessed if preprocessed else self.raw
        products: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        return products

    def distances(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Hamming distances of pairs (count, 2) of ids."""
        different = self.codes[pairs[:, 0]] ^ self.codes[pairs[:, 1]]
        counts: NDArray[np.int64] = np.bitwise_count(different).sum(axis=1, dtype=np.int64)
        return counts


def align(bundle: _core.Bundle, embeddings: Embeddings) -> Aligned:
    """Finds the vector of every word. Raises InvalidArgumentError if a word of the bundle has none."""
    count = bundle.info().words
    rows = np.full(count, -1, dtype=np.int64)
    words = {}
    for row, word in enumerate(embeddings.words):
        found = bundle.find(word.encode())
        if found is not None:
            rows[found] = row
            words[word] = found
    missing = int((rows < 0).sum())
    if missing > 0:
        raise InvalidArgumentError(
            f"{missing} of the {count} words of the bundle are not among the embeddings {embeddings.source.name}: "
            "name those that the bundle was made of"
        )
    vectors = embeddings.vectors[rows]
    components = default_components(vectors.shape[1])
    preprocessed = fit_preprocessing(vectors, components).apply(vectors).astype(np.float32)
    codes = bundle.codes(np.arange(count, dtype=np.uint32))
    return Aligned(bundle, words, codes, to_unit_length(vectors), to_unit_length(preprocessed), components)
