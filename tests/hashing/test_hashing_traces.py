"""Traces by which synthetic rows would be told apart at a glance: bits, signs, sums and repeats of single weights."""

from pathlib import Path

import numpy as np
import pytest

from hushbit.errors import InvalidArgumentError
from hushbit.hashing import FIT_KINDS, HashedModel, fit_rows, open_model
from hushbit.hashing.fit.dependence import find_dependence
from hushbit.hashing.fit.grid import find_grid
from hushbit.hashing.fit.normal_scores import NormalScores
from hushbit.hashing.fit.quality import ks_distance


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn_from(genuine: np.ndarray, count: int, kind: str = "kernel") -> np.ndarray:
    return fit_rows(genuine, kind).draw(count, generator_for_tests=generator(1))[:]


def test_rows_of_zeros_are_missing_rows(tmp_path: Path) -> None:
    """Synthetic rows are never zero, so a genuine one would be seen."""
    np.savez(tmp_path / "m.npz", range=9, hashes=[5, 1, 3], weights=np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 2.0]]))
    model = open_model(tmp_path / "m.npz").model
    assert model.hashes.tolist() == [3, 5]
    assert model.weights.tolist() == [[0.0, 2.0], [1.0, 0.0]]
    with pytest.raises(InvalidArgumentError, match="row of zeros"):
        HashedModel(9, np.array([1]), np.array([[0.0, 0.0]]), np.zeros(2), ("a", "b"))


@pytest.mark.parametrize("kind", FIT_KINDS)
def test_zeros_have_no_sign(kind: str) -> None:
    """Rows that repeat with both signs are drawn with both signs. -0 is a zero that only a change of sign makes."""
    genuine = generator().normal(size=(600, 3))
    genuine[::2, 0] = 0
    genuine = np.concatenate([genuine, 0 - genuine])
    found = drawn_from(genuine, 4000, kind)
    assert (found[:, 0] == 0).sum() > 1000
    assert not np.signbit(found[found == 0]).any()


def test_signs_are_as_frequent() -> None:
    """Words that occur together share a sign without alternating signs, and few rows repeat with the other one."""
    genuine = np.repeat(np.abs(generator().normal(size=(500, 2))) + 0.1, 4, axis=0)
    genuine[:20] *= -1
    genuine[20:40:2] *= -1
    negative = (drawn_from(genuine, 20_000)[:, 0] < 0).mean()
    # 30 of 2,000 rows, drawn in 5,000 groups of 4: beyond 0.015 with probability below 1e-6.
    assert abs(negative - 0.015) < 0.015


@pytest.mark.parametrize("kind", FIT_KINDS)
def test_whole_numbers_stay_whole(kind: str) -> None:
    """A perceptron's weights, for example."""
    genuine = np.rint(generator().normal(0, 20, size=(2000, 3)))
    found = drawn_from(genuine[genuine.any(axis=1)], 3000, kind)
    assert (found == np.rint(found)).all()
    assert not np.signbit(found[found == 0]).any()
    assert ks_distance(genuine[:, 0], found[:, 0]) < 0.06


@pytest.mark.parametrize("kind", FIT_KINDS)
def test_no_row_is_rounded_to_nothing(kind: str) -> None:
    genuine = np.rint(generator().normal(0, 1.5, size=(3000, 1)) + 0.3)
    genuine = np.concatenate([genuine, generator(1).integers(1, 200, size=(200, 1))])
    assert drawn_from(genuine[genuine.any(axis=1)], 3000, kind).all()


@pytest.mark.parametrize("kind", FIT_KINDS)
def test_short_numbers_stay_short(kind: str) -> None:
    """float32 weights that were saved as float64."""
    genuine = generator().normal(size=(500, 2)).astype(np.float32).astype(np.float64)
    found = drawn_from(genuine, 1000, kind)
    assert (found.astype(np.float32) == found).all()


def test_grids() -> None:
    weights = np.column_stack([[1.5, -4.0, 0.0], [np.pi, 1e-300, -7.0], [0.0, 0.0, 0.0], [2.0**-30, 2.0**30, 1.0]])
    grid = find_grid(weights)
    assert grid.bits == (2, 53, 53, 1)
    assert grid.steps == (-1, None, None, None)
    values = np.array([[2.3, np.e], [-0.2, 1e-9]])
    grid.round(values, np.array([0, 1]))
    assert values.tolist() == [[2.5, np.e], [0.0, 1e-9]] or values.tolist() == [[2.0, np.e], [0.0, 1e-9]]
    assert not np.signbit(values[1, 0])


