"""What a mechanism at one ε does to words: the figures of the privacy report."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hushbit.study.privacy.intervals import mean_interval, share_interval

RELEASES = (8, 16, 64)
NEAR = (10, 100)


@dataclass(frozen=True)
class Mean:
    """A mean over words and its 95 % interval: over the sampling of words and, if there were draws, over theirs."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Spread(Mean):
    """The same with percentiles over words. Of a sampled figure they are wider than the truth: draws add noise."""

    p5: float
    p50: float
    p95: float


@dataclass(frozen=True)
class Control:
    """Keep the word with probability N_w, else release any other word with equal chances."""

    epsilon: float
    """Its local-DP ε for one token: what it costs to keep as many words as the mechanism does."""
    similarity: float
    near: dict[int, float]


@dataclass(frozen=True)
class TextCost:
    """The tight (ε', δ) of a text of `tokens` words."""

    tokens: int
    plain: float
    """The pure ε, a sum."""
    tight: float
    """ε' at the report's δ, any word against any other."""
    tight_average: float | None
    """ε' at the same δ if each word changes by P_avg bits, rounded up. None where only a pure bound is known."""


@dataclass(frozen=True)
class Figures:
    """One mechanism at one ε."""

    mechanism: str
    epsilon: float
    """As asked for, per differing bit."""
    effective_epsilon: float
    """As it holds."""
    flip_probability: float | None
    """BRR: of a bit."""
    gamma: int | None
    """TEM: the truncation distance in bits."""
    average: float
    """ε · P_avg."""
    by_distance: float
    """ε · P_max."""
    worst_case: float
    """The local-DP ε of one token under the default policy for unknown words."""
    unchanged: Spread
    """N_w, the chance that a word stays itself."""
    distinct: Spread
    """S_w, the number of distinct outputs of `draws` draws."""
    support: Spread
    """The fewest outputs that hold all but η of the chance."""
    similarity: Mean
    """1 - 2·d/n of output and input, as for ±1 vectors: 1 equal, 0 unrelated."""
    near: dict[int, Mean]
    """The share of outputs among the k nearest words, the word itself one of them."""
    ties: Mean | None
    """BRR: the share of outputs that were drawn among several nearest words."""
    recovered: dict[int, Mean]
    """How often the word is guessed from k releases with fresh noise, by the better of two simple attacks."""
    control: Control
    least_protected: list[tuple[str, float]]
    """The sampled words that stay themselves most often, and how often."""
    most_protected: list[tuple[str, float]]
    texts: list[TextCost] = field(default_factory=list)


def mean_of(values: NDArray[np.float64]) -> Mean:
    """Of one value a word."""
    low, high = mean_interval(values)
    return Mean(float(values.mean()), low, high)


def share_of(values: NDArray[np.float64]) -> Mean:
    """Of one share in [0, 1] a word; so is the interval."""
    low, high = share_interval(values)
    return Mean(float(values.mean()), low, high)


def spread_of(values: NDArray[np.float64], *, share: bool = False) -> Spread:
    """Of one value a word."""
    found = share_of(values) if share else mean_of(values)
    p5, p50, p95 = (float(value) for value in np.percentile(values, (5, 50, 95)))
    return Spread(found.mean, found.low, found.high, p5, p50, p95)
