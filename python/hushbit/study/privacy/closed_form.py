"""TEM's figures from its distribution, without sampling: words at one distance have one chance."""

import numpy as np
from numpy.typing import NDArray

from hushbit.study.mechanisms.truncated_exponential import shell_chances, word_chances
from hushbit.study.privacy.figures import PerWord
from hushbit.study.privacy.per_word import computed
from hushbit.study.privacy.sample import Sample


class TemDistribution:
    """The output distribution of TEM with a table of weights, for each word of a sample."""

    def __init__(self, sample: Sample, weights: NDArray[np.uint64]) -> None:
        self._sample = sample
        self.shells = shell_chances(sample.counts, weights)
        """(count, bits + 1): the chance of each distance."""
        self.words = word_chances(sample.counts, weights)
        """(count, bits + 1): the chance of one word at each distance."""

    def unchanged(self) -> NDArray[np.float64]:
        """N_w, (count,). Words that share the code are not the word."""
        return self.words[:, 0]

    def expected_distinct(self, draws: int) -> NDArray[np.float64]:
        """S_w: the distinct outputs to expect of `draws` draws, the sum over words of 1 - (1 - chance)^draws."""
        seen = -np.expm1(draws * np.log1p(-np.minimum(self.words, 1 - 1e-16)))
        return np.asarray((self._sample.counts * seen).sum(axis=1))

    def support(self, eta: float) -> NDArray[np.float64]:
        """The fewest words that hold 1 - η of the chance: whole shells from the nearest on, and part of the last."""
        sums = np.cumsum(self.shells, axis=1)
        last = np.argmax(sums >= (1 - eta) * sums[:, -1:], axis=1)[:, None]
        held = np.take_along_axis(sums - self.shells, last, axis=1)
        closer = np.take_along_axis(np.cumsum(self._sample.counts, axis=1) - self._sample.counts, last, axis=1)
        missing = ((1 - eta) * sums[:, -1:] - held) / np.take_along_axis(self.words, last, axis=1)
        return np.asarray(closer + np.ceil(missing - 1e-9))[:, 0]

    def per_word(self, draws: int, eta: float) -> PerWord:
        """The three for each word."""
        return computed(self._sample.ids, self.unchanged(), self.expected_distinct(draws), self.support(eta), draws)

    def similarity(self) -> NDArray[np.float64]:
        """The mean of 1 - 2·d/n, (count,)."""
        bits = self._sample.bits
        return np.asarray(self.shells @ (1 - 2 * np.arange(bits + 1) / bits))

    def near(self, k: int) -> NDArray[np.float64]:
        """The chance of an output among the k nearest, (count,)."""
        return np.asarray((self.shells * self._sample.near(k)).sum(axis=1))
