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


def _keys(positive: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The sign of each row's first number that is not zero, and the bytes of the row times that sign."""
    first = np.argmax(positive != 0, axis=1)
    signs = np.where(np.take_along_axis(positive, first[:, None], axis=1) < 0, -1.0, 1.0).astype(positive.dtype)
    canonical = np.ascontiguousarray(positive * signs + 0.0)
    keys = canonical.view(np.dtype((np.void, canonical.itemsize * canonical.shape[1])))[:, 0]
    return signs[:, 0], keys
