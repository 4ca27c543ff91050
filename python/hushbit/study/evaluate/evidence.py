"""What a released word tells by itself: the typed words that most likely became it, by prior and likelihood.

A reader of running text weighs these by what the other words say (`reader`). Likelihoods are exact for crowds and TEM
on codes. Those of BRR and Madlib are estimated (`likelihood`). What each released word suggests is computed once, for
all numbers of releases and both priors: a table over all typed words, block by block, is most of what the attack on
TEM, BRR and Madlib costs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit.study.evaluate.draws import public_among
from hushbit.study.mechanisms import CrowdMechanism, Ids, Mechanism
from hushbit.study.mechanisms.crowd import Channel

CANDIDATES = 128
"""Typed words that are considered for a place."""
_LEAST = 32  # candidates of each of several releases
_BLOCK = 64  # released words whose chances are held at once
_NEVER = np.float32(-np.inf)


@dataclass(frozen=True)
class TypedWords:
    """What people type, as the reader knows it. A place in it is a *typed index*."""

    ids: Ids
    """(T,), ascending."""
    log_prior: NDArray[np.float32]
    """(T,): the logs of the frequencies."""

    @classmethod
    def counted(cls, ids: Ids) -> "TypedWords":
        """Typed words with the frequencies that they have in a corpus."""
        words, times = np.unique(ids, return_counts=True)
        return cls(words, np.log(times / times.sum()).astype(np.float32))

    def indices_of(self, words: Ids) -> NDArray[np.int64]:
        """Typed indices of ids that are all typed words."""
        return np.searchsorted(self.ids, words)


@dataclass(frozen=True)
class Evidence:
    """What is known of each place: some typed words, and the logs of their prior times their likelihood."""

    words: NDArray[np.int64]
    """(places, candidates): typed indices, no word twice but with -inf."""
    logs: NDArray[np.float32]
    """(places, candidates); -inf where there are fewer words."""

    def rows(self, places: NDArray[np.integer]) -> "Evidence":
        """The evidence of some places."""
        return Evidence(self.words[places], self.logs[places])


class Likelihoods(Protocol):
    """The chances of released words by typed words."""

    def best(self, released: Ids, count: int, priors: Sequence[NDArray[np.float32]]) -> list[Evidence]:
        """The `count` likeliest typed words of each of some different released words, the likeliest first; by prior.

        `priors` are logs, (T,).
        """

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """The logs of the chances that typed indices (n,) become released words (n,)."""


@dataclass(frozen=True)
class Suggestions:
    """What each released word of some releases tells alone, by a prior; made once for all numbers of releases."""

    released: Ids
    """(different released words,), ascending."""
    likeliest: Evidence
    """The evidence of each of `released`."""
    log_prior: NDArray[np.float32]
    """(T,): the logs of the frequencies."""
    count: int
    """The approximate number of candidates of a place."""

    @classmethod
    def by_priors(
        cls, releases: Ids, likelihoods: Likelihoods, priors: Sequence[NDArray[np.float32]], count: int = CANDIDATES
    ) -> "list[Suggestions]":
        """Suggestions for releases in any shape, with `count` candidates each, one result for each prior."""
        different = np.unique(releases)
        found = likelihoods.best(different, count, priors)
        return [cls(different, likeliest, prior, count) for likeliest, prior in zip(found, priors, strict=True)]

    def evidence(self, releases: Ids, likelihoods: Likelihoods) -> Evidence:
        """The evidence of k releases of a text, (k, places). Noise is independent, so the likelihoods of a place
        multiply.

        Candidates of several releases are those that any of them alone suggests.
        """
        where = np.searchsorted(self.released, releases)
        if len(releases) == 1:
            return self.likeliest.rows(where[0])
        each = max(_LEAST, self.count // len(releases))
        words = np.sort(np.concatenate([self.likeliest.words[row, :each] for row in where], axis=1), axis=1)
        logs = self.log_prior[words]
        for released in releases:
            seen = np.repeat(released, words.shape[1])
            logs += likelihoods.of_pairs(words.ravel(), seen).reshape(words.shape)
        logs[:, 1:][words[:, 1:] == words[:, :-1]] = _NEVER
        return Evidence(words, logs)


class CrowdLikelihoods:
    """The exact likelihoods of crowds. A word outside the crowds that hold the released one can only have become it as
    noise.
    """

    def __init__(self, channel: Channel, typed: TypedWords) -> None:
        self._channel = channel
        self._from_crowd = channel.from_crowd.T.tocsr()[:, channel.stand_ins[typed.ids]].tocsr()  # (Y, T)
        self._from_crowd.sort_indices()

    def best(self, released: Ids, count: int, priors: Sequence[NDArray[np.float32]]) -> list[Evidence]:
        """Does what `Likelihoods.best` says."""
        return [self._best(released, count, prior) for prior in priors]

    def _best(self, released: Ids, count: int, log_prior: NDArray[np.float32]) -> Evidence:
        outputs = self._channel.indices_of(released)
        count = min(count, len(log_prior))
        # The most frequent are the likeliest of the words that only noise explains, whatever came out.
        frequent = np.argsort(-log_prior, kind="stable")[:count]
        others = np.ones(len(log_prior), dtype=bool)
        others[frequent] = False
        rows = self._from_crowd[outputs]
        near_frequent = rows[:, frequent].toarray()
        words = np.empty((len(outputs), count), dtype=np.int64)
        logs = np.empty((len(outputs), count), dtype=np.float32)
        for i, output in enumerate(outputs):
            entries = slice(rows.indptr[i], rows.indptr[i + 1])
            kept = others[rows.indices[entries]]
            candidates = np.concatenate([frequent, rows.indices[entries][kept]])
            chances = np.concatenate([near_frequent[i], rows.data[entries][kept]]) + self._channel.noise[output]
            scores = log_prior[candidates] + np.log(chances)
            chosen = _largest(scores[None], count)[0]
            words[i], logs[i] = candidates[chosen], scores[chosen]
        return Evidence(words, logs)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """The place of each entry of `_from_crowd` in a table of all pairs, row by row, ascending."""
        lengths = np.diff(self._from_crowd.indptr)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        return np.asarray(rows * self._from_crowd.shape[1] + self._from_crowd.indices)

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """Does what `Likelihoods.of_pairs` says."""
        outputs, columns = self._channel.indices_of(released), self._from_crowd.shape[1]
        wanted = outputs * columns + typed
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        near = np.where(self._keys[places] == wanted, self._from_crowd.data[places], 0.0)
        return np.asarray(np.log(near + self._channel.noise[outputs]), dtype=np.float32)


class TableLikelihoods:
    """The likelihoods of any mechanism, from the logs of the chances of some released words by some typed words."""

    def __init__(self, table: Callable[[NDArray[np.int64], Ids], NDArray[np.float32]], words: int) -> None:
        """`table` gives (len(typed), len(released)), for typed indices, of `words`, and different released words."""
        self._table = table
        self._words = np.arange(words)

    def best(self, released: Ids, count: int, priors: Sequence[NDArray[np.float32]]) -> list[Evidence]:
        """Does what `Likelihoods.best` says."""
        count = min(count, len(self._words))
        shape = len(released), count
        found = [Evidence(np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.float32)) for _ in priors]
        for first in range(0, len(released), _BLOCK):
            block = slice(first, first + _BLOCK)
            logs = np.ascontiguousarray(self._table(self._words, released[block]).T)
            for evidence, prior in zip(found, priors, strict=True):
                scores = logs + prior
                chosen = _largest(scores, count)
                evidence.words[block] = chosen
                evidence.logs[block] = np.take_along_axis(scores, chosen, axis=1)
        return found

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """Does what `Likelihoods.of_pairs` says."""
        order = np.argsort(released, kind="stable")
        different, first_places = np.unique(released[order], return_index=True)
        found = np.empty(len(typed), dtype=np.float32)
        for i, places in enumerate(np.split(order, first_places[1:])):
            found[places] = self._table(typed[places], different[i : i + 1])[:, 0]
        return found


def likelihoods_of_crowds(crowds: CrowdMechanism, typed: TypedWords) -> Likelihoods:
    """The exact likelihoods of crowds and of their public words."""
    return with_public_words(CrowdLikelihoods(crowds.channel, typed), crowds, typed)


def with_public_words(likelihoods: Likelihoods, mechanism: Mechanism, typed: TypedWords) -> Likelihoods:
    """The likelihoods of a mechanism that releases public words as typed; the given ones if it has no public words."""
    public = public_among(mechanism, typed.ids)
    return _PublicWords(likelihoods, typed, public) if public.any() else likelihoods


class _PublicWords:
    """A public word, released, is certain: nothing else becomes it, and it becomes nothing else."""

    def __init__(self, others: Likelihoods, typed: TypedWords, public: NDArray[np.bool_]) -> None:
        self._others, self._public = others, public
        self._ids, self._indices = typed.ids[public], np.flatnonzero(public)

    def best(self, released: Ids, count: int, priors: Sequence[NDArray[np.float32]]) -> list[Evidence]:
        """Does what `Likelihoods.best` says."""
        certain = np.isin(released, self._ids)
        own = self._indices[np.searchsorted(self._ids, released[certain])]
        hidden = [np.where(self._public, _NEVER, prior) for prior in priors]
        found = []
        for prior, other in zip(priors, self._others.best(released[~certain], count, hidden), strict=True):
            shape = len(released), other.words.shape[1]
            evidence = Evidence(np.empty(shape, dtype=np.int64), np.full(shape, _NEVER))
            evidence.words[~certain], evidence.logs[~certain] = other.words, other.logs
            evidence.words[certain], evidence.logs[certain, 0] = own[:, None], prior[own]
            found.append(evidence)
        return found

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """Does what `Likelihoods.of_pairs` says."""
        certain = np.isin(released, self._ids)
        found = np.full(len(typed), _NEVER)
        own = self._indices[np.searchsorted(self._ids, released[certain])]
        found[certain] = np.where(typed[certain] == own, np.float32(0), _NEVER)
        hidden = ~certain & ~self._public[typed]
        found[hidden] = self._others.of_pairs(typed[hidden], released[hidden])
        return found


def _largest(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The places of the `count` largest of each row, the largest first."""
    chosen = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    order = np.argsort(-np.take_along_axis(scores, chosen, axis=1), axis=1, kind="stable")
    return np.asarray(np.take_along_axis(chosen, order, axis=1))
