"""The mechanisms behind the protocol: what they draw against what they should.

Chance is seeded, so each test is a fixed computation; its level, 1e-6 for each p-value, is the chance that a correct
mechanism would have failed under a random seed.
"""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from hushbit import _core, errors
from hushbit.study.mechanisms import Brr, EuclideanTem, HammingTem, Mechanism, vectors_of
from hushbit.study.mechanisms.madlib import Madlib, multivariate_laplace
from hushbit.study.mechanisms.randomness import uniforms
from hushbit.toolchain.bundle import BundleOptions, build_bundle
from hushbit.toolchain.embeddings import Embeddings, read_embeddings
from reference.enumeration import distributions
from reference.statistics import chi_square_p
from reference.toys import TOYS, Toy

LEVEL = 1e-6


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(20)


def drawn(mechanism: Mechanism, word: int, count: int, words: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """How often each word came out."""
    outputs = mechanism.replace(np.full(count, word, dtype=np.uint32), generator=generator)
    return np.bincount(outputs, minlength=words)


# ---- Those of the core -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_brr_draws_the_enumerated_distribution(toy: Toy, generator: np.random.Generator) -> None:
    brr = Brr(_core.Bundle.from_bytes(toy.bundle()), 1.0)
    rows = distributions(toy.codes, toy.bits, brr.info.flip_threshold)
    for word, row in enumerate(rows):
        counts = drawn(brr, word, 20_000, len(toy.codes), generator)
        assert chi_square_p(counts, [float(chance) * 20_000 for chance in row]) > LEVEL


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_tem_draws_what_its_weights_say(toy: Toy, generator: np.random.Generator) -> None:
    tem = HammingTem(_core.Bundle.from_bytes(toy.bundle()), 0.7)
    for word, code in enumerate(toy.codes):
        weights = np.array([float(tem.weights[(code ^ other).bit_count()]) for other in toy.codes])
        counts = drawn(tem, word, 20_000, len(toy.codes), generator)
        assert chi_square_p(counts, weights / weights.sum() * 20_000) > LEVEL


def test_tem_is_its_gumbel_form(generator: np.random.Generator) -> None:
    """The word with the largest ln v(d) plus Gumbel noise (TEM, Algorithm 2), drawn with numpy."""
    toy = next(toy for toy in TOYS if toy.name == "scattered")
    tem = HammingTem(_core.Bundle.from_bytes(toy.bundle()), 0.7)
    scores = np.log([float(tem.weights[(toy.codes[3] ^ other).bit_count()]) for other in toy.codes])
    winners = np.argmax(scores + generator.gumbel(size=(200_000, len(scores))), axis=1)
    counts = drawn(tem, 3, 200_000, len(scores), generator)
    both = np.stack([counts, np.bincount(winners, minlength=len(scores))])
    expected = both.sum(axis=0) / 2
    statistic = ((both - expected) ** 2 / expected).sum()
    assert statistic < 60  # of 11 degrees of freedom: exceeded with a chance below 1e-8


def test_the_core_repeats_itself_under_a_generator(vectors: Path) -> None:
    bundle = _core.Bundle.open(str(vectors / "words-256.hushbit"))
    words = np.arange(700, dtype=np.uint32)
    for mechanism in (Brr(bundle, 0.3), HammingTem(bundle, 0.3)):
        first, again, other, fresh = (
            mechanism.replace(words, generator=None if seed is None else np.random.default_rng(seed))
            for seed in (1, 1, 2, None)
        )
        np.testing.assert_array_equal(first, again)
        assert (first != other).any()
        assert (first != fresh).any()


def test_distance_counts(vectors: Path) -> None:
    bundle = _core.Bundle.open(str(vectors / "words-256.hushbit"))
    codes = bundle.codes(np.arange(749, dtype=np.uint32))
    counts = _core.distance_counts(bundle, codes[:5])
    distances = np.unpackbits(codes[:5, None] ^ codes[None], axis=2).sum(axis=2)
    for row, expected in zip(counts, distances, strict=True):
        np.testing.assert_array_equal(row, np.bincount(expected, minlength=257))
    with pytest.raises(errors.InvalidArgumentError, match="shape"):
        _core.distance_counts(bundle, codes[:, :8])


def test_public_words(vectors: Path) -> None:
    """Public words are those that a privatizer counts."""
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    ids = np.arange(bundle.words, dtype=np.uint32)
    found = _core.is_public(bundle._native, ids)
    assert found.sum() == bundle.info.public_words
    privatizer = bundle.privatizer(epsilon=1.0)
    for word in [*ids[found], *ids[~found][::29]]:
        assert (privatizer.privatize(bundle.word(int(word))).cost.public_words > 0) == found[word]
    assert not _core.is_public(bundle._native, ids + bundle.words).any()


def test_bad_input_of_the_core(vectors: Path) -> None:
    bundle = _core.Bundle.open(str(vectors / "words-256.hushbit"))
    for epsilon in (-1.0, math.nan, math.inf):
        with pytest.raises(errors.InvalidArgumentError):
            Brr(bundle, epsilon)
    for beta in (0.0, 1.0, math.nan):
        with pytest.raises(errors.InvalidArgumentError):
            HammingTem(bundle, 1.0, beta)
    with pytest.raises(errors.InvalidArgumentError, match="word id 749 is out of range"):
        Brr(bundle, 1.0).replace(np.array([0, 749], dtype=np.uint32))
    with pytest.raises(errors.InvalidArgumentError, match="only the mechanism tem"):
        _core.weights(_core.Privatizer(bundle, mechanism="brr"))
    assert len(Brr(bundle, 1.0).replace(np.array([], dtype=np.uint32))) == 0


# ---- Madlib ----------------------------------------------------------------------------------------------------


def test_uniforms(generator: np.random.Generator) -> None:
    for source in (generator, None):
        drawn = uniforms((200, 500), source)
        assert drawn.shape == (200, 500)
        assert 0 < drawn.min() < drawn.max() < 1
        counts = np.bincount((drawn.ravel() * 100).astype(int), minlength=100)
        assert chi_square_p(counts, np.full(100, 1000.0)) > 1e-10


def test_madlib_in_one_dimension_is_laplace(generator: np.random.Generator) -> None:
    """There the radius is exponential and the direction a sign; words are the cells of a line."""
    points = np.array([-2.0, -0.5, 0.0, 1.0, 4.0], dtype=np.float32)
    madlib = Madlib(points[:, None], 0.8)
    edges = np.concatenate([[-np.inf], (points[1:] + points[:-1]) / 2, [np.inf]])
    for word, point in enumerate(points):
        shifted = edges - point
        below = np.where(shifted < 0, 0.5 * np.exp(0.8 * shifted), 1 - 0.5 * np.exp(-0.8 * shifted))
        counts = drawn(madlib, word, 50_000, 5, generator)
        assert chi_square_p(counts, np.diff(below) * 50_000) > LEVEL


def test_madlib_noise_has_the_density(generator: np.random.Generator) -> None:
    """Radius: mean d/ε and variance d/ε²; direction: E[x xᵀ] = 1/d and no mean. Within 6 standard errors."""
    count, dimensions, epsilon = 40_000, 20, 3.0
    noise = multivariate_laplace(count, dimensions, epsilon, generator)
    radius = np.linalg.norm(noise, axis=1)
    error = math.sqrt(dimensions / count) / epsilon
    assert abs(radius.mean() - dimensions / epsilon) < 6 * error
    assert abs(radius.var() / (dimensions / epsilon**2) - 1) < 6 * math.sqrt((2 + 6 / dimensions) / count)
    direction = noise / radius[:, None]
    assert np.abs(direction.mean(axis=0)).max() < 6 / math.sqrt(dimensions * count)
    assert np.abs(direction.T @ direction / count - np.eye(dimensions) / dimensions).max() < 6 * 1.5 / (
        dimensions * math.sqrt(count)
    )
    assert abs(np.corrcoef(radius, direction[:, 0])[0, 1]) < 6 / math.sqrt(count)


def test_approximate_madlib_says_so_and_is_close(generator: np.random.Generator) -> None:
    points = generator.normal(size=(2000, 6)).astype(np.float32)
    exact, approximate = Madlib(points, 20.0), Madlib(points, 20.0, approximate=True)
    assert "approximate" in approximate.name
    words = np.arange(2000, dtype=np.uint32)
    same = exact.replace(words, generator=np.random.default_rng(1)) == approximate.replace(
        words, generator=np.random.default_rng(1)
    )
    assert same.mean() > 0.9


# ---- TEM on Euclidean distance ---------------------------------------------------------------------------------


def plane(generator: np.random.Generator) -> NDArray[np.float32]:
    """A cluster and some words far away."""
    near, far = generator.normal(size=(12, 2)) * 0.5, generator.normal(size=(8, 2)) * 30
    return np.concatenate([near, far]).astype(np.float32)


def direct_distribution(vectors: NDArray[np.float32], word: int, epsilon: float, gamma: float) -> NDArray[np.float64]:
    """Algorithm 2 by its words: scores of L and ⊥, the exponential of half of them, ⊥ shared out among the others."""
    distances = np.linalg.norm(vectors.astype(float) - vectors[word].astype(float), axis=1)
    near = distances <= gamma
    weights = np.where(near, np.exp(-epsilon * distances / 2), 0)
    if (~near).any():
        bottom = -gamma + 2 * math.log((~near).sum()) / epsilon
        weights[~near] = math.exp(epsilon * bottom / 2) / (~near).sum()
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize(("epsilon", "beta"), [(1.0, 0.01), (0.5, 0.9), (3.0, 0.001), (0.5, 0.999)])
def test_euclidean_tem(epsilon: float, beta: float, generator: np.random.Generator) -> None:
    vectors = plane(generator)
    tem = EuclideanTem(vectors, epsilon, beta)
    rows = tem.distribution(np.arange(20, dtype=np.uint32))
    for word in (0, 5, 19):
        exact = direct_distribution(vectors, word, epsilon, tem.gamma)
        np.testing.assert_allclose(rows[word], exact, rtol=1e-4)
        counts = drawn(tem, word, 40_000, 20, generator)
        assert chi_square_p(counts, exact * 40_000) > LEVEL


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 20.0])
def test_the_worst_case_of_euclidean_tem_holds(epsilon: float, generator: np.random.Generator) -> None:
    """It is above every ratio of two words, and truncation keeps it from growing with epsilon without bound."""
    vectors = plane(generator)
    tem = EuclideanTem(vectors, epsilon)
    every = np.arange(20, dtype=np.uint32)
    logs = np.log(tem.distribution(every))
    largest = float(tem.distances(every).max())
    worst = tem.worst_case(largest)
    assert (logs.max(axis=0) - logs.min(axis=0)).max() <= worst * (1 + 1e-4)
    assert worst == pytest.approx(min(epsilon * largest, 2 * math.log(999 * 19)))


