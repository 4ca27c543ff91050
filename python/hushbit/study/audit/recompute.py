"""Recomputes seeded releases without the core's mechanisms and searches.

The stream of the seed is read as docs/repetition-and-budget.md says, the noise is added to the codes, and every word of
the bundle is compared. Only the keystream and the codes of the words come from the core.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushbit import _core, _core_testing
from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.core import UNKNOWN, Release

GROUP = 16  # tokens whose coins are drawn before any tie is broken
_CHUNK = 1 << 16  # bytes of keystream read at once
_BLOCK_WORDS = 1 << 14  # compared at once: as many as fit in a processor's cache
WORD = 1 << 64  # one more than the largest of the numbers that are drawn

Distances = NDArray[np.uint16]  # distances of all output words from one code


class Stream:
    """The keystream of a seed, from its start."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._made = 0
        self._ready = b""

    def take(self, size: int) -> bytes:
        """The next bytes."""
        while len(self._ready) < size:
            self._ready += _core_testing.keystream(self._seed, self._made, _CHUNK)
            self._made += _CHUNK
        taken, self._ready = self._ready[:size], self._ready[size:]
        return taken

    def number(self, size: int = 8) -> int:
        """The next bytes as a little-endian integer."""
        return int.from_bytes(self.take(size), "little")

    def below(self, bound: int) -> int:
        """A uniform integer below `bound`: the lowest bits of 16 bytes, as many as `bound` has, drawn again until they
        are below it.
        """
        kept = (1 << bound.bit_length()) - 1
        while (number := self.number(16) & kept) >= bound:
            pass
        return number

    def index(self, count: int, first: int | None = None) -> int:
        """A uniform integer below `count`, by multiplication with rejection (Lemire 2019), from `first` or the next
        number on.
        """
        number = self.number() if first is None else first
        while number * count % WORD < WORD % count:
            number = self.number()
        return number * count // WORD


class Codes:
    """The codes of all words of a bundle."""

    def __init__(self, bundle: _core.Bundle) -> None:
        self.rows = bundle.codes(bundle.stand_ins(np.arange(bundle.info().words, dtype=np.uint32)))
        """(words, bits / 8): a word that cannot come out has the code of its stand-in."""
        self.outputs = bundle.output_words()
        """The words that may come out, ascending."""
        self._columns = np.ascontiguousarray(self.rows[self.outputs].view(np.uint64).T)

    @property
    def bits(self) -> int:
        """The number of bits of a code."""
        return int(self.rows.shape[1]) * 8

    @cached_property
    def twins(self) -> Ids:
        """Pairs of words that share a code, (count, 2): k - 1 pairs for k words with the same code."""
        whole = self.rows.view(f"V{self.rows.shape[1]}").reshape(-1)
        _, which = np.unique(whole, return_inverse=True)
        order = np.argsort(which, kind="stable")
        same = np.flatnonzero(which[order[1:]] == which[order[:-1]])
        return np.stack([order[same], order[same + 1]], axis=1).astype(np.uint32)

    def distances(self, code: NDArray[np.uint8]) -> Distances:
        """The distances of all output words from one code (bits / 8,)."""
        found = np.zeros(len(self.outputs), dtype=np.uint16)
        for first in range(0, len(found), _BLOCK_WORDS):
            block = found[first : first + _BLOCK_WORDS]
            for column, part in zip(self._columns, code.view(np.uint64), strict=True):
                block += np.bitwise_count(column[first : first + _BLOCK_WORDS] ^ part)
        return found


@dataclass(frozen=True)
class Nearest:
    """The words nearest to a code."""

    distance: int
    words: Ids
    """The words at that distance, ascending."""


def nearest(codes: Codes, code: NDArray[np.uint8]) -> Nearest:
    """Finds the words nearest to a code by comparing all words."""
    distances = codes.distances(code)
    least = distances.min()
    return Nearest(int(least), codes.outputs[distances == least])


@dataclass(frozen=True)
class BrrRelease(Release):
    """The expected release of BRR, and the expected result of its search."""

    found: list[Nearest]


def release_brr(codes: Codes, inputs: Ids, threshold: int, seed: bytes, progress: Progress = no_progress) -> BrrRelease:
    """Releases each input by BRR: a 64-bit coin for each bit, which flips below `threshold`; then a random nearest
    word.
    """
    stream, size = Stream(seed), 8 * (codes.bits + 1)
    noisy = np.empty((len(inputs), codes.bits // 8), dtype=np.uint8)
    outputs: list[int] = []
    found: list[Nearest] = []
    for first in range(0, len(inputs), GROUP):
        group = range(first, min(first + GROUP, len(inputs)))
        drawn = [np.frombuffer(stream.take(size), dtype="<u8") for _ in group]
        for i, numbers in zip(group, drawn, strict=True):
            known = inputs[i] != UNKNOWN
            flips = numbers[:-1] < np.uint64(threshold if known else WORD // 2)  # pure noise on any code
            noisy[i] = np.packbits(flips, bitorder="little") ^ (codes.rows[inputs[i]] if known else np.uint8(0))
        with in_parallel(lambda i: nearest(codes, noisy[i]), group) as results:
            found += results
        for i, numbers in zip(group, drawn, strict=True):
            outputs.append(int(found[i].words[stream.index(len(found[i].words), int(numbers[-1]))]))
        progress(group.stop, len(inputs), "compare every word")
    return BrrRelease(inputs, np.array(outputs, dtype=np.uint32), noisy, found)


def release_tem(
    codes: Codes, inputs: Ids, weights: list[int], seed: bytes, progress: Progress = no_progress
) -> Release:
    """Releases each input by TEM: words near it by their weights, others by rejection from a uniform proposal."""
    stream = Stream(seed)
    outputs: list[int] = []
    for first in range(0, len(inputs), GROUP):
        group = inputs[first : first + GROUP].tolist()
        with in_parallel(lambda word: None if word == UNKNOWN else codes.distances(codes.rows[word]), group) as results:
            outputs += [
                stream.index(len(codes.outputs)) if distances is None else _draw_by_weight(distances, weights, stream)
                for distances in results
            ]
        progress(first + len(group), len(inputs), "compare every word")
    return Release(
        inputs, codes.outputs[np.array(outputs, dtype=np.int64)], np.empty((0, codes.bits // 8), dtype=np.uint8)
    )


def _draw_by_weight(distances: Distances, weights: list[int], stream: Stream) -> int:
    """The index of the drawn word among the output words."""
    near = _counted(weights, len(distances))
    shells = [
        int(count) * weight
        for count, weight in zip(np.bincount(distances, minlength=near + 1), weights[: near + 1], strict=False)
    ]
    farthest = weights[near + 1]
    while True:
        rest = stream.below(sum(shells) + len(distances) * farthest)
        if rest < sum(shells):
            distance = int(np.searchsorted(np.cumsum(np.array(shells, dtype=object)), rest, side="right"))
            at_distance = np.flatnonzero(distances == distance)
            return int(at_distance[stream.index(len(at_distance))])
        proposed = stream.index(len(distances))
        value = stream.below(farthest)
        if distances[proposed] > near and value < weights[distances[proposed]]:
            return proposed


def _counted(weights: list[int], words: int) -> int:
    """The distance up to which words are counted: all at the next weight are at most 16 times what words weigh."""
    enough = 16 * max(weights[0], words * weights[-1])
    return next(d for d in range(len(weights) - 1) if words * weights[d + 1] <= enough)
