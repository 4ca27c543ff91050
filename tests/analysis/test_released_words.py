"""Classifiers that learn from words released by crowds: what was typed comes back, and failures are named."""

import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import RidgeClassifier
from sklearn.utils import estimator_checks

import hushbit
from hushbit import _core_testing
from hushbit.analysis import CalibratedWordClassifier, WordNaiveBayes
from hushbit.analysis.words.classifiers import posterior_means
from hushbit.analysis.words.estimate import Channel, channel_of
from hushbit.errors import InvalidArgumentError

UNKNOWN = 2**32 - 1
TEXTS = 600
LENGTH = 30
BOTH = pytest.mark.parametrize("kind", [CalibratedWordClassifier, WordNaiveBayes])


@pytest.fixture(scope="module")
def privatizer(vectors: Path) -> hushbit.Privatizer:
    return hushbit.open(vectors / "crowds-64.hushbit").privatizer("crowd", 6.0, crowd_size="few")


@pytest.fixture(scope="module")
def channel(privatizer: hushbit.Privatizer) -> Channel:
    return channel_of(privatizer)


class Corpus:
    """Texts of classes that differ in a third of the words, typed and released, by a fixed seed.

    shares: (classes, Y + 1), of which the last is for unknown words. typed: (texts, Y + 1). released: (texts, Y).
    """

    def __init__(self, privatizer: hushbit.Privatizer, channel: Channel, classes: int, seed: int) -> None:
        generator = np.random.default_rng(seed)
        outputs = len(channel.ids)
        factors = np.ones((classes, outputs))
        for own in range(classes):
            factors[own, own :: 3 * classes] = 8
        shares = factors * channel.noise
        self.shares = np.hstack([0.9 * shares / shares.sum(axis=1, keepdims=True), np.full((classes, 1), 0.1)])
        self.labels = generator.integers(classes, size=TEXTS)
        self.typed = sparse.csr_array(np.stack([generator.multinomial(LENGTH, self.shares[k]) for k in self.labels]))
        rows, columns = self.typed.nonzero()
        often = self.typed.data.astype(int)
        words = np.repeat(np.append(channel.ids, UNKNOWN).astype(np.uint32)[columns], often)
        out = _core_testing.replace(privatizer._native, words, bytes([seed] * 32))
        places = np.repeat(rows, often), np.searchsorted(channel.ids, out)
        self.released = sparse.csr_array((np.ones(len(out)), places), shape=(TEXTS, outputs))
        self.released.sum_duplicates()


@pytest.fixture(scope="module")
def corpus(privatizer: hushbit.Privatizer, channel: Channel) -> Corpus:
    return Corpus(privatizer, channel, 2, 1)


@pytest.fixture(scope="module")
def fresh(privatizer: hushbit.Privatizer, channel: Channel) -> Corpus:
    return Corpus(privatizer, channel, 2, 2)


@BOTH
def test_it_learns_from_releases_and_labels_typed_texts(
    kind: Any, privatizer: hushbit.Privatizer, corpus: Corpus, fresh: Corpus
) -> None:
    names = np.array(["no", "yes"])[corpus.labels]
    model = kind(privatizer).fit(corpus.released, names)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.score(fresh.typed, np.array(["no", "yes"])[fresh.labels]) > 0.9
    chances, decisions = model.predict_proba(fresh.typed), model.decision_function(fresh.typed)
    assert chances.shape == (TEXTS, 2)
    assert decisions.shape == (TEXTS,)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    found = model.predict(fresh.typed)
    assert (model.classes_[chances.argmax(axis=1)] == found).all()
    assert ((decisions > 0) == (found == "yes")).all()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(fresh.typed), found)


@BOTH
def test_three_classes(kind: Any, privatizer: hushbit.Privatizer, channel: Channel) -> None:
    corpus = Corpus(privatizer, channel, 3, 3)
    model = kind(privatizer).fit(corpus.released, corpus.labels)
    assert model.predict_proba(corpus.typed).shape == (TEXTS, 3)
    assert model.decision_function(corpus.typed).shape == (TEXTS, 3)
    assert model.score(corpus.typed, corpus.labels) > 0.8


@BOTH
def test_texts_are_counted(kind: Any, privatizer: hushbit.Privatizer, channel: Channel) -> None:
    """Two classes of three words each. Releases differ from run to run; at this ε nearly all are as typed."""
    bundle = privatizer.bundle
    words = [word for word in map(bundle.word, map(int, channel.ids)) if word.isalpha()]
    texts = [" ".join(words[k * 20 + i] for i in range(3)) for k in (0, 1)] * 50
    labels = [0, 1] * 50
    nearly_typed = bundle.privatizer("crowd", 12.0, crowd_size="one", allow_unchanged=True)
    released = [one.text for one in nearly_typed.privatize_many(texts)]
    model = kind(nearly_typed).fit(released, labels)
    assert model.predict(texts[:2]).tolist() == [0, 1]
    assert model.predict_proba(["", "no-word-of-it"]).shape == (2, 2)
    with pytest.raises(TypeError, match="give a list of texts"):
        model.predict("one text")


