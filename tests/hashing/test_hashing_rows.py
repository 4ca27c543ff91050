"""Synthetic rows: complete tables, genuine rows untouched, and nobody can tell."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hashed_tables import skewed
from hushbit.errors import InvalidArgumentError, RandomnessFailedError
from hushbit.hashing import FIT_KINDS, HashedModel, complete_rows, fit_rows
from hushbit.hashing.fit.dependence import find_dependence
from hushbit.hashing.fit.quality import excess_kurtosis, ks_distance, quality
from hushbit.hashing.fit.random import PredictableSource, SystemSource, below, choose, normal, shuffled, uniform, urn
from hushbit.hashing.table.repeats import find_groups, row_counts


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def model_of(weights: np.ndarray, size: int, seed: int = 0) -> HashedModel:
    d = weights.shape[1]
    hashes = np.sort(generator(seed).choice(size, len(weights), replace=False))
    return HashedModel(size, hashes, weights, np.zeros(d), tuple(str(i) for i in range(d)))


def completed(model: HashedModel, kind: str = "kernel", seed: int = 0) -> np.ndarray:
    blocks = complete_rows(model, fit_rows(model.weights, kind), generator_for_tests=generator(seed))
    return np.concatenate(list(blocks))


@given(
    st.integers(2, 60),
    st.integers(1, 60),
    st.integers(1, 4),
    st.sampled_from(FIT_KINDS),
    st.sampled_from(["<f4", "<f8"]),
    st.integers(0, 10**6),
)
@settings(max_examples=80, deadline=None)
def test_every_hash_has_a_row(rows: int, missing: int, d: int, kind: str, dtype: str, seed: int) -> None:
    """The (0, 0) claim: which hashes a complete table has depends on its range alone. Genuine rows keep every bit."""
    weights = generator(seed).normal(size=(rows, d)).astype(dtype)
    model = model_of(weights, rows + missing, seed)
    table = completed(model, kind, seed)
    assert table.shape == (rows + missing, d)
    assert table.dtype == weights.dtype
    assert table.any(axis=1).all()
    assert np.isfinite(table).all()
    assert table[model.hashes].tobytes() == weights.tobytes()


def test_blocks_of_a_long_table() -> None:
    """All rows that were drawn, each once, in their order, between the genuine ones."""
    model = model_of(skewed(3000), 50_000)
    fitted = fit_rows(model.weights)
    blocks = list(complete_rows(model, fitted, generator_for_tests=generator(4)))
    assert len(blocks) == 4
    table = np.concatenate(blocks)
    missing = np.setdiff1d(np.arange(50_000), model.hashes)
    assert np.array_equal(table[model.hashes], model.weights)
    assert np.array_equal(table[missing], fitted.draw(47_000, generator_for_tests=generator(4))[:])


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        (np.empty((0, 2)), "the table is empty"),
        (np.ones((10, 1)) * np.arange(1, 11)[:, None], "the table is full"),
    ],
)
def test_nothing_to_fill(weights: np.ndarray, complaint: str) -> None:
    model = HashedModel(
        10, np.arange(len(weights)), weights, np.zeros(weights.shape[1]), tuple("ab"[: weights.shape[1]])
    )
    with pytest.raises(InvalidArgumentError, match=complaint):
        complete_rows(model, fit_rows(skewed(10)))


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        (np.array([[1.0]]), "2 rows or more"),
        (np.array([[1.0], [1.0], [-1.0]]), "all rows are the same"),
    ],
)
def test_nothing_to_fit(weights: np.ndarray, complaint: str) -> None:
    with pytest.raises(InvalidArgumentError, match=complaint):
        fit_rows(weights)
    with pytest.raises(InvalidArgumentError, match="no fit"):
        fit_rows(skewed(10), "uniform")


@pytest.mark.parametrize(
    ("hashes", "weights", "complaint"),
    [
        ([0, 4], [[1.0], [2.0]], "outside 0 to 3"),
        ([-1, 2], [[1.0], [2.0]], "outside 0 to 3"),
        ([2, 2], [[1.0], [2.0]], "occur twice"),
        ([2, 1], [[1.0], [2.0]], "increasing"),
        ([1, 2], [[1.0], [math.nan]], "NaN or infinite weights, first hash 2"),
        ([1, 2], [[math.inf], [1.0]], "NaN or infinite"),
        ([1], [[1.0], [2.0]], "1 hashes, but 2 rows"),
    ],
)
def test_bad_tables(hashes: list[int], weights: list[list[float]], complaint: str) -> None:
    with pytest.raises(InvalidArgumentError, match=complaint):
        HashedModel(4, np.array(hashes), np.array(weights), np.zeros(1), ("a",))


def test_a_constant_dimension_stays_constant() -> None:
    weights = np.column_stack([generator().normal(size=300), np.full(300, 0.25)])
    drawn = fit_rows(weights).draw(500, generator_for_tests=generator())[:]
    assert (np.abs(drawn[:, 1]) == 0.25).all()


class TestDistribution:
    """Each statement about the genuine rows is checked on the synthetic ones. Seeds are fixed."""

    @pytest.mark.parametrize("kind", ["mixture", "kernel"])
    def test_dimensions_fit(self, kind: str) -> None:
        """Fixed seeds; for right distributions a Kolmogorov-Smirnov distance above 0.04 has probability below 1e-6."""
        genuine = skewed(3000)
        drawn = fit_rows(genuine, kind).draw(6000, generator_for_tests=generator(1))[:]
        for i in range(2):
            assert ks_distance(genuine[:, i], drawn[:, i]) < (0.08 if kind == "mixture" else 0.04)

    @pytest.mark.parametrize("kind", FIT_KINDS)
    def test_gaussians(self, kind: str) -> None:
        """Correlated ones, of very different sizes: dimensions drawn one at a time would lose that."""
        shape = np.array([[1.0, 0.0], [0.8, 0.6]])
        genuine = generator().normal(size=(4000, 2)) @ shape.T + [3, -1]
        scale = np.array([1.0, 1e-12])
        drawn = fit_rows(genuine * scale, kind).draw(20_000, generator_for_tests=generator(1))[:] / scale
        np.testing.assert_allclose(drawn.mean(axis=0), genuine.mean(axis=0), atol=0.05)
        np.testing.assert_allclose(np.cov(drawn.T), np.cov(genuine.T), atol=0.05)

    def test_the_mixture_does_not_find_more_than_there_is(self) -> None:
        """Two Gaussians fit these samples a little better, so Akaike's criterion would take them; Bayes' does not."""
        for seed in (4, 5):
            rows = generator(seed).standard_t(6, size=(150, 2))
            assert fit_rows(rows, "mixture").describe() == {"Gaussian (by BIC)": 150}

    def test_the_mixture_finds_its_components(self) -> None:
        parts = [
            generator(i).normal(size=(700, 2)) * 0.2 + center for i, center in enumerate([(0, 3), (3, 0), (-3, 0)])
        ]
        assert fit_rows(np.concatenate(parts), "mixture").describe() == {"mixture of 3 Gaussians": 2100}

    @pytest.mark.parametrize("kind", FIT_KINDS)
    def test_opposite_weights_stay_opposite(self, kind: str) -> None:
        one = skewed(500)[:, :1]
        drawn = fit_rows(np.hstack([one, -one]), kind).draw(1000, generator_for_tests=generator())[:]
        assert (drawn[:, 0] == -drawn[:, 1]).all()

    def test_zeros_are_as_frequent(self) -> None:
        genuine = skewed(2000)
        genuine[::2, 0] = 0
        genuine[1::4, 1] = 0
        drawn = fit_rows(genuine).draw(4000, generator_for_tests=generator())[:]
        # Binomial with 4,000 trials: beyond 0.04 with probability below 1e-6.
        np.testing.assert_allclose((drawn == 0).mean(axis=0), (genuine == 0).mean(axis=0), atol=0.04)

    def test_repeats_are_as_frequent(self) -> None:
        genuine = np.repeat(skewed(800), generator().choice([1, 1, 2, 7], 800), axis=0)
        genuine *= generator(1).choice([-1.0, 1.0], len(genuine))[:, None]
        drawn = fit_rows(genuine).draw(4000, generator_for_tests=generator())[:]
        groups = [find_groups(rows) for rows in (drawn, genuine)]
        shares = [(group.opposite / group.counts).mean() for group in groups]
        assert abs(shares[0] - shares[1]) < 0.05
        for size in (1, 2, 7):
            shares = [(row_counts(rows) == size).mean() for rows in (genuine, drawn)]
            assert abs(shares[0] - shares[1]) < 0.05

    def test_repeats_are_scattered(self) -> None:
        """Equal rows side by side would be synthetic. Of 2,000 rows in groups of 5 about 4 follow an equal one."""
        genuine = np.repeat(skewed(400), 5, axis=0)
        drawn = fit_rows(genuine).draw(2000, generator_for_tests=generator())[:]
        assert (drawn[1:] == drawn[:-1]).all(axis=1).sum() < 30

    def test_rows_without_repeats_do_not_repeat(self) -> None:
        drawn = fit_rows(skewed(500)).draw(3000, generator_for_tests=generator())[:]
        assert (row_counts(drawn) == 1).all()

    def test_rare_kinds_are_drawn(self) -> None:
        genuine = skewed(1000)
        genuine[:5, 1] = 0
        drawn = fit_rows(genuine).draw(20_000, generator_for_tests=generator())[:]
        # Poisson with mean 100: outside of 50 to 160 with probability below 1e-6.
        assert 50 < (drawn[:, 1] == 0).sum() < 160


def test_quality_is_that_of_scipy() -> None:
    from scipy import stats

    genuine, synthetic = skewed(300), skewed(500, 1) + 0.2
    for i, found in enumerate(quality(genuine, synthetic, ("a", "b"))):
        one, other = genuine[:, i], synthetic[:, i]
        assert found.distance == pytest.approx(stats.ks_2samp(one, other).statistic)
        assert ks_distance(other, one) == found.distance
        assert found.threshold == pytest.approx(stats.kstwobign.isf(0.01) * math.sqrt(1 / 300 + 1 / 500), rel=1e-3)
        assert found.kurtosis == pytest.approx(stats.kurtosis(one))


class TestRandom:
    def test_below_is_uniform(self) -> None:
        """Chi-squared with 9 degrees of freedom, fixed seed: above 50 with probability 1e-7."""
        counts = np.bincount(below(10, 100_000, PredictableSource(generator())), minlength=10)
        assert ((counts - 10_000) ** 2 / 10_000).sum() < 50

    def test_below_rejects(self) -> None:
        class Stuck:
            calls = 0

            def words(self, count: int) -> np.ndarray:
                self.calls += 1
                return np.full(count, (1 << 64) - 1 if self.calls == 1 else 5, dtype=np.uint64)

        stuck = Stuck()
        assert below(3, 4, stuck).tolist() == [2, 2, 2, 2]
        assert stuck.calls == 2  # 2^64 - 1 is the one word that 3 leaves over

    def test_urn(self) -> None:
        """Three draws from an urn of two: probabilities by hand, chi-squared with 7 degrees, fixed seed."""
        words = PredictableSource(generator())
        counts = np.bincount([urn(2, 3, words) @ [4, 2, 1] for _ in range(24_000)], minlength=8)
        expected = 24_000 * np.array([6, 2, 2, 2, 2, 2, 2, 6]) / 24
        assert ((counts - expected) ** 2 / expected).sum() < 45  # above that with probability 1e-7

    def test_urn_rejects(self) -> None:
        class Stuck:
            calls = 0

            def words(self, count: int) -> np.ndarray:
                self.calls += 1
                return np.full(count, (1 << 64) - 1 if self.calls == 1 else 1, dtype=np.uint64)

        assert urn(3, 1, Stuck()).tolist() == [1]  # 2^64 - 1 is the one word that 3 leaves over

    @pytest.mark.parametrize(("word", "number"), [(0, 2.0**-53), ((1 << 64) - 1, 1.0)])
    def test_uniform_is_never_zero(self, word: int, number: float) -> None:
        """Its logarithm is taken, once in 2^53 of its smallest value."""

        class Stuck:
            def words(self, count: int) -> np.ndarray:
                return np.full(count, word, dtype=np.uint64)

        assert uniform(2, Stuck()).tolist() == [number] * 2
        assert np.isfinite(normal(2, 2, Stuck())).all()

    def test_normal(self) -> None:
        numbers = normal(300, 333, PredictableSource(generator())).ravel()
        assert numbers.size == 99_900
        normal_quantiles = generator(9).normal(size=400_000)
        assert ks_distance(numbers, normal_quantiles) < 0.01  # about 5 times its deviation
        assert abs(excess_kurtosis(numbers)) < 0.1

    def test_the_system_source_differs(self) -> None:
        assert not np.array_equal(SystemSource().words(4), SystemSource().words(4))
        assert 0 < uniform(1000, SystemSource()).min() <= uniform(1000, SystemSource()).max() <= 1

    def test_choose(self) -> None:
        drawn = choose(np.array([0.2, 0.0, 0.8]), 20_000, PredictableSource(generator()))
        assert not (drawn == 1).any()
        assert abs((drawn == 2).mean() - 0.8) < 0.02

    def test_shuffled(self) -> None:
        values = np.arange(1000, dtype=np.int32)
        mixed = shuffled(values, PredictableSource(generator()))
        assert np.array_equal(np.sort(mixed), values)
        assert not np.array_equal(mixed, values)

    def test_no_randomness_no_release(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(count: int) -> bytes:
            raise OSError("out of order")

        model = model_of(skewed(50), 80)
        monkeypatch.setattr("os.urandom", fails)
        with pytest.raises(RandomnessFailedError):
            complete_rows(model, fit_rows(model.weights))

    def test_fresh_rows_every_time(self) -> None:
        model = model_of(skewed(50), 80)
        fitted = fit_rows(model.weights)
        one, other = (np.concatenate(list(complete_rows(model, fitted))) for _ in range(2))
        assert not np.array_equal(one, other)


def test_dependence_with_a_constant() -> None:
    x, y = generator().normal(size=(2, 200))
    found = find_dependence(np.column_stack([x, np.full(200, 2.0), -(x + y), y]))
    assert found.free == (0, 2)
    assert found.derived == (1, 3)
    drawn = found.complete(np.array([[1.0, 4.0, 0.0]]))  # the last is what rounding left over
    np.testing.assert_allclose(drawn, [[1.0, 2.0, 4.0, -5.0]])
