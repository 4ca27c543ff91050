"""Tests of chance with their false-alarm rates: p-values computed to many digits, no tables."""

import math
from collections.abc import Iterable

import numpy as np
from mpmath import mp
from numpy.typing import ArrayLike, NDArray


def chi_square_survival(statistic: float, freedom: int) -> float:
    """Pr[X >= statistic] for X chi-square with `freedom` degrees of freedom."""
    with mp.workdps(40):
        return float(mp.gammainc(mp.mpf(freedom) / 2, mp.mpf(statistic) / 2, mp.inf, regularized=True))


def chi_square(observed: ArrayLike, expected: ArrayLike, constraints: int = 1) -> tuple[float, int]:
    """Statistic and degrees of freedom of counts against expected counts of the same sum.

    `constraints`: how many sums of the counts are fixed beforehand. With 1, a plain multinomial, the outcomes that are
    expected under 10 times are merged into one. An outcome that cannot be and was seen makes the statistic infinite.
    """
    seen = np.asarray(observed, dtype=float)
    wanted = np.asarray(expected, dtype=float)
    if not math.isclose(seen.sum(), wanted.sum(), rel_tol=1e-9):
        raise ValueError("observed and expected counts have different sums")
    impossible = bool(np.any(seen[wanted == 0]))
    rare = wanted < 10
    if rare.any() and constraints == 1:
        seen = np.append(seen[~rare], seen[rare].sum())
        wanted = np.append(wanted[~rare], wanted[rare].sum())
    kept = wanted > 0
    statistic = float(((seen[kept] - wanted[kept]) ** 2 / wanted[kept]).sum())
    return math.inf if impossible else statistic, int(np.count_nonzero(kept)) - constraints


def chi_square_p(observed: ArrayLike, expected: ArrayLike, constraints: int = 1) -> float:
    """The p-value of chi_square."""
    return combined_p([chi_square(observed, expected, constraints)])


def combined_p(parts: Iterable[tuple[float, int]]) -> float:
    """The p-value of the sum of independent chi-square statistics."""
    statistics, freedoms = zip(*parts, strict=True)
    if math.inf in statistics:
        return 0.0
    if sum(freedoms) < 1:
        raise ValueError("nothing to test: all outcomes were merged into one")
    return chi_square_survival(sum(statistics), sum(freedoms))


def normal_two_sided(z: float) -> float:
    """Pr[|Z| >= |z|] for a standard normal Z."""
    return math.erfc(abs(z) / math.sqrt(2))


def largest_correlation_p(samples: NDArray[np.bool_], chance: float) -> float:
    """A bound on the p-value of the largest pairwise correlation of columns, each true with probability `chance`.

    Under independence the standardized sum of products of two columns is close to normal over thousands of rows; the
    bound multiplies the smallest p-value by the number of pairs (Bonferroni).
    """
    rows, columns = samples.shape
    standard = (samples - chance) / math.sqrt(chance * (1 - chance))
    z = standard.T @ standard / math.sqrt(rows)
    upper = z[np.triu_indices(columns, 1)]
    return min(1.0, normal_two_sided(float(np.abs(upper).max())) * len(upper))
