"""The deviations that a statistical check at the level LEVEL detects with probability POWER."""

import math
from collections.abc import Callable

from scipy.special import bdtr, bdtrc, betaincinv, chdtri, chndtr

from hushbit.study.audit.check import LEVEL, POWER


def binomial_p(successes: int, trials: int, chance: float) -> float:
    """The two-sided p-value: twice the smaller tail."""
    upper = float(bdtrc(successes - 1, trials, chance)) if successes else 1.0
    return min(1.0, 2 * min(float(bdtr(successes, trials, chance)), upper))


def noticed_chances(trials: int, chance: float) -> tuple[float, float]:
    """The largest probability below `chance`, and the smallest above it, that binomial_p detects; 0 and 1 if there is
    none.

    They are exact: they follow from the counts at which the check fails, and the probabilities for which these counts
    have probability POWER.
    """
    few = _last(lambda k: float(bdtr(k, trials, chance)) <= LEVEL / 2, trials)
    many = trials - _last(lambda k: float(bdtrc(trials - k - 1, trials, chance)) <= LEVEL / 2, trials)
    low = 0.0 if few < 0 else float(betaincinv(few + 1, trials - few, 1 - POWER))
    high = 1.0 if many > trials else float(betaincinv(many, trials - many + 1, POWER))
    return low, high


def binomial_quantile(probability: float, trials: int, chance: float) -> int:
    """The smallest count that is not exceeded with at least the given probability."""
    return 1 + _last(lambda k: float(bdtrc(k, trials, chance)) > 1 - probability, trials - 1)


def _last(holds: Callable[[int], bool], most: int) -> int:
    """The largest k from 0 to `most` for which the condition holds, or -1. The condition must fail for all larger k."""
    low, high = -1, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def noticed_share(tokens: int) -> float:
    """The share of tokens that a fault must change so that at least one of `tokens` shows it."""
    return 1.0 if tokens == 0 else -math.expm1(math.log(1 - POWER) / tokens)


def noticed_spread(draws: int, freedom: int) -> float:
    """The root mean square relative deviation of probabilities that chi-square with this many draws detects.

    It follows from the noncentral chi-square distribution, whose noncentrality is draws times the square of that
    deviation.
    """
    if freedom == 0:
        return math.inf
    critical = float(chdtri(freedom, LEVEL))
    low, high = 0.0, 1.0
    while float(chndtr(critical, freedom, high)) > 1 - POWER:
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if float(chndtr(critical, freedom, middle)) > 1 - POWER else (low, middle)
    return math.sqrt(high / draws)


def chance_to_notice(draws: int, freedom: int, spread: float) -> float:
    """The probability that chi-square detects a root mean square relative deviation of `spread`."""
    if freedom == 0:
        return 0.0
    return 1 - float(chndtr(float(chdtri(freedom, LEVEL)), freedom, draws * spread**2))


def noticed_success(trials: int, most: int) -> float:
    """The smallest chance of a success for which more than `most` of the trials succeed with probability POWER."""
    return 1.0 if most >= trials else float(betaincinv(most + 1, trials - most, POWER))
