"""The sets of reports of values, and how many reports are in each (docs/counting.md, "What a report is, exactly").

With t = 2 the set of value x is {x}. With more it is a hyperplane: values and reports are points of a projective space
over a prime field, PG(t - 1, q), and report y is in the set of value x if their product is 0 modulo q.

All hyperplanes are counted at once by the dynamic program of Feldman, Nelson, Nguyen and Talwar (ICML 2022).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Space:
    """prime: q, a prime number if t > 2. dimension: t, the number of coordinates, 2 or more."""

    prime: int
    dimension: int

    @property
    def points(self) -> int:
        """Z, the number of reports, and the greatest number of values."""
        return self.prime + 1 if self.dimension == 2 else points_of(self.prime, self.dimension)

    @property
    def on_plane(self) -> int:
        """s, the number of reports in the set of a value."""
        return 1 if self.dimension == 2 else points_of(self.prime, self.dimension - 1)

    @property
    def on_both(self) -> int:
        """The number of reports in the sets of two different values."""
        return 0 if self.dimension == 2 else points_of(self.prime, self.dimension - 2)

    def coordinates(self, points: Whole) -> Whole:
        """(n,) numbers of points, each from 0 to `points` - 1, to coordinates, (n, t). For t > 2."""
        found = np.zeros((len(points), self.dimension), dtype=np.int64)
        rest = points.copy()
        for leading in range(self.dimension):
            block = self.prime ** (self.dimension - 1 - leading)
            here = (rest >= 0) & (rest < block)
            found[here, leading] = 1
            digits = rest[here]
            for place in range(self.dimension - 1, leading, -1):
                digits, found[here, place] = np.divmod(digits, self.prime)
            rest = np.where(here, -1, rest - block)
        return found


def points_of(prime: int, dimension: int) -> int:
    """(q^t - 1) / (q - 1), the number of points with t coordinates."""
    return int((prime**dimension - 1) // (prime - 1))


def hits(space: Space, reports: Whole, values: int) -> Whole:
    """How many reports are in the set of each of the first `values` values, int64 (values,).

    reports: numbers of points, (n,), each from 0 to `space.points` - 1. values: from 1 to `space.points`.

    Takes time for q of each value, and for q^2 of each report at most; memory for a few numbers of each.
    """
    if space.dimension == 2:
        return np.bincount(reports, minlength=space.points)[:values].astype(np.int64)
    points, counts = np.unique(reports, return_counts=True)
    coordinates = space.coordinates(points)
    return _hits(space.prime, _ends_with_one(coordinates, space.prime), counts.astype(np.int64), values)


def sets_with(space: Space, reports: Whole, values: Whole) -> Whole:
    """The number of sets of chosen values that each report is in, (n,), by a product for each value and report."""
    if space.dimension == 2:
        return np.isin(reports, values).astype(np.int64)
    found = np.zeros(len(reports), dtype=np.int64)
    planes = space.coordinates(values).T
    block = max(1, _PRODUCTS // max(len(values), 1))
    for first in range(0, len(reports), block):
        products = space.coordinates(reports[first : first + block]) @ planes % space.prime
        found[first : first + block] = (products == 0).sum(axis=1)
    return found


_PRODUCTS = 1 << 21
"""The number of products that are computed at a time."""


def _ends_with_one(points: Whole, prime: int) -> Whole:
    """The same points as multiples whose last coordinate that is not 0 is 1."""
    last = np.zeros(len(points), dtype=np.int64)
    for column in points.T:
        last = np.where(column != 0, column, last)
    return points * _inverses(prime)[last][:, np.newaxis] % prime


def _inverses(prime: int) -> Whole:
    """(q,) of each number modulo q; of 0 it is 0. A power of q - 2, by Fermat."""
    found, base, power = np.ones(prime, dtype=np.int64), np.arange(prime, dtype=np.int64), prime - 2
    while power:
        if power & 1:
            found = found * base % prime
        base = base * base % prime
        power >>= 1
    found[0] = 0
    return found


def _hits(prime: int, points: Whole, counts: Whole, values: int) -> Whole:
    """Hits of points, (n, t), that end with 1 or are 0, on the hyperplanes of the first values with t coordinates."""
    width = points.shape[1]
    begin_with_one = min(values, prime ** (width - 1))
    found = _affine(prime, points, counts, begin_with_one)
    if values > begin_with_one:  # values begin with 0: the first coordinate of a report does not matter
        found = np.concatenate([found, _hits(prime, points[:, 1:], counts, values - begin_with_one)])
    return found


def _affine(prime: int, points: Whole, counts: Whole, values: int) -> Whole:
    """The same for values that begin with 1, of which there are at most q^(t - 1)."""
    width = points.shape[1]
    if width == 1:
        return np.array([counts[points[:, 0] == 0].sum()], dtype=np.int64)
    last = points[:, -1] != 0
    blocks = -(-values // prime)
    # The last coordinate of a value does not matter where that of the report is 0.
    without = _affine(prime, points[~last, :-1], counts[~last], blocks)
    # Elsewhere it is 1, and the product is 0 for the one value whose last coordinate makes it so.
    by_rest = _by_rest(prime, points[last, :-1], counts[last], blocks)
    last_of_value = -np.arange(prime) % prime
    found: Whole = (without[:, np.newaxis] + by_rest[:, last_of_value]).reshape(-1)[:values]
    return found


def _by_rest(prime: int, points: Whole, counts: Whole, values: int) -> Whole:
    """How many points have each product with each of the first values that begin with 1, (values, q).

    The coordinates of values are fixed one after the other. Before a step there is a number for each choice of the
    fixed coordinates of the value, of the coming ones of the report, and of the product so far.
    """
    if points.shape[1] == 1:
        return _bincount(points[:, 0], counts, prime)[np.newaxis]
    coming = points.shape[1] - 2
    rest = points[:, 2:] @ prime ** np.arange(coming - 1, -1, -1) if coming else np.zeros(len(points), dtype=np.int64)
    size = prime**coming
    state = np.empty((-(-values // size), size * prime), dtype=np.int64)
    for first in range(len(state)):
        product = (points[:, 0] + first * points[:, 1]) % prime
        state[first] = _bincount(rest * prime + product, counts, size * prime)
    while size > 1:
        size //= prime
        state = _step(prime, state, size, -(-values // size))
    return state


def _step(prime: int, state: Whole, size: int, values: int) -> Whole:
    """Fixes the next coordinate of the value; sums over that of the report. `size`: choices of what comes after."""
    before = state.reshape(len(state), prime, size, prime)
    twice = np.concatenate([before, before], axis=3)  # turning around modulo q is then a slice
    after = np.zeros((len(state), prime, size, prime), dtype=np.int64)
    for value in range(prime if len(state) > 1 else min(prime, values)):
        for report in range(prime):
            turn = -value * report % prime
            after[:, value] += twice[:, report, :, turn : turn + prime]
    return after.reshape(len(state) * prime, size * prime)[:values]


def _bincount(places: Whole, counts: Whole, length: int) -> Whole:
    """Sums of counts, exactly while they are below 2^53."""
    return np.bincount(places, weights=counts, minlength=length).astype(np.int64)
