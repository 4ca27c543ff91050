"""What a check found."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 1e-6
"""The chance that a statistical check of a correct mechanism fails."""
POWER = 0.999
"""The chance with which a statistical check notices the deviation that it states."""
_BLOCK_OUTPUTS = 1 << 15
_ROUNDING = 1e-7  # of logarithms of ratios of doubles


@dataclass(frozen=True)
class Check:
    """A check and its outcome."""

    name: str
    passed: bool
    detail: str
    notices: str
    """The least deviation that it would have noticed, in words."""
    deviation: float
    """The same as a number, in the unit that `notices` says; infinite if it can notice nothing."""
    power: float = 1.0
    """The chance with which it notices that: POWER, or 1 where nothing is left to chance."""


def worst_excess(chances: NDArray[np.float64], distances: NDArray[np.float64], epsilon: float) -> float:
    """max over words a, b and outputs y of ln(Pr[M(a)=y] / Pr[M(b)=y]) - ε·d(a, b); 0 or less if the promise holds.

    `chances` is (words, outputs), `distances` (words, words). Infinite if an output is possible for one word only.
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
    """Passes if the worst excess is no more than rounding."""
    outcome = f"largest ln-ratio is {excess:+.3g} above its bound" if excess > _ROUNDING else "no ln-ratio is above it"
    return Check(
        name,
        excess <= _ROUNDING,
        f"every pair and output of {what}: {outcome}",
        f"a ln-ratio {_ROUNDING:g} above its bound",
        _ROUNDING,
    )
