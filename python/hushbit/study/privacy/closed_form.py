"""TEM's figures from its distribution, without sampling: words at the same distance have the same probability."""

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
        """(count, bits + 1): the probability of each distance."""
        self.words = word_chances(sample.counts, weights)
        """(count, bits + 1): the probability of one word at each distance."""

    def unchanged(self) -> NDArray[np.float64]:
        """N_w, (count,). Other words with the same code do not count as the word."""
        return self.words[:, 0]

    def expected_distinct(self, draws: int) -> NDArray[np.float64]:
        """S_w: the expected number of distinct outputs of `draws` draws, the sum over words of 1 - (1 - p)^draws."""
        seen = -np.expm1(draws * np.log1p(-np.minimum(self.words, 1 - 1e-16)))
        return np.asarray((self._sample.counts * seen).sum(axis=1))

    def support(self, eta: float) -> NDArray[np.float64]:
        """The smallest number of words with probability 1 - η: whole shells, nearest first, and a part of the last."""
        sums = np.cumsum(self.shells, axis=1)
        last = np.argmax(sums >= (1 - eta) * sums[:, -1:], axis=1)[:, None]
        held = np.take_along_axis(sums - self.shells, last, axis=1)
        closer = np.take_along_axis(np.cumsum(self._sample.counts, axis=1) - self._sample.counts, last, axis=1)
        missing = ((1 - eta) * sums[:, -1:] - held) / np.take_along_axis(self.words, last, axis=1)
        return np.asarray(closer + np.ceil(missing - 1e-9))[:, 0]

    def per_word(self, draws: int, eta: float) -> PerWord:
        """N_w, S_w and the effective support of each word."""
        return computed(self._sample.ids, self.unchanged(), self.expected_distinct(draws), self.support(eta), draws)

    def similarity(self) -> NDArray[np.float64]:
        """The mean of 1 - 2·d/n, (count,)."""
        bits = self._sample.bits
        return np.asarray(self.shells @ (1 - 2 * np.arange(bits + 1) / bits))

    def near(self, k: int) -> NDArray[np.float64]:
        """The probability of an output among the k nearest, (count,)."""
        return np.asarray((self.shells * self._sample.near(k)).sum(axis=1))
