"""Rényi divergence between Gaussians, in closed form, and what it means as (epsilon, delta)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

_GRID = 400
_SMALLEST, _LARGEST = 1e-9, 1e12  # limits of alpha - 1


def gaussian_divergence(mean_p: Any, variance_p: Any, mean_q: Any, variance_q: Any, alpha: Any) -> NDArray[np.float64]:
    """D_alpha(P || Q) of two Gaussians, for alpha > 1; arguments broadcast.

    With s = alpha * variance_q + (1 - alpha) * variance_p it is

        ln(sd_q / sd_p) + ln(variance_q / s) / (2 (alpha - 1)) + alpha (mean_p - mean_q)^2 / (2 s)

    and infinite where s <= 0. Two point masses are at divergence 0 if they are the same point, else infinite.
    """
    mean_p, variance_p, mean_q, variance_q, alpha = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (mean_p, variance_p, mean_q, variance_q, alpha))
    )
    order = alpha - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        # This uses the small difference of the variances, so that nothing cancels when few rows make it.
        excess = (variance_p - variance_q) / variance_q
        s = variance_q * (1 - order * excess)
        value = -0.5 * np.where(excess > -0.5, np.log1p(excess), np.log(variance_p / variance_q))
        value = value - np.log1p(-order * excess) / (2 * order)
        value = value + alpha * (mean_p - mean_q) ** 2 / (2 * s)
    finite = (variance_p > 0) & (variance_q > 0) & (s > 0)
    same = (mean_p == mean_q) & (variance_p == 0) & (variance_q == 0)
    return np.where(same, 0.0, np.where(finite, np.maximum(np.where(finite, value, 0.0), 0.0), np.inf))


def largest_alpha(variance_p: Any, variance_q: Any) -> float:
    """The alpha from which D_alpha(P || Q) is infinite: variance_p / (variance_p - variance_q), or infinity."""
    variance_p, variance_q = np.asarray(variance_p, dtype=np.float64), np.asarray(variance_q, dtype=np.float64)
    narrower = variance_p > variance_q
    if not narrower.any():
        return float("inf")
    return float(np.min(variance_p[narrower] / (variance_p[narrower] - variance_q[narrower])))


def epsilon_at(divergence: Any, alpha: Any, delta: float) -> Any:
    """The epsilon that a divergence at alpha gives with `delta`: divergence + ln(1 / delta) / (alpha - 1).

    The conversion of Mironov (2017), as the paper has it. Tighter ones exist (dp-accounting's); this errs upward.
    """
    if not 0 < delta < 1:
        raise InvalidArgumentError(f"delta is {delta}; it must lie between 0 and 1")
    return divergence + np.log(1 / delta) / (np.asarray(alpha) - 1)


def least_epsilon(
    divergence: Callable[[NDArray[np.float64]], NDArray[np.float64]], delta: float, alpha_limit: float = float("inf")
) -> tuple[float, float]:
    """The smallest epsilon over alpha in (1, alpha_limit), and its alpha.

    `divergence` maps an array of alphas to an array of divergences. Every alpha gives a valid epsilon, so that a search
    which stops early errs upward only. (infinity, NaN) if the divergence is infinite everywhere.
    """
    low, high = np.log(_SMALLEST), np.log(min(_LARGEST, max(alpha_limit - 1, 2 * _SMALLEST)))
    best, where = float("inf"), float("nan")
    for _ in range(3):  # each pass looks closer between the neighbors of the best
        grid = np.linspace(low, high, _GRID)
        alphas = 1 + np.exp(grid)
        values = epsilon_at(divergence(alphas), alphas, delta)
        i = int(np.argmin(values))
        if not np.isfinite(values[i]):
            break
        if values[i] < best:
            best, where = float(values[i]), float(alphas[i])
        low, high = grid[max(i - 1, 0)], grid[min(i + 1, _GRID - 1)]
    return best, where
