"""The effect of shuffling: what whoever sees many people's releases, mixed, learns of one of them (docs/proofs.md).

n people make one release each by a mechanism with the local-DP ε₀. A shuffler drops names, order and times. For a
reader who sees nothing else there is a central (ε, δ) for each person, whose δ is summed numerically, errors upward:

- clones (Feldman, McMillan and Talwar, FOCS 2021; SODA 2023): everybody else's release is, with a probability that ε₀
  determines, drawn as that of the person is, under one or the other of two values;
- variation-ratio (Wang et al., VLDB 2024): the same, knowing by how much the releases of two values differ at most,
  their total variation.

Both are special cases of one reduction, which also reveals what is common to two values, so that it needs no assumption
on the mechanism. The smaller one counts; either is at most ε₀.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.randomized_response import require_delta

CONDITIONS = (
    "It holds for one release of each person, if a shuffler that all trust drops names, order and times, if at least "
    "so many people are honest, and if nobody sees the releases before it. The words of a text that stay together are "
    "not shuffled."
)

MOST_EPSILON = 30.0
MOST_PEOPLE = 10**9
"""The distributions of scipy are wrong from 2^31 trials on, and say less than holds."""
_OUTSIDE = 1e-4  # the share of δ that the sums leave out, and add to δ
_ROUNDING = 1 + 1e-6  # a factor of what is summed, far above the error of floating point
_BINS = (500, 32)
_COARSE = (200, 16)  # coarser numbers for totals, which need the whole curve
_POINTS = 50
_EXACT = 1e-4  # the relative error with which ε is found
_NARROWEST = 1e-3  # the narrowest interval of total variation, as a share of the largest
_INTERVALS = 32

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Release:
    """A mechanism, as far as shuffling goes.

    epsilon: the local-DP ε₀. variation: the largest total variation of the releases of two values. constant: whether
    any two values have it, so that smaller ones need not be looked at.
    """

    epsilon: float
    variation: float
    constant: bool = False


@dataclass(frozen=True)
class Shuffled:
    """The central guarantee for one release of each of `people`, at δ, by both forms; the smaller one counts."""

    people: int
    delta: float
    clones: float
    variation: float

    @property
    def epsilon(self) -> float:
        """The central ε."""
        return min(self.clones, self.variation)


@dataclass(frozen=True)
class Reduction:
    """What the releases of n people are made of, for two values of one of them: drawn as of the first value's own part,
    as of the second's, as of what both have in common, or in a way that does not depend on the person.

    person: (u, u/p, c), the chances of the person's three parts under the first value; u/p and u are swapped under the
    second. others: (r, r, g) of everybody else's.
    """

    ratio: float
    person: tuple[float, float]
    others: tuple[float, float]

    def delta(self, people: int, epsilon: float, tail: float, bins: tuple[int, int] = _BINS) -> float:
        """An upper bound of the hockey-stick divergence at ε. `tail`: what may be left out, and is added."""
        own, common = self.person
        clone, blank = self.others
        likely = own / clone
        alike = common / blank if blank > 0 else 0.0
        power = math.exp(epsilon)
        low, high, chance = _bins(people, 2 * clone, bins[0], tail)
        least, weight = _common(people - high, blank / (1 - 2 * clone), bins[1])
        # A count n of both parts and m of the common one has P - e^ε·Q in proportion to gain·n1 - cost, with n1 of n.
        gain = likely * (1 + power) * (1 - 1 / self.ratio)
        cost = likely * (power - 1 / self.ratio) * low[:, np.newaxis] + alike * (power - 1) * least
        beyond = _above(gain, cost, high[:, np.newaxis])
        return _ROUNDING * float(chance @ (beyond * weight).sum(axis=1)) / people + 4 * tail


def _above(gain: float, cost: Floats, trials: Whole) -> Floats:
    """The mean of max(0, gain·n1 - cost) for n1 binomial of `trials` and 1/2."""
    from scipy.special import bdtrc

    least = np.maximum(np.ceil(cost / gain), 0)
    there = least <= trials
    trials = np.broadcast_to(trials, cost.shape)[there]
    at, price = least[there], cost[there]
    chance = np.where(at > 0, bdtrc(np.maximum(at - 1, 0), trials, 0.5), 1.0)
    fewer, before = np.maximum(trials - 1, 0), at - 1
    mean = np.where(before > 0, bdtrc(np.maximum(before - 1, 0), fewer, 0.5), 1.0) * trials / 2
    found = np.zeros(cost.shape)
    found[there] = np.maximum(gain * mean - price * chance, 0)
    return found


def _bins(people: int, chance: float, most: int, tail: float) -> tuple[Whole, Whole, Floats]:
    """Counts of a binomial in bins: the least and the largest of each, and its chance; but for `tail` at each end."""
    from scipy.stats import binom

    if chance <= 0:
        return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1)
    law = binom(people, min(chance, 1.0))
    first, last = max(int(law.ppf(tail)) - 2, 0), min(int(law.isf(tail)) + 2, people)
    edges = np.unique(np.linspace(first, last + 1, min(most, last + 1 - first) + 1).astype(np.int64))
    below = law.cdf(edges - 1)
    above = law.sf(edges - 1)
    chances = np.where(below[:-1] < 0.5, np.diff(below), -np.diff(above))
    return edges[:-1], edges[1:] - 1, np.maximum(chances, 0)


def _common(rest: Whole, chance: float, most: int) -> tuple[Whole, Floats]:
    """Counts of binomials of `rest` trials each, (k,), in bins: the least of each, and its chance, (k, bins).

    The more of them there are, the less is told, so the least of each bin and the fewest trials count.
    """
    from scipy.stats import binom

    if chance <= 0:
        return np.zeros(1, dtype=np.int64), np.ones((len(rest), 1))
    first, last = (
        int(binom.ppf(end, trials, chance)) for end, trials in ((1e-15, rest.min()), (1 - 1e-12, rest.max()))
    )
    edges = np.unique(np.concatenate([[0], np.linspace(first, last, most).astype(np.int64)]))
    below = binom.cdf(edges[1:] - 1, rest[:, np.newaxis], chance)
    bounds = np.hstack([np.zeros((len(rest), 1)), below, np.ones((len(rest), 1))])
    return edges, np.diff(bounds, axis=1)


# ---- The reductions


def variations(release: Release) -> list[Reduction]:
    """Reductions by total variation.

    If all values have the largest one, that alone; otherwise intervals of it that cover all, that of the largest first.
    """
    ratio = math.exp(release.epsilon)
    largest = min(release.variation, (ratio - 1) / (ratio + 1)) / (ratio - 1)
    if release.constant:
        return [_variation(ratio, largest, largest)]
    # The farther below the largest, the more room there is for a wide one.
    below = [0.0, *np.geomspace(_NARROWEST, 1, _INTERVALS).tolist()]
    edges = [largest * (1 - share) for share in below]
    return [_variation(ratio, low, high) for high, low in pairwise(edges)]


def _variation(ratio: float, low: float, high: float) -> Reduction:
    """The reduction for all pairs of values whose total variation by e^ε₀ - 1 lies in an interval."""
    common = max(1 - (ratio + 1) * high, 0.0)
    blank = max(1 - (ratio + 1) * low - 2 * ratio * (high - low), 0.0)
    return Reduction(ratio, (ratio * high, common), (high, blank / ratio))


# ---- Guarantees


def shuffled(release: Release, people: int, delta: float) -> Shuffled:
    """The central guarantee for one release of each of `people`.

    Raises InvalidArgumentError for a δ outside (0, 1), no people, or an ε₀ above 30.
    """
    _require(release, people, delta)
    if release.epsilon == 0:
        return Shuffled(people, delta, 0.0, 0.0)
    by_clones = _least_epsilon(release, people, delta, variations(Release(release.epsilon, 1.0)))
    by_variation = _least_epsilon(release, people, delta, variations(release))
    return Shuffled(people, delta, by_clones, by_variation)


def shuffled_total(release: Release, people: int, delta: float, releases: int) -> float:
    """The central ε of `releases` of one person, each in a batch of `people` of its own, at δ in all.

    It follows from the curve of δ by ε of one release, by privacy-loss distributions: an upper bound, never above the
    plain sums.
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld import privacy_loss_distribution as pld

    one = shuffled(release, people, delta / (100 * releases))
    tail = _OUTSIDE * delta / releases
    step = one.epsilon / (_POINTS - 1)
    reductions = variations(release)
    above = np.array(
        [max(part.delta(people, place * step, tail, _COARSE) for part in reductions) for place in range(_POINTS + 1)]
    )
    above = np.minimum(np.minimum.accumulate(above), 1.0)
    # The curve is the same for the two values in reverse order: H(-t) = 1 - e^-t + e^-t·H(t).
    powers = np.exp(-step * np.arange(1, _POINTS + 1))
    below = (1 - powers + powers * above[1:])[::-1]
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(step, -_POINTS, _POINTS, np.concatenate([below, above]))
    total = pld.PrivacyLossDistribution(pmf).self_compose(releases, 1e-3 * delta)
    found = float(total.get_epsilon_for_delta(delta))
    return min(found, releases * shuffled(release, people, delta / releases).epsilon, releases * release.epsilon)


