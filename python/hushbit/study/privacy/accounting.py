"""Tighter (ε', δ) of a text, by the privacy-loss distributions of `dp-accounting`."""

import math
from collections.abc import Sequence

import numpy as np
from dp_accounting.pld import pld_pmf
from dp_accounting.pld import privacy_loss_distribution as pld
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.crowd import Channel
from hushbit.study.mechanisms.randomized_response import loss_distribution, require_delta

_STEPS = 50  # grid points for each ε of a bit: rounding adds at most ε / 50 per token
_MOST_TOKENS = 1_000_000  # memory grows with them


def text_epsilon(epsilon: float, distance: int, tokens: int, delta: float) -> float:
    """The ε' at which a text of `tokens` words under BRR is (ε', δ)-DP, each word changing by at most `distance` bits.

    It is an upper bound: losses are rounded up to a grid (Meiser and Mohammadi 2018; Koskela et al. 2020). It is never
    above the plain sum tokens·ε·distance.
    """
    require_delta(delta)
    _require_tokens(tokens)
    plain = tokens * epsilon * distance
    if plain == 0 or delta == 0:
        return plain
    losses, log_upper = loss_distribution(epsilon, distance)
    upper = {i: float(chance) for i, chance in enumerate(log_upper)}
    # The other word's code reports the same outcome with a probability that is smaller by the factor e^loss.
    lower = {i: float(chance - loss) for i, (chance, loss) in enumerate(zip(log_upper, losses, strict=True))}
    one = pld.from_two_probability_mass_functions(
        lower, upper, value_discretization_interval=epsilon / _STEPS, log_mass_truncation_bound=math.log(delta) - 40
    )
    return _least_epsilon(one.self_compose(tokens, 1e-3 * delta), delta, plain)


def _least_epsilon(text: pld.PrivacyLossDistribution, delta: float, plain: float) -> float:
    """The least ε' for δ, found by bisection on δ(ε').

    The library's inverse divides by probabilities that underflow for losses above 700.
    """
    low, high = 0.0, plain
    if text.get_delta_for_epsilon(low) <= delta:
        return low
    while high - low > 1e-9 * plain:
        middle = (low + high) / 2
        low, high = (low, middle) if text.get_delta_for_epsilon(middle) <= delta else (middle, high)
    return high


def pure_text_epsilon(worst_case: float, tokens: int, delta: float) -> float:
    """The same if only the pure ε of a token is known, which is so for TEM.

    It is the optimal composition of (ε, 0) mechanisms (Kairouz, Oh and Viswanath 2017).
    """
    require_delta(delta)
    _require_tokens(tokens)
    plain = tokens * worst_case
    if plain == 0 or delta == 0:
        return plain
    # Randomized response on one bit has the worst privacy loss that (ε, 0) allows.
    return min(plain, text_epsilon(worst_case, 1, tokens, delta))


def crowd_text_epsilons(channel: Channel, epsilon: float, tokens: Sequence[int], delta: float) -> list[float]:
    """The ε' at which texts of this many tokens, known or not, are (ε', δ)-DP under crowds with `epsilon` per word.

    This is an upper bound for every pair of texts: each token has the δ(ε') of the worst crowd against a word whose
    crowd contains none of its members, interpolated linearly between the points of a grid (Doroshenko et al. 2022). It
    is never above the plain sum.
    """
    require_delta(delta)
    for count in tokens:
        _require_tokens(count)
    if epsilon == 0 or delta == 0:
        return [count * epsilon for count in tokens]
    # One step more than ε: after rounding, no loss may be beyond the last point.
    step = epsilon / _STEPS
    above = hockey_stick(channel, step * np.arange(_STEPS + 2, dtype=np.float64))
    above[_STEPS + 1] = 0.0
    # The pair in reverse order has H(-t) = 1 - e^-t + e^-t·H(t), since either word may be the worse one.
    powers = np.exp(-step * np.arange(1, _STEPS + 2))
    below = (1 - powers + powers * above[1:])[::-1]
    one = pld.PrivacyLossDistribution(
        pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(
            step, -_STEPS - 1, _STEPS + 1, np.concatenate([below, above])
        )
    )
    return [_least_epsilon(one.self_compose(count, 1e-3 * delta), delta, count * epsilon) for count in tokens]


def hockey_stick(channel: Channel, bounds: NDArray[np.floating]) -> NDArray[np.float64]:
    """sup over words x, x' of Σ_y max(0, Pr[y | x] - e^ε'·Pr[y | x']) for each ε' in `bounds`, 0 or more, ascending.

    This is an upper bound. It is tight if two crowds have no common member: the part of an output that does not come
    from the crowd of x has a probability of at least (1 - λ)·q/M under the other word.
    """
    crowds = channel.from_crowd
    noise = channel.noise[crowds.indices]
    return np.array(
        [
            np.add.reduceat(np.maximum(0.0, crowds.data - math.expm1(bound) * noise), crowds.indptr[:-1]).max()
            for bound in bounds
        ]
    )


def _require_tokens(tokens: int) -> None:
    if tokens < 1:
        raise InvalidArgumentError(f"the number of tokens of a text is {tokens}; it must be 1 or more")
    if tokens > _MOST_TOKENS:
        raise InvalidArgumentError(
            f"{tokens:,} tokens or releases are too many to add up: the most are {_MOST_TOKENS:,}, in half a minute"
        )
