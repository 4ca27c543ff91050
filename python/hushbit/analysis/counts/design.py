"""How reports about a number of values are drawn at an ε: which sets there are, and how likely a report is in them.

The choice is that of devices, from the same integers (docs/counting.md, "What a report is, exactly").
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

import numpy as np

from hushbit.analysis.counts.geometry import Space, Whole, points_of
from hushbit.errors import InvalidArgumentError

MOST_VALUES = 1 << 24
_MOST_REPORTS = 1 << 32
_DIGITS = 60
EPSILONS = (0.01, 32.0)


@dataclass(frozen=True)
class Design:
    """space: the reports and their sets. values: how many there are. epsilon: the requested one. threshold: L of 2^64,
    the chance of a draw from the set of the value alone.
    """

    space: Space
    values: int
    epsilon: float
    threshold: int

    @property
    def own(self) -> float:
        """The probability that a report is in the set of its own value."""
        return float(self._chance + (1 - self._chance) * self._share)

    @property
    def other(self) -> float:
        """The probability that it is in the set of another value."""
        common = Fraction(self.space.on_both, self.space.on_plane)
        return float(self._chance * common + (1 - self._chance) * self._share)

    @property
    def _chance(self) -> Fraction:
        return Fraction(self.threshold, 2**64)

    @property
    def _share(self) -> Fraction:
        return Fraction(self.space.on_plane, self.space.points)


@lru_cache
def design_of(values: int, epsilon: float) -> Design:
    """The design of reports about `values` values, 2 to 2^24, at an ε. Raises InvalidArgumentError."""
    if not 2 <= values <= MOST_VALUES:
        raise InvalidArgumentError(f"reports are of 2 to {MOST_VALUES:,} values, not of {values:,}")
    least, most = EPSILONS
    if not least <= epsilon <= most:
        raise InvalidArgumentError(f"the epsilon of reports is {least:g} to {most:g}, not {epsilon:g}")
    with localcontext() as context:
        context.prec = _DIGITS
        power = Decimal(epsilon).exp()
        inverse = int(2**32 / power)
        space = min(_spaces(values), key=lambda space: (_variance(space, inverse), space.dimension, space.prime))
        gain = (power - 1) * space.on_plane
        threshold = int(2**64 * gain / (space.points + gain))
    return Design(space, values, epsilon, threshold)


def _variance(space: Space, inverse: int) -> Fraction:
    """The variance of the count of a value that nobody has, without a factor that all designs share.

    `inverse` is e^-ε in units of 2^-32.
    """
    rest = 2**32 - inverse
    hits = space.on_plane * inverse + space.on_both * rest
    return Fraction(hits * (space.prime * inverse + rest), space.prime ** (space.dimension - 2))


def _spaces(values: int) -> list[Space]:
    spaces = [Space(values - 1, 2)]
    dimension = 3
    while points_of(2, dimension) < _MOST_REPORTS:
        for prime in _primes().tolist():
            points = points_of(prime, dimension)
            if points >= _MOST_REPORTS:
                break
            if points >= values:
                spaces.append(Space(prime, dimension))
        dimension += 1
    return spaces


@lru_cache
def _primes() -> Whole:
    """All below 2^16, by the sieve of Eratosthenes: with three coordinates larger ones have too many points."""
    is_prime = np.ones(1 << 16, dtype=bool)
    is_prime[:2] = False
    for number in range(2, 1 << 8):
        if is_prime[number]:
            is_prime[number * number :: number] = False
    return np.flatnonzero(is_prime).astype(np.int64)
