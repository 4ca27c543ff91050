"""Effects of crowds on words: exact figures from their channel, for chosen words and over words by frequency."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import CrowdSize
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.crowd import Channel, CrowdMechanism
from hushbit.study.privacy.accounting import crowd_text_epsilons
from hushbit.study.privacy.figures import Listed, Mean, PerWord, Spread, TextCost, share_of, spread_of
from hushbit.study.privacy.guessing import Frequencies, Guessed, guessed
from hushbit.study.privacy.per_word import computed, least_and_most_protected, outcomes

NEAR = (10, 50)
_WIDEST = 1.0  # an ε at which grades reach far
_BLOCK_ROWS = 256


class Nearness:
    """The output words nearest to each output word, by the bundle's lists: the word itself first.

    A borrowed list is the list of the word's center, and a list may be shorter than `k`.
    """

    def __init__(self, bundle: _core.Bundle) -> None:
        self._lists = CrowdMechanism(bundle, _WIDEST, "many").channel.shares

    def first(self, k: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of the `k` nearest of each output word."""
        starts = self._lists.indptr
        lengths = np.minimum(np.diff(starts), k)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return rows, self._lists.indices[starts[rows] + places]

    def chance(self, channel: Channel, k: int) -> NDArray[np.float64]:
        """(Y,): for each output word, the probability that one of its `k` nearest comes out."""
        from scipy.sparse import csr_array

        rows, columns = self.first(k)
        near = csr_array((np.ones(len(rows)), (rows, columns)), shape=channel.shares.shape)
        return np.asarray(channel.from_crowd.multiply(near).sum(axis=1) + near @ channel.noise).reshape(-1)


@dataclass(frozen=True)
class CrowdFigures:
    """Crowds of one size at one ε."""

    crowd: CrowdSize
    epsilon: float
    """The requested ε, per word."""
    effective_epsilon: float
    """The effective ε: the local-DP ε of one token, between any two tokens, known or not."""
    coin: float
    """λ."""
    mass_share: float
    """m / M."""
    mean_crowd: float
    """The number of words in a crowd."""
    unchanged: Spread
    """N_w of the measured words."""
    distinct: Spread
    """S_w: the expected number of distinct outputs of `draws` draws."""
    support: Spread
    """The smallest number of outputs with a total probability of 1 - η."""
    near: dict[int, Mean]
    """The share of outputs among the k nearest words, including the word itself."""
    typed_unchanged: float
    """N_w over words, weighted by their frequency."""
    typed_near: dict[int, float]
    guessed: Guessed
    words: PerWord
    least_protected: list[Listed]
    """The measured words that stay themselves most often."""
    most_protected: list[Listed]
    texts: list[TextCost] = field(default_factory=list)


@dataclass(frozen=True)
class Measured:
    """The measured words and the frequencies."""

    words: Ids
    """Known words."""
    frequencies: Frequencies
    draws: int
    eta: float
    delta: float
    tokens: tuple[int, ...]


def measure_crowds(crowds: CrowdMechanism, nearness: Nearness, what: Measured) -> CrowdFigures:
    """All figures, without sampling."""
    channel, info = crowds.channel, crowds.info
    unchanged = channel.unchanged()
    near = {k: nearness.chance(channel, k)[channel.stand_ins] for k in NEAR}
    for chances in near.values():
        chances[channel.public] = 1
    typed = what.frequencies / what.frequencies.sum()
    words = words_of(channel, what.words, what.draws, what.eta)
    least, most = least_and_most_protected(words, crowds.bundle)
    return CrowdFigures(
        crowd=crowds.size,
        epsilon=info.requested_epsilon,
        effective_epsilon=crowds.epsilon,
        coin=channel.coin,
        mass_share=channel.mass / channel.total,
        mean_crowd=channel.shares.nnz / len(channel.outputs),
        unchanged=spread_of(np.array(words.unchanged), share=True),
        distinct=spread_of(np.array(words.distinct)),
        support=spread_of(np.array(words.support)),
        near={k: share_of(chances[what.words]) for k, chances in near.items()},
        typed_unchanged=float(typed @ unchanged),
        typed_near={k: float(typed @ chances) for k, chances in near.items()},
        guessed=guessed(channel, what.frequencies),
        words=words,
        least_protected=least,
        most_protected=most,
        texts=[
            TextCost(tokens, tokens * crowds.epsilon, tight, None)
            for tokens, tight in zip(
                what.tokens, crowd_text_epsilons(channel, crowds.epsilon, what.tokens, what.delta), strict=True
            )
        ],
    )


def mean_cosine(channel: Channel, vectors: NDArray[np.float32], frequencies: Frequencies) -> float:
    """The mean cosine between the vectors, (N, dimensions), of released and typed words, weighted by frequency."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = (vectors / np.maximum(norms, 1e-12)).astype(np.float64)
    shares = frequencies / frequencies.sum()
    kept = float(shares[channel.public].sum())
    typed = np.zeros((len(channel.outputs), vectors.shape[1]))
    np.add.at(typed, channel.stand_ins, units * np.where(channel.public, 0, shares)[:, None])
    released = units[channel.outputs]
    crowds = channel.from_crowd @ released  # the mean of the members of each crowd, times λ
    return kept + float((typed * crowds).sum() + typed.sum(axis=0) @ (channel.noise @ released))


def words_of(channel: Channel, words: Ids, draws: int, eta: float) -> PerWord:
    """N_w, S_w and the effective support of each of `words`, exactly."""
    blocks = (channel.distribution(words[first : first + _BLOCK_ROWS]) for first in range(0, len(words), _BLOCK_ROWS))
    distinct, support = outcomes(blocks, draws, eta)
    public = channel.public[words]
    distinct[public] = support[public] = 1
    return computed(words, channel.unchanged()[words], distinct, support, draws)


def expected_distinct(channel: Channel, words: Ids, draws: int) -> NDArray[np.float64]:
    """S_w of each of `words`, exactly: the sum over outputs y of 1 - (1 - Pr[y])^draws.

    Outside of a crowd it is that of the noise, the same for every word, so only the members of crowds are visited.
    """
    missed_by_noise = (1 - channel.noise) ** draws
    crowds = channel.from_crowd[channel.stand_ins[words]]
    missed = np.maximum(1 - channel.noise[crowds.indices] - crowds.data, 0) ** draws
    crowds.data = missed_by_noise[crowds.indices] - missed
    distinct = np.asarray(np.sum(1 - missed_by_noise) + crowds.sum(axis=1)).ravel()
    distinct[channel.public[words]] = 1
    return distinct
