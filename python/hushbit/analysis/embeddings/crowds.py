"""The crowds of texts' vectors, exactly as the core finds them: what an attacker computes, and any experiment."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit.errors import InvalidArgumentError

_BLOCK = 256
_MOST_BITS = 62  # bits of a product with a direction times the number of directions, so that indices break ties
_MOST_EXACT = 1 << 53


def crowds_of(vectors: ArrayLike, directions: NDArray[np.int8], size: int) -> NDArray[np.uint32]:
    """The `size` directions with the largest inner products with each vector, ties by the lower index: (texts, size).

    In no order. `vectors` are integers (texts, d). A vector of zeros has no crowd: its row is of no use. Raises
    InvalidArgumentError for vectors too large for exact arithmetic: those of messages and reviews fit.
    """
    found = np.asarray(vectors, dtype=np.int64)
    count = len(directions)
    if np.abs(found).sum(axis=1, dtype=np.float64).max(initial=0) >= min((1 << _MOST_BITS) // count, _MOST_EXACT):
        raise InvalidArgumentError("the vectors are too large for exact inner products")
    if size == count:
        return np.broadcast_to(np.arange(count, dtype=np.uint32), (len(found), count))
    blocks = [np.argpartition(keys, size, axis=1)[:, :size].astype(np.uint32) for keys in _keys(found, directions)]
    return np.concatenate(blocks) if blocks else np.zeros((0, size), dtype=np.uint32)


def _keys(vectors: NDArray[np.int64], directions: NDArray[np.int8]) -> Iterator[NDArray[np.int64]]:
    """Different integers for all directions, the smallest for the first of a crowd."""
    count = len(directions)
    columns = directions.T.astype(np.float64)
    for first in range(0, len(vectors), _BLOCK):
        # Exact in floating point: no sum reaches 2^53, as the caller checked.
        products = (vectors[first : first + _BLOCK].astype(np.float64) @ columns).astype(np.int64)
        yield np.arange(count) - products * count


def drawn_from(
    crowds: NDArray[np.uint32],
    empty: NDArray[np.bool_],
    directions: int,
    chance: float,
    times: int,
    generator: np.random.Generator,
) -> NDArray[np.uint32]:
    """`times` directions for each text, (texts, times), as the core draws them. NOT private: of a seeded generator.

    `empty` (texts,) says which vectors are zeros; they draw from all `directions`.
    """
    shape = (len(crowds), times)
    near = np.take_along_axis(crowds, generator.integers(0, crowds.shape[1], size=shape), axis=1)
    anywhere = generator.integers(0, directions, size=shape, dtype=np.uint32)
    return np.where((generator.random(shape) < chance) & ~empty[:, None], near, anywhere)
