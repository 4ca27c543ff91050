"""Checks of Madlib's noise against its density: the radius and the direction."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammainc

from hushbit.study.audit.check import LEVEL, POWER, Check


def check_noise(noise: NDArray[np.float64], epsilon: float) -> list[Check]:
    """Checks noise vectors (count, d): the radius must be Gamma(d, 1/ε), and the direction uniform on the sphere.

    Both are tested by the largest gap between distribution functions, with the Dvoretzky-Kiefer-Wolfowitz bound. The
    square of a coordinate of a uniform direction is Beta(1/2, (d - 1)/2).
    """
    count, dimensions = noise.shape
    radius = np.linalg.norm(noise, axis=1)
    checks = [
        _gap_check("radius", gammainc(dimensions, np.sort(radius) * epsilon), f"Gamma({dimensions}, 1/{epsilon:g})")
    ]
    if dimensions > 1:
        squares = np.sort((noise[:, 0] / radius) ** 2)
        checks.append(_gap_check("direction", betainc(0.5, (dimensions - 1) / 2, squares), "a uniform direction"))
        positive = float(np.abs((noise > 0).mean(axis=0) - 0.5).max())
        bound = math.sqrt(math.log(2 * dimensions / LEVEL) / (2 * count))  # Hoeffding, for all coordinates
        noticed = bound + _chance_of_the_draws(count)
        checks.append(
            Check(
                "symmetry",
                positive <= bound,
                f"signs differ from half by {positive:.4f}, at most {bound:.4f}",
                f"a coordinate that is positive with a probability {noticed:.4f} from half, with {POWER:.1%}",
                noticed,
                POWER,
                "noise of coordinates that is positive half of the time but uneven otherwise",
            )
        )
    return checks


def _gap_check(name: str, values: NDArray[np.float64], what: str) -> Check:
    """Tests the largest gap. `values` are sorted draws, mapped by their distribution function."""
    steps = np.arange(len(values) + 1) / len(values)
    gap = float(np.maximum(steps[1:] - values, values - steps[:-1]).max())
    bound = math.sqrt(math.log(2 / LEVEL) / (2 * len(values)))
    noticed = bound + _chance_of_the_draws(len(values))
    return Check(
        name,
        gap <= bound,
        f"{len(values):,} draws are {gap:.4f} from {what}, at most {bound:.4f} by chance",
        f"a distribution function {noticed:.4f} from it, with {POWER:.1%}",
        noticed,
        POWER,
        "what changes no distribution function that much, for instance faults of rare, large noise",
    )


def _chance_of_the_draws(count: int) -> float:
    """The part of a deviation that sampling hides, except with probability 1 - POWER, by the same two inequalities."""
    return math.sqrt(math.log(2 / (1 - POWER)) / (2 * count))
