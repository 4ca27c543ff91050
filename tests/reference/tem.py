"""The truncated exponential mechanism over Hamming distance: a table of integer weights, and an exact sampler."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpmath import mp, mpf

from .brr import Code, Source, distances, uniform_index

_LARGEST = 2.0**62
_LEAST = 2.0**12
_FAR_SHARE = 16


def _float(value: Any) -> float:
    return float(value)


def _exp(x: float) -> float:
    with mp.workprec(200):
        return _float(mp.exp(x))


def _log(x: float) -> float:
    with mp.workprec(200):
        return _float(mp.log(x))


def _log_ratio_up(a: int, b: int) -> float:
    """ln(a / b), rounded up to a double."""
    if a == b:
        return 0.0
    with mp.workprec(200):
        exact = mp.log(mpf(a) / mpf(b))
        nearest = _float(exact)
        return nearest if mpf(nearest) >= exact else math.nextafter(nearest, math.inf)


def gamma(epsilon: float, beta: float, words: int, bits: int) -> int:
    """The truncation distance of Theorem 4.2 in whole bits."""
    farther = (1 - beta) / beta * (words - 1.0)
    if farther <= 1:
        return 0
    if epsilon == 0:
        return bits
    return min(bits, math.ceil(2 * _log(farther) / epsilon))


@dataclass(frozen=True)
class Weights:
    """A word at distance d has the weight `weight[d]`."""

    weight: list[int]
    gamma: int
    clamped: bool
    near: int
    """Words at no more than this distance are counted, the others proposed."""

    @property
    def epsilon(self) -> float:
        """The guarantee of the table, per differing bit."""
        return 2 * max(_log_ratio_up(a, b) for a, b in zip(self.weight, self.weight[1:], strict=False))

    @property
    def log_range(self) -> float:
        """ln of the largest weight over the smallest."""
        return _log_ratio_up(self.weight[0], self.weight[-1])


def weights(epsilon: float, beta: float, words: int, bits: int) -> Weights:
    """The table of docs/proofs.md, built from gamma downward."""
    reach = gamma(epsilon, beta, words, bits)
    largest_step = 0.0 if reach == 0 else _log(_LARGEST / _LEAST) / reach
    step = min(epsilon / 2, largest_step)
    factor = _exp(step) * (1 - 2.0**-50)
    table = [int(_LARGEST * 0.99 * _exp(-step * reach))] * (bits + 1)
    for d in reversed(range(reach)):
        table[d] = max(table[d + 1], int(float(table[d + 1]) * factor))
    return Weights(table, reach, reach > 0 and step < epsilon / 2, near(table, words))


def near(table: list[int], words: int) -> int:
    """The least distance beyond which all words could weigh 16 times what words weigh at least."""
    least = max(table[0], words * table[-1])
    return next(d for d in range(len(table) - 1) if words * table[d + 1] <= _FAR_SHARE * least)


def _below(bound: int, source: Source) -> int:
    """A uniform integer below bound: as many random bits as it has, drawn again until they are below it."""
    while True:
        value = int.from_bytes(source.take(16), "little") & ((1 << bound.bit_length()) - 1)
        if value < bound:
            return value


def _index(count: int, source: Source) -> int:
    return uniform_index(int.from_bytes(source.take(8), "little"), count, source)


def _replace_word(code: Code, codes: Code, table: Weights, source: Source) -> int:
    found = distances(code, codes)
    shells = [int((found == d).sum()) * table.weight[d] for d in range(table.near + 1)]
    farthest = table.weight[table.near + 1]
    while True:
        rest = _below(sum(shells) + len(codes) * farthest, source)
        for distance, shell in enumerate(shells):
            if rest < shell:
                at_distance = np.flatnonzero(found == distance)
                return int(at_distance[_index(len(at_distance), source)])
            rest -= shell
        proposed = _index(len(codes), source)
        value = _below(farthest, source)
        if found[proposed] > table.near and value < table.weight[found[proposed]]:
            return proposed


def replace(inputs: list[Code | None], codes: Code, table: Weights, sources: list[Source]) -> list[int]:
    """The id of the word that replaces each input, a code or None for an unknown token, from its own source."""
    return [
        _index(len(codes), source) if code is None else _replace_word(code, codes, table, source)
        for code, source in zip(inputs, sources, strict=True)
    ]