def _least_epsilon(release: Release, people: int, delta: float, reductions: list[Reduction]) -> float:
    """The least ε at which all reductions hold, up to a ten-thousandth above it."""
    from scipy.optimize import brentq

    def excess(reduction: Reduction, epsilon: float) -> float:
        """The logarithm of the actual δ by the wanted one: above 0 where the actual δ is too large."""
        found = reduction.delta(people, epsilon, _OUTSIDE * delta)
        return math.log(max(found, np.finfo(float).tiny) / delta)

    found = 0.0
    for reduction in reductions:
        if excess(reduction, found) <= 0:
            continue
        if excess(reduction, release.epsilon) > 0:
            return release.epsilon
        step = _EXACT * max(found, release.epsilon * people**-0.5)
        beyond = partial(excess, reduction)
        found = float(brentq(beyond, found, release.epsilon, xtol=step, rtol=_EXACT)) + step
        while excess(reduction, found) > 0:
            found += step
    return min(found, release.epsilon)


def _require(release: Release, people: int, delta: float) -> None:
    require_delta(delta)
    if delta == 0 or people < 1:
        raise InvalidArgumentError("shuffling needs a delta above 0 and at least one person")
    if people > MOST_PEOPLE:
        raise InvalidArgumentError(
            f"shuffling is computed for at most {MOST_PEOPLE:,} people; what holds for so many holds for more, too"
        )
    if release.epsilon > MOST_EPSILON:
        raise InvalidArgumentError(f"shuffling is computed for a local epsilon of at most {MOST_EPSILON:g}")
