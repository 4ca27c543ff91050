"""The effects of a mechanism at one ε on words: the figures of the privacy report."""

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
    """The same with percentiles over words. For a sampled figure they are too wide, because draws add noise."""

    least: float
    """The least value of all measured words."""
    p5: float
    p50: float
    p95: float
    most: float


Listed = tuple[str, float, float]
"""A word, its N_w and its S_w."""


@dataclass(frozen=True)
class PerWord:
    """One value for each measured word, in the order of `ids`."""

    ids: tuple[int, ...]
    unchanged: tuple[float, ...]
    """N_w: the chance that the word stays itself."""
    distinct: tuple[float, ...]
    """S_w: the number of distinct outputs of `draws` draws; if it is `exact`, the expected number."""
    support: tuple[float, ...]
    """The fewest outputs that hold all but η of the chance. If it is not `exact`, they hold all but η of the draws,
    which show no more. It is empty if it was not asked for."""
    draws: int
    exact: bool
    """Whether the values are computed. Otherwise they are counted in `draws` draws of each word."""


@dataclass(frozen=True)
class Control:
    """The control: it keeps the word with probability N_w, otherwise it releases any other word, all equally likely."""

    epsilon: float
    """Its local-DP ε for one token: the cost of keeping as many words as the mechanism."""
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
    """ε' at the same δ if each word changes by P_avg bits, rounded up. None if only a pure bound is known."""


@dataclass(frozen=True)
class Figures:
    """One mechanism at one ε."""

    mechanism: str
    epsilon: float
    """The requested ε, per differing bit; on real vectors per unit of Euclidean distance."""
    effective_epsilon: float
    """The effective ε."""
    flip_probability: float | None
    """The probability with which BRR flips a bit; None for other mechanisms."""
    gamma: float | None
    """The truncation distance of TEM, on codes in bits; None for other mechanisms."""
    average: float
    """ε · P_avg."""
    by_distance: float
    """ε · P_max."""
    worst_case: float
    """The local-DP ε of one token: on codes under the default policy for unknown words, on vectors between words."""
    unchanged: Spread
    """N_w, the probability that a word stays unchanged."""
    distinct: Spread
    """S_w, the number of distinct outputs of `draws` draws."""
    support: Spread
    """The smallest number of outputs with a total probability of 1 - η."""
    similarity: Mean
    """The value 1 - 2·d/n of output and input, as for ±1 vectors: 1 if equal, 0 if unrelated. On vectors it is the
    cosine without what all words share."""
    near: dict[int, Mean]
    """The share of outputs among the k nearest words, including the word itself."""
    ties: Mean | None
    """BRR: the share of outputs that were drawn among several nearest words."""
    recovered: dict[int, Mean]
    """How often the word is guessed from k releases with fresh noise, by the better of two simple attacks."""
    control: Control
    words: PerWord
    least_protected: list[Listed]
    """The sampled words that stay themselves most often."""
    most_protected: list[Listed]
    texts: list[TextCost] = field(default_factory=list)


def mean_of(values: NDArray[np.float64]) -> Mean:
    """The mean of one value a word, with its interval."""
    low, high = mean_interval(values)
    return Mean(float(values.mean()), low, high)


def share_of(values: NDArray[np.float64]) -> Mean:
    """The mean of one share a word, in [0, 1], with its interval in [0, 1]."""
    low, high = share_interval(values)
    return Mean(float(values.mean()), low, high)


def spread_of(values: NDArray[np.float64], *, share: bool = False) -> Spread:
    """The spread of one value a word."""
    found = share_of(values) if share else mean_of(values)
    percentiles = (float(value) for value in np.percentile(values, (0, 5, 50, 95, 100)))
    return Spread(found.mean, found.low, found.high, *percentiles)
