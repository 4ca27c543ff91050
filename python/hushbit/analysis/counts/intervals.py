"""The counts that reports tell, and the limits between which they lie.

Each report lies on the hyperplane of a value with probability `own` if it is of this value and `other` if it is of
another one, independently. So the hits of a value that nobody has are exactly binomial, and those of a value with share
s of the reports are taken as binomial with probability other + (own - other)·s. That is exact for people drawn from
many; if only those who reported are meant, or a text's composition, the true variance is smaller, and intervals hold
more often.

A value is told if so many hits had a chance of at most 1 in the number of values, and of at most 1 in 100, for a value
that nobody has. So at most one such value is told in a whole table, on average (a union bound). Told values look larger
than they are, since they were picked for being large: their intervals are those of the distribution given that they
were told, and the intervals of all others that given that they were not (the truncated normal distribution, with a
correction for continuity).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hushbit.analysis.counts.geometry import Whole

Floats = NDArray[np.float64]

FEWEST = 100
"""A table of fewer values tells one as if it had as many."""
_STEPS = 40  # a count is then known to within 10⁻¹² of all reports
_TINY = np.finfo(float).tiny
_HIGHEST = 38.0  # the end of the table of tails; the asymptotic form holds beyond it
_TABLE = np.arange(-9.0, _HIGHEST, 0.004)
_LOG_TAILS = np.array([math.log(math.erfc(z / math.sqrt(2)) / 2) for z in _TABLE.tolist()])


def least_told(reports: int, other: float, values: int) -> int:
    """The smallest number of hits that tells a value; one more than `reports` if no number does."""
    most = -math.log(max(values, FEWEST))
    low, high = math.floor(reports * other) + 1, reports + 1
    while low < high:
        middle = (low + high) // 2
        if _log_tail_bound(reports, other, middle) <= most:
            high = middle
        else:
            low = middle + 1
    return low


def _log_tail_bound(trials: int, chance: float, least: int) -> float:
    """The logarithm of an upper bound of Pr[binomial >= least], above the mean: of a geometric series, whose terms fall
    more slowly.
    """
    log_choices = math.lgamma(trials + 1) - math.lgamma(least + 1) - math.lgamma(trials - least + 1)
    log_first = log_choices + least * math.log(chance) + (trials - least) * math.log1p(-chance)
    ratio = (trials - least) / (least + 1) * chance / (1 - chance)
    return log_first - math.log1p(-ratio)


def limits(hits: Whole, reports: int, own: float, other: float, told_from: int, level: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of the shares of values, (k,) each, from 0 to 1.

    hits: (k,). own, other: the chances of a hit. told_from: `least_told`. level: how many of the intervals hold.
    """
    distinct, places = np.unique(hits, return_inverse=True)
    told = distinct >= told_from
    tail = math.log((1 - level) / 2)
    least = np.full(len(distinct), told_from)

    def tails(chance: Floats, hits: Whole) -> tuple[Floats, Floats]:
        """log Pr[as many hits or more], and that of the hits that tell: together, since few of them take as long."""
        mean, deviation = reports * chance, np.sqrt(reports * chance * (1 - chance))
        both = log_tail((np.stack([hits, least]) - 0.5 - mean) / deviation)
        return both[0], both[1]

    def at_least(chance: Floats) -> Floats:
        """log Pr[as many hits or more | what the told column says]."""
        among, telling = tails(chance, distinct)
        not_told = _log_difference(among, telling) - _log_of_rest(telling)
        return np.where(told, among - telling, not_told)

    def at_most(chance: Floats) -> Floats:
        """log Pr[as many hits or fewer | the same]."""
        more, telling = tails(chance, distinct + 1)
        return np.where(told, _log_of_rest(np.minimum(more - telling, 0.0)), _log_of_rest(more) - _log_of_rest(telling))

    low, _ = _solve(other, own, len(distinct), lambda chance: at_least(chance) < tail)
    _, high = _solve(other, own, len(distinct), lambda chance: at_most(chance) > tail)
    return ((low - other) / (own - other))[places], ((high - other) / (own - other))[places]


def plain_limits(hits: Whole, reports: int, deviations: float) -> tuple[Floats, Floats]:
    """Limits of the chance of a hit, (k,) each, whatever was told: Wilson's interval, half a hit wider on each side."""
    square = deviations**2
    bounds = []
    for sign in (-1, 1):
        seen = np.clip(hits + sign * 0.5, 0, reports)
        middle = (seen + square / 2) / (reports + square)
        half = deviations * np.sqrt(seen * (reports - seen) / reports + square / 4) / (reports + square)
        bounds.append(np.clip(middle + sign * half, 0, 1))
    return bounds[0], bounds[1]


def log_tail(deviations: Floats) -> Floats:
    """log Pr[a standard normal number is above each of `deviations`]."""
    far = np.maximum(deviations, _HIGHEST)
    beyond = -(far**2) / 2 - np.log(far * math.sqrt(2 * math.pi))
    found: Floats = np.where(deviations < _TABLE[-1], np.interp(deviations, _TABLE, _LOG_TAILS), beyond)
    return found


def _solve(low: float, high: float, count: int, above: Callable[[Floats], NDArray[np.bool_]]) -> tuple[Floats, Floats]:
    """Finds by bisection chances just below and just above the one up to which `above` holds."""
    lows, highs = np.full(count, low), np.full(count, high)
    for _ in range(_STEPS):
        middle = (lows + highs) / 2
        higher = above(middle)
        lows, highs = np.where(higher, middle, lows), np.where(higher, highs, middle)
    return lows, highs


def _log_difference(larger: Floats, smaller: Floats) -> Floats:
    """log(e^larger - e^smaller)."""
    return larger + _log_of_rest(np.minimum(smaller - larger, 0.0))


def _log_of_rest(logarithm: Floats) -> Floats:
    """log(1 - e^logarithm), for logarithms of 0 or less."""
    return np.log(np.maximum(-np.expm1(logarithm), _TINY))
