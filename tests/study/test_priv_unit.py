"""PrivUnit, the baseline for unit vectors, beside its closed form and its promise."""

import math

import numpy as np
import pytest

from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.priv_unit import PrivUnit


@pytest.mark.parametrize(("dimensions", "epsilon"), [(2, 1.0), (32, 1.0), (32, 4.0), (64, 8.0)])
def test_draws_have_the_moments_and_the_ratio_of_the_promise(dimensions: int, epsilon: float) -> None:
    mechanism = PrivUnit(dimensions, epsilon)
    inside, outside = mechanism.chance / mechanism.share, (1 - mechanism.chance) / (1 - mechanism.share)
    assert math.log(inside / outside) == pytest.approx(epsilon)
    units = np.zeros((40_000, dimensions))
    units[:, 1] = 1
    drawn = mechanism.release(units, np.random.default_rng(1))
    np.testing.assert_allclose(np.linalg.norm(drawn, axis=1), 1)
    along = drawn[:, 1]
    # Six standard errors of means of 40,000 draws: 1 false alarm in 10^8.
    assert abs(along.mean() - mechanism.mean) < 6 * along.std() / 200
    assert abs((along**2).mean() - mechanism.mean_square) < 6 * (along**2).std() / 200
    assert abs((along > mechanism.height).mean() - mechanism.chance) < 6 * 0.5 / 200


def test_no_other_cap_points_better() -> None:
    # Exact in 3 dimensions, where heights are uniform: the mean of a cap of the share q is 1 - q.
    for epsilon in (0.5, 2.0, 5.0):
        shares = np.linspace(1e-4, 0.5, 20_000)
        chances = shares * math.exp(epsilon) / (1 - shares + shares * math.exp(epsilon))
        best = (chances * (1 - shares) - (1 - chances) * shares).max()
        assert PrivUnit(3, epsilon).mean == pytest.approx(best, rel=1e-5)


def test_zeros_draw_any_vector_and_impossible_arguments_are_refused() -> None:
    drawn = PrivUnit(8, 2.0).release(np.zeros((20_000, 8)), np.random.default_rng(2))
    assert np.abs(drawn.mean(axis=0)).max() < 6 / math.sqrt(8 * 20_000)
    for arguments in [(1, 1.0), (8, 0.0), (8, math.inf), (8, math.nan)]:
        with pytest.raises(InvalidArgumentError, match="PrivUnit needs"):
            PrivUnit(*arguments)
