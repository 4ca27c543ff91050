"""Chooses the ε of crowds, exactly and without sampling."""

from collections.abc import Callable

from hushbit import _core
from hushbit._options import CrowdSize
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.crowd import Channel, CrowdMechanism
from hushbit.study.privacy.calibration import Found
from hushbit.study.privacy.crowd_figures import Nearness
from hushbit.study.privacy.guessing import Frequencies

_MAX_EPSILON = 24.0  # the ε of a word above which the coin almost never chooses noise
_STEPS = 40
_DECIMALS = 4

Measure = Callable[[Channel], float]
"""A share of words under a channel, linear in its λ."""


def crowd_epsilon_for_unchanged(
    bundle: _core.Bundle,
    size: CrowdSize | None,
    share: float,
    frequencies: Frequencies,
    progress: Progress = no_progress,
) -> Found:
    """The ε at which words stay unchanged with probability `share`, over words weighted by `frequencies`.

    Raises InvalidArgumentError if no ε gives that share.
    """
    typed = frequencies / frequencies.sum()
    measure: Measure = lambda channel: float(typed @ channel.unchanged())  # noqa: E731
    epsilon, reached, how = _found(bundle, size, share, measure, "unchanged words", progress)
    return Found(epsilon, how, unchanged=reached)


def crowd_epsilon_for_near(
    bundle: _core.Bundle,
    size: CrowdSize | None,
    share: float,
    k: int,
    frequencies: Frequencies,
    progress: Progress = no_progress,
) -> Found:
    """The ε at which one of the `k` nearest words, including the word itself, comes out with probability `share`.

    Raises InvalidArgumentError if no ε gives that share.
    """
    typed = frequencies / frequencies.sum()
    nearness = Nearness(bundle)

    def near(channel: Channel) -> float:
        return float(typed @ nearness.chance(channel, k)[channel.stand_ins])

    epsilon, reached, how = _found(bundle, size, share, near, f"words among the {k} nearest", progress)
    return Found(epsilon, how, near=reached)


def crowd_epsilon_for_worst_case(bundle: _core.Bundle, size: CrowdSize | None, worst_case: float) -> Found:
    """The same ε, since it is the worst case of crowds. Raises InvalidArgumentError unless it is finite and above 0."""
    if not 0 < worst_case < float("inf"):
        raise InvalidArgumentError(f"the worst case is {worst_case}; it must be a finite number above 0")
    found = CrowdMechanism(bundle, worst_case, size)
    return Found(found.epsilon, "the worst case of crowds is their epsilon")


def _found(
    bundle: _core.Bundle,
    size: CrowdSize | None,
    share: float,
    measure: Measure,
    what: str,
    progress: Progress,
) -> tuple[float, float, str]:
    """ε, the share there, and how it was found: by bisection.

    The share grows with λ; where the table of grades changes the crowds, it may jump.
    """
    if not 0 < share < 1:
        raise InvalidArgumentError(f"the share of {what} is {share}; it must lie strictly between 0 and 1")
    by_grade: dict[tuple[int, float], tuple[float, float]] = {}

    def reached(epsilon: float) -> float:
        crowds = CrowdMechanism(bundle, epsilon, size)
        info = crowds.info
        grade = (info.crowd_mass, info.mean_crowd)
        if grade not in by_grade:  # the crowds of a grade are read once: the share is linear in λ
            channel = crowds.channel
            by_grade[grade] = (measure(channel.with_threshold(0)), measure(channel.with_threshold(2**64 - 1)))
        noise, crowd = by_grade[grade]
        return noise + info.crowd_threshold / 2**64 * (crowd - noise)

    most, least = reached(_MAX_EPSILON), reached(0.0)
    if most < share:
        raise InvalidArgumentError(f"no epsilon up to {_MAX_EPSILON:g} gives {share} of {what}: it is {most:.4f} there")
    low, high = 0.0, 0.0 if least >= share else _MAX_EPSILON
    for step in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) >= share else (middle, high)
        progress(step + 1, _STEPS, "calibrate")
    # Rounded up, since a smaller ε would miss the share, unless a grade ends in between.
    epsilon = round(high + 0.5 * 10**-_DECIMALS, _DECIMALS)
    epsilon = epsilon if reached(epsilon) >= share else high
    how = f"bisection on the exact share of {what}, over words weighted by their frequency"
    return epsilon, reached(epsilon), how
