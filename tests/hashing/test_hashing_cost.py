"""The Rényi divergence of Gaussians, its conversion to epsilon, and the worst neighbor of a table."""

import math
import operator
from functools import cache, partial
from itertools import combinations
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushbit.errors import InvalidArgumentError
from hushbit.hashing import HashedModel, cost, cost_curve
from hushbit.hashing.costs.neighboring_tables import TAILS, worst_neighbors
from hushbit.hashing.costs.renyi import epsilon_at, gaussian_divergence, largest_alpha, least_epsilon


def table(weights: Any, size: int | None = None) -> HashedModel:
    weights = np.asarray(weights, dtype=np.float64).reshape(len(weights), -1)
    d = weights.shape[1]
    return HashedModel(size or 2 * len(weights), np.arange(len(weights)), weights, np.zeros(d), tuple("abcdefgh"[:d]))


def integrated(mean_p: float, variance_p: float, mean_q: float, variance_q: float, alpha: float) -> float:
    """ln of the integral of p^alpha q^(1 - alpha), over alpha - 1, by quadrature around the integrand's own peak."""
    s = alpha * variance_q + (1 - alpha) * variance_p
    peak = (alpha * variance_q * mean_p + (1 - alpha) * variance_p * mean_q) / s
    width = mpmath.sqrt(variance_p * variance_q / s)

    def log_density(x: Any, mean: float, variance: float) -> Any:
        return -((x - mean) ** 2) / (2 * variance) - mpmath.log(2 * mpmath.pi * variance) / 2

    def integrand(x: Any) -> Any:
        return mpmath.exp(alpha * log_density(x, mean_p, variance_p) + (1 - alpha) * log_density(x, mean_q, variance_q))

    with mpmath.workdps(40):
        points = [peak + k * width for k in (-20, -5, 0, 5, 20)]
        return float(mpmath.log(mpmath.quad(integrand, points)) / (alpha - 1))


@pytest.mark.parametrize("alpha", [1.001, 1.5, 2.0, 7.3, 40.0])
@pytest.mark.parametrize("variance_q", [0.3, 0.999, 1.0, 1.001, 2.5])
@pytest.mark.parametrize("shift", [0.0, 1e-3, 0.7, -2.0])
def test_the_closed_form_is_the_integral(alpha: float, variance_q: float, shift: float) -> None:
    value = float(gaussian_divergence(shift, 1.0, 0.0, variance_q, alpha))
    if alpha * variance_q + (1 - alpha) <= 0:
        assert math.isinf(value)
    else:
        assert value == pytest.approx(integrated(shift, 1.0, 0.0, variance_q, alpha), rel=1e-9, abs=1e-15)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(-5, 5))
@settings(max_examples=200, deadline=None)
def test_it_is_infinite_from_its_largest_alpha_on(variance_p: float, variance_q: float, shift: float) -> None:
    limit = largest_alpha(variance_p, variance_q)
    if math.isinf(limit):
        assert variance_p <= variance_q
        assert math.isfinite(gaussian_divergence(shift, variance_p, 0, variance_q, 1e6))
    else:
        assert limit == pytest.approx(variance_p / (variance_p - variance_q))
        assert math.isinf(gaussian_divergence(shift, variance_p, 0, variance_q, 1 + (limit - 1) * (1 + 1e-9)))
        assert math.isfinite(gaussian_divergence(shift, variance_p, 0, variance_q, 1 + (limit - 1) * (1 - 1e-6)))


def test_the_largest_alpha_of_several_dimensions_is_the_smallest() -> None:
    assert largest_alpha([2.0, 3.0, 1.0], [1.0, 2.0, 5.0]) == 2.0
    assert largest_alpha([1.0], [1.0]) == math.inf


@pytest.mark.parametrize("alpha", [1.5, 77.7])
def test_very_different_variances_do_not_cancel(alpha: float) -> None:
    value = float(gaussian_divergence(0.0, 1e-8, 1.0, 1e8, alpha))
    assert value == pytest.approx(integrated(0.0, 1e-8, 1.0, 1e8, alpha), rel=1e-9)


def test_small_differences_do_not_cancel() -> None:
    excess = 1e-9
    value = float(gaussian_divergence(0.0, 1.0 + excess, 0.0, 1.0, 2.0))
    assert value == pytest.approx(2.0 * excess**2 / 4, rel=1e-6)  # alpha * excess^2 / 4, to second order


