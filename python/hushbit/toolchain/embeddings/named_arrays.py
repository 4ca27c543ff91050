"""Vectors in files of several arrays: `.npz` of numpy, and safetensors with a tokenizer's word list beside it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit._plumbing.files import base_name, reading, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings.array import collect_rows, read_words, word_list_of
from hushbit.toolchain.embeddings.model import Embeddings, Source

TOKENIZER = "tokenizer.json"
_USUAL = ("embeddings", "embedding.weight")


def is_npz(path: Path) -> bool:
    """Whether a zip file holds several arrays of numpy and nothing else."""
    with reading(path), zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    return len(names) > 1 and all(name.endswith(".npy") for name in names)


def read_npz(path: Path, max_words: int | None, progress: Progress) -> Embeddings:
    """Reads the one table of numbers and the one list of words in it. Raises InputFileError."""
    with reading(path):
        try:
            with np.load(path, allow_pickle=False) as archive:
                arrays: list[NDArray[Any]] = [archive[name] for name in archive.files]
        except ValueError:
            raise InputFileError(
                f"{path}: holds an array of Python objects, or is damaged; store the words as text of a fixed length "
                "(numpy.array(words))"
            ) from None
    tables = [array for array in arrays if array.ndim == 2 and array.dtype.kind in "fiu"]
    lists = [array for array in arrays if array.ndim == 1 and array.dtype.kind == "U"]
    if len(tables) != 1 or len(lists) != 1:
        raise InputFileError(
            f"{path}: has {len(tables)} tables of numbers and {len(lists)} lists of words; it must have one of each"
        )
    return _collect(path, tables[0], lists[0].tolist(), None, max_words, progress)


def read_safetensors(path: Path, max_words: int | None, progress: Progress) -> Embeddings:
    """Reads the table of a file, as of Model2Vec. Its words are those of tokenizer.json beside it, else of a word list.

    Raises InputFileError, and MissingPackageError without safetensors.
    """
    with extra("vectors"):
        from safetensors import SafetensorError, safe_open

    list_path = path.with_name(TOKENIZER)
    words = _tokens(list_path) if list_path.exists() else read_words(list_path := word_list_of(path))
    with reading(path):
        try:
            with safe_open(path, framework="numpy") as file:
                tables = [name for name in file.keys() if len(file.get_slice(name).get_shape()) == 2]  # noqa: SIM118
                usual = [name for name in tables if name in _USUAL]
                chosen = usual if len(usual) == 1 else tables
                if len(chosen) != 1:
                    raise InputFileError(f"{path}: has {len(tables)} tables of numbers; it must have one")
                table = file.get_tensor(chosen[0])
        except (SafetensorError, TypeError):
            raise InputFileError(
                f"{path}: is damaged, or its numbers are of a type that numpy lacks, such as bfloat16: store float32"
            ) from None
    return _collect(path, table, words, list_path, max_words, progress)


def _collect(
    path: Path, table: NDArray[Any], words: list[str], listed: Path | None, max_words: int | None, progress: Progress
) -> Embeddings:
    if len(table) != len(words) or 0 in table.shape:
        raise InputFileError(f"{path}: the table is of shape {table.shape}, but there are {len(words)} words")
    source = Source(base_name(path), sha256_of(path), None if listed is None else sha256_of(listed))
    return collect_rows(table, words, source, max_words, progress)


def _tokens(path: Path) -> list[str]:
    """The tokens of a tokenizer of Hugging Face, by their numbers; a number without a token is an empty word."""
    with reading(path):
        data = path.read_bytes()
    try:
        vocabulary = json.loads(data)["model"]["vocab"]
        if isinstance(vocabulary, dict):
            numbers = {int(number): str(token) for token, number in vocabulary.items()}
            return [numbers.get(number, "") for number in range(max(numbers) + 1)]
        return [str(token) for token, _ in vocabulary]
    except (ValueError, LookupError, TypeError):
        raise InputFileError(f"{path}: is no tokenizer of Hugging Face with a list of its tokens") from None
