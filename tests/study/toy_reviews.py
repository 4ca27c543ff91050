"""Labeled texts of made-up words: two clusters of words tell the classes apart, all others tell nothing."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import hushbit
from hushbit.toolchain.bundle import BundleOptions, build_bundle
from hushbit.toolchain.embeddings import read_embeddings

WORDS = [f"{a}{b}{c}{d}" for a in "bdfglmnprs" for b in "aeiou" for c in "dkt" for d in "aio"]
_TELLING = 40  # words of each class
_WORDS_A_REVIEW = 60
_TELLING_SHARE = 0.3


def write_vectors(path: Path) -> Path:
    """450 words of 16 dimensions as GloVe text."""
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(len(WORDS), 16))
    direction = np.zeros(16)
    direction[0] = 1.0
    vectors[:_TELLING] += direction
    vectors[_TELLING : 2 * _TELLING] -= direction
    rows = (" ".join([word, *(f"{x:.4f}" for x in row)]) for word, row in zip(WORDS, vectors, strict=True))
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def write_bundle(path: Path, vectors: Path) -> Path:
    """A bundle of those vectors."""
    data, _ = build_bundle(read_embeddings(str(vectors)), BundleOptions(bits=64))
    path.write_bytes(data)
    assert hushbit.open(path).words == len(WORDS)
    return path


def reviews(count: int) -> list[tuple[str, str]]:
    """(text, label): both classes in turn."""
    generator = np.random.default_rng(2)
    found = []
    for i in range(count):
        label = i % 2
        telling = generator.integers(_TELLING * label, _TELLING * (label + 1), size=_WORDS_A_REVIEW)
        other = generator.integers(2 * _TELLING, len(WORDS), size=_WORDS_A_REVIEW)
        chosen = np.where(generator.random(_WORDS_A_REVIEW) < _TELLING_SHARE, telling, other)
        found.append((" ".join(WORDS[word] for word in chosen) + ", zzunknown.", "good" if label else "bad"))
    return found


def write_csv(path: Path, rows: Sequence[tuple[str, ...]], header: tuple[str, ...] = ("review", "label")) -> Path:
    """Writes them as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path
