"""`hushbit.study.evaluate`: draws, likelihoods, bounds and attacks, each against a plain computation."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from hushbit import _core
from hushbit._plumbing.auc import auc_of, hits_at
from hushbit.study.evaluate import likelihood
from hushbit.study.evaluate.distances import between_codes, between_of, between_vectors
from hushbit.study.evaluate.draws import privatize, weights_of
from hushbit.study.evaluate.inversion import frequent_words, hits, success_bound
from hushbit.study.evaluate.lira import halves, likelihood_ratios, log_odds
from hushbit.study.evaluate.membership import attack
from hushbit.study.evaluate.plan import Setting, make_mechanism
from hushbit.study.evaluate.reproducible import one_thread_each
from hushbit.study.evaluate.trial import keep_or_uniform
from hushbit.study.mechanisms import Brr, EuclideanTem, HammingTem, Mechanism
from hushbit.study.mechanisms.madlib import Madlib
from reference.enumeration import distributions
from reference.toys import TOYS

one_thread_each()  # as the workers of a run do: threads of a pool would only wait for each other


@pytest.fixture(scope="module")
def native(vectors: Path) -> _core.Bundle:
    return hushbit.open(vectors / "words-64.hushbit")._native


@pytest.fixture(scope="module")
def points() -> NDArray[np.float32]:
    return np.random.default_rng(3).normal(size=(300, 5)).astype(np.float32)


def ids(*values: int) -> NDArray[np.uint32]:
    return np.array(values, dtype=np.uint32)


# ---- Draws


def tem_law(mechanism: HammingTem, word: int) -> NDArray[np.float64]:
    codes = mechanism.bundle.codes(np.arange(mechanism.bundle.info().words, dtype=np.uint32))
    weights = mechanism.weights[np.bitwise_count(codes ^ codes[word]).sum(axis=1)].astype(float)
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize("kind", ["hamming", "euclidean"])
def test_shared_draws_follow_the_law(native: _core.Bundle, points: NDArray[np.float32], kind: str) -> None:
    """Chi-squared over pooled outputs; a false alarm in 1 of 10^5 runs, were the seed not fixed."""
    from scipy.stats import chi2

    mechanism: Mechanism = HammingTem(native, 0.3) if kind == "hamming" else EuclideanTem(points, 3.0)
    typed = np.repeat(ids(5, 9, 5, 200), 5000)
    drawn = privatize(mechanism, typed, np.random.default_rng(0))
    for word in (5, 9, 200):
        law = (
            tem_law(mechanism, word)
            if isinstance(mechanism, HammingTem)
            else EuclideanTem(points, 3.0).distribution(ids(word))[0]
        )
        counts = np.bincount(drawn[typed == word], minlength=len(law))
        expected = law * counts.sum()
        often = expected > 25  # all others together are one more group
        seen = np.append(counts[often], counts[~often].sum())
        wanted = np.append(expected[often], expected[~often].sum())
        assert often.sum() > 5
        assert ((seen - wanted) ** 2 / wanted).sum() < chi2.isf(1e-5, often.sum())


def test_draws_are_seeded_and_independent(native: _core.Bundle) -> None:
    typed = np.full(2000, 17, dtype=np.uint32)
    for mechanism in (HammingTem(native, 0.3), Brr(native, 0.3)):
        a, b, c = (privatize(mechanism, typed, np.random.default_rng(seed)) for seed in (1, 1, 2))
        np.testing.assert_array_equal(a, b)
        assert (a != c).any()
        assert len(np.unique(a)) > 10
        assert len(privatize(mechanism, ids(), np.random.default_rng(0))) == 0


def test_the_control_keeps_as_many_as_asked() -> None:
    words = np.arange(10_000, dtype=np.uint32)
    kept = keep_or_uniform(words, 0.3, words, np.random.default_rng(0))
    assert kept.dtype == np.uint32
    assert abs((kept == words).mean() - 0.3) < 0.025  # 5 standard deviations
    np.testing.assert_array_equal(keep_or_uniform(words, 1.0, words, np.random.default_rng(0)), words)


# ---- Likelihoods


def test_exact_likelihoods(native: _core.Bundle, points: NDArray[np.float32]) -> None:
    candidates, seen = ids(1, 50, 51, 299), ids(3, 50, 200)
    tem = HammingTem(native, 0.5)
    weights = weights_of(tem)
    assert weights is not None
    found = likelihood.exact(weights, candidates, seen)
    np.testing.assert_allclose(np.exp(found), [tem_law(tem, word)[seen] for word in candidates], rtol=1e-5)
    euclidean = EuclideanTem(points, 3.0)
    weights = weights_of(euclidean)
    assert weights is not None
    found = likelihood.exact(weights, candidates, seen)
    np.testing.assert_allclose(np.exp(found), euclidean.distribution(candidates)[:, seen], rtol=1e-5)
    assert weights_of(Brr(native, 0.5)) is None


def bayes(prior: NDArray[np.float64], chances: NDArray[np.float64]) -> float:
    """The success of the best guess, from the law (words, outputs)."""
    return float((prior[:, None] * chances).max(axis=0).sum())


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_estimated_and_noisy_likelihoods_enclose_the_best_guess(epsilon: float) -> None:
    """The toy's law is enumerated; shares are within 5 standard deviations of 20,000 words."""
    toy = next(toy for toy in TOYS if toy.name == "scattered")
    bundle = _core.Bundle.from_bytes(toy.bundle())
    brr = Brr(bundle, epsilon)
    words = np.arange(12, dtype=np.uint32)
    prior = np.arange(1, 13) / 78
    law = np.array(distributions(toy.codes, toy.bits, brr.info.flip_threshold), dtype=float)
    best = bayes(prior, law)
    generator = np.random.default_rng(0)
    secrets = generator.choice(12, 20_000, p=prior)
    released = brr.replace(words[secrets], generator=generator)
    logs = likelihood.estimated(brr, between_codes(bundle), words, words, released, generator, lambda: None)
    from_words = hits(np.log(prior)[:, None] + logs, secrets, 1).mean()
    noise = likelihood.noisy_code(brr, words, words[secrets], generator)
    from_noise = hits(np.log(prior)[:, None] + noise, secrets, 1).mean()
    assert best - 0.05 < from_words < best + 0.018
    assert from_noise > best - 0.018
    distances = np.array([[bin(a ^ b).count("1") for b in toy.codes] for a in toy.codes])
    for guesses in (1, 3):
        bound = success_bound(np.log(prior), distances, brr.epsilon, guesses)
        assert bound >= np.sort(prior[:, None] * law, axis=0)[-guesses:].sum() - 1e-12
        assert bound <= 1


