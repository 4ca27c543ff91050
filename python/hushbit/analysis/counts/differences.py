"""What changed between two periods: the difference of the shares of each value, with limits, and whether it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from hushbit.analysis.counts.estimates import LEVEL
from hushbit.analysis.counts.intervals import FEWEST, Floats, plain_limits
from hushbit.analysis.counts.tally import Tally
from hushbit.errors import InvalidArgumentError


@dataclass(frozen=True)
class Differences:
    """The differences of k values: shares of the reports of the second period minus those of the first.

    names: k of them. first, second: (k,) shares, unbiased. change: (k,) their difference. low, high: (k,) its limits.
    told: (k,) whether the reports tell that the share changed. At most one value whose share did not change is told, on
    average.
    """

    names: Sequence[str]
    first: Floats
    second: Floats
    change: Floats
    low: Floats
    high: Floats
    told: NDArray[np.bool_]


def difference(first: Tally, second: Tally, names: Sequence[str], level: float = LEVEL) -> Differences:
    """Compares two periods. Both must be of one design, which the intervals of each need not be: they are combined by
    Newcombe's method (1998, method 10). A change is told by Fisher's exact test. Needs scipy.

    Raises InvalidArgumentError for tallies of different designs, or without reports.
    """
    if first.design != second.design:
        raise InvalidArgumentError("two periods can be compared if their reports are of one list and one epsilon")
    if not first.reports or not second.reports:
        raise InvalidArgumentError("each period needs a report at least")
    own, other = first.design.own, first.design.other
    deviations = NormalDist().inv_cdf((1 + level) / 2)
    chances = [tally.hits / tally.reports for tally in (first, second)]
    (low_1, high_1), (low_2, high_2) = (plain_limits(t.hits, t.reports, deviations) for t in (first, second))
    change = chances[1] - chances[0]
    low = change - np.hypot(chances[1] - low_2, high_1 - chances[0])
    high = change + np.hypot(high_2 - chances[1], chances[0] - low_1)
    gain = own - other
    return Differences(
        names=names,
        first=(chances[0] - other) / gain,
        second=(chances[1] - other) / gain,
        change=change / gain,
        low=np.clip(low / gain, -1, 1),
        high=np.clip(high / gain, -1, 1),
        told=_same_chance(first, second) <= 1 / max(len(first.hits), FEWEST),
    )


def _same_chance(first: Tally, second: Tally) -> Floats:
    """The chance of hits that differ as much, were the shares equal: twice that of the nearer side, given their sum."""
    from scipy.stats import hypergeom

    both = first.hits + second.hits
    law = hypergeom(first.reports + second.reports, both, second.reports)
    sides: Floats = 2 * np.minimum(law.sf(second.hits - 1), law.cdf(second.hits))
    return sides
