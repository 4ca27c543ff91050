"""Privatizing a corpus: every place gets a draw of its own, but what all draws of a word share is computed once.

TEM's chances depend on nothing but the word, so the chances of all outputs are computed for each distinct word, and all
its places draw from them. That is the mechanism's own law, with the randomness of this process: for experiments, not
for release. BRR and Madlib add noise of their own in every place and have nothing to share.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms import EuclideanTem, HammingTem, Ids, Mechanism
from hushbit.study.mechanisms.core import CoreMechanism
from hushbit.study.mechanisms.randomness import uniforms

_BLOCK_NUMBERS = 1 << 22  # chances held at once


class Weights(Protocol):
    """The weights of outputs: each output of a word is drawn in proportion to its weight."""

    outputs: Ids
    """The words that may come out, ascending, (outputs,)."""

    def __call__(self, words: Ids) -> NDArray[np.float64]:
        """Weights of the outputs for each of `words`, (len(words), outputs)."""


def privatize(
    mechanism: Mechanism, words: Ids, generator: np.random.Generator, progress: Progress = no_progress
) -> Ids:
    """Draws a replacement for each of `words`, (count,), independently. The same generator, the same outcome.

    Mechanisms of the core release public words as typed; those on real vectors know none.
    """
    weights = weights_of(mechanism)
    if weights is None or not len(words):
        released = mechanism.replace(words, generator=generator, progress=progress)
    else:
        released = _draw(weights, words, generator, progress)
    return np.where(public_among(mechanism, words), words, released)


def public_among(mechanism: Mechanism, words: Ids) -> NDArray[np.bool_]:
    """(count,): which words a mechanism releases as typed."""
    return mechanism.is_public(words) if isinstance(mechanism, CoreMechanism) else np.zeros(len(words), dtype=bool)


def weights_of(mechanism: Mechanism) -> Weights | None:
    """What the outputs of a mechanism are drawn in proportion to; None if there is no closed form."""
    if isinstance(mechanism, HammingTem):
        return HammingWeights(mechanism)
    return EuclideanWeights(mechanism) if isinstance(mechanism, EuclideanTem) else None


class HammingWeights:
    """TEM's weights on the codes of a bundle: v(d(w, y)), scaled to 1 at distance 0."""

    def __init__(self, mechanism: HammingTem) -> None:
        self._bundle = mechanism.bundle
        self.outputs = mechanism.bundle.output_words()
        codes = mechanism.bundle.codes(self.outputs)
        self._codes = np.ascontiguousarray(codes.view(np.uint64).T)  # (bits / 64, output words)
        self._table = mechanism.weights / mechanism.weights[0]

    def __call__(self, words: Ids) -> NDArray[np.float64]:
        """Weights, (len(words), output words)."""
        return np.stack([self._table[self.distances(code)] for code in self._bundle.codes(words)])

    def distances(self, code: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """Distances in bits, (output words,), from one code to the codes of all output words."""
        differ = np.bitwise_count(self._codes ^ code.view(np.uint64)[:, None])
        return np.asarray(differ.sum(axis=0, dtype=np.uint16))


class EuclideanWeights:
    """TEM's distribution on real vectors."""

    def __init__(self, mechanism: EuclideanTem) -> None:
        self.outputs = np.arange(mechanism.words, dtype=np.uint32)
        self._mechanism = mechanism

    def __call__(self, words: Ids) -> NDArray[np.float64]:
        """Weights, (len(words), all words)."""
        return self._mechanism.distribution(words)


def blocks(weights: Weights, words: Ids) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The weights of many words, some rows at a time: the number of the first, and rows (…, outputs)."""
    size, first = 1, 0
    while first < len(words):
        rows = weights(words[first : first + size])
        yield first, rows
        first += len(rows)
        size = max(1, _BLOCK_NUMBERS // rows.shape[1])


def _draw(weights: Weights, words: Ids, generator: np.random.Generator, progress: Progress) -> Ids:
    order = np.argsort(words, kind="stable")
    different, first_places = np.unique(words[order], return_index=True)
    bounds = np.append(first_places, len(words))
    chance = uniforms((len(words),), generator)
    drawn = np.empty(len(words), dtype=np.uint32)
    for first, rows in blocks(weights, different):
        for i, sums in enumerate(np.cumsum(rows, axis=1), first):
            places = slice(bounds[i], bounds[i + 1])
            found = np.searchsorted(sums, chance[places] * sums[-1], side="right")
            drawn[places] = weights.outputs[np.minimum(found, len(sums) - 1)]
        progress(int(bounds[first + len(rows)]), len(words), "privatize")
    replaced = np.empty_like(drawn)
    replaced[order] = drawn
    return replaced
