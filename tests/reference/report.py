"""Reports: with a fixed chance one of the set of a value, else any (docs/counting.md).

The design is found by looking at every prime, in rational arithmetic.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from mpmath import iv, mp
from numpy.typing import NDArray

from .brr import Source, uniform_index
from .coin import settled
from .crowd import epsilon_of, threshold
from .millionths import at_most_as_stated

_REPORTS = 1 << 32


def points_of(q: int, t: int) -> int:
    """(q^t - 1) / (q - 1)"""
    return sum(q**i for i in range(t))


@cache
def _primes() -> list[int]:
    """Those below 2^16: three coordinates modulo a larger one give too many points."""
    is_prime = bytearray([0, 0, *[1] * (2**16 - 2)])
    for number in range(2, 2**8):
        if is_prime[number]:
            is_prime[number * number :: number] = bytes(len(range(number * number, 2**16, number)))
    return [number for number in range(2**16) if is_prime[number]]


@dataclass(frozen=True)
class Design:
    """q, t, and what follows: Z, s, s2."""

    q: int
    t: int
    reports: int
    own: int
    shared: int

    def variance(self, x: Fraction) -> Fraction:
        """The variance of the count of a value that nobody has, up to a common factor; x is e^-epsilon."""
        likely = self.own * x + self.shared * (1 - x)
        return likely * (self.q * x + 1 - x) / Fraction(self.q) ** (self.t - 2)


def geometry(q: int, t: int) -> Design:
    """The design of points with t coordinates modulo q."""
    return Design(q, t, points_of(q, t), points_of(q, t - 1), points_of(q, t - 2))


def scaled_exp_minus(epsilon: float) -> int:
    """floor(2^32 e^-epsilon)"""
    return int(settled(lambda: iv.mpf(2**32) * iv.exp(-iv.mpf(epsilon)), lambda x: int(mp.floor(x))))


@cache
def _geometries() -> list[Design]:
    """All whose reports have 32 bits."""
    return [geometry(q, t) for t in range(3, 33) for q in _primes() if q ** (t - 1) < _REPORTS]


@cache
def _columns() -> tuple[NDArray[np.float64], ...]:
    columns = np.array([(d.q, d.t, d.reports, d.own, d.shared) for d in _geometries()], dtype=np.float64)
    return tuple(columns.T)


@cache
def design_of(epsilon: float, values: int) -> Design:
    """The design of the least variance; then the least t, then the least q."""
    x = Fraction(scaled_exp_minus(epsilon), 2**32)
    # Floats find those that are near the best, rationals the best.
    q, t, reports, own, shared = _columns()
    y = float(x)
    rough = (own * y + shared * (1 - y)) * (q * y + 1 - y) / q ** (t - 2)
    rough[(reports < values) | (reports >= _REPORTS)] = np.inf
    near = [_geometries()[i] for i in np.flatnonzero(rough <= rough.min() * (1 + 1e-9))]
    return min(
        [Design(values - 1, 2, values, 1, 0), *near], key=lambda design: (design.variance(x), design.t, design.q)
    )


def point(number: int, q: int, t: int) -> list[int]:
    """The coordinates of a point."""
    zeros = 0
    while number >= q ** (t - 1 - zeros):
        number -= q ** (t - 1 - zeros)
        zeros += 1
    digits = [number // q**i % q for i in range(t - 1 - zeros)]
    return [0] * zeros + [1] + digits[::-1]


def number_of(coordinates: list[int], q: int) -> int:
    """The number of a point."""
    t = len(coordinates)
    zeros = next(place for place, coordinate in enumerate(coordinates) if coordinate)
    assert coordinates[zeros] == 1
    blocks = [1] * zeros + [0] + coordinates[zeros + 1 :]
    return sum(block * q ** (t - 1 - place) for place, block in enumerate(blocks))


def in_set(design: Design, value: int, report: int) -> bool:
    """Whether a report is in the set of a value, by definition."""
    if design.t == 2:
        return value == report
    pairs = zip(point(value, design.q, design.t), point(report, design.q, design.t), strict=True)
    return sum(x * y for x, y in pairs) % design.q == 0


def member(design: Design, value: int, place: int) -> int:
    """The report at a place of the set of a value."""
    if design.t == 2:
        return value
    q, t = design.q, design.t
    x, rest = point(value, q, t), point(place, q, t - 1)
    last = max(i for i in range(t) if x[i])
    y = [*rest[:last], 0, *rest[last:]]
    y[last] = -sum(a * b for a, b in zip(x, y, strict=True)) * pow(x[last], -1, q) % q
    return number_of(y, q)


@dataclass(frozen=True)
class Reports:
    """Reports of `values` values at an epsilon."""

    epsilon: float
    values: int

    @property
    def design(self) -> Design:
        """The design."""
        return design_of(self.epsilon, self.values)

    @property
    def limit(self) -> int:
        """L"""
        return threshold(at_most_as_stated(self.epsilon), self.design.own, self.design.reports)

    @property
    def effective_epsilon(self) -> float:
        """The epsilon that holds."""
        return min(self.epsilon, epsilon_of(self.limit, self.design.own, self.design.reports))

    def chances(self, value: int) -> list[Fraction]:
        """The chances of every report, exactly."""
        coin = Fraction(self.limit, 2**64)
        design = self.design
        own = [coin / design.own if in_set(design, value, report) else 0 for report in range(design.reports)]
        return [share + (1 - coin) / design.reports for share in own]

    def draw(self, value: int, words: list[int], source: Source) -> int:
        """A report, from three words of 64 bits and, where they are rejected, more of the source."""
        coin, in_own, in_all = words
        place = uniform_index(in_own, self.design.own, source)
        any_report = uniform_index(in_all, self.design.reports, source)
        return member(self.design, value, place) if coin < self.limit else any_report
