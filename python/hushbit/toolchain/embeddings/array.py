"""Vectors in a `.npy` file, with words in a list next to it.

`NAME.npy` contains (words, dimensions) numbers. The words are in the same order in `NAME.txt`, one per line in UTF-8,
or in `NAME.json`, an array of strings.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.files import base_name, reading, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError, InputNotFoundError
from hushbit.toolchain.embeddings.model import Collector, Embeddings, Source

_BLOCK_ROWS = 1 << 14


def read_npy(path: Path, max_words: int | None, progress: Progress) -> Embeddings:
    """Reads an array and the word list next to it. Raises InputFileError with the file and row."""
    list_path = word_list_of(path)
    words = read_words(list_path)
    source = Source(base_name(path), sha256_of(path), sha256_of(list_path))
    return collect(path, list_path, words, source, max_words, progress)


def collect(
    path: Path, list_path: Path, words: list[str], source: Source, max_words: int | None, progress: Progress
) -> Embeddings:
    """The array at `path` with its `words`, which were read from `list_path`. Raises InputFileError."""
    array = open_array(path)
    if len(array) != len(words):
        raise InputFileError(f"{path} contains {len(array)} rows, but {list_path} contains {len(words)} words")
    return collect_rows(array, words, source, max_words, progress)


def collect_rows(
    array: NDArray[np.generic], words: list[str], source: Source, max_words: int | None, progress: Progress
) -> Embeddings:
    """The rows of an array, (len(words), dimensions), with their words."""
    collector = Collector(array.shape[1], max_words, place="row")
    for first in range(0, len(words), _BLOCK_ROWS):
        last = min(first + _BLOCK_ROWS, len(words))
        with np.errstate(over="ignore"):  # numbers beyond float32 become infinite, and such rows are rejected
            block = np.array(array[first:last], dtype=np.float32)
        collector.add(words[first:last], block, range(first + 1, last + 1))
        progress(last, len(words), f"read {source.name}")
        if collector.full:
            break
    progress(len(words), len(words), f"read {source.name}")
    return collector.finish(source)


def open_array(path: Path) -> NDArray[np.generic]:
    """An array of a row per word, mapped. Raises InputFileError."""
    with reading(path):
        try:
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            raise InputFileError(f"{path}: not a whole .npy file of numbers: {error}") from None
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputFileError(f"{path}: expected real numbers, a row per word, got {array.dtype} of shape {array.shape}")
    if array.shape[0] == 0 or array.shape[1] == 0:
        raise InputFileError(f"{path}: the array is empty")
    return array


def word_list_of(path: Path) -> Path:
    """The list beside an array. Raises InputNotFoundError."""
    candidates = [path.with_suffix(".txt"), path.with_suffix(".json")]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise InputNotFoundError(
        f"{path}: there is no word list next to it; put the words in {candidates[0].name} (one per line) "
        f"or {candidates[1].name} (an array of strings)"
    )


def read_words(path: Path) -> list[str]:
    """The words of a list. Raises InputFileError."""
    with reading(path):
        data = path.read_bytes()
    if path.suffix == ".json":
        return _parse_json(path, data)
    return decode_lines(path, data)


def decode_lines(path: Path, data: bytes) -> list[str]:
    """The lines of a UTF-8 file, split only at U+000A. Raises InputFileError with the line."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    words: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            words.append(line.removesuffix(b"\r").decode())
        except UnicodeDecodeError as error:
            raise InputFileError(f"{path}, line {number}: byte {error.start + 1} of the line is not UTF-8") from None
    return words


def _parse_json(path: Path, data: bytes) -> list[str]:
    try:
        words = json.loads(data)
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: byte {error.start + 1} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise InputFileError(f"{path}: not an array of strings") from None
    if not isinstance(words, list):
        raise InputFileError(f"{path}: not an array of strings")
    for number, word in enumerate(words, 1):
        if not isinstance(word, str) or any("\ud800" <= c <= "\udfff" for c in word):
            raise InputFileError(f"{path}: entry {number} is not a string of Unicode text")
    return words
