"""Madlib with Annoy's approximate search, as in the papers."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushbit.study.mechanisms import Ids, Vectors

if TYPE_CHECKING:
    pass

TREES = 50


class AnnoySearch:
    """An index of vectors (words, dimensions). The same seed builds the same index."""

    def __init__(self, vectors: Vectors, seed: int = 0) -> None:
        from annoy import AnnoyIndex

        self._index: AnnoyIndex = AnnoyIndex(vectors.shape[1], "euclidean")
        self._index.set_seed(seed % (1 << 31) or 1)
        for word, vector in enumerate(vectors):
            self._index.add_item(word, vector)
        self._index.build(TREES, n_jobs=1)

    def nearest(self, points: NDArray[np.floating]) -> Ids:
        """A word near each of the points (count, dimensions); mostly, but not always, the nearest."""
        found = (self._index.get_nns_by_vector(point, 1)[0] for point in points)
        return np.fromiter(found, dtype=np.uint32, count=len(points))

    def file_bytes(self) -> int:
        """Of the index as a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "index.annoy"
            self._index.save(str(path))
            return path.stat().st_size
