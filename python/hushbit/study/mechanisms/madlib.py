"""Madlib: multivariate Laplace noise on the vector, then the nearest word (Feyisetan et al., WSDM 2020)."""

import math

import faiss
import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtri

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids, require_ids, require_positive
from hushbit.study.mechanisms.randomness import uniforms
from hushbit.study.mechanisms.vectors import Vectors

_BLOCK = 4096
_PROBES = 16


def multivariate_laplace(
    count: int, dimensions: int, epsilon: float, generator: np.random.Generator | None = None
) -> NDArray[np.float64]:
    """Noise vectors (count, dimensions): a uniform direction times a radius that is Gamma(dimensions, 1/ε).

    Their density is proportional to e^(-ε·|z|) (section 2.6 of the paper).
    The direction is a Gaussian vector divided by its length. Without that division, or with a Laplace number for each
    coordinate, the density would be different, and the guarantee would not hold.
    """
    direction: NDArray[np.float64] = ndtri(uniforms((count, dimensions), generator))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    radius = gammaincinv(dimensions, uniforms((count, 1), generator)) / epsilon
    return np.asarray(direction * radius, dtype=np.float64)


class Madlib:
    """ε is per unit of Euclidean distance: Pr[M(w)=y] <= e^(ε·|v(w)-v(w')|) · Pr[M(w')=y].

    It is for comparison, not for release: its noise is in floating point. The nearest word is exact, except with
    `approximate`, which searches only the nearest cells of a coarse partition. That changes the outputs, not the
    guarantee, since it is post-processing of the noisy vector. So is the choice of `outputs`, the words that may come
    out, ascending; None means all. Of words with equal vectors, the one with the lowest id is returned.
    """

    def __init__(
        self, vectors: Vectors, epsilon: float, *, approximate: bool = False, outputs: Ids | None = None
    ) -> None:
        self.epsilon = require_positive(epsilon)
        self.name = "madlib (approximate)" if approximate else "madlib"
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._outputs = np.arange(len(self._vectors), dtype=np.uint32) if outputs is None else outputs
        candidates = np.ascontiguousarray(self._vectors[self._outputs])
        self._index = _approximate_index(candidates) if approximate else _exact_index(candidates)

    def noise(self, count: int, generator: np.random.Generator | None = None) -> NDArray[np.float64]:
        """Noise vectors (count, dimensions)."""
        return multivariate_laplace(count, self._vectors.shape[1], self.epsilon, generator)

    def replace(
        self, words: Ids, *, generator: np.random.Generator | None = None, progress: Progress = no_progress
    ) -> Ids:
        """Draws a replacement for each of `words`, (count,)."""
        words = require_ids(words, len(self._vectors))
        outputs = np.empty(len(words), dtype=np.uint32)
        for first in range(0, len(words), _BLOCK):
            block = self._vectors[words[first : first + _BLOCK]]
            noisy = (block + self.noise(len(block), generator)).astype(np.float32)
            outputs[first : first + len(block)] = self._outputs[self._index.search(noisy, 1)[1][:, 0]]
            progress(first + len(block), len(words), self.name)
        return outputs


def _exact_index(vectors: Vectors) -> faiss.Index:
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    return index


def _approximate_index(vectors: Vectors) -> faiss.Index:
    cells = max(1, min(len(vectors) // 39, round(4 * math.sqrt(len(vectors)))))  # faiss needs 39 vectors per cell
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(vectors.shape[1]), vectors.shape[1], cells)
    index.train(vectors)
    index.add(vectors)
    index.nprobe = _PROBES
    return index
