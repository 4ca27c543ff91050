"""Distances between words of two lists, in a mechanism's own metric: bits, or Euclidean length."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit.study.mechanisms import Brr, HammingTem, Ids, Mechanism, Vectors

Between = Callable[[Ids, Ids], NDArray[np.float32]]
"""Distances of words (a,) to words (b,): (a, b)."""

_BLOCK_NUMBERS = 1 << 22


def between_of(mechanism: Mechanism, bundle: _core.Bundle, vectors: Vectors) -> Between:
    """The distance in the metric of a mechanism's noise: on codes for BRR and for TEM over Hamming distance, else on
    vectors.
    """
    return between_codes(bundle) if isinstance(mechanism, Brr | HammingTem) else between_vectors(vectors)


def between_codes(bundle: _core.Bundle) -> Between:
    """The distance between the codes of a bundle."""

    def distances(a: Ids, b: Ids) -> NDArray[np.float32]:
        return hamming(bundle.codes(a), bundle.codes(b))

    return distances


def between_vectors(vectors: Vectors) -> Between:
    """The distance between real vectors."""
    centered = vectors - vectors.mean(axis=0)

    def distances(a: Ids, b: Ids) -> NDArray[np.float32]:
        return euclidean(centered[a], centered[b])

    return distances


def hamming(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Hamming distances, (a, b), between codes (a, bits / 8) and (b, bits / 8)."""
    left, right = a.view(np.uint64), np.ascontiguousarray(b.view(np.uint64).T)
    found = np.zeros((len(a), len(b)), dtype=np.float32)
    size = max(1, _BLOCK_NUMBERS // max(1, len(b)))
    for first in range(0, len(a), size):
        for part in range(left.shape[1]):
            found[first : first + size] += np.bitwise_count(left[first : first + size, part, None] ^ right[part])
    return found


def euclidean(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """Euclidean distances, (a, b), between points (a, dimensions) and (b, dimensions)."""
    squares = np.einsum("ij,ij->i", a, a)[:, None] + np.einsum("ij,ij->i", b, b) - 2 * (a @ b.T)
    return np.asarray(np.sqrt(np.maximum(squares, 0, out=squares), out=squares))
