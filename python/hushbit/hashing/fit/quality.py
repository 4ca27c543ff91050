"""How well a fitted distribution fits: statistics for the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class DimensionQuality:
    """One dimension. `distance` is the two-sample Kolmogorov-Smirnov statistic, 0 for equal samples, 1 at most.

    `threshold` is what it exceeds once in 100 if both samples have the same distribution and rows are independent.
    `kurtosis` is the excess of the genuine rows: 0 for a Gaussian, NaN if all weights are equal.
    """

    label: str
    distance: float
    threshold: float
    kurtosis: float
    synthetic_kurtosis: float


def quality(genuine: NDArray[Any], synthetic: NDArray[Any], labels: tuple[str, ...]) -> list[DimensionQuality]:
    """Compares (n, d) with (m, d) weights, dimension by dimension."""
    threshold = 1.628 * np.sqrt(1 / len(genuine) + 1 / len(synthetic))
    return [
        DimensionQuality(
            label,
            ks_distance(genuine[:, i], synthetic[:, i]),
            float(threshold),
            excess_kurtosis(genuine[:, i]),
            excess_kurtosis(synthetic[:, i]),
        )
        for i, label in enumerate(labels)
    ]


def ks_distance(one: NDArray[Any], other: NDArray[Any]) -> float:
    """The largest difference between two empirical distribution functions."""
    one, other = np.sort(one), np.sort(other)
    points = np.concatenate([one, other])
    shares = [np.searchsorted(sample, points, side="right") / len(sample) for sample in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


def excess_kurtosis(values: NDArray[Any]) -> float:
    """The fourth central moment over the squared variance, less 3."""
    centered = np.ldexp(values.astype(np.float64), -np.frexp(np.abs(values).max())[1])  # no power over- or underflows
    centered -= centered.mean()
    variance = np.mean(centered**2)
    return float(np.mean(centered**4) / variance**2 - 3) if variance > 0 else float("nan")
