"""Tests the draws of a mechanism: against exact distributions, and likelihood ratios against the bound."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.audit.check import LEVEL, POWER, Check
from hushbit.study.audit.power import binomial_quantile, chance_to_notice, noticed_spread
from hushbit.study.mechanisms.base import Ids, Mechanism
from hushbit.study.privacy.intervals import binomial_bounds

_EXPECTED_AT_LEAST = 10  # draws of an outcome; rarer outcomes are merged
_FARTHEST = 20.0  # a ln-ratio above this is practically infinite


def check_distribution(
    mechanism: Mechanism,
    chances: NDArray[np.float64],
    draws: int,
    generator: np.random.Generator,
    ids: Ids | None = None,
) -> Check:
    """Compares draws of some words, `ids` (words,), with their exact probabilities, (words, everything), by chi-square.

    The default is each word of a small vocabulary.
    """
    words, everything = chances.shape
    ids = np.arange(words, dtype=np.uint32) if ids is None else ids
    outputs = mechanism.replace(np.repeat(ids, draws), generator=generator).reshape(words, draws)
    return chi_square_check(
        "draws",
        f"{words} words × {draws:,} draws",
        [
            (np.bincount(row, minlength=everything), expected)
            for row, expected in zip(outputs, chances * draws, strict=True)
        ],
        words * draws,
        "randomness without a seed, other words, and which of the outcomes are wrong that are too rare to be counted "
        "one by one",
    )


def chi_square_check(
    name: str,
    what: str,
    tables: list[tuple[NDArray[np.signedinteger], NDArray[np.float64]]],
    draws: int,
    blind: str,
) -> Check:
    """Compares counts with what is expected, in one or more tables of `draws` draws in all."""
    statistic, freedom = 0.0, 0
    for seen, expected in tables:
        part, degrees = _chi_square(seen, expected)
        statistic, freedom = statistic + part, freedom + degrees
    p = 1.0 if freedom == 0 else float(gammaincc(freedom / 2, statistic / 2))
    spread = noticed_spread(draws, freedom)
    less = chance_to_notice(draws, freedom, spread / 2)
    return Check(
        name,
        p > LEVEL,
        f"{what}, chi-square {statistic:.1f} of {freedom}, p {p:.2g}",
        f"probabilities that differ from the exact ones by {spread:.2%} in root mean square, with {POWER:.1%}; half of "
        f"that with {less:.2%}"
        if freedom
        else "nothing: there are no two outcomes",
        spread,
        POWER,
        blind,
    )


def _chi_square(seen: NDArray[np.signedinteger], expected: NDArray[np.float64]) -> tuple[float, int]:
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
    progress: Progress = no_progress,
) -> Check:
    """Tests likelihood ratios of pairs of words, (count, 2), at given distances, against the bound.

    One half of the draws selects outputs, and the other half tests them, with Clopper-Pearson bounds of both
    probabilities and the Bonferroni correction over all tests. A ratio that is above e^(ε·d) with this confidence
    fails.
    """
    inputs = np.repeat(pairs.reshape(-1), 2 * draws)
    drawn = mechanism.replace(
        inputs, generator=generator, progress=lambda done, total, _: progress(done, total, "likelihood ratios")
    )
    outputs = drawn.reshape(len(pairs), 2, 2, draws)
    tests = [
        (a, b, y, bound)
        for pair, distance in zip(outputs, distances, strict=True)
        for a, b in ((pair[0], pair[1]), (pair[1], pair[0]))
        for y, bound in ((y, mechanism.epsilon * float(distance)) for y in _promising(a[0], b[0]))
    ]
    worst, noticed = -math.inf, math.inf
    confidence = 1 - LEVEL / max(1, 2 * len(tests))
    for a, b, y, bound in tests:
        of_a, of_b = int(np.count_nonzero(a[1] == y)), int(np.count_nonzero(b[1] == y))
        worst = max(worst, _sure_log_ratio(of_a, of_b, draws, confidence) - bound)
        noticed = min(noticed, _noticed_log_ratio(of_a, draws, bound, confidence))
    detail = (
        f"{len(pairs)} pairs, {len(tests)} outputs tested on {draws:,} draws a word, with a confidence of "
        f"{1 - LEVEL:.6f} in all: the most that a ratio is surely above its bound is {worst:+.3g}"
    )
    notices = f"a ln-ratio {noticed:.2f} above its bound at the output that shows it best, with {POWER:.1%}"
    return Check(
        "likelihood ratios",
        worst <= 0,
        detail,
        notices if math.isfinite(noticed) else "nothing: with so few draws no ratio can be surely above its bound",
        noticed,
        POWER,
        "randomness without a seed, pairs that are not tested, and excesses at outputs that are rarely drawn",
    )


def _sure_log_ratio(of_a: int, of_b: int, draws: int, confidence: float) -> float:
    """A lower confidence bound of the ln-ratio of two probabilities; -∞ if there is none."""
    lower, upper = (
        float(binomial_bounds(of_a, draws, confidence)[0]),
        float(binomial_bounds(of_b, draws, confidence)[1]),
    )
    return math.log(lower) - math.log(upper) if lower > 0 else -math.inf


def _noticed_log_ratio(of_a: int, draws: int, bound: float, confidence: float) -> float:
    """The excess of a ln-ratio that would be detected, if a's probability is as observed; ∞ if none would."""
    share, miss = of_a / draws, (1 - POWER) / 2
    fewest = binomial_quantile(miss, draws, share)

    def seen(excess: float) -> bool:
        most = binomial_quantile(1 - miss, draws, share * math.exp(-bound - excess))
        return _sure_log_ratio(fewest, most, draws, confidence) > bound

    low, high = 0.0, _FARTHEST
    if not seen(high):
        return math.inf
    while high - low > 0.001:
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def _promising(a: NDArray[np.uint32], b: NDArray[np.uint32], count: int = 5) -> list[int]:
    """The outputs for which a's probability exceeds b's most significantly: by ratios of counts and standard errors."""
    outputs, times = np.unique(a, return_counts=True)
    others = dict(zip(*(part.tolist() for part in np.unique(b, return_counts=True)), strict=True))

    def sure_ratio(of_a: int, of_b: int) -> float:
        return (of_a - 3 * math.sqrt(of_a)) / (of_b + 3 * math.sqrt(of_b) + 3)

    ratios = {int(y): sure_ratio(int(n), others.get(int(y), 0)) for y, n in zip(outputs, times, strict=True) if n > 1}
    return sorted(ratios, key=lambda y: -ratios[y])[:count]