def test_euclidean_tem_without_bottom(generator: np.random.Generator) -> None:
    """γ beyond all words: nothing is truncated, and ⊥ has no words to stand for."""
    vectors = (plane(generator) / 100).astype(np.float32)
    tem = EuclideanTem(vectors, 0.01)
    assert tem.gamma > 100
    counts = drawn(tem, 0, 20_000, 20, generator)
    assert chi_square_p(counts, direct_distribution(vectors, 0, 0.01, math.inf) * 20_000) > LEVEL


def test_euclidean_tem_clips_gamma_at_zero(generator: np.random.Generator) -> None:
    tem = EuclideanTem(plane(generator)[:3], 0.5, beta=0.9)
    assert tem.gamma == 0
    np.testing.assert_allclose(tem.distribution(np.array([0], dtype=np.uint32)), 1 / 3, rtol=1e-6)


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, math.inf])
def test_epsilon_of_real_vectors(epsilon: float, generator: np.random.Generator) -> None:
    for kind in (Madlib, EuclideanTem):
        with pytest.raises(errors.InvalidArgumentError, match="above 0"):
            kind(plane(generator), epsilon)


def test_ids_out_of_range(generator: np.random.Generator) -> None:
    for mechanism in (Madlib(plane(generator), 1.0), EuclideanTem(plane(generator), 1.0)):
        with pytest.raises(errors.InvalidArgumentError, match="word id 20"):
            mechanism.replace(np.array([20], dtype=np.uint32))
        with pytest.raises(errors.InvalidArgumentError, match="shape"):
            mechanism.replace(np.zeros((2, 2), dtype=np.uint32))
        assert len(mechanism.replace(np.array([3, 3], dtype=np.uint32))) == 2


