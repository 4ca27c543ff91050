"""The theorem of reports (docs/proofs.md) on all probabilities of small designs, in rational arithmetic."""

import math
from fractions import Fraction
from itertools import product

import pytest

from hushbit import Reporter, ReporterOptions
from reference.report import Reports, in_set

CASES = [(0.125, 2), (0.5, 7), (1.0, 13), (1.0, 40), (2.0, 57), (0.3, 31), (3.0, 20), (6.0, 3), (8.0, 12), (1.5, 31)]


def bound(limit: int, reports: Reports) -> Fraction:
    """e^epsilon_L"""
    return 1 + Fraction(limit * reports.design.reports, (2**64 - limit) * reports.design.own)


def rows(reports: Reports) -> list[list[Fraction]]:
    """The chance of every report for every value."""
    return [reports.chances(value) for value in range(reports.values)]


@pytest.mark.parametrize(("epsilon", "values"), CASES)
def test_any_two_values_and_every_report(epsilon: float, values: int) -> None:
    """The threshold of the core keeps the bound."""
    reports = Reports(epsilon, values)
    info = Reporter(None, ReporterOptions([str(i) for i in range(values)], epsilon)).info
    assert info.threshold == reports.limit
    chances = rows(reports)
    assert all(sum(row) == 1 for row in chances)
    largest = max(max(column) / min(column) for column in zip(*chances, strict=True))
    assert largest == bound(info.threshold, reports), "and the bound is reached"
    assert math.log1p(float(largest - 1)) <= info.effective_epsilon <= epsilon
    assert math.log1p(float(largest - 1)) >= epsilon * (1 - 1e-12)


@pytest.mark.parametrize(("epsilon", "values"), CASES)
def test_one_unit_more_would_be_too_much(epsilon: float, values: int) -> None:
    """The coin is the largest that keeps the promise: e^epsilon between the bounds of L and L + 1."""
    reports = Reports(epsilon, values)
    from mpmath import iv

    iv.prec = 300
    exact = iv.exp(iv.mpf(epsilon))
    below, above = (bound(limit, reports) for limit in (reports.limit, reports.limit + 1))
    assert iv.mpf(below.numerator) / below.denominator <= exact
    assert iv.mpf(above.numerator) / above.denominator > exact


def test_mixtures_of_values() -> None:
    """Texts of one to three tokens, all of them against all."""
    reports = Reports(1.0, 5)
    chances = rows(reports)
    texts = [tokens for length in (1, 2, 3) for tokens in product(range(5), repeat=length)]
    means = [[sum(chances[x][y] for x in text) / len(text) for y in range(reports.design.reports)] for text in texts]
    limit = bound(reports.limit, reports)
    for column in zip(*means, strict=True):
        assert max(column) <= limit * min(column)


@pytest.mark.parametrize(("epsilon", "values"), CASES)
def test_sets_have_the_stated_sizes(epsilon: float, values: int) -> None:
    design = Reports(epsilon, values).design
    sets = [{y for y in range(design.reports) if in_set(design, x, y)} for x in range(design.reports)]
    assert {len(each) for each in sets} == {design.own}
    shared = {len(a & b) for i, a in enumerate(sets) for b in sets[:i]}
    assert shared == {design.shared}


@pytest.mark.parametrize(("epsilon", "values"), CASES)
def test_the_count_is_unbiased_and_has_the_stated_variance(epsilon: float, values: int) -> None:
    """Exactly, for each value's reports."""
    reports = Reports(epsilon, values)
    design = reports.design
    coin, share = Fraction(reports.limit, 2**64), Fraction(design.own, design.reports)
    alpha = coin + (1 - coin) * share
    beta = coin * Fraction(design.shared, design.own) + (1 - coin) * share
    chances = rows(reports)
    for x, other in product(range(min(values, 8)), repeat=2):
        hit = sum(chance for y, chance in enumerate(chances[other]) if in_set(design, x, y))
        assert hit == (alpha if x == other else beta)
    variance = float(beta * (1 - beta) / (alpha - beta) ** 2)
    w = math.expm1(epsilon)
    stated = (design.own + w * design.shared) * (design.q + w) / design.q ** (design.t - 2) / w**2
    assert variance == pytest.approx(stated, rel=1e-9)
