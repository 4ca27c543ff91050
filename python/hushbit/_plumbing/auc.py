"""The area under the ROC of an attacker's scores, and its interval."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra

_Z = 1.959963984540054  # the quantile of a 95 % interval


@dataclass(frozen=True)
class Auc:
    """How well members are told from others: the chance that the attacker ranks a member higher. 0.5 is none."""

    value: float
    low: float
    """The lower end of the 95 % interval over those that were asked about (Hanley and McNeil 1982)."""
    high: float


def auc_of(members: NDArray[np.floating], others: NDArray[np.floating]) -> Auc:
    """The area of the scores of members against those of others, (any,) each. Equal ones count half. Needs scipy."""
    with extra("privacy"):
        from scipy.stats import rankdata

    count, rest = len(members), len(others)
    ranks = rankdata(np.concatenate([members, others]))[:count]
    value = float((ranks.sum() - count * (count + 1) / 2) / (count * rest))
    # The variance of the statistic, with the chances for two exponential distributions that have this AUC.
    both_members, both_others = value / (2 - value), 2 * value * value / (1 + value)
    variance = value * (1 - value) + (count - 1) * (both_members - value**2) + (rest - 1) * (both_others - value**2)
    half = _Z * math.sqrt(max(0.0, variance) / (count * rest))
    return Auc(value, max(0.0, value - half), min(1.0, value + half))


def hits_at(members: NDArray[np.floating], others: NDArray[np.floating], false_share: float) -> float:
    """The share of members that an attacker names who wrongly names at most `false_share` of the others.

    Of scores, (any,) each, above one threshold. With n others the share is one of 0, 1/n, 2/n, …: of fewer than
    1 / `false_share` others none may be named wrongly.
    """
    allowed = int(false_share * len(others) * (1 + 1e-12))
    least = np.sort(others)[::-1][allowed] if allowed < len(others) else -np.inf
    return float((members > least).mean())
