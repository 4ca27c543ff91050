"""Costs in millionths, exactly, in fractions (docs/proofs.md)."""

import math
from fractions import Fraction

_UNIT = Fraction(1, 10**6)
_EXACT = 1 << 53


def _stands_for(value: float) -> int | None:
    """The number of millionths to which the double is nearest, if it is the double nearest to it."""
    whole = round(Fraction(value) / _UNIT)
    return whole if whole < _EXACT and float(whole * _UNIT) == value else None


def above(cost: Fraction) -> int:
    """Rounded up."""
    return math.ceil(cost / _UNIT)


def stated(cost: float) -> int:
    """The number that a double stands for; rounded up if it stands for none."""
    whole = _stands_for(cost)
    return above(Fraction(cost)) if whole is None else whole


def at_most_as_stated(value: float) -> float:
    """The largest double that is neither above `value` nor above the number of millionths that it stands for."""
    whole = _stands_for(value)
    return math.nextafter(value, 0) if whole is not None and Fraction(value) > whole * _UNIT else value


def cost(millionths: int) -> float:
    """The nearest double."""
    return float(millionths * _UNIT)