@pytest.mark.parametrize("kind", ["gaussian", "mixture", "kernel"])
def test_sums_are_as_small_as_genuine_ones(kind: str) -> None:
    """The weights of a multinomial model add up to almost nothing, but not to zero."""
    genuine = generator().normal(size=(3000, 4))
    noise = generator(1).normal(size=3000) * 1e-15
    genuine[:, 3] = noise - genuine[:, :3].sum(axis=1)
    found = drawn_from(genuine, 3000, kind)
    sums = [np.abs(rows.sum(axis=1)) for rows in (genuine, found)]
    assert sums[0].max() < 1e-13
    # For equal distributions above 0.06 with probability below 1e-4; the seeds are fixed.
    assert ks_distance(*sums) < 0.06


def test_what_dependence_leaves_over_comes_back() -> None:
    rows = generator().normal(size=(300, 3))
    rows[:, 2] = rows[:, 0] * 0.3 - rows[:, 1] + generator(1).normal(size=300) * 1e-12
    found = find_dependence(rows)
    assert (found.free, found.derived, found.inexact) == ((0, 1), (2,), (0,))
    reduced = found.reduce(rows)
    assert np.abs(reduced[:, 2]).max() < 1e-11
    np.testing.assert_allclose(found.complete(reduced), rows, rtol=0, atol=1e-15)


def test_single_weights_repeat_as_often() -> None:
    """Rows of several labels share one weight where they do not share all."""
    values = generator().normal(size=200)
    genuine = np.column_stack([generator(1).choice(values, 3000), generator(2).normal(size=3000)])
    found = drawn_from(genuine, 3000)
    counts = [np.unique(rows[:, 0], return_counts=True)[1] for rows in (genuine, found)]
    assert len(counts[0]) == 200
    assert len(counts[1]) == 200


def test_copies_keep_what_is_equal() -> None:
    """Also across columns: a weight is found elsewhere as often as in the genuine rows, and none of those is drawn."""
    values = generator().normal(size=300)
    genuine = generator(1).choice(values, (1500, 4)) * generator(2).choice([-1, 0, 1], (1500, 4))
    genuine = genuine[genuine.any(axis=1)]
    found = drawn_from(genuine, 3 * len(genuine), "copies")
    assert len(np.unique(np.abs(found[found != 0]))) == 3 * len(np.unique(np.abs(genuine[genuine != 0])))
    assert not np.isin(np.abs(found[found != 0]), np.abs(genuine)).any()
    assert (found == 0).mean() == pytest.approx((genuine == 0).mean())


def test_normal_scores_of_repeated_values() -> None:
    scores = NormalScores(np.array([1.0, 2.0, 2.0, 2.0, 3.0]), 1)
    assert scores.values(np.array([-0.8, 0.0, 0.8])).tolist() == [2.0] * 3
    assert 1 < scores.values(np.array([-0.9]))[0] < 2
    assert scores.values(np.array([9.0]))[0] > 3
    ranks = scores.scores(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(ranks, [-1.2815515655, 0, 1.2815515655], atol=1e-9)


def test_blocks_keep_the_frequent_values() -> None:
    """Means of up to 100 of 100,000 different values are kept, and what repeats is kept as it is."""
    values = np.concatenate([generator().normal(size=100_000), np.repeat(0.123, 5000)])
    found = NormalScores(values, 100).values(generator(1).normal(size=20_000))
    # 4.76 % of 20,000, with a deviation of 30.
    assert 800 < (found == 0.123).sum() < 1100
    assert ks_distance(found, values) < 0.02


def test_knots_have_no_genuine_values() -> None:
    """Draws between two close values are as many as between two distant ones with a knot at every value."""
    values = np.sort(generator().normal(size=4000))
    drawn = np.sort(NormalScores(values, 50).values(generator(1).normal(size=200_000)))
    counts = np.diff(np.searchsorted(drawn, values[1000:3000]))
    gaps = np.diff(values[1000:3000])
    # 50 on average between two values, whatever their distance, with knots at all of them: correlated at 0.
    assert np.corrcoef(counts, gaps)[0, 1] > 0.9


@pytest.mark.parametrize("kind", ["gaussian", "mixture", "kernel"])
def test_last_digits_are_as_even(kind: str) -> None:
    """Half of all numbers end in a one. Those that are a knot plus a little end in zeros where they are smaller."""
    drawn = drawn_from(generator().normal(1, 1, size=(2000, 1)), 40_000, kind)
    odd = np.ldexp(np.frexp(np.abs(drawn))[0], 53).astype(np.int64) % 2
    # Binomial with 40,000 trials: beyond 0.0125 with probability below 1e-6.
    assert abs(odd.mean() - 0.5) < 0.0125


def test_as_many_rows_of_a_group_have_the_other_sign() -> None:
    """Drawn one by one, two opposite rows would have one sign half of the time."""
    genuine = np.abs(generator().normal(size=(500, 1))) + 0.1
    drawn = drawn_from(np.concatenate([genuine, -genuine]), 2000)
    assert (np.unique(np.abs(drawn), return_counts=True)[1] == 2).all()
    assert np.array_equal(np.sort(drawn[drawn > 0]), np.sort(-drawn[drawn < 0]))
