"""Which mechanisms at which ε: Madlib's, and those of the others that promise as much for an average pair of words."""

from collections.abc import Sequence
from dataclasses import dataclass

from hushbit._bundle import Bundle
from hushbit._options import DEFAULTS
from hushbit.study.mechanisms import Brr, EuclideanTem, HammingTem, Mechanism, Vectors
from hushbit.study.mechanisms.base import require_positive
from hushbit.study.names import ON_CODES
from hushbit.study.privacy.comparison import Distances

MADLIB_EPSILONS = (3.0, 4.0, 5.0, 8.0, 10.0, 15.0)


@dataclass(frozen=True)
class Setting:
    """A mechanism at an ε."""

    mechanism: str
    madlib_epsilon: float
    """What it is matched to: ε·P_avg is that of Madlib. TEM on real vectors, whose distance is Madlib's, has the same
    ε, so one column compares the two at equal ε as well, which is how the TEM paper does it."""
    epsilon: float
    """Per unit of its own distance: a differing bit, or Euclidean length 1."""


def plan(distances: Distances, mechanisms: Sequence[str], epsilons: Sequence[float]) -> list[Setting]:
    """Every mechanism at each of Madlib's ε, by ε, then in the order of the mechanisms."""
    settings = []
    for epsilon in sorted({require_positive(epsilon) for epsilon in epsilons}):
        per_bit, _ = distances.match(epsilon)
        for mechanism in mechanisms:
            settings.append(Setting(mechanism, epsilon, per_bit if mechanism in ON_CODES else epsilon))
    return settings


def make_mechanism(bundle: Bundle, vectors: Vectors, setting: Setting, beta: float = DEFAULTS.beta) -> Mechanism:
    """The mechanism of a setting."""
    if setting.mechanism == "brr":
        return Brr(bundle._native, setting.epsilon)
    if setting.mechanism == "tem":
        return HammingTem(bundle._native, setting.epsilon, beta)
    if setting.mechanism == "tem-euclidean":
        return EuclideanTem(vectors, setting.epsilon, beta)
    from hushbit.study.mechanisms.madlib import Madlib

    return Madlib(vectors, setting.epsilon)
