"""The choice of mechanisms and ε for an evaluation.

Madlib's ε are given. Other mechanisms get the ε that promise as much for an average pair of words, and crowds, whose
promise knows no distance, get an ε of a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushbit._bundle import Bundle
from hushbit._options import DEFAULTS
from hushbit.study.mechanisms import Brr, CrowdMechanism, EuclideanTem, HammingTem, Ids, Mechanism, Vectors
from hushbit.study.mechanisms.base import require_positive
from hushbit.study.mechanisms.truncated_exponential import truncation_distance, worst_case
from hushbit.study.names import BY_LARGEST, CROWDS, ON_CODES
from hushbit.study.privacy.comparison import Distances

MADLIB_EPSILONS = (3.0, 4.0, 5.0, 8.0, 10.0, 15.0)
WORD_EPSILONS = (4.0, 5.0, 6.0, 7.0, 8.0)


@dataclass(frozen=True)
class Setting:
    """A mechanism at an ε."""

    mechanism: str
    madlib_epsilon: float | None
    """The ε of Madlib that it is matched to: ε·P_avg is the same, or ε·P_max for `names.BY_LARGEST`. TEM on real
    vectors, whose distance is Madlib's, has the same ε, so one column compares the two at equal ε as well, which is how
    the TEM paper does it. None for crowds."""
    epsilon: float
    """The ε per unit of the mechanism's own distance: a differing bit, or Euclidean length 1. For crowds it is per
    word."""
    word_epsilon: float | None = None
    """The local-DP ε of a word: the worst case of any two words. None in old results, which lack it."""

    @property
    def base(self) -> str:
        """The mechanism without the way in which it was matched."""
        return BY_LARGEST.get(self.mechanism, self.mechanism)

    @property
    def named_epsilon(self) -> float:
        """The ε by which its results are named."""
        return self.epsilon if self.madlib_epsilon is None else self.madlib_epsilon


def plan(
    bundle: Bundle,
    distances: Distances,
    mechanisms: Sequence[str],
    epsilons: Sequence[float],
    word_epsilons: Sequence[float] = (),
    beta: float = DEFAULTS.beta,
) -> list[Setting]:
    """Every mechanism at each of Madlib's ε, by ε, then in the order of the mechanisms; crowds at `word_epsilons`."""
    settings = []
    matched = [mechanism for mechanism in mechanisms if mechanism not in CROWDS]
    for epsilon in sorted({require_positive(epsilon) for epsilon in epsilons}) if matched else []:
        by_average, by_largest = distances.match(epsilon)
        for mechanism in matched:
            own = by_largest if mechanism in BY_LARGEST else by_average if mechanism in ON_CODES else epsilon
            base = BY_LARGEST.get(mechanism, mechanism)
            settings.append(Setting(mechanism, epsilon, own, _worst_case(bundle, distances, base, own, beta)))
    crowds = [mechanism for mechanism in mechanisms if mechanism in CROWDS]
    for epsilon in sorted({require_positive(epsilon) for epsilon in word_epsilons}) if crowds else []:
        for mechanism in crowds:
            made = CrowdMechanism(bundle._native, epsilon, CROWDS[mechanism])
            settings.append(Setting(mechanism, None, epsilon, made.epsilon))
    return settings


def _worst_case(bundle: Bundle, distances: Distances, mechanism: str, epsilon: float, beta: float) -> float:
    if mechanism == "brr":
        return Brr(bundle._native, epsilon).info.worst_case_per_token
    if mechanism == "tem":
        return HammingTem(bundle._native, epsilon, beta).info.worst_case_per_token
    if mechanism == "tem-euclidean":
        return worst_case(epsilon, truncation_distance(epsilon, beta, bundle.words), distances.vectors_largest)
    return epsilon * distances.vectors_largest


def make_mechanism(bundle: Bundle, vectors: Vectors, setting: Setting, beta: float = DEFAULTS.beta) -> Mechanism:
    """The mechanism of a setting."""
    if setting.base == "brr":
        return Brr(bundle._native, setting.epsilon)
    if setting.base == "tem":
        return HammingTem(bundle._native, setting.epsilon, beta)
    if setting.mechanism in CROWDS:
        return CrowdMechanism(bundle._native, setting.epsilon, CROWDS[setting.mechanism])
    if setting.mechanism == "tem-euclidean":
        return EuclideanTem(vectors, setting.epsilon, beta)
    from hushbit.study.mechanisms.madlib import Madlib

    return Madlib(vectors, setting.epsilon, outputs=may_come_out(bundle, setting))


def may_come_out(bundle: Bundle, setting: Setting) -> Ids:
    """The words that a setting's mechanism releases, ascending: output words, but for TEM on real vectors all."""
    if setting.mechanism == "tem-euclidean":
        return np.arange(bundle.words, dtype=np.uint32)
    return bundle._native.output_words()
