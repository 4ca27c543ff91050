"""New words for embeddings that lack them, each with the mean vector of known words that say what it means."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.toolchain.embeddings.array import decode_lines
from hushbit.toolchain.embeddings.model import Embeddings


@dataclass(frozen=True)
class Definitions:
    """New words and what they mean."""

    words: Mapping[str, Sequence[str]]
    """Known words near to each new word, one or more."""
    sha256: str
    """The hash of the file."""


def read_definitions(path: Path) -> Definitions:
    """Reads lines like `selfie: photo portrait phone`; empty lines and those that begin with `#` are skipped.

    Raises InputFileError with the line for any other line and for a word that is defined twice, and
    InvalidArgumentError if there is no definition.
    """
    with reading(path):
        data = path.read_bytes()
    words: dict[str, Sequence[str]] = {}
    for number, line in enumerate(decode_lines(path, data), 1):
        if not line.strip() or line.startswith("#"):
            continue
        word, colon, near = line.partition(": ")
        if not colon or not word or word != word.strip() or not near.split():
            raise InputFileError(
                f"{path}, line {number}: write a new word, a colon, a space and known words near to it"
            )
        if word in words:
            raise InputFileError(f"{path}, line {number}: this word was defined before")
        words[word] = near.split()
    if not words:
        raise InvalidArgumentError(
            f"{path}: contains no definitions; write lines such as `selfie: photo portrait phone`"
        )
    return Definitions(words, hashlib.sha256(data).hexdigest())


def extended(embeddings: Embeddings, definitions: Definitions) -> Embeddings:
    """The embeddings with the new words, as the least frequent ones.

    The vector of a new word has the mean direction and the mean length of the known words' vectors. Raises
    InvalidArgumentError if a new word is already there, or if a near word is not.
    """
    place_of = {word: place for place, word in enumerate(embeddings.words)}
    there = [word for word in definitions.words if word in place_of]
    if there:
        raise InvalidArgumentError(f"the word {there[0]!r} needs no definition: the embeddings contain it")
    new = np.empty((len(definitions.words), embeddings.dimensions), dtype=np.float32)
    for row, (word, near) in zip(new, definitions.words.items(), strict=True):
        unknown = [other for other in near if other not in place_of]
        if unknown:
            raise InvalidArgumentError(
                f"the definition of {word!r} names {unknown[0]!r}, which the embeddings do not contain; name another"
                " word"
            )
        vectors = embeddings.vectors[[place_of[other] for other in near]].astype(np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        mean = (vectors / np.maximum(lengths, np.finfo(float).tiny)).mean(axis=0)
        row[:] = mean / max(float(np.linalg.norm(mean)), float(np.finfo(float).tiny)) * lengths.mean()
    lines = np.arange(1, len(embeddings.words) + 1) if embeddings.lines is None else embeddings.lines
    return replace(
        embeddings,
        words=[*embeddings.words, *definitions.words],
        vectors=np.concatenate([embeddings.vectors, new]),
        lines=np.concatenate([lines, np.zeros(len(new), dtype=np.int64)]),
        source=replace(embeddings.source, extension_sha256=definitions.sha256),
    )
