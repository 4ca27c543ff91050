"""Tests of chance with their false-alarm rates: p-values computed to many digits, no tables."""

import math

import numpy as np
from mpmath import mp  # type: ignore[import-untyped]
from numpy.typing import ArrayLike, NDArray


def chi_square_survival(statistic: float, freedom: int) -> float:
    """Pr[X >= statistic] for X chi-square with `freedom` degrees of freedom."""
    with mp.workdps(40):
        return float(mp.gammainc(mp.mpf(freedom) / 2, mp.mpf(statistic) / 2, mp.inf, regularized=True))


def chi_square_p(observed: ArrayLike, expected: ArrayLike) -> float:
    """The p-value of counts against expected counts (same sum), outcomes expected under 10 times merged into one."""
    seen = np.asarray(observed, dtype=float)
    wanted = np.asarray(expected, dtype=float)
    if not math.isclose(seen.sum(), wanted.sum(), rel_tol=1e-9):
        raise ValueError("observed and expected counts have different sums")
    if np.any(seen[wanted == 0]):
        return 0.0
    rare = wanted < 10
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        wanted = np.append(wanted[~rare], wanted[rare].sum())
    if wanted[-1] == 0:
        seen, wanted = seen[:-1], wanted[:-1]
    return chi_square_survival(float(((seen - wanted) ** 2 / wanted).sum()), len(wanted) - 1)


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