def test_bound_without_and_with_endless_privacy() -> None:
    prior = np.array([0.5, 0.3, 0.2])
    distances = 10.0 * (1 - np.eye(3))
    assert success_bound(np.log(prior), distances, 0.0, 1) == pytest.approx(0.5)
    assert success_bound(np.log(prior), distances, 0.0, 2) == pytest.approx(0.8)
    assert success_bound(np.log(prior), distances, 100.0, 1) == 1.0


def test_noisy_vectors(points: NDArray[np.float32]) -> None:
    """The noise is small at a large ε, and the likeliest word is the one typed."""
    words = np.arange(300, dtype=np.uint32)
    logs = likelihood.noisy_vector(Madlib(points, 500.0), points, words, words, np.random.default_rng(0))
    np.testing.assert_array_equal(logs.argmax(axis=0), words)


def test_distances(native: _core.Bundle, points: NDArray[np.float32]) -> None:
    a, b = ids(1, 2, 3), ids(4, 1)
    codes = native.codes(np.arange(10, dtype=np.uint32))
    np.testing.assert_array_equal(
        between_codes(native)(a, b), np.bitwise_count(codes[a][:, None] ^ codes[b]).sum(axis=2)
    )
    np.testing.assert_allclose(
        between_vectors(points)(a, b), np.linalg.norm(points[a][:, None] - points[b], axis=2), atol=2e-3
    )


def test_each_mechanism_has_its_own_distances(vectors: Path) -> None:
    """Whatever a mechanism is matched by, its noise is on codes or on vectors."""
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    points = np.random.default_rng(4).normal(size=(bundle.words, 5)).astype(np.float32)
    a, b = ids(1, 2, 3), ids(4, 1)
    on_codes, on_vectors = between_codes(bundle._native)(a, b), between_vectors(points)(a, b)
    assert not np.array_equal(on_codes, on_vectors)
    for name in ("brr", "tem", "brr-pmax", "tem-pmax", "madlib", "tem-euclidean", "crowd-many"):
        made = make_mechanism(bundle, points, Setting(name, 3.0, 1.0))
        expected = on_codes if name.startswith(("brr", "tem-pmax")) or name == "tem" else on_vectors
        np.testing.assert_array_equal(between_of(made, bundle._native, points)(a, b), expected)