def test_points() -> None:
    assert gaussian_divergence(1.0, 0.0, 1.0, 0.0, 2.0) == 0
    assert math.isinf(gaussian_divergence(1.0, 0.0, 2.0, 0.0, 2.0))
    assert math.isinf(gaussian_divergence(1.0, 1.0, 1.0, 0.0, 2.0))


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.1])
@pytest.mark.parametrize("sigma", [0.5, 3.0, 200.0])
def test_the_conversion_against_dp_accounting(delta: float, sigma: float) -> None:
    """Ours is the published one. Theirs is tighter, by an amount that is known."""
    from dp_accounting.rdp import rdp_privacy_accountant as rdp

    orders = [1.5, 2.0, 3.7, 10.0, 64.0]
    divergences = [alpha / (2 * sigma**2) for alpha in orders]
    for alpha, divergence in zip(orders, divergences, strict=True):
        ours = epsilon_at(divergence, alpha, delta)
        theirs, _ = rdp.compute_epsilon([alpha], [divergence], delta)
        tighter = math.log1p(-1 / alpha) - math.log(alpha) / (alpha - 1)
        assert theirs <= ours
        # They also know that so small a divergence is covered by delta alone (Pinsker).
        expected = 0 if delta**2 + math.expm1(-divergence) > 0 else max(0, ours + tighter)
        assert theirs == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_alpha_is_the_best() -> None:
    """The least epsilon of a Gaussian mechanism is known: c + 2 sqrt(c ln(1 / delta)) with divergence c alpha."""
    for c in (1e-8, 1e-3, 1.0, 50.0):
        log = math.log(1e5)
        best, alpha = least_epsilon(partial(operator.mul, c), 1e-5)
        assert best == pytest.approx(c + 2 * math.sqrt(c * log), rel=1e-6)
        assert alpha == pytest.approx(1 + math.sqrt(log / c), rel=1e-2)
    assert least_epsilon(lambda a: np.full_like(a, np.inf), 1e-5)[0] == math.inf


