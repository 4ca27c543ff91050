"""How likely each word is to have led to what a reader sees: exact where that is possible, estimated where it is not.

The chances of TEM and of crowds have a closed form. Those of BRR and Madlib are sums over all the noise that leads to
a word and have none; what is exact for them is the likelihood of the noisy code or vector itself. Nobody sees that, but
the released word is made of nothing else, so the best guess from the noise bounds the best guess from the word from
above. The likelihood of the word is estimated from draws, which makes the guess from it a lower bound.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hushbit.study.evaluate.distances import Between, euclidean, hamming
from hushbit.study.evaluate.draws import Weights, blocks
from hushbit.study.mechanisms import Brr, Ids, Mechanism
from hushbit.study.mechanisms.crowd import Channel
from hushbit.study.mechanisms.madlib import Madlib

DRAWS = 64
"""Of each word, to estimate its chances from."""
_BINS = 256
_TINY = np.float32(1e-38)

Logs = NDArray[np.float32]
"""Log-likelihoods, (words that may have been typed, things seen)."""


def exact(weights: Weights, candidates: Ids, seen: Ids) -> Logs:
    """Of released words, for a mechanism whose chances have a closed form."""
    logs = np.empty((len(candidates), len(seen)), dtype=np.float32)
    columns = np.searchsorted(weights.outputs, seen)
    for first, rows in blocks(weights, candidates):
        chances = rows[:, columns] / rows.sum(axis=1, keepdims=True)
        logs[first : first + len(rows)] = np.log(np.maximum(chances, _TINY))
    return logs


def of_crowds(channel: Channel, candidates: Ids, seen: Ids) -> Logs:
    """Of released words, by the integers of crowds."""
    chances = channel.of_pairs(candidates, channel.indices_of(seen))
    return np.log(np.maximum(chances, _TINY), dtype=np.float32, casting="unsafe")


def noisy_code(mechanism: Brr, candidates: Ids, typed: Ids, generator: np.random.Generator) -> Logs:
    """Of noisy codes, one for each of the words `typed`, drawn here; but for a term that all words share.

    Each differing bit makes a word less likely by the factor p / (1 - p), p being the chance of a flip.
    """
    chance = float(mechanism.flip_chance)
    codes = mechanism.bundle.codes(typed)
    flips = generator.random((len(typed), codes.shape[1] * 8)) < chance
    seen = codes ^ np.packbits(flips, axis=1, bitorder="little")
    factor = np.float32(np.log(chance) - np.log1p(-chance)) if chance > 0 else np.float32(-np.inf)
    return np.asarray(factor * hamming(mechanism.bundle.codes(candidates), seen))


def noisy_vector(
    mechanism: Madlib, vectors: NDArray[np.float32], candidates: Ids, typed: Ids, generator: np.random.Generator
) -> Logs:
    """Of noisy vectors, one for each of the words `typed`, drawn here: -ε times the distance to them."""
    seen = (vectors[typed] + mechanism.noise(len(typed), generator)).astype(np.float32)
    return np.asarray(np.float32(-mechanism.epsilon) * euclidean(vectors[candidates], seen))


def estimated(
    mechanism: Mechanism,
    between: Between,
    everything: Ids,
    candidates: Ids,
    seen: Ids,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> Logs:
    """Of released words, from `DRAWS` draws of each candidate; `everything` are the words that may come out.

    The share of a word's draws that an output got, less the mass that Good and Turing give to outputs never drawn (the
    share of those drawn once). That mass is spread over all outputs by how often, over all candidates, outputs at such
    a distance come out.
    """
    inputs = np.repeat(candidates, DRAWS)
    outputs = mechanism.replace(inputs, generator=generator, progress=lambda *_: tick())
    different, columns = np.unique(seen, return_inverse=True)
    chances = np.empty((len(candidates), len(different)))
    by_distance = _ByDistance(between, everything, candidates, outputs.reshape(-1, DRAWS))
    for row, drawn in enumerate(outputs.reshape(-1, DRAWS)):
        found, times = np.unique(drawn, return_counts=True)
        unseen = (np.count_nonzero(times == 1) + 1) / (DRAWS + 1)
        chances[row] = unseen * by_distance(candidates[row], different)
        places = np.searchsorted(different, found)
        known = (places < len(different)) & (different[np.minimum(places, len(different) - 1)] == found)
        chances[row, places[known]] += (1 - unseen) * times[known] / DRAWS
    return np.log(np.maximum(chances, _TINY), dtype=np.float32, casting="unsafe")[:, columns]


class _ByDistance:
    """The chance of one output at a distance, the same for all words: pooled over candidates, in bins of distance."""

    def __init__(self, between: Between, everything: Ids, candidates: Ids, outputs: NDArray[np.uint32]) -> None:
        self._between = between
        self._width = float(max(between(candidates[:1], everything).max() * 2 / _BINS, 1e-9))
        pairs = np.zeros(_BINS + 1)
        hits = np.zeros(_BINS + 1)
        for word, drawn in zip(candidates, outputs, strict=True):
            bins = self._bins(word, everything)
            pairs += np.bincount(bins, minlength=_BINS + 1)
            hits += np.bincount(bins[np.searchsorted(everything, drawn)], minlength=_BINS + 1)
        # Half a hit where there is none, so that nothing is impossible.
        self._chance = np.maximum(hits, 0.5) / np.maximum(pairs, 1) / outputs.shape[1]

    def __call__(self, word: np.uint32, outputs: Ids) -> NDArray[np.float64]:
        return np.asarray(self._chance[self._bins(word, outputs)])

    def _bins(self, word: np.uint32, outputs: Ids) -> NDArray[np.int64]:
        distances = self._between(np.array([word], dtype=np.uint32), outputs)[0]
        return np.asarray(np.minimum(np.ceil(distances / self._width), _BINS).astype(np.int64))