# ---- Vectors of a bundle ---------------------------------------------------------------------------------------


@pytest.fixture
def embeddings(tmp_path: Path) -> Embeddings:
    path = tmp_path / "toy.txt"
    path.write_text("".join(f"w{i % 7}{i} {i} {-i}\n" for i in range(30)), encoding="utf-8")
    return read_embeddings(str(path))


def test_vectors_come_in_the_order_of_ids(embeddings: Embeddings, tmp_path: Path) -> None:
    path = tmp_path / "toy.hushbit"
    path.write_bytes(build_bundle(embeddings, BundleOptions(bits=64))[0])
    bundle = hushbit.open(path)
    vectors = vectors_of(bundle, embeddings)
    for i in range(30):
        assert bundle.word(i).endswith(str(int(vectors[i, 0])))
    other = replace(embeddings, source=replace(embeddings.source, sha256="0" * 64))
    with pytest.raises(errors.InvalidArgumentError, match="made of other embeddings"):
        vectors_of(bundle, other)
    with pytest.raises(errors.InvalidArgumentError, match="words that the embeddings lack"):
        vectors_of(bundle, replace(embeddings, words=embeddings.words[:5], vectors=embeddings.vectors[:5]))


def test_a_bundle_that_does_not_say_its_source(embeddings: Embeddings, vectors: Path) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="does not say"):
        vectors_of(hushbit.open(vectors / "words-64.hushbit"), embeddings)