class TestThePaper:
    """1,531,288 features whose weights are exactly Gaussian, delta = 1e-5, and the 565,864 hashes without a row."""

    ROWS, DRAWS = 1_531_288, 565_864

    @staticmethod
    @cache
    def model() -> HashedModel:
        from statistics import NormalDist

        paper = TestThePaper
        known = NormalDist()
        # Quantiles, interpolated between 20,000 exact ones but for the tails, which count.
        shares = (np.arange(paper.ROWS) + 0.5) / paper.ROWS
        knots = np.unique(np.concatenate([shares[:: paper.ROWS // 15000], shares[:3000], shares[-3000:]]))
        exact = np.array([known.inv_cdf(share) for share in knots])
        return table(np.interp(shares, knots, exact), paper.ROWS + paper.DRAWS)

    @pytest.mark.parametrize(
        ("removed", "one", "other"),
        [
            (107, 0.0154, 0.00058),
            (1094, 0.117, 0.0044),
            (1500, 0.153, 0.0058),
            (2000, 0.196, 0.0074),
            (98_000, 5.26, 0.167),
            (107_190, 5.71, 0.179),
        ],
    )
    def test_the_directions_differ(self, removed: int, one: float, other: float) -> None:
        """The figures of docs/papers.md."""
        found = cost(self.model(), removed, 1e-5, draws=1)
        assert found.from_table.epsilon == pytest.approx(one, rel=0.01)
        assert found.from_neighbor.epsilon == pytest.approx(other, rel=0.02)
        assert found.epsilon == found.from_table.epsilon
        assert found.from_table.tails == ("both",)

    def test_many_draws(self) -> None:
        """The published sizes give .5 and 54 with the two weights of a binary model."""
        model = self.model()
        pair = HashedModel(
            model.range, model.hashes, np.hstack([model.weights, -model.weights]), np.zeros(2), ("a", "b")
        )
        few, many = cost_curve(pair, [10, 1094], 1e-5)
        assert few.draws == self.DRAWS
        assert few.epsilon == pytest.approx(0.5, rel=0.02)
        assert many.epsilon == pytest.approx(54.5, rel=0.02)


@given(st.integers(0, 10**6), st.integers(4, 13), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_no_other_neighbor_costs_much_more(seed: int, rows: int, removed: int) -> None:
    """Compares with every subset: the candidates are from the tails, and the worst one is there or close."""
    values = np.random.default_rng(seed).standard_t(3, size=rows)
    whole, (without,) = worst_neighbors(values[:, None], [removed])
    alpha = 1.01
    found = gaussian_divergence(whole.mean, whole.variance, without.mean, without.variance, alpha).max()
    centered = values - values.mean()
    exact = []
    for gone in combinations(range(rows), removed):
        left = np.delete(centered, gone)
        exact.append(float(gaussian_divergence(centered.mean(), centered.var(), left.mean(), left.var(), alpha)))
    assert found <= max(exact) * (1 + 1e-9)
    # Of more than a sixth of the rows others may be worse: those far from what is left, but not from the mean.
    assert found >= 0.999 * max(exact) or removed > max(1, rows / 6)


def plain_cost(weights: np.ndarray, removed: int, delta: float, draws: int) -> tuple[float, float]:
    """The definition, step by step, over a fine grid of alphas: table to neighbor, and neighbor to table."""
    alphas = 1 + np.geomspace(1e-6, 1e6, 20_001)
    totals = np.zeros((2, len(alphas)))
    for column in weights.T:
        order = np.argsort(column)
        away = np.argsort(-np.abs(column - column.mean()))
        worst = np.zeros_like(totals)
        for gone in (order[:removed], order[len(order) - removed :], away[:removed]):
            left = np.delete(column, gone)
            for way, (p, q) in enumerate(((column, left), (left, column))):
                s = alphas * q.var() + (1 - alphas) * p.var()
                with np.errstate(invalid="ignore", divide="ignore"):
                    value = np.log(q.std() / p.std()) + np.log(q.var() / s) / (2 * (alphas - 1))
                    value = value + alphas * (p.mean() - q.mean()) ** 2 / (2 * s)
                worst[way] = np.maximum(worst[way], np.where(s > 0, value, np.inf))
        totals += worst
    epsilons = (draws * totals + math.log(1 / delta) / (alphas - 1)).min(axis=1)
    return float(epsilons[0]), float(epsilons[1])


@pytest.mark.parametrize("draws", [1, 500])
@pytest.mark.parametrize("removed", [1, 7, 40])
@pytest.mark.parametrize("shape", ["uniform", "exponential", "standard_t"])
def test_cost_is_its_definition(shape: str, removed: int, draws: int) -> None:
    """Dimensions of different shapes and means, so that each has a worst tail of its own."""
    generator = np.random.default_rng(3)
    one = generator.standard_t(3, 200) if shape == "standard_t" else getattr(generator, shape)(size=200)
    weights = np.column_stack([one + 5, -generator.exponential(size=200), generator.normal(-2, 3, size=200)])
    found = cost(table(weights), removed, 1e-6, draws=draws)
    ours = (found.from_table.epsilon, found.from_neighbor.epsilon)
    np.testing.assert_allclose(ours, plain_cost(weights, removed, 1e-6, draws), rtol=1e-4)
    assert found.epsilon == max(ours)


def test_each_dimension_has_its_own_worst_tail() -> None:
    values = np.random.default_rng(3).exponential(size=200)
    found = cost(table(np.column_stack([values, -values])), 5, draws=10_000)
    assert found.from_neighbor.tails == ("upper", "lower")


def test_neighbors_are_what_is_left() -> None:
    values = np.array([[-5.0], [0.0], [1.0], [2.0], [9.0]])
    _, (found,) = worst_neighbors(values, [2])
    mean, unit = values.mean(), 16  # the power of two above 9
    for tail, left in zip(TAILS, ([-5, 0, 1], [1, 2, 9], [0, 1, 2]), strict=True):
        i = TAILS.index(tail)
        assert found.mean[i, 0] * unit + mean == pytest.approx(np.mean(left))
        assert found.variance[i, 0] * unit**2 == pytest.approx(np.var(left))


def test_a_constant_dimension_costs_nothing() -> None:
    values = np.random.default_rng(0).normal(size=100)
    alone = cost(table(values), 5)
    beside = cost(table(np.column_stack([values, np.full(100, 0.1)])), 5)
    assert beside.epsilon == pytest.approx(alone.epsilon)
    assert beside.from_table.by_dimension[1] == 0


def test_no_draws_and_no_features_cost_nothing() -> None:
    values = np.random.default_rng(0).normal(size=50)
    assert cost(table(values, 50), 5).epsilon == 0
    nothing = cost(table(values), 0)
    assert nothing.epsilon == pytest.approx(0, abs=1e-9)


def test_infinite_for_every_alpha() -> None:
    values = np.random.default_rng(0).normal(size=50)
    found = cost(table(values), 49)
    assert math.isinf(found.epsilon)
    assert math.isinf(found.from_table.epsilon)
    assert math.isnan(found.from_table.alpha)


@pytest.mark.parametrize(
    ("values", "removed", "delta"),
    [([1.0, 2.0], 2, 1e-5), ([1.0, 2.0], 3, 1e-5), ([1.0, 2.0], -1, 1e-5), ([1.0], 0, 1e-5)]
    + [([1.0, 2.0], 1, delta) for delta in (0.0, 1.0, -0.5, 2.0, math.nan)],
)
def test_bad_input(values: list[float], removed: int, delta: float) -> None:
    with pytest.raises(InvalidArgumentError):
        cost(table(values), removed, delta)


def test_more_features_cost_more() -> None:
    values = np.random.default_rng(1).standard_t(4, size=(400, 3))
    curve = [found.epsilon for found in cost_curve(table(values), range(1, 300, 10))]
    assert curve == sorted(curve)
