"""The interface between embeddings and codes, and encoding in blocks, which all binarizers share."""

from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress

Vectors: TypeAlias = NDArray[np.float32]
"""(words, dimensions), finite."""

_BLOCK_ROWS = 1 << 12


class Binarizer(Protocol):
    """A learned map from vectors to codes: bit i of a code is 1 where score i is above 0.

    Scores are computed in double precision. So numpy, ONNX Runtime and torch agree on every bit whose score is not
    within a rounding error of 0.
    """

    kind: ClassVar[str]
    """The kind of construction, which determines the meaning of the names in `arrays`."""

    @property
    def bits(self) -> int:
        """The number of bits of a code."""

    @property
    def dimensions(self) -> int:
        """The dimensions of the input vectors."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the user."""

    def describe(self) -> dict[str, Any]:
        """What a bundle records: name, seed, parameters. JSON values, the same for the same input and seed."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was learned, by name. Together with `describe` it is sufficient to restore the binarizer."""

    def scores(self, vectors: Vectors) -> NDArray[np.float64]:
        """(len(vectors), bits), of raw vectors: preprocessing is part of a binarizer."""

    def encode(self, vectors: Vectors) -> NDArray[np.uint8]:
        """Packed codes (len(vectors), bits / 8): bit i is bit i % 8, from the least significant, of byte i / 8."""


class Method(Protocol):
    """A method to learn a binarizer. Its parameters are the fields of a frozen dataclass."""

    def default_components(self, dimensions: int) -> int:
        """The default number of principal components to remove."""

    def fit(self, vectors: Vectors, *, bits: int, seed: int, components: int, progress: Progress) -> Binarizer:
        """Learns from vectors without their `components` largest principal components. Deterministic."""


def pack(scores: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Scores (words, bits) as packed codes (words, bits / 8)."""
    return np.packbits(scores > 0, axis=1, bitorder="little")


def encode(binarizer: Binarizer, vectors: Vectors, progress: Progress = no_progress) -> NDArray[np.uint8]:
    """Encodes block by block, so that intermediate results for all words need not fit in memory."""
    codes = np.empty((len(vectors), binarizer.bits // 8), dtype=np.uint8)
    for first in range(0, len(vectors), _BLOCK_ROWS):
        block = vectors[first : first + _BLOCK_ROWS]
        codes[first : first + len(block)] = binarizer.encode(block)
        progress(first + len(block), len(vectors), "encode")
    return codes
