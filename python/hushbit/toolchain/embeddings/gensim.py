"""Vectors that gensim saved: `KeyedVectors.save`, with the array in the file or beside it.

The file is a pickle, which can hold any code. So nothing is called here but what makes an array of numpy, and the
object itself becomes a plain one.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.files import base_name, reading, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings.array import collect_rows, open_array
from hushbit.toolchain.embeddings.model import Embeddings, Source

_OBJECTS = ("KeyedVectors", "Word2VecKeyedVectors", "EuclideanKeyedVectors", "FastTextKeyedVectors")
_OF_NUMPY = {
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
}


def array_beside(path: Path) -> Path:
    """The path where gensim puts an array that it does not put into the file."""
    return path.with_name(f"{path.name}.vectors.npy")


def read_keyed_vectors(path: Path, max_words: int | None, progress: Progress) -> Embeddings:
    """Reads the words and vectors, in the order of the file. Raises InputFileError."""
    state = _state_of(path)
    words, vectors = state.get("index_to_key"), state.get("vectors")
    beside = array_beside(path)
    if vectors is None and "vectors" in (state.get("__numpys") or ()):
        vectors = open_array(beside)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputFileError(f"{path}: the file of gensim has no list of words (index_to_key)")
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or vectors.dtype.kind != "f":
        raise InputFileError(f"{path}: the file of gensim has no array of vectors")
    if len(vectors) != len(words):
        raise InputFileError(f"{path}: has {len(vectors)} vectors, but {len(words)} words")
    source = Source(base_name(path), sha256_of(path), sha256_of(beside) if beside.exists() else None)
    array: NDArray[Any] = vectors
    return collect_rows(array, words, source, max_words, progress)


def _state_of(path: Path) -> dict[str, Any]:
    found: Any = None
    with reading(path), path.open("rb") as file:
        try:
            found = _Unpickler(file).load()
        except Exception:
            found = None
    if not isinstance(found, _Object):
        raise InputFileError(
            f"{path}: this is a pickle of Python, perhaps a model of gensim, which is not supported: save its vectors "
            "alone (model.wv.save) or in word2vec's format (model.wv.save_word2vec_format)"
        )
    return vars(found)


class _Object:
    """Stands for an object of gensim."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Raises UnpicklingError for anything but arrays and the object."""
        if module == "gensim.models.keyedvectors" and name in _OBJECTS:
            return _Object
        if (module, name) in _OF_NUMPY:
            return super().find_class(module, name)
        raise pickle.UnpicklingError
