"""Codes whose noise moves a word to its neighbors.

Projections spread all words evenly, so a noisy code is not near any word in particular. In this binarizer each word
gets the codewords of its nearest anchors. Anchors are the centers of a spherical k-means, each with a random codeword.
A bit is the sign of a weighted sum of the codewords of the nearest anchors, blended with a projection of the word.
Words of the same neighborhood share anchors, so their codes differ in few bits; all other words differ in about half of
them. The weight of an anchor falls to zero where the next anchor replaces it, so codes change gradually from cell to
cell. A few bits are plain projections, which distinguish words that share all their anchors. docs/binarizers.md
explains the trade-off.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.base import Vectors, pack
from hushbit.toolchain.binarize.preprocessing import (
    Preprocessing,
    fit_preprocessing,
    unit_sample,
)
from hushbit.toolchain.binarize.projection import orthogonal_blocks
from hushbit.toolchain.binarize.rounding import on_grid

LEAST_WEIGHT = 1e-6
_LEAST_NORM = 1e-12
_FEWEST_WORDS = 64
_MOST_ANCHORS = 12_288  # 400,000 words of GloVe then share few codes, and encoding still takes seconds
_BLOCK_ROWS = 512
_CELL_ROWS = 1024


@dataclass(frozen=True)
class NeighborhoodBinarizer:
    """Anchors with codewords."""

    kind: ClassVar[str] = "neighborhood"

    seed: int
    parameters: dict[str, Any]
    preprocessing: Preprocessing
    anchors: NDArray[np.float64]
    """(anchors, kept), of length 1 up to rounding."""
    codewords: NDArray[np.int8]
    """(anchors, bits - tie bits), 1 and -1."""
    directions: NDArray[np.float64]
    """(bits, kept): the projections that are blended in, then the rows of the tie bits, which are projections only."""
    name: str = "neighborhood"
    warnings: tuple[str, ...] = field(default=())

    @property
    def bits(self) -> int:
        """The number of bits of a code."""
        return len(self.directions)

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector."""
        return len(self.preprocessing.mean)

    @property
    def nearest(self) -> int:
        """The number of anchors whose codewords a word gets."""
        return int(self.parameters["nearest"])

    def describe(self) -> dict[str, Any]:
        """Name, seed and parameters."""
        return {"name": self.name, "seed": self.seed, "parameters": self.parameters}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned."""
        return {
            "mean": self.preprocessing.mean,
            "basis": self.preprocessing.basis,
            "anchors": self.anchors,
            "codewords": self.codewords,
            "directions": self.directions,
        }

    def scores(self, vectors: Vectors) -> NDArray[np.float64]:
        """(len(vectors), bits)."""
        scores = np.empty((len(vectors), self.bits))
        for first in range(0, len(vectors), _BLOCK_ROWS):
            scores[first : first + _BLOCK_ROWS] = self._scores(vectors[first : first + _BLOCK_ROWS])
        return scores

    def encode(self, vectors: Vectors) -> NDArray[np.uint8]:
        """Packed codes (len(vectors), bits / 8)."""
        return pack(self.scores(vectors))

    def _scores(self, vectors: Vectors) -> NDArray[np.float64]:
        x = self.preprocessing.apply(vectors)
        x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), _LEAST_NORM)
        values, ids = _largest(x @ self.anchors.T, self.nearest + 1)
        weights = np.maximum(values[:, :-1] - values[:, -1:], LEAST_WEIGHT)
        weights /= np.sqrt((weights * weights).sum(axis=1, keepdims=True))
        scores = x @ self.directions.T
        for i in range(self.nearest):
            scores[:, : self.codewords.shape[1]] += weights[:, i : i + 1] * self.codewords[ids[:, i]]
        return scores


def _largest(scores: NDArray[np.float64], count: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The `count` largest values of each row, in descending order, and their columns. Overwrites `scores`."""
    rows = np.arange(len(scores))
    values, columns = np.empty((len(scores), count)), np.empty((len(scores), count), dtype=np.intp)
    for i in range(count):  # a few passes over a row are faster than sorting it
        columns[:, i] = scores.argmax(axis=1)
        values[:, i] = scores[rows, columns[:, i]]
        scores[rows, columns[:, i]] = -np.inf
    return values, columns


