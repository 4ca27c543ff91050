"""What a filled table costs: the Rényi divergence to its worst neighbor, as (epsilon, delta)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.hashing.costs.neighboring_tables import TAILS, Moments, worst_neighbors
from hushbit.hashing.costs.renyi import epsilon_at, gaussian_divergence, largest_alpha, least_epsilon
from hushbit.hashing.table.model import HashedModel

DEFAULT_DELTA = 1e-5


@dataclass(frozen=True)
class DirectionCost:
    """One direction of the divergence. `epsilon` is infinite, and `alpha` NaN, if the divergence is for every alpha.

    `by_dimension` are the divergences at alpha, one a dimension, which add up (times the draws), and `tails` say which
    rows the neighbor of each dimension lacks.
    """

    epsilon: float
    alpha: float
    by_dimension: tuple[float, ...]
    tails: tuple[str, ...]


@dataclass(frozen=True)
class ModelCost:
    """An indistinguishability indicator under the paper's assumptions; not an (epsilon, delta)-DP guarantee.

    `removed` is K, the features of the term. `from_table` compares the table with its neighbor, `from_neighbor` the
    neighbor with the table; privacy needs the larger. `draws` is how many rows were drawn: 1 for the paper's figure.
    """

    removed: int
    delta: float
    draws: int
    from_table: DirectionCost
    from_neighbor: DirectionCost

    @property
    def epsilon(self) -> float:
        """The larger of both directions."""
        return max(self.from_table.epsilon, self.from_neighbor.epsilon)


def cost(model: HashedModel, removed: int, delta: float = DEFAULT_DELTA, *, draws: int | None = None) -> ModelCost:
    """What a term of `removed` features costs with `draws` independent rows; by default all rows that the table lacks.

    Raises InvalidArgumentError for fewer than 2 genuine rows, `removed` outside 0 to n - 1, `delta` outside (0, 1).
    """
    return cost_curve(model, [removed], delta, draws=draws)[0]


def cost_curve(
    model: HashedModel, removed: Iterable[int], delta: float = DEFAULT_DELTA, *, draws: int | None = None
) -> list[ModelCost]:
    """`cost` for several numbers of features; the weights are sorted only once."""
    draws = model.missing if draws is None else draws
    if draws < 0:
        raise InvalidArgumentError(f"{draws} rows cannot be drawn")
    counts = list(removed)
    whole, neighbors = worst_neighbors(model.weights, counts)
    return [
        ModelCost(
            count,
            delta,
            draws,
            _direction(whole, neighbor, delta, draws),
            _direction(neighbor, whole, delta, draws),
        )
        for count, neighbor in zip(counts, neighbors, strict=True)
    ]


def _direction(p: Moments, q: Moments, delta: float, draws: int) -> DirectionCost:
    def by_tail(alphas: NDArray[np.float64]) -> NDArray[np.float64]:
        """(alphas, tails, d)."""
        return gaussian_divergence(p.mean, p.variance, q.mean, q.variance, alphas[:, None, None])

    epsilon_at(0.0, 2.0, delta)  # refuses a delta that is none
    dimensions = p.mean.shape[-1]
    if draws == 0 or (p.mean.shape != q.mean.shape and _equal(p, q)):
        return DirectionCost(0.0, float("inf"), (0.0,) * dimensions, (TAILS[0],) * dimensions)
    limit = largest_alpha(*np.broadcast_arrays(p.variance, q.variance))
    epsilon, alpha = least_epsilon(lambda a: draws * by_tail(a).max(axis=1).sum(axis=-1), delta, limit)
    best = by_tail(np.array([alpha if np.isfinite(alpha) else 2.0]))[0]
    tails = tuple(TAILS[i] for i in best.argmax(axis=0))
    return DirectionCost(epsilon, alpha, tuple(map(float, best.max(axis=0))), tails)


def _equal(p: Moments, q: Moments) -> bool:
    return bool((p.mean == q.mean).all() and (p.variance == q.variance).all())
