"""How often each word was typed, estimated from text that was released by crowds.

A word with the stand-in r is released as y with probability lambda w_r(y) / m + (1 - lambda) q(y) / M (docs/proofs.md),
and an unknown word with q(y) / M. So the released counts are a mixture of known distributions. The shares of the
mixture are estimated by maximum likelihood, with expectation maximization (Dempster, Laird and Rubin 1977; for
randomized responses Agrawal and Aggarwal 2001). Words with the same stand-in cannot be distinguished, so stand-ins are
counted.

The maximum itself overfits the noise. So the counts are split at random into ten parts, and the number of steps is the
one with which nine of them explain the tenth best, over all tenths. Where the data say little, the estimate therefore
stays near its start, the public weights. `hushbit.analysis.words.intervals` corrects it for that, word by word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from hushbit import Bundle, Privatizer, _core
from hushbit._plumbing.extras import extra
from hushbit._plumbing.progress import Progress, no_progress
from hushbit._text import encode
from hushbit.analysis.words.intervals import Floats, corrected
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    from scipy import sparse

MAX_STEPS = 1000
_NO_WORD = 2**32 - 1  # unknown words, as in the core
_PATIENCE = 10  # steps without a better likelihood
_PARTS = 10  # two would choose too few steps, since half of the words bear fewer than all
_UNKNOWN_AT_FIRST = 0.05
_FAR = 100.0  # deviations, so many that only the inverse is good enough
_TELLABLE = 3.0  # deviations below which a word cannot be told, since each is too small


@dataclass(frozen=True)
class Channel:
    """The channel of a privatizer, over the Y output words of its bundle in the order of ids.

    ids: ids of the output words, uint32 (Y,).
    crowds: column r contains the shares w_r(y) / m of the crowd of output word r, (Y, Y).
    noise: q(y) / M, (Y,).
    chance: lambda, the probability of a word from the crowd.
    """

    ids: NDArray[np.uint32]
    crowds: sparse.csr_array
    noise: Floats
    chance: float

    def released(self, typed: Floats) -> Floats:
        """The shares of released words, (Y, k), for shares of typed words, (Y + 1, k); the last row: unknown words."""
        noise = (1 - self.chance) * typed[:-1].sum(axis=0) + typed[-1]
        mixed: Floats = self.chance * (self.crowds @ typed[:-1]) + np.outer(self.noise, noise)
        return mixed

    def explained(self, ratios: Floats) -> Floats:
        """The transpose of `released`: (Y, k) to (Y + 1, k)."""
        noise = self.noise @ ratios
        known = self.chance * (self.crowds.T @ ratios) + (1 - self.chance) * noise
        return np.vstack([known, noise])

    def sizes(self, factors: Floats) -> Floats:
        """The diagonal of the channel times diag(factors) times its transpose, (Y,), for factors (Y + 1,)."""
        squares = self.chance**2 * (self.crowds.power(2) @ factors[:-1])
        mixed = 2 * self.chance * (1 - self.chance) * self.noise * (self.crowds @ factors[:-1])
        found: Floats = squares + mixed + self.noise**2 * ((1 - self.chance) ** 2 * factors[:-1].sum() + factors[-1])
        return found


def channel_of(privatizer: Privatizer) -> Channel:
    """Raises InvalidArgumentError for another mechanism than crowds."""
    info = privatizer.info
    if info.mechanism != "crowd":
        raise InvalidArgumentError(f"words can be estimated only from text released by crowds, not by {info.mechanism}")
    native = privatizer._native
    ids = privatizer.bundle._native.output_words()
    members = [_core.crowd(native, int(word)) for word in ids]
    rows = np.searchsorted(ids, np.concatenate([crowd[:, 0] for crowd in members]))
    shares = np.concatenate([crowd[:, 1] for crowd in members]) / info.crowd_mass
    columns = np.repeat(np.arange(len(ids)), [len(crowd) for crowd in members])
    crowds = sparse.csr_array((shares, (rows, columns)), shape=(len(ids), len(ids)))
    noise = _core.output_weights(native)[ids] / info.output_mass
    return Channel(ids, crowds, noise, info.crowd_probability)


def steps_towards(channel: Channel, shares: Floats, released: Floats) -> Floats:
    """One step of expectation maximization from shares, (Y + 1, k), for released counts, (Y, k)."""
    ratios = released / np.maximum(channel.released(shares), np.finfo(float).tiny)
    better: Floats = shares * channel.explained(ratios) / released.sum(axis=0)
    return better


def first_shares(channel: Channel, unknown: bool) -> Floats:
    """The public weights, and a share of unknown words if there may be any."""
    share = _UNKNOWN_AT_FIRST if unknown else 0.0
    return np.append(channel.noise * (1 - share), share)[:, np.newaxis]


def best_steps(channel: Channel, released: NDArray[np.int64], unknown: bool, generator: np.random.Generator) -> int:
    """The number of steps on all parts of the released words but one that explains that one best, over all parts."""
    there = _parts(released, generator)
    here = released[:, np.newaxis] - there
    here[:, here.sum(axis=0) == 0] = 1  # a single word: any shares do
    shares = np.repeat(first_shares(channel, unknown), _PARTS, axis=1)
    best, at = -np.inf, 0
    for step in range(MAX_STEPS):
        expected = np.maximum(channel.released(shares), np.finfo(float).tiny)
        likelihood = float((there * np.log(expected)).sum())
        if likelihood > best:
            best, at = likelihood, step
        elif step - at >= _PATIENCE:
            break
        shares = steps_towards(channel, shares, here)
    return at


def _parts(released: NDArray[np.int64], generator: np.random.Generator) -> Floats:
    """The released words in parts at random, (Y, parts)."""
    left, parts = released, []
    for others in range(_PARTS - 1, 0, -1):
        parts.append(generator.binomial(left, 1 / (others + 1)))
        left = left - parts[-1]
    return np.stack([*parts, left], axis=1).astype(float)


def likely_shares(
    channel: Channel, released: NDArray[np.int64], unknown: bool = True, seed: int = 0
) -> tuple[Floats, int]:
    """The shares of typed words, (Y + 1,), behind released counts (Y,), and the number of steps that gave them.

    unknown: whether unknown words were released as noise; the last share is theirs. seed: of the split into parts.
    """
    steps = best_steps(channel, released, unknown, np.random.default_rng(seed))
    shares = first_shares(channel, unknown)
    for _ in range(steps):
        shares = steps_towards(channel, shares, released[:, np.newaxis].astype(float))
    return shares[:, 0], steps


# ---- Estimates


@dataclass(frozen=True)
class Estimate:
    """The estimate of how often something was typed.

    name: a word or a group. released: how often it was released. typed: the estimate. low, high: the interval.
    """

    name: str
    released: int
    typed: float
    low: float
    high: float

    @property
    def told(self) -> bool:
        """Whether the data determine it: the interval is above 0 and narrower than the estimate."""
        return self.typed > 0 and self.high - self.low < self.typed and self.low > 0


@dataclass(frozen=True)
class Estimates:
    """words: all output words, the most frequent first. groups: in the given order. unknown: words outside the
    vocabulary. tokens: the number of counted released words. steps: the number of steps of expectation maximization.
    """

    words: list[Estimate]
    groups: list[Estimate]
    unknown: Estimate
    tokens: int
    steps: int


def estimate(
    privatizer: Privatizer,
    released: NDArray[np.int64],
    groups: Mapping[str, Sequence[int]],
    *,
    unknown: bool = True,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Estimates:
    """Estimates the typed words from the number of releases of each output word, int64 (Y,) in the order of ids.

    groups: indices of output words, 0 to Y - 1. unknown: whether unknown words were released as noise.

    Words that the data may tell, groups and unknown words have corrected counts, and intervals that know the bias
    (`intervals` beside this). Of those that are told about the share `level` is meant to hold the true count, so
    intervals are made for half of the misses: a word is told since its count is high, and then it is more often too
    high. Other words have the interval from 0 to what their own releases allow at most.
    """
    total = int(released.sum())
    if total < 2:
        raise InvalidArgumentError("there are fewer than two released words to count")
    channel = channel_of(privatizer)
    shares, steps = likely_shares(channel, released, unknown, seed)
    public = first_shares(channel, unknown)
    counts = released.astype(float)
    typed = total * shares
    reach = NormalDist().inv_cdf(1 - (1 - level) / 4)
    places = [np.unique(np.asarray(group, dtype=np.intp)) for group in groups.values()]
    least = deviations(channel, typed)
    tellable = np.flatnonzero(typed[:-1] > _TELLABLE * least)
    off = _off(channel, typed, total * public[:, 0], least)
    wanted = [*(np.array([word]) for word in tellable), *places, np.array([len(channel.ids)])]
    errors = corrected(channel, counts, typed, off, wanted, progress)
    lows, highs = (np.clip(errors.counts + side * reach * errors.deviations, 0, total) for side in (-1, 1))
    found = np.stack([np.clip(errors.counts, 0, total), lows, highs])

    words = np.stack([typed[:-1], np.zeros(len(channel.ids)), _most(channel, counts, reach, total)])
    words[2] = np.maximum(words[2], words[0])
    words[:, tellable] = found[:, : len(tellable)]
    bundle = privatizer.bundle
    order = np.argsort(-words[0], kind="stable")
    grouped = [
        Estimate(name, int(released[group].sum()), *map(float, numbers))
        for name, group, numbers in zip(groups, places, found.T[len(tellable) : -1], strict=True)
    ]
    return Estimates(
        [Estimate(bundle.word(int(channel.ids[i])), int(released[i]), *map(float, words[:, i])) for i in order],
        grouped,
        Estimate("", 0, *map(float, found[:, -1])),
        total,
        steps,
    )


def deviations(channel: Channel, typed: Floats) -> Floats:
    """Deviations of the count of each output word, (Y,), around typed counts, (Y + 1,), by Fisher information.

    The counts of all other words are taken as known, so these deviations are too small: a count that is not above a few
    of them cannot be told.
    """
    expected = np.maximum(channel.released(typed[:, np.newaxis])[:, 0], np.finfo(float).tiny)
    noise = (1 - channel.chance) * channel.noise
    crowds = channel.crowds * channel.chance
    # The sum over y of (crowds[y, x] + noise[y])^2 / expected[y]; a word that goes makes room for all others.
    information = crowds.power(2).T @ (1 / expected) + 2 * (crowds.T @ (noise / expected)) + noise**2 @ (1 / expected)
    found: Floats = 1 / np.sqrt(np.maximum(information - 1 / typed.sum(), np.finfo(float).tiny))
    return found


def _off(channel: Channel, typed: Floats, public: Floats, least: Floats) -> Floats:
    """The error that the estimate of each word, and of unknown words, may have, (Y + 1,), for `corrected`.

    It is as large as the errors on reviews and messages (tools/bench/estimates), or somewhat larger. Crowds of one word
    can be inverted, and their equal weights say nothing of words: there nothing is supposed of the estimate.
    """
    larger = np.maximum(typed, public)
    alone = (channel.crowds.diagonal() == 1).all()
    deviation = np.append(least, 0.0) * (_FAR if alone else 0.5)
    found: Floats = np.maximum(larger + 4 * np.sqrt(larger), deviation)
    return found


def _most(channel: Channel, released: Floats, reach: float, total: int) -> Floats:
    """What each output word was typed at most, (Y,), for it to come out no more often than it did."""
    own = channel.chance * channel.crowds.diagonal() + (1 - channel.chance) * channel.noise
    largest = released + reach**2 / 2 + reach * np.sqrt(released + reach**2 / 4)  # the score of a Poisson count
    found: Floats = np.minimum(largest / np.maximum(own, np.finfo(float).tiny), total)
    return found


# ---- Counts for models


def output_counts(privatizer: Privatizer, texts: Iterable[str]) -> sparse.csr_array:
    """How often each output word occurs in released texts, (texts, Y); other words are left out."""
    return typed_counts(privatizer.bundle, texts)[:, :-1]


def expected_counts(privatizer: Privatizer, channel: Channel, texts: Iterable[str]) -> Floats:
    """How often each output word would occur on average in the released form of clean texts, (texts, Y).

    For models that were trained on released text. Nothing is released, so this costs nothing. The result is dense: pass
    some hundred texts at a time.
    """
    typed = typed_counts(privatizer.bundle, texts).T.toarray().astype(float)
    return channel.released(typed).T


def typed_counts(bundle: Bundle, texts: Iterable[str]) -> sparse.csr_array:
    """How often each output word is the stand-in of a word of clean texts, and last unknown words, (texts, Y + 1)."""
    native = bundle._native
    ids = native.output_words()
    rows, words = [], []
    number = 0
    for number, text in enumerate(texts, start=1):
        tokens = [token for token in native.tokenize(encode(text)) if token.kind != "punctuation"]
        words += [_NO_WORD if token.word is None else token.word for token in tokens]
        rows += [number - 1] * len(tokens)
    typed = np.array(words, dtype=np.uint32)
    known = typed != _NO_WORD
    places = np.full(len(typed), len(ids))
    places[known] = np.searchsorted(ids, native.stand_ins(typed[known]))
    counts = sparse.csr_array((np.ones(len(typed)), (rows, places)), shape=(number, len(ids) + 1))
    counts.sum_duplicates()
    return counts
