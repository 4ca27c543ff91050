"""Chooses the ε of any mechanism by what it does to words: a bound of N_w or S_w, for the mean or for most words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushbit import _core
from hushbit._options import DEFAULTS, CrowdSize
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.core import Brr, HammingTem
from hushbit.study.mechanisms.crowd import Channel, CrowdMechanism
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.privacy import monte_carlo
from hushbit.study.privacy.calibration import Found
from hushbit.study.privacy.closed_form import TemDistribution
from hushbit.study.privacy.crowd_figures import expected_distinct
from hushbit.study.privacy.figures import PerWord
from hushbit.study.privacy.per_word import computed, counted
from hushbit.study.privacy.sample import draw_words, sample_of
from hushbit.study.privacy.vector_figures import tem_words

DRAWS = 200
_COMPUTED_WORDS = 1000
_COUNTED_WORDS = 200
_ETA = 0.05  # the η of a figure that no target looks at
_STEPS = 16
_DOUBLINGS = 24
_DIGITS = 4
_NAMES = {"unchanged": "N_w", "support": "S_w"}

Measured = Callable[[float], PerWord]
"""What a mechanism at an ε does to some words, always the same."""


@dataclass(frozen=True)
class Target:
    """A bound: N_w is at most `value`, or S_w is at least `value`."""

    figure: Literal["unchanged", "support"]
    value: float
    percentile: float | None = None
    """The percentile over words; None for their mean. The 95th of N_w bounds 95 % of the words, and so does the 5th of
    S_w."""

    def __post_init__(self) -> None:
        if self.figure == "unchanged" and not 0 < self.value < 1:
            raise InvalidArgumentError(
                f"the share of unchanged words is {self.value}; it must lie strictly between 0 and 1"
            )
        if self.figure == "support" and not self.value > 1:
            raise InvalidArgumentError(f"the support is {self.value:g}; it must be more than 1")
        if self.percentile is not None and not 0 <= self.percentile <= 100:
            raise InvalidArgumentError(f"the percentile is {self.percentile:g}; it must be 0 to 100")

    def of(self, words: PerWord) -> float:
        """The value that is bounded."""
        values = np.array(words.unchanged if self.figure == "unchanged" else words.distinct)
        return float(values.mean() if self.percentile is None else np.percentile(values, self.percentile))

    def met(self, words: PerWord) -> bool:
        """Whether the bound holds."""
        return self.of(words) <= self.value if self.figure == "unchanged" else self.of(words) >= self.value

    def __str__(self) -> str:
        over = "the mean" if self.percentile is None else f"percentile {self.percentile:g}"
        bound = "at most" if self.figure == "unchanged" else "at least"
        return f"{over} of {_NAMES[self.figure]} over words is {bound} {self.value:g}"


def epsilon_for_target(
    measured: Measured, target: Target, *, reachable: bool = False, progress: Progress = no_progress
) -> Found:
    """The largest ε, to four digits, at which the target is met: N_w grows with ε and S_w falls.

    Raises InvalidArgumentError if even almost no ε meets it, or if every ε does; with `reachable` the latter gives half
    of what the share of unchanged words can be.
    """
    low, high, words = 0.0, 1.0, measured(1.0)
    while target.met(words) and high < 2**_DOUBLINGS:
        low, high = high, 2 * high
        words = measured(high)
    if target.met(words):
        if reachable and target.figure == "unchanged":
            return epsilon_for_target(measured, Target("unchanged", target.of(words) / 2), progress=progress)
        raise InvalidArgumentError(f"every epsilon keeps to it: {target}, since no more words can stay unchanged")
    while low == 0.0 and high > 2.0**-_DOUBLINGS and not target.met(measured(high / 2)):
        high /= 2
    low = low or high / 2
    words = measured(low)
    if not target.met(words):
        if reachable:
            return Found(1.0, "no epsilon changes fewer words")
        raise InvalidArgumentError(
            f"no epsilon keeps to it: {target}; it is {target.of(words):.4g} where almost nothing is left of a word"
        )
    for step in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if target.met(measured(middle)) else (low, middle)
        progress(step + 1, _STEPS, "calibrate")
    epsilon = _rounded_down(low)
    words = measured(epsilon)
    how = (
        f"bisection: the largest epsilon at which {target}; {len(words.ids):,} words, "
        f"{'exactly' if words.exact else f'{words.draws} draws each'}"
    )
    if target.figure == "support":
        how += f"; S_w is the number of distinct outputs of {words.draws} draws"
    return Found(epsilon, how, float(np.mean(words.unchanged)), distinct=float(np.mean(words.distinct)))


def _rounded_down(epsilon: float) -> float:
    unit = 10.0 ** (np.floor(np.log10(epsilon)) - _DIGITS + 1)
    return float(f"{np.floor(epsilon / unit) * unit:.{_DIGITS}g}")


def words_on_codes(
    bundle: _core.Bundle,
    mechanism: str,
    *,
    seed: int = 0,
    beta: float = DEFAULTS.beta,
    draws: int = DRAWS,
    words: int = _COUNTED_WORDS,
    progress: Progress = no_progress,
) -> Measured:
    """Measures BRR by draws for `words` with the same randomness at every ε, or TEM in closed form."""
    if mechanism == "brr":
        ids = _sampled(bundle, words, seed)
        return lambda epsilon: _counted(Brr(bundle, epsilon), ids, draws, seed)
    sample = sample_of(bundle, _sampled(bundle, _COMPUTED_WORDS, seed), progress)
    return lambda epsilon: TemDistribution(sample, HammingTem(bundle, epsilon, beta).weights).per_word(draws, _ETA)


def words_on_vectors(
    bundle: _core.Bundle,
    mechanism: str,
    vectors: Vectors,
    *,
    seed: int = 0,
    beta: float = DEFAULTS.beta,
    draws: int = DRAWS,
    words: int = _COUNTED_WORDS,
) -> Measured:
    """Measures Madlib by draws for `words`, with the same randomness at every ε, or Euclidean TEM exactly."""
    if mechanism == "madlib":
        counted_ids = _sampled(bundle, words, seed)
        return lambda epsilon: _counted(Madlib(vectors, epsilon), counted_ids, draws, seed)
    ids = _sampled(bundle, _COMPUTED_WORDS, seed)
    return lambda epsilon: tem_words(EuclideanTem(vectors, epsilon, beta), ids, draws, _ETA)


def words_of_crowds(bundle: _core.Bundle, size: CrowdSize | None, *, seed: int = 0, draws: int = DRAWS) -> Measured:
    """Measures crowds exactly, over output words, each counted once, without support. The crowds of a grade are read
    once.
    """
    ids = _sampled(bundle, _COMPUTED_WORDS, seed)
    by_grade: dict[tuple[int, float], Channel] = {}

    def measured(epsilon: float) -> PerWord:
        crowds = CrowdMechanism(bundle, epsilon, size)
        grade = (crowds.info.crowd_mass, crowds.info.mean_crowd)
        if grade not in by_grade:
            by_grade[grade] = crowds.channel
        channel = by_grade[grade].with_threshold(crowds.info.crowd_threshold)
        distinct = expected_distinct(channel, ids, draws)
        return computed(ids, channel.unchanged()[ids], distinct, np.empty(0), draws)

    return measured


def _counted(mechanism: Brr | Madlib, ids: Ids, draws: int, seed: int) -> PerWord:
    return counted(ids, monte_carlo.drawn(mechanism, ids, draws, np.random.default_rng(seed)), _ETA)


def _sampled(bundle: _core.Bundle, count: int, seed: int) -> Ids:
    return draw_words(bundle, count, np.random.default_rng(seed))
