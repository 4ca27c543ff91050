"""How often each value was reported, and each group of values: unbiased, with intervals, and what is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from hushbit.analysis.counts.intervals import FEWEST, Floats, least_told, limits
from hushbit.analysis.counts.tally import Tally
from hushbit.errors import InvalidArgumentError

LEVEL = 0.95


@dataclass(frozen=True)
class Estimates:
    """Counts of k values or groups, in their order; shares of the reports are these divided by `reports`.

    names: k of them. reports: how many were counted. counts: (k,) unbiased, so also below 0. deviations: (k,) their
    standard deviations. low, high: (k,) limits, from 0 to `reports`. told: (k,) whether the reports tell that the count
    is above 0: of those that are 0 at most one is told, on average. consistent: (k,) the counts moved as little as
    possible so that none is below 0 and their sum is `reports` (norm-sub in Wang et al., NDSS 2020); biased; of groups
    the sums.
    """

    names: Sequence[str]
    reports: int
    counts: Floats
    deviations: Floats
    low: Floats
    high: Floats
    told: NDArray[np.bool_]
    consistent: Floats

    def order(self) -> NDArray[np.intp]:
        """Places of the values, the most frequent first."""
        return np.argsort(-self.counts, kind="stable")


def estimate(tally: Tally, names: Sequence[str], level: float = LEVEL) -> Estimates:
    """Counts of all values; `level` is how many of the intervals hold. Raises InvalidArgumentError without reports."""
    if not tally.reports:
        raise InvalidArgumentError("there is no report to count")
    if len(names) != len(tally.hits):
        raise InvalidArgumentError(f"there are {len(names)} names for {len(tally.hits)} values")
    reports, own, other = tally.reports, tally.design.own, tally.design.other
    told_from = least_told(reports, other, len(tally.hits))
    low, high = limits(tally.hits, reports, own, other, told_from, level)
    counts = (tally.hits.astype(np.float64) - reports * other) / (own - other)
    chances = np.clip(tally.hits / reports, other, own)
    return Estimates(
        names=names,
        reports=reports,
        counts=counts,
        deviations=np.sqrt(reports * chances * (1 - chances)) / (own - other),
        low=reports * low,
        high=reports * high,
        told=tally.hits >= told_from,
        consistent=consistent(counts, reports),
    )


def estimate_groups(tally: Tally, level: float = LEVEL) -> Estimates:
    """Counts of the groups of a tally. Limits are those of the normal distribution; a group is told if so large a count
    had a chance of at most 1 in 100, and in the number of groups, were it 0.
    """
    if not tally.reports:
        raise InvalidArgumentError("there is no report to count")
    own, other = tally.design.own, tally.design.other
    raw = (tally.hits.astype(np.float64) - tally.reports * other) / (own - other)
    all_counts = consistent(raw, tally.reports)
    members = list(tally.groups.values())
    sums = np.array([tally.hits[group].sum() for group in members], dtype=float)
    sizes = np.array([len(group) for group in members])
    counts = (sums - tally.reports * sizes * other) / (own - other)
    variances = np.maximum(tally.squares - sums**2 / tally.reports, 0) * tally.reports / max(tally.reports - 1, 1)
    deviations = np.sqrt(variances) / (own - other)
    half = NormalDist().inv_cdf((1 + level) / 2) * deviations
    return Estimates(
        names=list(tally.groups),
        reports=tally.reports,
        counts=counts,
        deviations=deviations,
        low=np.clip(counts - half, 0, tally.reports),
        high=np.clip(counts + half, 0, tally.reports),
        told=counts > NormalDist().inv_cdf(1 - 1 / max(len(members), FEWEST)) * deviations,
        consistent=np.array([all_counts[group].sum() for group in members]),
    )


def consistent(counts: Floats, total: float) -> Floats:
    """The nearest counts, by the sum of squares, that are 0 or more and whose sum is `total`: all lowered alike, and
    those below 0 raised to it.
    """
    falling = np.sort(counts)[::-1]
    above = (np.cumsum(falling) - total) / np.arange(1, len(counts) + 1)
    kept = np.flatnonzero(falling > above)[-1]
    moved: Floats = np.maximum(counts - above[kept], 0.0)
    return moved
