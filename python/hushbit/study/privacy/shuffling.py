"""The effect of shuffling many people's words (Feldman, McMillan and Talwar, "Hiding among the clones", FOCS 2021).

Each of n people releases one word by a mechanism with local-DP ε₀. A shuffler drops names, order and times, and passes
on the n words in random order. For a reader who sees nothing else, each person's word has a central (ε, δ). The
conditions are: each person gives one word; each draws noise independently, with the same ε₀; and the shuffler neither
keeps nor shares what it drops. k words of a person count as k words (their ε add up), and a text whose words stay
together is not shuffled.
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
    """The central guarantee for one word from each of `people`."""

    people: int
    delta: float
    epsilon: float | None
    """None if ε₀ is above the theorem's limit for this number of people."""
    least_people: int
    """The smallest number of people for which the theorem holds."""


def shuffled(local_epsilon: float, people: int, delta: float) -> Shuffled:
    """Theorem 3.1: for ε₀ <= ln(n / (16·ln(2/δ))),

    ε = ln(1 + (e^ε₀ - 1)/(e^ε₀ + 1) · (8·√(e^ε₀·ln(4/δ)/n) + 8·e^ε₀/n)).

    Raises InvalidArgumentError for a δ outside (0, 1) or no people.
    """
    require_delta(delta)
    if delta == 0 or people < 1:
        raise InvalidArgumentError("shuffling needs a delta above 0 and at least one person")
    # Above e^700 numbers overflow; no number of people is as large.
    power = math.exp(min(local_epsilon, 700.0))
    least = math.ceil(power * 16 * math.log(2 / delta))
    if people < least:
        return Shuffled(people, delta, None, least)
    gain = 8 * math.sqrt(power * math.log(4 / delta) / people) + 8 * power / people
    epsilon = math.log1p(math.tanh(local_epsilon / 2) * gain)
    return Shuffled(people, delta, min(epsilon, local_epsilon), least)
