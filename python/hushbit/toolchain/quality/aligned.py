"""The output words of a bundle, which alone have codes, beside their vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.preprocessing import default_components, fit_preprocessing, to_unit_length
from hushbit.toolchain.embeddings import Embeddings


@dataclass(frozen=True)
class Aligned:
    """Row i of every array is output word i of the bundle, by id."""

    bundle: _core.Bundle
    ids: NDArray[np.uint32]
    """(rows,), ascending: of the output words in the bundle."""
    words: dict[str, int]
    """Rows by word."""
    codes: NDArray[np.uint8]
    """(rows, bits / 8)."""
    raw: NDArray[np.float32]
    """(rows, dimensions), of length 1."""
    preprocessed: NDArray[np.float32]
    """(rows, kept): without mean and largest principal components, of length 1."""
    components: int
    """The number of components that were removed for `preprocessed`."""

    def cosines(self, pairs: NDArray[np.int64], *, preprocessed: bool = False) -> NDArray[np.float32]:
        """The cosines of pairs (count, 2) of rows."""
        vectors = self.preprocessed if preprocessed else self.raw
        products: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        return products

    def distances(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Hamming distances of pairs (count, 2) of rows."""
        different = self.codes[pairs[:, 0]] ^ self.codes[pairs[:, 1]]
        counts: NDArray[np.int64] = np.bitwise_count(different).sum(axis=1, dtype=np.int64)
        return counts

    def rows(self, ids: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The rows of output words."""
        found: NDArray[np.int64] = np.searchsorted(self.ids, ids).astype(np.int64)
        return found

    def neighbors(self, code: NDArray[np.uint8], k: int) -> NDArray[np.int64]:
        """(k,): rows of the words whose codes are nearest to `code`, nearest first."""
        return self.rows(self.bundle.neighbors(code, k)[0])


def align(bundle: _core.Bundle, embeddings: Embeddings) -> Aligned:
    """Finds the vector of every output word. Raises InvalidArgumentError if one has none."""
    ids = bundle.output_words()
    row_of_id = {int(word_id): row for row, word_id in enumerate(ids)}
    places = np.full(len(ids), -1, dtype=np.int64)
    words = {}
    for place, word in enumerate(embeddings.words):
        word_id = bundle.find(word.encode())
        if word_id in row_of_id:
            words[word] = row_of_id[word_id]
            places[words[word]] = place
    missing = int((places < 0).sum())
    if missing > 0:
        raise InvalidArgumentError(
            f"{missing} of the {len(ids)} output words of the bundle are not in the embeddings "
            f"{embeddings.source.name}: give the embeddings from which the bundle was made"
        )
    vectors = embeddings.vectors[places]
    components = default_components(vectors.shape[1])
    preprocessed = fit_preprocessing(vectors, components).apply(vectors).astype(np.float32)
    return Aligned(
        bundle, ids, words, bundle.codes(ids), to_unit_length(vectors), to_unit_length(preprocessed), components
    )


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
