"""Tighter (ε', δ) of a text, by the privacy-loss distributions of `dp-accounting`."""

import math

from dp_accounting.pld import privacy_loss_distribution as pld

from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.randomized_response import loss_distribution, require_delta

_STEPS = 50  # grid points for each ε of a bit: what rounding adds is at most ε / 50 a token


def text_epsilon(epsilon: float, distance: int, tokens: int, delta: float) -> float:
    """The ε' at which a text of `tokens` words under BRR is (ε', δ)-DP, each word changing by at most `distance` bits.

    An upper bound: losses are rounded up to a grid (Meiser and Mohammadi 2018; Koskela et al. 2020). Never above the
    plain sum tokens·ε·distance.
    """
    require_delta(delta)
    _require_tokens(tokens)
    plain = tokens * epsilon * distance
    if plain == 0 or delta == 0:
        return plain
    losses, log_upper = loss_distribution(epsilon, distance)
    upper = {i: float(chance) for i, chance in enumerate(log_upper)}
    # The other word's code reports the same outcome with a chance e^loss smaller.
    lower = {i: float(chance - loss) for i, (chance, loss) in enumerate(zip(log_upper, losses, strict=True))}
    one = pld.from_two_probability_mass_functions(
        lower, upper, value_discretization_interval=epsilon / _STEPS, log_mass_truncation_bound=math.log(delta) - 40
    )
    return _least_epsilon(one.self_compose(tokens, 1e-3 * delta), delta, plain)


def _least_epsilon(text: pld.PrivacyLossDistribution, delta: float, plain: float) -> float:
    """By bisection on δ(ε'). The library's own inverse divides by chances that underflow where losses are above 700."""
    low, high = 0.0, plain
    if text.get_delta_for_epsilon(low) <= delta:
        return low
    while high - low > 1e-9 * plain:
        middle = (low + high) / 2
        low, high = (low, middle) if text.get_delta_for_epsilon(middle) <= delta else (middle, high)
    return high


def pure_text_epsilon(worst_case: float, tokens: int, delta: float) -> float:
    """The same where only the pure ε of a token is known, as for TEM: the optimal composition of (ε, 0) mechanisms.

    (Kairouz, Oh and Viswanath 2017.)
    """
    require_delta(delta)
    _require_tokens(tokens)
    plain = tokens * worst_case
    if plain == 0 or delta == 0:
        return plain
    # Randomized response on one bit has the worst privacy loss that (ε, 0) allows.
    return min(plain, text_epsilon(worst_case, 1, tokens, delta))


def _require_tokens(tokens: int) -> None:
    if tokens < 1:
        raise InvalidArgumentError(f"a text of {tokens} tokens costs nothing to account for; give 1 or more")
