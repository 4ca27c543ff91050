"""Vectors that the real spaCy wrote are read as spaCy itself reads them.

Not one of the everyday tests: the suite `recipes` of the full tier installs spaCy and runs this file.
"""

from pathlib import Path

import numpy as np
import pytest
import spacy  # type: ignore[import-not-found, unused-ignore]

from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings import read_embeddings
from typed import word_of

WORDS = ["the", "root", "number", ",", "ü", "日本", "n't", *(word_of(i) * (1 + i % 5) for i in range(300))]
"""Words of all lengths up to some blocks of the hash, and names of spaCy's own."""


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, np.ndarray]:
    pipeline = spacy.blank("en")
    vectors = np.random.default_rng(1).normal(size=(len(WORDS), 8)).astype(np.float32)
    for word, vector in zip(WORDS, vectors, strict=True):
        pipeline.vocab.set_vector(word, vector)
    pipeline.to_disk(tmp_path / "pipeline")
    pipeline.vocab.vectors.to_disk(tmp_path / "alone")
    return tmp_path, vectors


@pytest.mark.parametrize("name", ["pipeline", "pipeline/vocab", "alone"])
def test_words_and_vectors(saved: tuple[Path, np.ndarray], name: str) -> None:
    folder, vectors = saved
    embeddings = read_embeddings(str(folder / name))
    assert embeddings.words == WORDS
    np.testing.assert_array_equal(embeddings.vectors, vectors)


def test_pruned_vectors(saved: tuple[Path, np.ndarray]) -> None:
    pipeline = spacy.load(saved[0] / "pipeline")
    pipeline.vocab.prune_vectors(50)
    pipeline.to_disk(saved[0] / "pruned")
    embeddings = read_embeddings(str(saved[0] / "pruned"))
    assert sorted(embeddings.words) == sorted(WORDS)
    for word, vector in zip(embeddings.words, embeddings.vectors, strict=True):
        np.testing.assert_array_equal(vector, pipeline.vocab.get_vector(word))


def test_a_pipeline_without_vectors(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "pipeline")
    with pytest.raises(InputFileError):
        read_embeddings(str(tmp_path / "pipeline"))
