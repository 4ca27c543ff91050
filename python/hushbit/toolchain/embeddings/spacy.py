"""Vectors that spaCy saved: the folder of a pipeline, its folder `vocab`, or what `Vectors.to_disk` wrote.

The folder holds `vectors`, an array of numpy; `key2row`, a map of MessagePack from the hash of a word to its row; and
`strings.json`, which spells the words. Words may share a row (`prune_vectors`), and rows may be spare.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.files import base_name, reading, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings.array import collect_rows, open_array, read_words
from hushbit.toolchain.embeddings.model import Embeddings, Source

VECTORS, KEYS, STRINGS, SETTINGS = "vectors", "key2row", "strings.json", "vectors.cfg"
_MAP, _MAP_16, _MAP_32 = 0x80, 0xDE, 0xDF
_UNSIGNED = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
"""The number of bytes of an integer in MessagePack, by its first byte. Below 128 that byte is the integer."""

# The hash of spaCy: MurmurHash64A with the seed 1.
_SEED = 1
_FACTOR = np.uint64(0xC6A4A7935BD1E995)
_SHIFT = np.uint64(47)

_FIRST_SYMBOL = 398
_SYMBOLS = (
    "acomp", "advcl", "advmod", "agent", "amod", "appos", "attr", "aux", "auxpass", "cc", "ccomp", "complm", "conj",
    "cop", "csubj", "csubjpass", "dep", "det", "dobj", "expl", "hmod", "hyph", "infmod", "intj", "iobj", "mark",
    "meta", "neg", "nmod", "nn", "npadvmod", "nsubj", "nsubjpass", "num", "number", "oprd", "obj", "obl", "parataxis",
    "partmod", "pcomp", "pobj", "poss", "possessive", "preconj", "prep", "prt", "punct", "quantmod", "relcl", "rcmod",
    "root", "xcomp", "acl",
)  # fmt: skip
"""Words that are names of spaCy's own (`spacy.symbols`), such as "number" and "root": they have a small number in place
of a hash, in this order. Names with capitals have one too; no text has such words (docs/tokenizer.md)."""


def vectors_folder(path: Path) -> Path | None:
    """The folder of the vectors in a folder that spaCy wrote, or None."""
    for folder in (path, path / "vocab", path / "vectors"):
        if (folder / VECTORS).is_file() and (folder / KEYS).is_file():
            return folder
    return None


def read_spacy(folder: Path, max_words: int | None, progress: Progress) -> Embeddings:
    """Reads the words and vectors of what `vectors_folder` found, in the order of the rows. Raises InputFileError."""
    _refuse_floret(folder / SETTINGS)
    array = open_array(folder / VECTORS)
    strings = _strings_of(folder)
    rows = _rows_by_key(folder / KEYS)
    words = read_words(strings)
    spelled = dict(zip(_hashes(words), words, strict=True)) | dict(enumerate(_SYMBOLS, _FIRST_SYMBOL))
    found = sorted((row, spelled[key]) for key, row in rows.items() if key in spelled)
    if len(found) < len(rows) / 2:
        raise InputFileError(
            f"{strings}: spells {len(found)} of the {len(rows)} words that have vectors; take the strings.json that "
            "was saved with them"
        )
    if not found or found[-1][0] >= len(array):
        raise InputFileError(f"{folder / KEYS}: names no row, or rows beyond the {len(array)} of {folder / VECTORS}")
    numbers = np.array([row for row, _ in found], dtype=np.intp)
    source = Source(base_name(folder.resolve()), sha256_of(folder / VECTORS), sha256_of(folder / KEYS))
    return collect_rows(array[numbers], [word for _, word in found], source, max_words, progress)


def _refuse_floret(path: Path) -> None:
    if not path.exists():
        return
    with reading(path):
        data = path.read_bytes()
    try:
        mode = json.loads(data)["mode"]
    except (ValueError, LookupError, TypeError):
        raise InputFileError(f"{path}: is no description of vectors of spaCy") from None
    if mode != "default":
        raise InputFileError(
            f"{path}: these vectors are made of pieces of words ({mode}), and there is no list of words: take a "
            "pipeline with vectors of words, or save the vectors of the words that you need as text"
        )


def _strings_of(folder: Path) -> Path:
    for candidate in (folder / STRINGS, folder.parent / STRINGS):
        if candidate.exists():
            return candidate
    raise InputFileError(
        f"{folder}: has vectors of spaCy, but not {STRINGS}, which spells their words; give the folder of the pipeline"
    )


def _rows_by_key(path: Path) -> dict[int, int]:
    """The map from the hash of a word to its row."""
    with reading(path):
        data = path.read_bytes()
    try:
        count, at = _map_size(data)
        numbers = []
        for _ in range(2 * count):
            first = data[at]
            size = 0 if first < _MAP else _UNSIGNED[first]
            end = at + 1 + size
            if end > len(data):
                raise IndexError
            numbers.append(int.from_bytes(data[at + 1 : end], "big") if size else first)
            at = end
        if at != len(data):
            raise IndexError
    except LookupError:
        raise InputFileError(f"{path}: is damaged, or no map from words to rows as spaCy writes it") from None
    return dict(zip(numbers[::2], numbers[1::2], strict=True))


def _map_size(data: bytes) -> tuple[int, int]:
    """The number of entries, and where the first of them is."""
    head = data[0]
    if head & 0xF0 == _MAP:
        return head & 0x0F, 1
    size = {_MAP_16: 2, _MAP_32: 4}[head]
    return int.from_bytes(data[1 : 1 + size], "big"), 1 + size


def _hashes(words: list[str]) -> list[int]:
    """The hash of each word, for all words of a length at once."""
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    encoded = [word.encode() for word in words]
    for place, word in enumerate(encoded):
        by_length[len(word)].append(place)
    found = np.zeros(len(words), dtype=np.uint64)
    for length, places in by_length.items():
        block = np.frombuffer(b"".join(encoded[place] for place in places), dtype=np.uint8)
        found[places] = _murmur_64a(block.reshape(len(places), length))
    return [int(value) for value in found]


def _murmur_64a(words: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """The hashes of words of one length: (k, length) bytes to (k,)."""
    count, length = words.shape
    whole = length // 8
    parts = np.ascontiguousarray(words[:, : 8 * whole]).view("<u8").astype(np.uint64)
    state = np.full(count, _SEED ^ (length * int(_FACTOR) % 2**64), dtype=np.uint64)
    for part in parts.T:
        mixed = part * _FACTOR
        mixed ^= mixed >> _SHIFT
        state = (state ^ (mixed * _FACTOR)) * _FACTOR
    if length % 8:
        rest = np.zeros((count, 8), dtype=np.uint8)
        rest[:, : length % 8] = words[:, 8 * whole :]
        state = (state ^ rest.view("<u8")[:, 0].astype(np.uint64)) * _FACTOR
    state ^= state >> _SHIFT
    state *= _FACTOR
    return state ^ (state >> _SHIFT)
