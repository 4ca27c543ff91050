"""Embedders of an app's own vectors, such as those of a sentence encoder, which a projection file makes shorter."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit import _core
from hushbit._budget import Budget
from hushbit._classifier import Classifier
from hushbit._embedder import EmbedderInfo, Embedding, direction_array, embedding_of, info_of
from hushbit._options import EMBEDDER_EPSILON, EmbedderOptions
from hushbit._plumbing.paths import path_bytes
from hushbit.errors import HushbitError, InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class VectorEmbedder:
    """Directions, an epsilon and policies for vectors of one encoder. Created by `hushbit.open_projection`.

    The promise is that of an `Embedder`, for any two vectors: it holds whatever they are and whatever the projection
    does. Immutable; any number of threads may use it at once.
    """

    __slots__ = ("_info", "_native")

    def __init__(self, native: _core.Embedder) -> None:
        self._native = native
        self._info = info_of(native)

    @property
    def info(self) -> EmbedderInfo:
        """Its promises and sizes; `hash` is the SHA-256 of the projection."""
        return self._info

    @property
    def epsilon(self) -> float:
        """The local-DP epsilon of a whole text that actually holds. It is the cost of each embedding."""
        return self._info.effective_epsilon

    @property
    def numbers(self) -> int:
        """n, how many numbers a vector has."""
        return self._native.info().input_numbers

    @property
    def directions(self) -> NDArray[np.int8]:
        """The public directions as a new array, int8 (K, d) of 1 and -1."""
        return direction_array(self._native)

    def embed_vector(self, vector: ArrayLike) -> Embedding:
        """Embeds the vector of one text: n finite numbers, taken as float32.

        Raises InvalidArgumentError for other numbers, and what `Embedder.embed` raises. After an error nothing was
        released.
        """
        return embedding_of(self._native.embed_vector(_floats(vector, 1)))

    def embed_vectors(self, vectors: ArrayLike) -> NDArray[np.uint32]:
        """Embeds vectors, (texts, n), and returns the indexes of their embeddings, uint32 (texts,).

        Errors are as in `embed_vector`, with a note that gives the index of the vector.
        """
        indexes, error = self.try_embed_vectors(vectors)
        if error is not None:
            error.add_note(f"in the vector at index {len(indexes)}")
            raise error
        return indexes

    def try_embed_vectors(self, vectors: ArrayLike) -> tuple[NDArray[np.uint32], HushbitError | None]:
        """Embeds vectors up to the first that fails.

        Returns the indexes of the embeddings before it, which are released, and its error, or None if none failed.
        """
        return self._native.embed_vectors(_floats(vectors, 2))

    def classifier(self, path: str | os.PathLike[str]) -> Classifier:
        """Opens weights that were learned from embeddings of such vectors, as `Embedder.classifier` does."""
        return Classifier(self._native, path)

    def __repr__(self) -> str:
        info = self._info
        return (
            f"<hushbit.VectorEmbedder epsilon {info.effective_epsilon:.4g} per text, {info.directions} directions of "
            f"{info.dimensions} dimensions for vectors of {self.numbers} numbers>"
        )


def open_projection(
    path: str | os.PathLike[str],
    epsilon: float = EMBEDDER_EPSILON,
    *,
    device_key: bytes | None = None,
    epoch: int = 0,
    budget: Budget | None = None,
    audit_log: str | os.PathLike[str] | None = None,
) -> VectorEmbedder:
    """Opens a projection file, which `hushbit.toolchain.projection.learn_projection` makes of public texts.

    The other arguments are those of `hushbit.EmbedderOptions`. Raises OSError if the file cannot be read,
    InvalidArgumentError if it is no projection or of another version, StorageFailedError if the audit log cannot be
    opened.
    """
    options = EmbedderOptions(epsilon, device_key=device_key, epoch=epoch, budget=budget, audit_log=audit_log)
    native = _core.Embedder(
        Path(path).read_bytes(),
        epsilon=options.epsilon,
        device_key=options.device_key,
        epoch=options.epoch,
        budget=None if options.budget is None else options.budget._native,
        audit_log=None if options.audit_log is None else path_bytes(options.audit_log),
    )
    return VectorEmbedder(native)


def _floats(values: ArrayLike, dimensions: int) -> NDArray[np.float32]:
    import numpy as np

    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
        found = np.asarray(values).astype(np.float32)
    if found.ndim != dimensions:
        raise InvalidArgumentError(f"vectors are {found.ndim}-dimensional; they must be {dimensions}-dimensional")
    return found
