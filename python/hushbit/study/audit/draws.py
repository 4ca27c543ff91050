"""Testing what a mechanism draws: against exact distributions, and likelihood ratios against the bound."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, gammaincc

from hushbit.study.audit.check import LEVEL, Check
from hushbit.study.audit.vocabulary import Small
from hushbit.study.mechanisms.base import Mechanism
from hushbit.study.privacy.intervals import binomial_bounds

_EXPECTED_AT_LEAST = 10  # draws of an outcome, else it is merged with other rare ones
_NOTICED = 0.02  # a relative error of the coin that must be noticed
_STANDARD_ERRORS = 7.0  # then with a chance of over 98 %, at the level of 1e-6
_MAX_COINS = 40_000_000


def check_coins(mechanism: Mechanism, cube: Small, flip: float, generator: np.random.Generator) -> Check:
    """Flips counted on a cube, where each draw shows all its coins: as many as notice an error of 2 %."""
    bits = cube.bits.shape[1]
    coins = min(_MAX_COINS, math.ceil((_STANDARD_ERRORS / _NOTICED) ** 2 * (1 - flip) / flip))
    draws = math.ceil(coins / bits)
    words = generator.integers(len(cube.bits), size=draws, dtype=np.uint32)
    outputs = mechanism.replace(words, generator=generator)
    flips = int((cube.bits[words] != cube.bits[outputs]).sum())
    total = draws * bits
    tail = 2 * min(float(bdtr(flips, total, flip)), float(bdtrc(flips - 1, total, flip)) if flips else 1.0)
    error = _STANDARD_ERRORS * math.sqrt((1 - flip) / flip / total)
    detail = f"{flips:,} of {total:,} bits flipped, expected {flip * total:,.1f}, p {min(1.0, tail):.2g}"
    return Check("coins drawn", tail > LEVEL, f"{detail}; an error of {error:.1%} would be noticed")


def check_distribution(
    mechanism: Mechanism, chances: NDArray[np.float64], draws: int, generator: np.random.Generator
) -> Check:
    """Draws of each word of a small vocabulary against their exact chances, (words, words), by chi-square."""
    words = len(chances)
    inputs = np.repeat(np.arange(words, dtype=np.uint32), draws)
    outputs = mechanism.replace(inputs, generator=generator).reshape(words, draws)
    statistic, freedom = 0.0, 0
    for row, expected in zip(outputs, chances * draws, strict=True):
        part, degrees = _chi_square(np.bincount(row, minlength=words), expected)
        statistic, freedom = statistic + part, freedom + degrees
    p = 1.0 if freedom == 0 else float(gammaincc(freedom / 2, statistic / 2))
    return Check(
        "draws", p > LEVEL, f"{words} words × {draws:,} draws, chi-square {statistic:.1f} of {freedom}, p {p:.2g}"
    )


def _chi_square(seen: NDArray[np.int64], expected: NDArray[np.float64]) -> tuple[float, int]:
    if seen[expected == 0].any():
        return math.inf, 1
    rare = expected < _EXPECTED_AT_LEAST
    observed = np.append(seen[~rare], seen[rare].sum()).astype(np.float64)
    wanted = np.append(expected[~rare], expected[rare].sum())
    kept = wanted > 0
    statistic = ((observed[kept] - wanted[kept]) ** 2 / wanted[kept]).sum()
    return float(statistic), max(0, int(kept.sum()) - 1)


def check_ratios(
    mechanism: Mechanism,
    pairs: NDArray[np.uint32],
    distances: NDArray[np.float64],
    draws: int,
    generator: np.random.Generator,
) -> Check:
    """Likelihood ratios of pairs of words, (count, 2), at given distances, against the bound.

    One half of the draws chooses outputs, the other tests them: Clopper-Pearson bounds of both chances, Bonferroni over
    all tests. A ratio that is surely above e^(ε·d) fails.
    """
    inputs = np.repeat(pairs.reshape(-1), 2 * draws)
    outputs = mechanism.replace(inputs, generator=generator).reshape(len(pairs), 2, 2, draws)
    tests = [
        (a, b, y, bound)
        for pair, distance in zip(outputs, distances, strict=True)
        for a, b in ((pair[0], pair[1]), (pair[1], pair[0]))
        for y, bound in ((y, mechanism.epsilon * float(distance)) for y in _promising(a[0], b[0]))
    ]
    worst = -math.inf
    confidence = 1 - LEVEL / max(1, 2 * len(tests))
    for a, b, y, bound in tests:
        lower = float(binomial_bounds(np.count_nonzero(a[1] == y), draws, confidence)[0])
        upper = float(binomial_bounds(np.count_nonzero(b[1] == y), draws, confidence)[1])
        worst = max(worst, math.log(lower) - math.log(upper) - bound if lower > 0 else -math.inf)
    detail = (
        f"{len(pairs)} pairs, {len(tests)} outputs tested on {draws:,} draws a word, with a confidence of "
        f"{1 - LEVEL:.6f} in all: the most that a ratio is surely above its bound is {worst:+.3g}"
    )
    return Check("likelihood ratios", worst <= 0, detail)


def _promising(a: NDArray[np.uint32], b: NDArray[np.uint32], count: int = 5) -> list[int]:
    """The outputs for which a's share most exceeds b's."""
    outputs, times = np.unique(a, return_counts=True)
    others = dict(zip(*(part.tolist() for part in np.unique(b, return_counts=True)), strict=True))
    often = {int(y): int(n) / (others.get(int(y), 0) + 1) for y, n in zip(outputs, times, strict=True) if n > 1}
    return sorted(often, key=lambda y: -often[y])[:count]
