"""The result of a check."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 1e-6
"""The probability that a statistical check of a correct mechanism fails."""
POWER = 0.999
"""The probability that a statistical check detects the deviation that it states."""
_BLOCK_OUTPUTS = 1 << 15
_ROUNDING = 1e-7  # the rounding error of logarithms of ratios of doubles


@dataclass(frozen=True)
class Check:
    """A check and its outcome."""

    name: str
    passed: bool
    detail: str
    notices: str
    """A description of the smallest deviation that it would have detected."""
    deviation: float
    """The same as a number, in the unit of `notices`; infinite if it can detect nothing."""
    power: float
    """The probability that it detects this deviation: POWER, or 1 for a deterministic check."""
    blind: str
    """A description of faults that it cannot see, however large they are."""


def worst_excess(chances: NDArray[np.float64], distances: NDArray[np.float64], epsilon: float) -> float:
    """The maximum over words a, b and outputs y of ln(Pr[M(a)=y] / Pr[M(b)=y]) - ε·d(a, b). It is at most 0 if the
    promise holds.

    `chances` is (words, outputs), `distances` (words, words). The result is infinite if an output is possible for only
    one of two words.
    """
    worst = -math.inf
    for first in range(0, chances.shape[1], _BLOCK_OUTPUTS):
        with np.errstate(divide="ignore"):
            logs = np.log(chances[:, first : first + _BLOCK_OUTPUTS])
        for b, row in enumerate(logs):
            with np.errstate(invalid="ignore"):
                ratios = np.where(np.isneginf(logs), -np.inf, logs - row)
            worst = max(worst, float((ratios.max(axis=1) - epsilon * distances[:, b]).max()))
    return worst


def bound_check(name: str, excess: float, what: str) -> Check:
    """Passes if the worst excess is at most the rounding error."""
    outcome = (
        f"the largest ln-ratio exceeds its bound by {excess:+.3g}"
        if excess > _ROUNDING
        else "no ln-ratio exceeds its bound"
    )
    return Check(
        name,
        excess <= _ROUNDING,
        f"every pair and output of {what}: {outcome}",
        f"a ln-ratio {_ROUNDING:g} above its bound",
        _ROUNDING,
        1.0,
        "whether the code that draws has these probabilities: released words are checked for that",
    )