# ---- Success


def test_hits_rank_ties_by_lot() -> None:
    scores = np.array([[1.0, 0.0, 5.0], [1.0, 2.0, 4.0], [1.0, 1.0, 4.0], [0.0, 3.0, 4.0]])
    np.testing.assert_allclose(hits(scores, np.array([0, 2, 3]), 1), [1 / 3, 0, 0])
    np.testing.assert_allclose(hits(scores, np.array([0, 2, 3]), 2), [2 / 3, 0, 1 / 3])
    np.testing.assert_allclose(hits(scores, np.array([0, 2, 3]), 4), [1, 1, 1])


def test_frequent_words() -> None:
    words, prior = frequent_words(ids(7, 3, 3, 9, 9, 9, 1), 2)
    np.testing.assert_array_equal(words, [3, 9])
    np.testing.assert_allclose(prior, [0.4, 0.6])


def test_auc_counts_pairs() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 8, 60).astype(float), generator.integers(0, 6, 40).astype(float)
    pairs = (a[:, None] > b) + 0.5 * (a[:, None] == b)
    found = auc_of(a, b)
    assert found.value == pytest.approx(pairs.mean())
    assert found.low < found.value < found.high
    assert auc_of(np.ones(5), np.zeros(5)).value == 1.0
    assert auc_of(np.ones(5), np.ones(5)).value == 0.5


def test_members_found_at_few_false_alarms() -> None:
    members, others = np.array([5.0, 4.0, 2.0, 0.0]), np.array([4.5, 3.0, 1.0, -1.0])
    assert [hits_at(members, others, share) for share in (0.001, 0.25, 0.5, 1.0)] == [0.25, 0.5, 0.75, 1.0]
    assert hits_at(np.ones(3), np.ones(3), 0.9) == 0.0  # one threshold tells nobody from anybody


def test_likelihood_ratios_find_members() -> None:
    """Documents differ more than by a model's knowing one: only what each is like tells. None is told where none is
    known.
    """
    generator = np.random.default_rng(0)
    labels = np.tile([0, 1], 200)
    inside = halves(labels, 8, generator)
    assert (inside.sum(axis=0) == 4).all()
    assert (inside[:, labels == 0].sum(axis=1) == 100).all()
    own = generator.normal(scale=5, size=400)
    member = halves(labels, 1, generator)[0]

    def sure(known: NDArray[np.bool_], gain: float) -> NDArray[np.float64]:
        return own + gain * known + generator.normal(scale=0.5, size=known.shape)

    for gain, low, high in ((1.0, 0.8, 1.0), (0.0, 0.4, 0.6)):
        scores = likelihood_ratios(sure(member, gain), sure(inside, gain), inside)
        assert low < auc_of(scores[member], scores[~member]).value < high
    plain = sure(member, 1.0)
    assert auc_of(plain[member], plain[~member]).value < 0.65


def test_log_odds_of_the_true_class() -> None:
    chances = np.array([[0.9, 0.1], [0.2, 0.8]])
    found = log_odds(np.log(chances).astype(np.float32), np.array([0, 0]))
    np.testing.assert_allclose(found, np.log([9, 0.25]), rtol=1e-5)


def test_the_attacker_finds_members_by_confidence() -> None:
    """Members' outputs are surer; an attacker learns that from a shadow model, and nothing where there is nothing."""
    generator = np.random.default_rng(0)

    def outputs(sure: float) -> NDArray[np.float32]:
        logit = generator.choice([-1, 1], 500) * np.abs(generator.normal(sure, 1, 500))
        return np.stack([-np.logaddexp(0, -logit), -np.logaddexp(0, logit)], axis=1).astype(np.float32)

    assert attack(outputs(3), outputs(1), outputs(3), outputs(1), 0)["auc"] > 0.85
    none = attack(outputs(1), outputs(1), outputs(1), outputs(1), 0)
    assert none["low"] - 0.05 < 0.5 < none["high"] + 0.05
