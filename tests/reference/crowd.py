"""Crowds: a word of the crowd of the typed word's stand-in with some chance, else any output word (docs/proofs.md)."""

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, Literal

import numpy as np
from mpmath import iv, mp

from .brr import GROUP, Code, Source, distances, uniform_index
from .coin import RANGE, high, low, set_precision, settled
from .crowd_sections import CrowdTables, Grade
from .millionths import at_most_as_stated

CrowdSize = Literal["one", "few", "many"]
SIZE_NUMBERS = {"one": 1, "few": 2, "many": 3}
_WORDS_PER_TOKEN = 3  # of 64 bits
_LARGEST_EPSILON = 63.0
_SHARES = {"few": 2000, "many": 200}  # the part of all mass, without grades


def _floor(x: Any) -> int:
    return int(mp.floor(x))


@cache
def threshold(epsilon: float, mass: int, total: int) -> int:
    """L = floor(2^64 (e^epsilon - 1) m / (M + (e^epsilon - 1) m)); 0 below 2^-63; above 63 as at 63."""
    if epsilon < 2.0**-63:
        return 0
    epsilon = min(epsilon, _LARGEST_EPSILON)

    def exact() -> Any:
        odds = (iv.exp(iv.mpf(epsilon)) - 1) * mass
        return iv.mpf(RANGE) * odds / (total + odds)

    return int(settled(exact, _floor))


@cache
def epsilon_of(limit: int, mass: int, total: int) -> float:
    """ln(1 + L M / ((2^64 - L) m)), rounded up to a double."""
    if limit == 0:
        return 0.0

    def up(x: Any) -> float:
        nearest = float(x)
        return nearest if mp.mpf(nearest) >= x else math.nextafter(nearest, math.inf)

    return float(settled(lambda: iv.log(1 + iv.mpf(limit * total) / iv.mpf((RANGE - limit) * mass)), up))


def is_clamped(epsilon: float, mass: int, total: int) -> bool:
    """Whether epsilon is beyond what the integers express."""
    if epsilon > _LARGEST_EPSILON:
        return True
    set_precision(512)
    largest = iv.log(1 + iv.mpf((RANGE - 1) * total) / iv.mpf(mass))
    return bool(low(largest) < epsilon) and bool(high(largest) < epsilon)


@dataclass(frozen=True)
class Crowds:
    """Crowds of one size at one epsilon, over output indices. `codes` is uint8 (Y, bits / 8)."""

    tables: CrowdTables
    codes: Code
    size: CrowdSize
    grade: Grade
    row: int
    weights: list[int]
    limit: int
    """L"""

    @property
    def mass(self) -> int:
        """m"""
        return self.grade.mass

    @property
    def total(self) -> int:
        """M"""
        return sum(self.weights)

    def members(self, index: int) -> list[int]:
        """Everything that the crowd of an output word can hold, in order."""
        if self.size == "one":
            return [index]
        if self.tables.lists is None:
            near = distances(self.codes[index], self.codes)
            order: list[int] = np.lexsort((np.arange(len(near)), near)).tolist()
            return [index, *(other for other in order if other != index)]
        listed = self.tables.lists[self.tables.centers[index]]
        return [index, *(other for other in listed if other != index)] if self.tables.self_first else listed

    def shares(self, index: int) -> dict[int, int]:
        """Output index -> share, of those with one, in order."""
        shares, before = {}, 0
        for member in self.members(index):
            after = before + self.weights[member]
            if share := self.grade.of(after) - self.grade.of(before):
                shares[member] = share
            before = after
        return shares

    def mean_size(self) -> float:
        """The mean number of words with a share, over at most 1024 output words evenly spaced, 64 without lists."""
        by_codes = self.size != "one" and self.tables.lists is None
        if by_codes and self.tables.weights is None:
            return float(self.mass)  # every share is 1
        count = len(self.weights)
        measured = min(count, 64 if by_codes else 1024)
        return sum(len(self.shares(i * count // measured)) for i in range(measured)) / measured

    def draw(self, index: int | None, words: list[int], source: Source) -> int:
        """The output index that replaces a token: with its stand-in's index, or None for an unknown token."""
        coin, in_crowd, in_all = words
        t = uniform_index(in_crowd, self.mass, source)
        v = uniform_index(in_all, self.total, source)
        if index is not None and coin < self.limit:
            shares = self.shares(index)
            return list(shares)[bisect_right(list(accumulate(shares.values())), t)]
        return bisect_right(list(accumulate(self.weights)), v)


def crowds_of(tables: CrowdTables, codes: Code, size: CrowdSize, epsilon: float) -> Crowds:
    """The crowds of a bundle."""
    weights = [1] * len(tables.outputs) if size == "one" else tables.all_weights
    total = sum(weights)
    row = 0
    if size == "one":
        grade = Grade("one", math.inf, ((1, 65536),))
    elif tables.grades is None:
        part = _SHARES[size]
        grade = Grade(size, math.inf, ((max(1, (2 * total + part) // (2 * part)), 65536),))
    else:
        row = next(i for i, g in enumerate(tables.grades) if g.size == size and epsilon <= g.up_to)
        grade = tables.grades[row]
    return Crowds(tables, codes, size, grade, row, weights, threshold(at_most_as_stated(epsilon), grade.mass, total))


def replace(crowds: Crowds, inputs: list[int | None], sources: list[Source]) -> list[int]:
    """The output index that replaces each input, an output index or None for an unknown token.

    Each draws from its own source, which may be the same for all: the randomness of a group of tokens comes before what
    their draws need beyond that.
    """
    outputs: list[int] = []
    for start in range(0, len(inputs), GROUP):
        group = list(zip(inputs[start : start + GROUP], sources[start : start + GROUP], strict=True))
        drawn = [np.frombuffer(source.take(_WORDS_PER_TOKEN * 8), dtype="<u8").tolist() for _, source in group]
        outputs += [crowds.draw(index, words, source) for (index, source), words in zip(group, drawn, strict=True)]
    return outputs