def test_class_frequencies_come_back(privatizer: hushbit.Privatizer, corpus: Corpus) -> None:
    """Nearer to what each class typed than its releases are, and than the estimate of all texts is."""
    model = WordNaiveBayes(privatizer).fit(corpus.released, corpus.labels)
    found = np.exp(model.feature_log_prob_)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert 0 < model.steps_ <= 100
    np.testing.assert_allclose(np.exp(model.class_log_prior_), np.bincount(corpus.labels) / TEXTS)
    for label in (0, 1):
        rows = corpus.labels == label
        typed, released = corpus.typed[rows].sum(axis=0), corpus.released[rows].sum(axis=0)
        truth = typed / typed.sum()
        raw = np.append(released / released.sum(), 0)
        off = np.abs(found[label] - truth).sum()
        assert off < 0.8 * np.abs(raw - truth).sum()
        assert off < 0.8 * np.abs(model.shares_ - truth).sum()


def test_posterior_means(channel: Channel) -> None:
    """Posterior means are those of the definition, over a dense channel."""
    generator = np.random.default_rng(5)
    outputs = len(channel.ids)
    shares = generator.dirichlet(np.ones(outputs + 1))
    features = generator.normal(size=(outputs, 3))
    chances = channel.released(np.eye(outputs + 1))  # of y given x, (Y, Y + 1)
    joint = chances * shares
    expected = joint @ np.vstack([features, np.zeros(3)]) / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posterior_means(channel, shares, features), expected, rtol=1e-9, atol=1e-12)


def test_features_and_model_may_be_given(privatizer: hushbit.Privatizer, corpus: Corpus, fresh: Corpus) -> None:
    features = np.log(corpus.shares[1, :-1] / corpus.shares[0, :-1])[:, np.newaxis]  # the best there are
    model = CalibratedWordClassifier(privatizer, features, RidgeClassifier()).fit(corpus.released, corpus.labels)
    assert model.calibrated_.shape == features.shape
    assert model.score(fresh.typed, fresh.labels) > 0.95
    assert not hasattr(model.estimator_, "predict_proba")
    with pytest.raises(InvalidArgumentError, match="a row of finite numbers"):
        clone(model).set_params(features=features[1:]).fit(corpus.released, corpus.labels)


def test_no_step_helps(privatizer: hushbit.Privatizer, corpus: Corpus) -> None:
    """Labels at random, from fixed seeds: 1 of 100 draws is learned from by chance, so here at most 1 of 20 may be."""
    learned = 0
    for seed in range(20):
        with suppress(InvalidArgumentError):
            WordNaiveBayes(privatizer).fit(corpus.released, np.random.default_rng(seed).integers(2, size=TEXTS))
            learned += 1
    assert learned <= 1
    labels = np.random.default_rng(0).integers(2, size=TEXTS)
    with pytest.raises(InvalidArgumentError, match="no step of expectation maximization"):
        WordNaiveBayes(privatizer).fit(corpus.released, labels)


@BOTH
def test_failures_are_named(kind: Any, privatizer: hushbit.Privatizer, vectors: Path, corpus: Corpus) -> None:
    released, labels = corpus.released, corpus.labels
    cases: list[tuple[Any, Any, str]] = [
        (released, np.zeros(TEXTS), "there are 1 classes"),
        (released, labels[1:], "there are 600 texts"),
        (corpus.typed, labels, "counts of released texts by output_counts"),
        (0 * released, labels, "fewer than two released words"),
    ]
    for texts, given, message in cases:
        with pytest.raises(InvalidArgumentError, match=message):
            kind(privatizer).fit(texts, given)
    model = kind(privatizer)
    with pytest.raises(NotFittedError):
        model.predict(corpus.typed)
    with pytest.raises(InvalidArgumentError, match="counts of typed texts by typed_counts"):
        model.fit(released, labels).predict(released)
    with pytest.raises(InvalidArgumentError, match="there are 1 classes"):
        model.fit(released, np.zeros(TEXTS))
    with pytest.raises(NotFittedError):  # and nothing is left of the earlier fit
        model.predict(corpus.typed)
    with pytest.raises(TypeError, match=f"give {kind.__name__} the privatizer"):
        kind().fit(released, labels)
    with pytest.raises(InvalidArgumentError, match="by crowds, not by brr"):
        kind(hushbit.open(vectors / "words-256.hushbit").privatizer("brr", 0.4)).fit(released, labels)


def test_naive_bayes_needs_two_texts_and_words_of_each_class(privatizer: hushbit.Privatizer, corpus: Corpus) -> None:
    labels = np.zeros(TEXTS)
    labels[0] = 1
    with pytest.raises(InvalidArgumentError, match="fewer than two texts"):
        WordNaiveBayes(privatizer).fit(corpus.released, labels)
    labels[1] = 1
    empty = sparse.diags_array((labels == 0).astype(float)) @ corpus.released
    with pytest.raises(InvalidArgumentError, match="no released words"):
        WordNaiveBayes(privatizer).fit(empty, labels)


CHECKS = (
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
)
"""scikit-learn's own that make no table of numbers, which these do not take: their columns are those of the bundle."""


@BOTH
@pytest.mark.parametrize("check", CHECKS)
def test_checks_of_scikit_learn(kind: Any, check: str) -> None:
    getattr(estimator_checks, check)(kind.__name__, kind())
