"""Rows that are equal, or equal but for their sign.

Features that occur in the same documents only get the same weights, so in a real table a large part of the rows repeat
another row exactly. Rows drawn one by one never do, which would give every genuine repeat away: synthetic rows
therefore come in groups of the same sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Groups:
    """Distinct rows, how often each occurs, and whether some occur with both signs."""

    rows: NDArray[Any]
    counts: NDArray[np.int64]
    signed: bool


def find_groups(weights: NDArray[Any]) -> Groups:
    """Groups the rows of (n, d) weights. Zeros compare equal whatever their sign."""
    positive = weights + 0.0  # no negative zeros
    signs, keys = _keys(positive)
    _, index, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    plus = np.bincount(inverse, weights=signs > 0, minlength=len(counts))
    signed = bool(((plus > 0) & (plus < counts)).any())
    return Groups(positive[index], counts.astype(np.int64), signed)


def row_counts(weights: NDArray[Any]) -> NDArray[np.int64]:
    """How often each of (n, d) rows occurs, itself included, with either sign."""
    _, inverse, counts = np.unique(_keys(weights + 0.0)[1], return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.int64)


def _keys(positive: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint64]]:
    """The sign of each row's first number that is not zero, and a 64-bit hash of the row times that sign.

    Of n rows two different ones get the same hash with probability n^2 / 2^65: one in eight million for two million.
    """
    first = np.argmax(positive != 0, axis=1)
    signs = np.where(np.take_along_axis(positive, first[:, None], axis=1)[:, 0] < 0, -1.0, 1.0).astype(positive.dtype)
    bits = np.uint64 if positive.itemsize == 8 else np.uint32
    keys = np.zeros(len(positive), dtype=np.uint64)
    for column in range(positive.shape[1]):
        keys = _mixed(keys ^ (positive[:, column] * signs + 0.0).view(bits).astype(np.uint64))
    return signs, keys


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64 after an odd constant, so that every bit depends on every bit."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
