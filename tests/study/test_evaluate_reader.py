"""The readers of running text, against enumeration: of priors and likelihoods, and of a language with two topics."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from hushbit._options import CrowdSize
from hushbit.study.evaluate import likelihood
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.distances import between_codes
from hushbit.study.evaluate.draws import HammingWeights, privatize
from hushbit.study.evaluate.evidence import (
    CrowdLikelihoods,
    Evidence,
    Likelihoods,
    Suggestions,
    TableLikelihoods,
    TypedWords,
    likelihoods_of_crowds,
    with_public_words,
)
from hushbit.study.evaluate.other_classifiers import BagOfWords, FrozenMeans
from hushbit.study.evaluate.reader_training import train_reader
from hushbit.study.evaluate.reading import best_weight
from hushbit.study.evaluate.reproducible import one_thread_each
from hushbit.study.mechanisms import Brr, CrowdMechanism, HammingTem
from toy_reviews import WORDS, write_bundle, write_vectors

one_thread_each()


def nothing() -> None:
    """Does nothing, in place of a tick."""


TOPIC = 30  # words of each of two topics
LENGTH = 20


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> hushbit.Bundle:
    folder: Path = tmp_path_factory.mktemp("reader")
    return hushbit.open(write_bundle(folder / "words.hushbit", write_vectors(folder / "vectors.txt")))


@pytest.fixture(scope="module")
def typed() -> TypedWords:
    generator = np.random.default_rng(0)
    return TypedWords.counted(generator.choice(60, 3000, p=np.arange(1, 61) / 1830).astype(np.uint32))


def evidence_of(
    releases: NDArray[np.uint32], likelihoods: Likelihoods, log_prior: NDArray[np.float32], count: int = 64
) -> Evidence:
    """Suggestions by one prior."""
    (alone,) = Suggestions.by_priors(releases, likelihoods, [log_prior], count)
    return alone.evidence(releases, likelihoods)


def posterior(prior: NDArray[np.floating], chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """The posterior by Bayes, from (T,) and (T, places): (places, T)."""
    joint = (np.exp(prior.astype(np.float64))[:, None] * chances).T
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def scattered(words: NDArray[np.int64], logs: NDArray[np.float32], count: int) -> NDArray[np.float64]:
    """The chances of all typed words, (places, T), from those of candidates."""
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    found = np.zeros((len(words), count))
    np.add.at(found, (np.arange(len(words))[:, None], words), chances)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


# ---- Evidence


@pytest.mark.parametrize("releases", [1, 2, 3])
@pytest.mark.parametrize("size", ["one", "many"])
def test_evidence_of_crowds_is_the_posterior(
    toy: hushbit.Bundle, typed: TypedWords, size: CrowdSize, releases: int
) -> None:
    crowds = CrowdMechanism(toy._native, 5.0, size)
    text = np.tile(typed.ids, 3)
    seen = np.stack([crowds.replace(text, generator=np.random.default_rng(i)) for i in range(releases)])
    chances = np.prod([crowds.channel.of_pairs(typed.ids, crowds.channel.indices_of(row)) for row in seen], axis=0)
    count = len(typed.ids) * releases
    found = evidence_of(seen, CrowdLikelihoods(crowds.channel, typed), typed.log_prior, count)
    np.testing.assert_allclose(
        scattered(found.words, found.logs, len(typed.ids)), posterior(typed.log_prior, chances), atol=1e-6
    )


def test_the_likeliest_candidates_are_kept(toy: hushbit.Bundle, typed: TypedWords) -> None:
    crowds = CrowdMechanism(toy._native, 6.0, "many")
    seen = crowds.replace(typed.ids, generator=np.random.default_rng(0))
    exact = posterior(typed.log_prior, crowds.channel.of_pairs(typed.ids, crowds.channel.indices_of(seen)))
    found = evidence_of(seen[None], CrowdLikelihoods(crowds.channel, typed), typed.log_prior, 7)
    kept = np.take_along_axis(exact, found.words, axis=1).sum(axis=1)
    np.testing.assert_allclose(kept, np.sort(exact, axis=1)[:, -7:].sum(axis=1), rtol=1e-6)


def test_tables_of_tem_are_exact(toy: hushbit.Bundle, typed: TypedWords) -> None:
    tem = HammingTem(toy._native, 0.4)
    weights = HammingWeights(tem)
    law = weights(typed.ids)
    seen = typed.ids[::5]
    chances = (law / law.sum(axis=1, keepdims=True))[:, np.searchsorted(weights.outputs, seen)]
    found = evidence_of(seen[None], TableLikelihoods(likelihood.hamming_tem(tem, typed.ids), 59), typed.log_prior, 59)
    np.testing.assert_allclose(
        scattered(found.words, found.logs, len(typed.ids)), posterior(typed.log_prior, chances), atol=1e-5
    )


@pytest.mark.parametrize("releases", [1, 3])
@pytest.mark.parametrize("name", ["crowd", "tem"])
def test_public_words_are_certain(vectors: Path, name: str, releases: int) -> None:
    """What comes out as noise is no public word."""
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    native = bundle._native
    crowds, tem = CrowdMechanism(native, 5.0, "many"), HammingTem(native, 0.4)
    mechanism = crowds if name == "crowd" else tem
    every = np.arange(bundle.words, dtype=np.uint32)
    public = every[mechanism.is_public(every)]
    assert len(public) == bundle.info.public_words
    typed = TypedWords.counted(np.union1d(every[::5], np.repeat(public, 3)))
    listed = np.isin(typed.ids, public)
    text = np.tile(typed.ids, 2)
    seen = np.stack([privatize(mechanism, text, np.random.default_rng(i)) for i in range(releases)])
    kept = np.isin(text, public)
    np.testing.assert_array_equal(seen[:, kept], np.broadcast_to(text[kept], (releases, kept.sum())))
    assert not np.isin(seen[:, ~kept], public).any()

    if name == "crowd":
        table = likelihoods_of_crowds(crowds, typed)
        law = crowds.channel.distribution(typed.ids)
    else:
        table = with_public_words(TableLikelihoods(likelihood.hamming_tem(tem, typed.ids), len(typed.ids)), tem, typed)
        weights = HammingWeights(tem)(typed.ids)
        law = weights / weights.sum(axis=1, keepdims=True)
    chances = np.zeros((len(typed.ids), bundle.words))
    chances[:, native.output_words()] = law
    chances[listed] = 0
    chances[listed, typed.ids[listed]] = 1
    joint = np.prod([chances[:, row] for row in seen], axis=0)
    found = evidence_of(seen, table, typed.log_prior, len(typed.ids) * releases)
    np.testing.assert_allclose(
        scattered(found.words, found.logs, len(typed.ids)), posterior(typed.log_prior, joint), atol=1e-5
    )


def test_pairs_of_a_table(toy: hushbit.Bundle, typed: TypedWords) -> None:
    """Words come in any order, some of them several times."""
    native = toy._native
    everything = native.output_words()
    table = likelihood.Estimated(
        Brr(native, 1.0),
        between_codes(native),
        everything,
        typed.ids,
        typed.ids[:20],
        np.random.default_rng(0),
        nothing,
    )
    generator = np.random.default_rng(1)
    words, released = generator.integers(len(typed.ids), size=500), generator.choice(everything, 500)
    expected = [table(np.arange(len(typed.ids)), released[i : i + 1])[words[i], 0] for i in range(500)]
    np.testing.assert_allclose(TableLikelihoods(table, len(typed.ids)).of_pairs(words, released), expected, rtol=1e-5)


# ---- Context


def documents(count: int, seed: int) -> tuple[Corpus, NDArray[np.int64]]:
    """Each of one topic, by lot, whose words alone it holds."""
    generator = np.random.default_rng(seed)
    topics = generator.integers(2, size=count)
    ids = generator.integers(TOPIC, size=(count, LENGTH)) + TOPIC * topics[:, None]
    return Corpus(ids.ravel().astype(np.uint32), np.arange(count + 1) * LENGTH), topics


def test_the_reader_nearly_reaches_what_enumeration_finds(toy: hushbit.Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second guess of a word that noise replaced falls into the other topic without context."""
    monkeypatch.setattr("hushbit.study.evaluate.reader_training._STEPS", 500)  # enough for two topics
    typed = TypedWords(np.arange(2 * TOPIC, dtype=np.uint32), np.full(2 * TOPIC, -np.log(2 * TOPIC), dtype=np.float32))
    crowds = CrowdMechanism(toy._native, 4.0, "many")
    own, _ = documents(400, 1)
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 16)).astype(np.float32)
    reader = train_reader(own, typed, vectors, [crowds], 3, epochs=8)
    text, _ = documents(200, 2)
    seen = crowds.replace(text.ids, generator=np.random.default_rng(4))
    known = evidence_of(seen[None], CrowdLikelihoods(crowds.channel, typed), typed.log_prior, len(typed.ids))
    read = known.logs + reader.read(known, text.starts, nothing)

    chances = crowds.channel.of_pairs(typed.ids, crowds.channel.indices_of(seen))  # (60, places)
    by_topic = np.log(chances.reshape(2, TOPIC, -1).mean(axis=1)).reshape(2, -1, LENGTH).sum(axis=2)
    topic = np.repeat(np.exp(by_topic - np.logaddexp(*by_topic)), LENGTH, axis=1)  # (2, places)
    # Of a place, the other places' evidence of the topic and its own of the word: by enumeration over both topics.
    own_part = chances.reshape(2, TOPIC, -1)
    exact = (own_part * (topic / own_part.mean(axis=1))[:, None]).reshape(2 * TOPIC, -1).T
    exact /= exact.sum(axis=1, keepdims=True)
    truth = typed.indices_of(text.ids)
    places = np.arange(len(truth))
    from_frequencies = scattered(known.words, known.logs, 2 * TOPIC)[places, truth]
    from_context = scattered(known.words, read, 2 * TOPIC)[places, truth]
    gain = np.log(exact[places, truth]).mean() - np.log(from_frequencies).mean()
    reached = np.log(from_context).mean() - np.log(from_frequencies).mean()
    assert gain > 0.1
    assert 0.6 * gain < reached < gain + 0.02  # nothing is better than enumeration


