"""Random numbers for synthetic rows."""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError, RandomnessFailedError

_BLOCK = 1 << 16


class Source(Protocol):
    """Uniform 64-bit words; everything else is made of them."""

    def words(self, count: int) -> NDArray[np.uint64]:
        """`count` independent uniform words."""
        ...


class SystemSource:
    """The operating system's generator. Raises RandomnessFailedError if it gives nothing: release nothing then."""

    def words(self, count: int) -> NDArray[np.uint64]:
        """`count` independent uniform words."""
        try:
            return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)
        except (OSError, NotImplementedError) as error:
            raise RandomnessFailedError(
                f"the operating system gave no randomness: {error}; nothing was released"
            ) from None


class PredictableSource:
    """A numpy generator, for tests. Whoever knows its seed can take every synthetic row away again."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def words(self, count: int) -> NDArray[np.uint64]:
        """`count` words of the generator."""
        return self._generator.integers(0, 1 << 64, size=count, dtype=np.uint64)


def source(generator_for_tests: np.random.Generator | None) -> Source:
    """The system's generator, unless a test brings its own."""
    return SystemSource() if generator_for_tests is None else PredictableSource(generator_for_tests)


def below(bound: int, count: int, words: Source) -> NDArray[np.int64]:
    """`count` whole numbers, uniform in [0, bound): exact, by rejection. `bound` is 1 to 2^32."""
    if not 1 <= bound <= 1 << 32:
        raise InvalidArgumentError(f"cannot draw below {bound}")
    limit = (1 << 64) // bound * bound
    result = np.empty(count, dtype=np.int64)
    done = 0
    while done < count:
        drawn = words.words(count - done)
        if limit < 1 << 64:
            drawn = drawn[drawn < np.uint64(limit)]
        result[done : done + len(drawn)] = (drawn % np.uint64(bound)).astype(np.int64)
        done += len(drawn)
    return result


def urn(size: int, count: int, words: Source) -> NDArray[np.int64]:
    """`count` draws from Pólya's urn of `size` balls, up to 2^31 of both: exact.

    Every ball that is drawn goes back together with another of its kind: draw t is one of the balls, or the same as an
    earlier draw, each with probability 1 / (size + t). So the balls and the draws are exchangeable.
    """
    drawn = np.empty(count, dtype=np.int64)
    bounds = np.arange(size, size + count, dtype=np.uint64)
    missing = np.arange(count)
    while len(missing):
        fresh, mine = words.words(len(missing)), bounds[missing]
        drawn[missing] = (fresh % mine).astype(np.int64)
        missing = missing[fresh >= np.uint64((1 << 64) - 1) // mine * mine]  # would favor small numbers
    while (repeated := drawn >= size).any():
        drawn[repeated] = drawn[drawn[repeated] - size]
    return drawn


def uniform(count: int, words: Source) -> NDArray[np.float64]:
    """Uniform in (0, 1]: whole multiples of 2^-53, all equally likely."""
    return ((words.words(count) >> np.uint64(11)).astype(np.float64) + 1) * 2.0**-53


def choose(weights: NDArray[np.float64], count: int, words: Source) -> NDArray[np.int64]:
    """`count` indices, i with probability weights[i] (which add up to 1) to within 2^-52."""
    edges = np.cumsum(weights)
    edges[-1] = 1
    return np.searchsorted(edges, uniform(count, words), side="left").astype(np.int64)


def normal(rows: int, columns: int, words: Source) -> NDArray[np.float64]:
    """Standard normal numbers, (rows, columns), by Box and Muller's transform.

    Not exact: they are floating-point numbers made of two 53-bit uniforms each, so that they lie on a grid with gaps,
    and none is beyond 8.58. What a determined reader can learn from low bits of such numbers (Mironov, 2012) is not
    covered by any figure of this package.
    """
    size = rows * columns
    result = np.empty(size + size % 2)
    for first in range(0, len(result), 2 * _BLOCK):
        half = min(_BLOCK, (len(result) - first) // 2)
        radius = np.sqrt(-2 * np.log(uniform(half, words)))
        angle = 2 * np.pi * uniform(half, words)
        result[first : first + half] = radius * np.cos(angle)
        result[first + half : first + 2 * half] = radius * np.sin(angle)
    return result[:size].reshape(rows, columns)


def shuffled(values: NDArray[np.int32], words: Source) -> NDArray[np.int32]:
    """A uniform permutation of `values`, but for two of up to 2^32 random 64-bit keys being equal."""
    return values[np.argsort(words.words(len(values)), kind="stable")]
