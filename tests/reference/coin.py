"""The integer coin of randomized response, in interval arithmetic: every digit is proven, not trusted.

A bit flips if a uniform 64-bit integer is below T = ceil(2^64 / (1 + e^epsilon)).
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from mpmath import iv, mp, mpf

RANGE = 1 << 64
_START_BITS = 512


def set_precision(bits: int) -> None:
    """The precision of intervals, and of the numbers that low() and high() make of their ends, which so are exact."""
    iv.prec = mp.prec = bits


def low(interval: Any) -> Any:
    """The lower end of an interval as a number."""
    return mpf(interval.a)


def high(interval: Any) -> Any:
    """The upper end of an interval as a number."""
    return mpf(interval.b)


def log_odds(threshold: int) -> Any:
    """ln((2^64 - T) / T) as an interval; 0 for the fair coin."""
    return iv.log(iv.mpf(RANGE - threshold) / iv.mpf(threshold))


def settled(value: Callable[[], Any], decide: Callable[[Any], int | float]) -> int | float:
    """decide(end) for an interval so narrow that both its ends give the same answer."""
    precision = _START_BITS
    while True:
        set_precision(precision)
        interval = value()
        answer = decide(low(interval))
        if answer == decide(high(interval)):
            return answer
        precision *= 2


def _ceil(x: Any) -> int:
    return int(mp.ceil(x))


def _round_up(x: Any) -> float:
    """The smallest double that is not below x."""
    nearest = float(x)
    return nearest if mpf(nearest) >= x else math.nextafter(nearest, math.inf)


@cache
def flip_threshold(epsilon: float) -> int:
    """ceil(2^64 / (1 + e^epsilon)) for a finite epsilon of 0 or more: 2^63 down to 1."""
    if epsilon == 0:
        return RANGE // 2
    if epsilon > 100:
        return 1  # 2^64 / (1 + e^100) is far below 1, and the ceiling of a positive number is at least 1
    return int(settled(lambda: iv.mpf(RANGE) / (1 + iv.exp(iv.mpf(epsilon))), _ceil))


@cache
def exact_epsilon_up(threshold: int) -> float:
    """ln((2^64 - T) / T), the epsilon that a threshold really gives, rounded up to a double."""
    if 2 * threshold == RANGE:
        return 0.0
    return float(settled(lambda: log_odds(threshold), _round_up))


def effective_epsilon(epsilon: float) -> float:
    """The smallest double that is not below what the coin for `epsilon` gives."""
    return exact_epsilon_up(flip_threshold(epsilon))


def is_clamped(epsilon: float) -> bool:
    """Whether epsilon asks for a coin below 1 / 2^64, more than 64 bits can express."""
    if epsilon > 100:
        return True
    set_precision(_START_BITS)
    return bool(low(iv.exp(iv.mpf(epsilon))) > RANGE - 1)


def unknown_word_log_odds(threshold: int, bits: int) -> Any:
    """n * ln((1 + e^epsilon) / 2): what telling a word from an unknown token costs, for the coin's own epsilon.

    With T / 2^64 = 1 / (1 + e^epsilon) this is n * ln(2^63 / T), without rounding the coin a second time.
    """
    return bits * iv.log(iv.mpf(RANGE // 2) / iv.mpf(threshold))


def unknown_word_cost(threshold: int, bits: int) -> float:
    """unknown_word_log_odds, rounded up to a double."""
    return float(settled(lambda: unknown_word_log_odds(threshold, bits), _round_up))
