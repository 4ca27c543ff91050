"""How likely each word is to have led to what a reader sees: exact where that is possible, estimated where it is not.

The chances of TEM and of crowds have a closed form. Those of BRR and Madlib are sums over all the noise that leads to
a word and have none; what is exact for them is the likelihood of the noisy code or vector itself. Nobody sees that, but
the released word is made of nothing else, so the best guess from the noise bounds the best guess from the word from
above. The likelihood of the word is estimated from draws, which makes the guess from it a lower bound.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hushbit._core import distance_counts
from hushbit.study.evaluate.distances import Between, euclidean, hamming
from hushbit.study.evaluate.draws import Weights, blocks
from hushbit.study.mechanisms import Brr, HammingTem, Ids, Mechanism
from hushbit.study.mechanisms.crowd import Channel
from hushbit.study.mechanisms.madlib import Madlib

DRAWS = 64
"""The number of draws of each word from which its chances are estimated."""
_BINS = 256
_TOGETHER = 16  # words whose distances to everything are in memory at the same time
_TINY = np.float32(1e-38)

Logs = NDArray[np.float32]
"""Log-likelihoods, (words that may have been typed, things seen)."""


def exact(weights: Weights, candidates: Ids, seen: Ids) -> Logs:
    """Log-likelihoods of released words, for a mechanism whose chances have a closed form."""
    logs = np.empty((len(candidates), len(seen)), dtype=np.float32)
    columns = np.searchsorted(weights.outputs, seen)
    for first, rows in blocks(weights, candidates):
        chances = rows[:, columns] / rows.sum(axis=1, keepdims=True)
        logs[first : first + len(rows)] = np.log(np.maximum(chances, _TINY))
    return logs


def of_crowds(channel: Channel, candidates: Ids, seen: Ids) -> Logs:
    """Log-likelihoods of released words, from the integers of crowds."""
    chances = channel.of_pairs(candidates, channel.indices_of(seen))
    return np.log(np.maximum(chances, _TINY), dtype=np.float32, casting="unsafe")


def noisy_code(mechanism: Brr, candidates: Ids, typed: Ids, generator: np.random.Generator) -> Logs:
    """Log-likelihoods, up to a term that all words share, of noisy codes, one drawn here for each of the words `typed`.

    Each differing bit makes a word less likely by the factor p / (1 - p), where p is the chance of a flip.
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
    """Log-likelihoods, up to a term that all words share, of noisy vectors, one drawn here for each of the words
    `typed`.

    They are -ε times the distance to the noisy vector.
    """
    seen = (vectors[typed] + mechanism.noise(len(typed), generator)).astype(np.float32)
    return np.asarray(np.float32(-mechanism.epsilon) * euclidean(vectors[candidates], seen))


class Estimated:
    """Chances of released words, from `DRAWS` draws of each of some words; `everything` are those that may come out.

    The share of a word's draws that an output got, less the mass that Good and Turing give to outputs never drawn (the
    share of those drawn once). That mass is spread over all outputs by how often, over all words drawn from, outputs at
    such a distance come out. Of a word that was not drawn from, that is all that is known. So a reader who draws from
    frequent words only, which is affordable, loses what is particular to the surroundings of a rare one.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        between: Between,
        everything: Ids,
        words: Ids,
        drawn: Ids,
        generator: np.random.Generator,
        tick: Callable[[], None],
    ) -> None:
        """Draws from each of `drawn`, which are among `words`, (words,), ascending."""
        from scipy.sparse import csc_array

        inputs = np.repeat(drawn, DRAWS)
        outputs = mechanism.replace(inputs, generator=generator, progress=lambda *_: tick()).reshape(-1, DRAWS)
        self._words, self._everything = words, everything
        self._by_distance = _ByDistance(between, everything, drawn, outputs)
        self._unseen = np.ones(len(words), dtype=np.float32)
        rows = np.searchsorted(words, drawn)
        counts = [np.unique(row, return_counts=True) for row in outputs]
        seldom = np.array([np.count_nonzero(times == 1) + 1 for _, times in counts])
        self._unseen[rows] = seldom / (DRAWS + 1)
        where = np.repeat(rows, [len(found) for found, _ in counts])
        columns = np.searchsorted(everything, np.concatenate([found for found, _ in counts]))
        shares = np.concatenate([times for _, times in counts]) / DRAWS * (1 - self._unseen[where])
        self._seen = csc_array((shares, (where, columns)), shape=(len(words), len(everything)))

    def __call__(self, rows: NDArray[np.integer], released: Ids) -> Logs:
        """Log-chances of different released words by the words at places `rows`: (len(rows), len(released))."""
        chances = self._by_distance(self._words[rows], released) * self._unseen[rows, None]
        columns = np.searchsorted(self._everything, released)
        chances += self._seen[:, columns].toarray()[rows]
        return np.asarray(np.log(np.maximum(chances, _TINY)), dtype=np.float32)


def estimated(
    mechanism: Mechanism,
    between: Between,
    everything: Ids,
    candidates: Ids,
    seen: Ids,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> Logs:
    """Log-likelihoods of released words, estimated from draws of each candidate."""
    table = Estimated(mechanism, between, everything, candidates, candidates, generator, tick)
    different, columns = np.unique(seen, return_inverse=True)
    return np.asarray(table(np.arange(len(candidates)), different)[:, columns])


def hamming_tem(mechanism: HammingTem, words: Ids) -> Callable[[NDArray[np.integer], Ids], Logs]:
    """A function that gives exact log-chances under TEM over Hamming distance.

    It takes places in `words` and different released words, and returns an array (places, len(released)).
    """
    codes = mechanism.bundle.codes(words)
    weights = mechanism.weights / mechanism.weights[0]
    log_sums = np.log(distance_counts(mechanism.bundle, codes) @ weights)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(weights), np.log(_TINY)).astype(np.float32)

    def table(rows: NDArray[np.integer], released: Ids) -> Logs:
        distances = hamming(codes[rows], mechanism.bundle.codes(released)).astype(np.intp)
        return np.asarray(logs[distances] - log_sums[rows, None], dtype=np.float32)

    return table


class _ByDistance:
    """The chance of one output at a distance, the same for all words: pooled over candidates, in bins of distance."""

    def __init__(self, between: Between, everything: Ids, candidates: Ids, outputs: NDArray[np.uint32]) -> None:
        self._between = between
        self._width = float(max(between(candidates[:1], everything).max() * 2 / _BINS, 1e-9))
        pairs = np.zeros(_BINS + 1)
        hits = np.zeros(_BINS + 1)
        columns = np.searchsorted(everything, outputs)
        for first in range(0, len(candidates), _TOGETHER):
            block = slice(first, first + _TOGETHER)
            bins = self._bins(candidates[block], everything)
            pairs += np.bincount(bins.ravel(), minlength=_BINS + 1)
            hits += np.bincount(np.take_along_axis(bins, columns[block], axis=1).ravel(), minlength=_BINS + 1)
        # Half a hit where there is none, so that nothing is impossible.
        self._chance = np.maximum(hits, 0.5) / np.maximum(pairs, 1) / outputs.shape[1]

    def __call__(self, words: Ids, outputs: Ids) -> NDArray[np.float32]:
        """The chance of each of `outputs` for each of `words`, (len(words), len(outputs))."""
        return np.asarray(self._chance[self._bins(words, outputs)], dtype=np.float32)

    def _bins(self, words: Ids, outputs: Ids) -> NDArray[np.int64]:
        distances = self._between(words, outputs)
        return np.asarray(np.minimum(np.ceil(distances / self._width), _BINS).astype(np.int64))
