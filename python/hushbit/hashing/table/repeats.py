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
    """Groups of rows: the index of the first row of each, increasing, its number of rows, and how many have the other
    sign.
    """

    index: NDArray[np.int64]
    counts: NDArray[np.int64]
    opposite: NDArray[np.int64]


def find_groups(weights: NDArray[Any]) -> Groups:
    """Groups the rows of (n, d) weights. Zeros compare equal whatever their sign."""
    signs, keys = _keys(weights)
    _, index, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    opposite = np.bincount(inverse, weights=signs != signs[index][inverse], minlength=len(counts))
    order = np.argsort(index)
    return Groups(index[order].astype(np.int64), counts[order].astype(np.int64), opposite[order].astype(np.int64))


def row_counts(*tables: NDArray[Any]) -> NDArray[np.int64]:
    """How often each row of (any, d) tables occurs in all of them, itself included, with either sign."""
    keys = np.concatenate([_keys(weights)[1] for weights in tables])
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.int64)


def row_keys(weights: NDArray[Any]) -> NDArray[np.uint64]:
    """A number for each row of (n, d) weights, the same for rows that are equal but for their sign."""
    return _keys(weights)[1]


def one_of_each(*tables: NDArray[Any], generator: np.random.Generator) -> NDArray[np.int64]:
    """A random one of the rows of (any, d) tables that are equal or opposite, for each such group: places in all tables
    together.
    """
    keys = np.concatenate([_keys(weights)[1] for weights in tables])
    order = generator.permutation(len(keys))
    keys = keys[order]
    order = order[np.argsort(keys, kind="stable")]
    keys.sort()  # np.unique does this in twice the memory
    first = np.ones(len(keys), dtype=np.bool_)
    first[1:] = keys[1:] != keys[:-1]
    return np.asarray(order[first])


def _keys(weights: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint64]]:
    """The sign of each row's first number that is not zero, and a 64-bit hash of the row times that sign.

    Of n rows two different ones get the same hash with probability n^2 / 2^65: one in eight million for two million.
    """
    signs = np.zeros(len(weights), dtype=weights.dtype)
    for column in weights.T:
        signs += (signs == 0) * np.sign(column)
    bits = np.uint64 if weights.itemsize == 8 else np.uint32
    keys = np.zeros(len(weights), dtype=np.uint64)
    for column in weights.T:
        positive = column * signs + 0  # no negative zeros
        keys = _mixed(keys ^ positive.view(bits).astype(np.uint64))
    return signs, keys


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64 after an odd constant, so that every bit depends on every bit."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