@dataclass(frozen=True)
class NeighborhoodMethod:
    """Finds anchors by spherical k-means and draws their codewords."""

    anchors: int = 0
    """The number of anchors; 0 for an eighth of the words, at most 12,288."""
    nearest: int = 3
    """The number of anchors whose codewords a word gets."""
    blend: float = 0.4
    """The weight of the projection beside the codewords; with 0, neighbors are more alike and more words share a
    code."""
    iterations: int = 4
    """The number of iterations of k-means."""

    def __post_init__(self) -> None:
        if self.anchors < 0 or self.nearest < 1 or self.iterations < 0:
            raise InvalidArgumentError("anchors and iterations must be 0 or more, and nearest must be 1 or more")
        if not 0 <= self.blend < math.inf:
            raise InvalidArgumentError(f"blend is {self.blend}; it must be finite, 0 or more")

    def default_components(self, dimensions: int) -> int:  # noqa: ARG002 - none, whatever the dimensions
        """None, since nearness depends on these components too, and anchors already spread the bits."""
        return 0

    def fit(
        self, vectors: Vectors, *, bits: int, seed: int, components: int, progress: Progress
    ) -> NeighborhoodBinarizer:
        """Learns the anchors from the vectors. Raises InvalidArgumentError if they are too few."""
        count = self.anchors or min(_MOST_ANCHORS, len(vectors) // 8)
        if len(vectors) < max(_FEWEST_WORDS, count) or count <= self.nearest:
            raise InvalidArgumentError(
                f"a vocabulary of {len(vectors)} is too small for the binarizer neighborhood with {count} anchors: it "
                f"needs {_FEWEST_WORDS} words and more anchors than `nearest`; use --binarizer itq"
            )
        preprocessing = fit_preprocessing(vectors, components)
        generator = np.random.Generator(np.random.PCG64(seed))
        sample = unit_sample(preprocessing, vectors, max(65_536, 2 * count), generator)
        anchors = _spherical_centers(sample, count, self.iterations, generator, progress)
        ties = max(1, bits // 16)
        signs = generator.integers(0, 2, size=(count, bits - ties), dtype=np.int8)
        blended = orthogonal_blocks(bits - ties, preprocessing.kept, generator)
        blended *= self.blend * math.sqrt(preprocessing.kept)
        directions = np.concatenate([blended, orthogonal_blocks(ties, preprocessing.kept, generator)])
        parameters = {
            "components": components,
            "anchors": count,
            "nearest": self.nearest,
            "blend": self.blend,
            "iterations": self.iterations,
            "tie_bits": ties,
        }
        learned = on_grid(anchors.astype(np.float64)), 2 * signs - np.int8(1), on_grid(directions)
        return NeighborhoodBinarizer(seed, parameters, preprocessing, *learned)


def _spherical_centers(
    vectors: NDArray[np.float32], count: int, iterations: int, generator: np.random.Generator, progress: Progress
) -> NDArray[np.float32]:
    """Spherical k-means: (count, dimensions), of length 1, from `vectors` of length 1.

    An empty cell keeps its center.
    """
    centers = vectors[generator.choice(len(vectors), count, replace=False)]
    for iteration in range(iterations):
        sums = np.zeros(centers.shape)
        for first in range(0, len(vectors), _CELL_ROWS):
            block = vectors[first : first + _CELL_ROWS]
            np.add.at(sums, (block @ centers.T).argmax(axis=1), block)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        filled = lengths[:, 0] > 0
        centers[filled] = (sums[filled] / lengths[filled]).astype(np.float32)
        progress(iteration + 1, iterations, "find anchors")
    return centers
