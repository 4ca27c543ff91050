"""Attackers: near chance on rows of one distribution, within a bound that is a theorem, and no straw men."""

import math

import numpy as np
import pytest

from hashed_tables import skewed
from hushbit.hashing.attacks.attack import FALSE_ALARM, Attack, TooFewRowsError, attack


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def rows_of(seed: int) -> np.ndarray:
    one = skewed(2000, seed)
    return np.hstack([one, -one])


def test_chance() -> None:
    """A second sample of one distribution, with fixed seeds: beyond the limit less than once in 100."""
    found = attack(rows_of(0), rows_of(1))
    assert found.rows == 4000
    assert not found.succeeded
    assert set(found.by_attacker) == {
        *(f"boosted trees on {name}" for name in ("weights", "gaps", "digits", "repeats", "nearest rows")),
        "boosted trees on everything",
        "logistic regression on everything",
    }


def test_dimensions_drawn_apart_are_recognized() -> None:
    assert attack(rows_of(0), generator(5).permuted(rows_of(0), axis=0)).auc > 0.99


@pytest.mark.parametrize("trace", ["weights", "gaps", "digits", "repeats", "nearest rows"])
def test_sees(trace: str) -> None:
    """Each is all that tells these rows apart, and an attacker that observes it finds it."""
    genuine, synthetic = generator().normal(size=(2, 1000, 3))
    if trace == "weights":
        for rows, noise in ((genuine, 1e-6), (synthetic, 1e-9)):
            rows[:, 2] = noise * generator(1).normal(size=1000) - rows[:, 0] - rows[:, 1]
    elif trace == "gaps":
        synthetic[::2, 0] = synthetic[1::2, 0] + 1e-9 * generator(1).normal(size=500)
    elif trace == "digits":
        synthetic[:, 1] = synthetic[:, 1].astype(np.float32)
    elif trace == "repeats":
        synthetic[:500, 1] = synthetic[500:, 1]
    else:
        synthetic[:500] = synthetic[500:] + 0.01 * generator(1).normal(size=(500, 3))
    found = attack(genuine, synthetic)
    assert found.succeeded
    assert found.by_attacker[f"boosted trees on {trace}"] > 0.7


def test_an_area_below_a_half_is_a_finding() -> None:
    found = Attack({"one": 0.4, "other": 0.52}, 10_000)
    assert (found.attacker, found.succeeded) == ("one", True)
    assert found.auc == pytest.approx(0.6)


def test_of_few_rows_chance_reaches_more() -> None:
    assert Attack({"one": 0.535}, 10_000).succeeded
    few = Attack({"one": 0.535, "other": 0.5}, 1000)
    assert not few.succeeded
    # Four parts of 100 and 100 rows, two attackers, both directions.
    assert few.standard_error == pytest.approx(math.sqrt(201 / (12 * 100**2) / 4))
    assert few.limit == pytest.approx(0.5 + few.standard_error * math.sqrt(2 * math.log(4 / FALSE_ALARM)))


@pytest.mark.parametrize("each", [1, 2, 5, 8])
def test_the_bound_on_chance_holds(each: int) -> None:
    """Compares with the exact distribution of four parts of as many rows of either kind, counted out."""
    counts = np.array([1.0])  # of orders, by the number of pairs that are in order: a Gaussian binomial coefficient
    for i in range(1, each + 1):
        counts = np.convolve(counts, [1.0] + [0.0] * (each + i - 1) + [-1.0])
        for power in range(i, len(counts)):  # divided by 1 - q^i
            counts[power] += counts[power - i]
        counts = counts[: each * i + 1]
    assert counts.sum() == math.comb(2 * each, each)
    one = counts / counts.sum()
    tails = np.cumsum(np.convolve(np.convolve(one, one), np.convolve(one, one))[::-1])[::-1]
    areas = np.arange(len(tails)) / (4 * each**2)
    error = Attack({"one": 0.5}, 10 * each).standard_error
    above = areas > 0.5
    assert (tails[above] <= np.exp(-(((areas[above] - 0.5) / error) ** 2) / 2)).all()


@pytest.mark.slow
def test_guessers_stay_below_the_limit() -> None:
    """Ten pairs of samples, fixed seeds. Two standard errors are passed, so a limit must count attackers."""
    areas = []
    for seed in range(10):
        rows = generator(seed).standard_t(3, size=(200, 1))
        found = attack(rows[:100], rows[100:], seed=seed)
        assert not found.succeeded
        areas.append(found.auc)
    assert max(areas) > 0.5 + 2 * found.standard_error


def test_what_both_have_counts_once() -> None:
    """One of two equal rows is genuine. Who may see the other would know that of each."""
    values = np.arange(1.0, 201)[:, None]
    found = attack(values, generator().permutation(values))
    assert found.rows <= 200
    assert not found.succeeded


def test_equal_rows_count_once() -> None:
    """Who knows one of them knows the others; that tells nothing of the rest."""
    genuine = np.repeat(generator().normal(size=(300, 1)), 5, axis=0)
    synthetic = np.repeat(generator(1).normal(size=(300, 1)), 5, axis=0)
    found = attack(genuine, synthetic)
    assert found.rows == 600
    assert not found.succeeded


def test_needs_rows() -> None:
    with pytest.raises(TooFewRowsError):
        attack(skewed(30), skewed(19))


def test_huge_and_tiny_numbers() -> None:
    scale = np.array([1e300, 1e-300])
    assert 0.5 <= attack(skewed(100) * scale, skewed(100, 1) * scale).auc <= 1
