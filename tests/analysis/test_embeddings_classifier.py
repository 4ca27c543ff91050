"""The classifier of embeddings: through the core, from releases to predictions of typed texts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

import hushbit
from hushbit import _core
from hushbit.analysis import EmbeddingClassifier
from hushbit.analysis.embeddings.crowds import crowds_of, drawn_from
from hushbit.analysis.embeddings.response import response_of
from hushbit.analysis.embeddings.weights import Weights
from hushbit.errors import InvalidArgumentError

BUNDLE = Path(__file__).parents[1] / "vectors" / "embed-64.hushbit"
WORDS = {"animals": "dog cat bird cow bear", "home": "door bread cake kitchen table", "city": "city berlin street east"}


@pytest.fixture(scope="module")
def embedder() -> hushbit.Embedder:
    return hushbit.open(BUNDLE).embedder(epsilon=6)


def texts_of(count: int, seed: int) -> tuple[list[str], list[str]]:
    generator = np.random.default_rng(seed)
    labels = generator.choice(list(WORDS), size=count).tolist()
    return [" ".join(generator.choice(WORDS[label].split(), size=4)) for label in labels], labels


def test_it_learns_from_releases_and_predicts_typed_texts(embedder: hushbit.Embedder) -> None:
    texts, labels = texts_of(3000, 1)
    model = EmbeddingClassifier(embedder).fit(embedder.embed_indexes(texts), labels)
    fresh, truth = texts_of(400, 2)
    # Always .98 or more in 20 runs: releases differ, since they draw from the system's randomness.
    assert model.score(fresh, truth) > 0.85
    check_is_fitted(model)
    assert model.classes_.tolist() == ["animals", "city", "home"]
    chances = model.predict_proba(fresh)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (model.classes_[chances.argmax(axis=1)] == model.predict(fresh)).all()
    assert model.decision_function(fresh).shape == (400, 3)
    assert model.predict([]).shape == (0,)


def test_parts_give_the_same_model(embedder: hushbit.Embedder) -> None:
    texts, labels = texts_of(600, 3)
    indexes = embedder.embed_indexes(texts)
    whole = EmbeddingClassifier(embedder).fit(indexes, labels)
    parts = EmbeddingClassifier(embedder)
    for first in range(0, 600, 100):
        rows = slice(first, first + 100)
        parts.partial_fit(indexes[rows], labels[rows], classes=list(WORDS))
    np.testing.assert_array_equal(whole.weights_.weights, parts.weights_.weights)
    refitted = parts.fit(indexes, labels)
    np.testing.assert_array_equal(refitted.releases_.weights, whole.releases_.weights)
    half = EmbeddingClassifier(embedder).fit(indexes, labels, np.full(600, 0.5))
    np.testing.assert_allclose(half.coef_ / np.linalg.norm(half.coef_), whole.coef_ / np.linalg.norm(whole.coef_))


def test_two_classes_and_priors(embedder: hushbit.Embedder) -> None:
    texts, labels = texts_of(2000, 4)
    binary = np.array([label == "city" for label in labels])
    indexes = embedder.embed_indexes(texts)
    model = EmbeddingClassifier(embedder).fit(indexes, binary)
    assert model.decision_function(texts).shape == (2000,)
    assert ((model.decision_function(texts) > 0) == model.predict(texts)).all()
    rare = clone(model).set_params(priors=[1 - 1e-9, 1e-9]).fit(indexes, binary)
    assert (rare.decision_function(texts) < model.decision_function(texts) - 10).all()


def test_saved_weights_say_the_same(embedder: hushbit.Embedder, tmp_path: Path) -> None:
    texts, labels = texts_of(500, 5)
    model = EmbeddingClassifier(embedder).fit(embedder.embed_indexes(texts), labels)
    model.weights_.write(tmp_path / "weights.json")
    read = Weights.read(tmp_path / "weights.json", hash=embedder.info.hash)
    scores = read.scores(model._vectors(texts))
    assert [read.classes[best] for best in scores.argmax(axis=1)] == model.predict(texts).tolist()


def test_the_core_says_the_same_by_the_saved_file(embedder: hushbit.Embedder, tmp_path: Path) -> None:
    texts, labels = texts_of(500, 8)
    model = EmbeddingClassifier(embedder).fit(embedder.embed_indexes(texts), labels)
    model.weights_.write(tmp_path / "weights.json")
    core = embedder.classifier(tmp_path / "weights.json")
    for text, label, chances in zip(
        texts[:50], model.predict(texts[:50]), model.predict_proba(texts[:50]), strict=True
    ):
        found = core.classify(text)
        assert found.name == label
        np.testing.assert_allclose([found.probabilities[name] for name in model.classes_], chances, atol=1e-9)


def test_the_response_is_that_of_the_core(embedder: hushbit.Embedder) -> None:
    info = embedder.info
    response = response_of(embedder.directions, info.crowd_directions, info.crowd_probability, vectors=256)
    texts, _ = texts_of(50, 6)
    typed = embedder.vectors(texts)
    units = typed / np.linalg.norm(typed, axis=1, keepdims=True)
    indexes = np.stack([embedder.embed_indexes(texts) for _ in range(100)])
    along = (response.units[indexes] * units).sum(axis=2)
    # 5,000 draws of a standard deviation below .25, and vectors that differ by m_deviation.
    allowed = 6 * 0.25 / np.sqrt(5000) + 3 * response.m_deviation
    assert abs(along.mean() - response.m) < allowed
    assert allowed < 0.2 * response.m


def test_failures_are_named(embedder: hushbit.Embedder) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"X": [1, 2], "y": [0, 0]}, "there are 1 classes"),
        ({"X": [1, 16384], "y": [0, 1]}, "index of a direction"),
    ]
    for arguments, message in cases:
        with pytest.raises(InvalidArgumentError, match=message):
            EmbeddingClassifier(embedder).fit(**arguments)
    model = EmbeddingClassifier(embedder)
    with pytest.raises(InvalidArgumentError, match="needs classes"):
        model.partial_fit([1], [0])
    model.partial_fit([1], [0], classes=[0, 1])
    with pytest.raises(InvalidArgumentError, match="nothing is learned yet"):
        model.predict(["dog"])
    with pytest.raises(InvalidArgumentError, match="none of the classes"):
        model.partial_fit([1], [2])
    with pytest.raises(TypeError, match="give EmbeddingClassifier an embedder"):
        EmbeddingClassifier().fit([1, 2], [0, 1])


def test_crowds_and_draws_are_those_of_the_core(embedder: hushbit.Embedder) -> None:
    texts, _ = texts_of(20, 7)
    typed = embedder.vectors(texts)
    info = embedder.info
    crowds = crowds_of(typed, embedder.directions, info.crowd_directions)
    for vector, crowd in zip(typed, crowds, strict=True):
        core = _core.text_crowd(embedder._native, vector)
        np.testing.assert_array_equal(np.sort(crowd), np.sort(core))
    with pytest.raises(InvalidArgumentError, match="too large"):
        crowds_of([[2**60] * 32], embedder.directions, 5)
    # The share of draws that are in the crowd: six standard errors of 40,000, 1 false alarm in 10^8.
    generator = np.random.default_rng(1)
    drawn = drawn_from(crowds, np.zeros(20, dtype=np.bool_), info.directions, info.crowd_probability, 2000, generator)
    inside = np.mean([np.isin(row, crowd).mean() for row, crowd in zip(drawn, crowds, strict=True)])
    expected = info.crowd_probability + (1 - info.crowd_probability) * info.crowd_directions / info.directions
    assert abs(inside - expected) < 6 * np.sqrt(expected * (1 - expected) / 40_000)
    empty = drawn_from(crowds, np.ones(20, dtype=np.bool_), info.directions, 1.0, 2000, generator)
    assert len(np.unique(empty)) > 10_000
