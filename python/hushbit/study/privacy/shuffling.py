"""What shuffling many people's words adds (Feldman, McMillan and Talwar, "Hiding among the clones", FOCS 2021).

n people each release one word by a mechanism of local-DP ε₀; a shuffler drops names, order and times, and passes on the
n words in random order. Whoever sees no more than that has a central (ε, δ) for each person's word. It must hold that
each person gives one word, that each draws noise alone and with an ε₀ that is the same for all, and that the shuffler
neither keeps nor shares what it drops. A person's k words count as k of them (their ε add up), and a text whose words
stay together is not shuffled.
"""

import math
from dataclasses import dataclass

from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.randomized_response import require_delta

CONDITIONS = (
    "It holds for one word of each person, if a shuffler that all trust drops names, order and times, and if nobody "
    "sees the words before it. The words of a text that stay together are not shuffled."
)


@dataclass(frozen=True)
class Shuffled:
    """The central guarantee for one word of each of `people`."""

    people: int
    delta: float
    epsilon: float | None
    """None if ε₀ is beyond the theorem's limit for so few people."""
    least_people: int
    """From how many on the theorem says anything."""


def shuffled(local_epsilon: float, people: int, delta: float) -> Shuffled:
    """Theorem 3.1: for ε₀ <= ln(n / (16·ln(2/δ))),

    ε = ln(1 + (e^ε₀ - 1)/(e^ε₀ + 1) · (8·√(e^ε₀·ln(4/δ)/n) + 8·e^ε₀/n)).

    Raises InvalidArgumentError for a δ outside (0, 1) or no people.
    """
    require_delta(delta)
    if delta == 0 or people < 1:
        raise InvalidArgumentError("shuffling needs a delta above 0 and one person or more")
    # Above e^700 numbers end; no crowd of people is as large.
    power = math.exp(min(local_epsilon, 700.0))
    least = math.ceil(power * 16 * math.log(2 / delta))
    if people < least:
        return Shuffled(people, delta, None, least)
    gain = 8 * math.sqrt(power * math.log(4 / delta) / people) + 8 * power / people
    epsilon = math.log1p(math.tanh(local_epsilon / 2) * gain)
    return Shuffled(people, delta, min(epsilon, local_epsilon), least)
