"""What a released word tells by itself: the typed words that most likely became it, by prior and likelihood.

A reader of running text weighs these by what the other words say (`reader`). Likelihoods are exact for crowds and TEM.
Those of BRR and Madlib are estimated (`likelihood`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit.study.mechanisms import Ids
from hushbit.study.mechanisms.crowd import Channel

CANDIDATES = 64
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
    """(T,): of the frequencies."""

    @classmethod
    def counted(cls, ids: Ids) -> "TypedWords":
        """As often as they stand in a corpus."""
        words, times = np.unique(ids, return_counts=True)
        return cls(words, np.log(times / times.sum()).astype(np.float32))

    def indices_of(self, words: Ids) -> NDArray[np.int64]:
        """Of ids that are in it."""
        return np.searchsorted(self.ids, words)


@dataclass(frozen=True)
class Evidence:
    """Of each place, some typed words and the logs of their prior times their likelihood, which is all it tells."""

    words: NDArray[np.int64]
    """(places, candidates): typed indices, none twice in a row."""
    logs: NDArray[np.float32]
    """(places, candidates); -inf where there are fewer words."""

    def rows(self, places: NDArray[np.integer]) -> "Evidence":
        """That of some places."""
        return Evidence(self.words[places], self.logs[places])


class Likelihoods(Protocol):
    """The chances of released words by typed words."""

    def best(self, released: Ids, count: int, log_prior: NDArray[np.float32]) -> Evidence:
        """The `count` likeliest typed words of each of some different released words, by a prior, (T,)."""

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """The logs of the chances that typed indices (n,) become released words (n,)."""


def evidence_of(
    releases: Ids, likelihoods: Likelihoods, log_prior: NDArray[np.float32], count: int = CANDIDATES
) -> Evidence:
    """Of k releases of a text, (k, places), by a prior. Noise is independent, so the likelihoods of a place multiply.

    Candidates of several releases are those that any of them alone suggests.
    """
    different, where = np.unique(releases, return_inverse=True)
    where = where.reshape(releases.shape)
    if len(releases) == 1:
        return likelihoods.best(different, count, log_prior).rows(where[0])
    single = likelihoods.best(different, max(_LEAST, count // len(releases)), log_prior)
    words = np.sort(np.concatenate([single.words[row] for row in where], axis=1), axis=1)
    shape = (len(releases), *words.shape)
    pairs = np.broadcast_to(words, shape).ravel(), np.broadcast_to(releases[:, :, None], shape).ravel()
    logs = log_prior[words] + likelihoods.of_pairs(*pairs).reshape(shape).sum(axis=0)
    logs[:, 1:][words[:, 1:] == words[:, :-1]] = _NEVER
    return Evidence(words, logs)


class CrowdLikelihoods:
    """Exact. A word outside the crowds that hold the released one can only have become it as noise."""

    def __init__(self, channel: Channel, typed: TypedWords) -> None:
        self._channel = channel
        self._from_crowd = channel.from_crowd.T.tocsr()[:, channel.stand_ins[typed.ids]].tocsr()  # (Y, T)
        self._from_crowd.sort_indices()

    def best(self, released: Ids, count: int, log_prior: NDArray[np.float32]) -> Evidence:
        """As `Likelihoods` says."""
        outputs = self._channel.indices_of(released)
        count = min(count, len(log_prior))
        # Of words that only noise explains, the most frequent are the likeliest, whatever came out.
        frequent = np.argsort(-log_prior, kind="stable")[:count]
        others = np.ones(len(log_prior), dtype=bool)
        others[frequent] = False
        near_frequent = self._from_crowd[outputs][:, frequent].toarray()
        rows = self._from_crowd[outputs]
        words = np.empty((len(outputs), count), dtype=np.int64)
        logs = np.empty((len(outputs), count), dtype=np.float32)
        for i, output in enumerate(outputs):
            entries = slice(rows.indptr[i], rows.indptr[i + 1])
            kept = others[rows.indices[entries]]
            candidates = np.concatenate([frequent, rows.indices[entries][kept]])
            chances = np.concatenate([near_frequent[i], rows.data[entries][kept]]) + self._channel.noise[output]
            scores = log_prior[candidates] + np.log(chances)
            chosen = np.argpartition(-scores, count - 1)[:count]
            words[i], logs[i] = candidates[chosen], scores[chosen]
        return Evidence(words, logs)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """Where each entry of `_from_crowd` stands, row by row."""
        lengths = np.diff(self._from_crowd.indptr)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        return np.asarray(rows * self._from_crowd.shape[1] + self._from_crowd.indices)

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """As `Likelihoods` says."""
        outputs, columns = self._channel.indices_of(released), self._from_crowd.shape[1]
        wanted = outputs * columns + typed
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        near = np.where(self._keys[places] == wanted, self._from_crowd.data[places], 0.0)
        return np.asarray(np.log(near + self._channel.noise[outputs]), dtype=np.float32)


class TableLikelihoods:
    """Of any mechanism, from the logs of all chances of some released words."""

    def __init__(self, table: Callable[[Ids], NDArray[np.float32]]) -> None:
        """`table` gives (T, len(released)) for different released words."""
        self._table = table

    def best(self, released: Ids, count: int, log_prior: NDArray[np.float32]) -> Evidence:
        """As `Likelihoods` says."""
        count = min(count, len(log_prior))
        words = np.empty((len(released), count), dtype=np.int64)
        logs = np.empty((len(released), count), dtype=np.float32)
        for first in range(0, len(released), _BLOCK):
            scores = (self._table(released[first : first + _BLOCK]) + log_prior[:, None]).T
            chosen = np.argpartition(-scores, count - 1, axis=1)[:, :count]
            words[first : first + _BLOCK] = chosen
            logs[first : first + _BLOCK] = np.take_along_axis(scores, chosen, axis=1)
        return Evidence(words, logs)

    def of_pairs(self, typed: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        """As `Likelihoods` says."""
        different, where = np.unique(released, return_inverse=True)
        order = np.argsort(where, kind="stable")
        bounds = np.searchsorted(where[order], np.arange(0, len(different) + _BLOCK, _BLOCK))
        found = np.empty(len(typed), dtype=np.float32)
        for block, (first, last) in enumerate(pairwise(bounds)):
            table = self._table(different[block * _BLOCK : (block + 1) * _BLOCK])
            places = order[first:last]
            found[places] = table[typed[places], where[places] - block * _BLOCK]
        return found