def test_an_untrained_reader_knows_frequencies_only(toy: hushbit.Bundle, typed: TypedWords) -> None:
    crowds = CrowdMechanism(toy._native, 5.0, "many")
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 16)).astype(np.float32)
    none = Corpus(np.zeros(0, dtype=np.uint32), np.zeros(1, dtype=np.int64))
    reader = train_reader(none, typed, vectors, [crowds], 3, epochs=1)
    known = evidence_of(typed.ids[None][:, :40], CrowdLikelihoods(crowds.channel, typed), typed.log_prior)
    assert not reader.read(known, np.array([0, 15, 15, 40]), nothing).any()


def test_context_counts_as_much_as_it_tells() -> None:
    """Two words are equally likely by themselves: context is right, misleads, or is half as sure as it should be."""
    generator = np.random.default_rng(0)
    truth = generator.integers(2, size=2000)
    known = Evidence(np.tile([0, 1], (2000, 1)), np.zeros((2000, 2), dtype=np.float32))
    right = np.where(generator.random(2000) < 0.8, truth, 1 - truth)  # so the odds are 4
    context = (np.log(4) * (known.words == right[:, None])).astype(np.float32)
    assert best_weight(known, context, truth) == 1.0
    assert best_weight(known, -context, truth) == 0.0
    assert best_weight(known, context * 2, truth) == 0.5
    assert best_weight(known, context, np.full(2000, 2)) == 0.0  # not a candidate


