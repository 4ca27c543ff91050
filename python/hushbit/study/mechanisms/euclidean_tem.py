"""The truncated exponential mechanism on Euclidean distance, Madlib's own metric."""

import numpy as np
from numpy.typing import NDArray

from hushbit._options import DEFAULTS
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.distance_tem import DistanceTem
from hushbit.study.mechanisms.vectors import Vectors


class EuclideanTem(DistanceTem):
    """TEM on the distances of real vectors, which are computed as they are needed."""

    name = "tem (euclidean)"

    def __init__(self, vectors: Vectors, epsilon: float, beta: float = DEFAULTS.beta) -> None:
        super().__init__(len(vectors), epsilon, beta)
        # Distances do not depend on the origin, and rounding is smallest around the mean.
        self._vectors = np.ascontiguousarray(vectors - vectors.mean(axis=0), dtype=np.float32)
        self._squares = np.einsum("ij,ij->i", self._vectors, self._vectors)

    def distances(self, words: Ids) -> NDArray[np.float32]:
        """Distances of each of `words` from every word, (len(words), |W|)."""
        squares = self._squares[words, None] + self._squares - 2 * (self._vectors[words] @ self._vectors.T)
        squares[np.arange(len(words)), words] = 0
        return np.asarray(np.sqrt(np.maximum(squares, 0, out=squares), out=squares))
