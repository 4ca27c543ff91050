"""Features and terms: the same hashes as scikit-learn's."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.utils import murmurhash3_32

from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing import HashedModel, hash_features
from hushbit.hashing.costs.terms import count_terms, read_documents, read_term_features


@given(st.lists(st.text(min_size=1), min_size=1, max_size=20), st.integers(1, 2**31 - 1), st.integers(0, 2**31 - 1))
@settings(max_examples=200, deadline=None)
def test_the_hash_is_scikit_learn_s(features: list[str], size: int, seed: int) -> None:
    features = [feature for feature in features if feature.isprintable()] or ["x"]
    rows, signs = hash_features(features, size, seed=seed)
    for feature, row, sign in zip(features, rows, signs, strict=True):
        signed = murmurhash3_32(feature.encode(), seed=seed)
        assert row == abs(int(signed)) % size
        assert sign == (1 if signed >= 0 else -1)


def test_rows_and_signs_are_those_of_the_vectorizer() -> None:
    words = [f"word{i}" for i in range(2000)]
    rows, signs = hash_features(words, 1 << 15)
    hasher = FeatureHasher(1 << 15, input_type="string")
    for word, row, sign in zip(words, rows, signs, strict=True):
        matrix = hasher.transform([[word]])
        assert matrix.indices.tolist() == [row]
        assert matrix.data.tolist() == [sign]


def test_the_smallest_hash() -> None:
    """-2^31, which has no absolute value: scikit-learn's rule. The feature was found by search."""
    from unittest import mock

    with mock.patch("mmh3.hash", return_value=-(1 << 31)):
        for size in (3, 1 << 18, (1 << 31) - 1):
            assert hash_features(["x"], size)[0].tolist() == [(1 << 31) % size]


def test_bad_sizes() -> None:
    for size in (0, -1, 1 << 31):
        with pytest.raises(InvalidArgumentError):
            hash_features(["x"], size)


def model(features: list[str], size: int = 1 << 16, **settings: object) -> HashedModel:
    rows = np.unique(hash_features(features, size)[0])
    weights = np.random.default_rng(0).normal(size=(len(rows), 1))
    return HashedModel(size, rows, weights, np.zeros(1), ("1",), dict(settings))


TEXTS = ["The cat sat", "a cat and the dog", "Dog days"]


def brute_force(table: HashedModel, ngrams: tuple[int, int]) -> dict[str, int]:
    vectorizer = HashingVectorizer(n_features=table.range, ngram_range=ngrams)
    analyze, tokenize = vectorizer.build_analyzer(), HashingVectorizer().build_analyzer()
    features = {feature for text in TEXTS for feature in analyze(text)}
    terms = {term for text in TEXTS for term in tokenize(text)}
    return {
        term: len(
            set(hash_features([f for f in features if term in f.split()], table.range)[0]) & set(table.hashes.tolist())
        )
        for term in terms
    }


@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (2, 3)])
def test_features_of_terms(ngrams: tuple[int, int]) -> None:
    analyze = HashingVectorizer(ngram_range=ngrams).build_analyzer()
    table = model([feature for text in TEXTS[:2] for feature in analyze(text)])  # the third is not in the model
    found = count_terms(table, TEXTS, ngrams)
    counts = dict(zip(found.terms, found.counts.tolist(), strict=True))
    assert counts == brute_force(table, ngrams)
    assert counts["days"] == 0


def test_features_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a term comes back after a batch of pairs is closed."""
    monkeypatch.setattr("hushbit.hashing.costs.terms._PAIRS_AT_ONCE", 2)
    found = count_terms(model(["cat", "dog"]), ["cat dog cat", "cat cat cat", "dog cat"])
    assert dict(zip(found.terms, found.counts.tolist(), strict=True)) == {"cat": 1, "dog": 1}


def test_settings_of_the_model() -> None:
    table = model(["The", "The cat", "cat"], ngram_range=[1, 2], lowercase=False)
    found = count_terms(table, ["The cat"])
    assert dict(zip(found.terms, found.counts.tolist(), strict=True)) == {"The": 2, "cat": 2}


@pytest.mark.parametrize("settings", [{"analyzer": "char"}, {"stop_words": "english"}, {"tokenizer": "custom"}])
def test_settings_without_terms(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError, match="list their features"):
        count_terms(model(["x"] * 3, **settings), TEXTS)


def test_listed_features(tmp_path: Path) -> None:
    table = model(["w=cat", "w=dog"])
    known = int(table.hashes[0])
    path = tmp_path / "terms.tsv"
    path.write_text(f"cat\tw=cat\ncat\tw=unknown\ncat\t#{known}\ndog\tw=dog\ndog\tw=cat\n")
    found = read_term_features(table, path)
    assert found.terms == ["cat", "dog"]
    assert found.counts.tolist() == [len({*hash_features(["w=cat"], table.range)[0], known}), 2]
    for bad in ("no tab", "cat\t#99999999", "cat\t#x"):
        path.write_text(f"cat\tw=cat\n{bad}\n")
        with pytest.raises(InputFileError, match="line 2"):
            read_term_features(table, path)


def test_documents(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    (tmp_path / "a.txt").write_text("one\ntwo\n")
    assert read_documents(tmp_path / "a.txt", None) == ["one", "two"]
    (tmp_path / "a.csv").write_text('label,words\n1,"a, b"\n0,c\n')
    assert read_documents(tmp_path / "a.csv", None) == ["a, b", "c"]
    assert read_documents(tmp_path / "a.csv", "label") == ["1", "0"]
    pq.write_table(pa.table({"id": ["x", "y"], "text": ["p", None], "n": [1, 2]}), tmp_path / "a.parquet")
    assert read_documents(tmp_path / "a.parquet", None) == ["p", ""]
    with pytest.raises(InputFileError, match="no column"):
        read_documents(tmp_path / "a.parquet", "n")
    (tmp_path / "bad.txt").write_bytes(b"ab\xff")
    with pytest.raises(InputFileError, match="byte 2 is not UTF-8"):
        read_documents(tmp_path / "bad.txt", None)