def test_the_same_seed_gives_the_same_reader(
    toy: hushbit.Bundle, typed: TypedWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hushbit.study.evaluate.reader_training._LEAST_STEPS", 10)
    monkeypatch.setattr("hushbit.study.evaluate.reader_training._PASSES", 0)
    crowds = CrowdMechanism(toy._native, 5.0, "many")
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 16)).astype(np.float32)
    own, _ = documents(40, 1)
    own = own.replaced(typed.ids[own.ids % len(typed.ids)])
    known = evidence_of(typed.ids[None], CrowdLikelihoods(crowds.channel, typed), typed.log_prior)
    starts = np.array([0, len(typed.ids)])
    readers = [train_reader(own, typed, vectors, [crowds], seed, epochs=1) for seed in (3, 3, 4)]
    a, b, c = (reader.read(known, starts, nothing) for reader in readers)
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


# ---- Other classifiers


@pytest.mark.parametrize("make", [BagOfWords, FrozenMeans])
def test_other_classifiers_tell_three_classes(make: type[BagOfWords] | type[FrozenMeans]) -> None:
    generator = np.random.default_rng(0)
    labels = generator.integers(3, size=300)
    ids = (generator.integers(10, size=(300, 12)) + 10 * labels[:, None]).ravel().astype(np.uint32)
    corpus = Corpus(ids, np.arange(301) * 12)
    vectors = (generator.normal(size=(40, 8)) + np.repeat(np.eye(4, 8) * 3, 10, axis=0)).astype(np.float32)
    model = make()
    model.fit(corpus.select(np.arange(200)), labels[:200], vectors)
    strange = Corpus(np.array([35, 36], dtype=np.uint32), np.array([0, 2, 2]))  # words never trained on, and none
    assert (model.predict(corpus.select(np.arange(200, 300))) == labels[200:]).mean() > 0.95
    assert model.predict(strange).shape == (2,)
