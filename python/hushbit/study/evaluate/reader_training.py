"""Trains a reader on its own texts, released by crowds of several sizes at several ε.

Soft words look alike whatever mechanism they come from, so one network reads all.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.evidence import CANDIDATES, TypedWords, likelihoods_of_crowds
from hushbit.study.evaluate.reader import Lengths, Reader, Soft
from hushbit.study.mechanisms import CrowdMechanism, Ids, Vectors

_TOKENS = 1024  # the approximate size of a batch
_SCORED = 512  # places of a batch that are learned from
_LEARNED = 32  # candidates of each
_RATE = 3e-3
_WARM_UP = 50  # steps
_LEAST_STEPS = 300  # however short the texts are
_STEPS, _PASSES = 1500, 40  # short texts are read until there are so many steps, but not more often than this
Release = Callable[[Ids, np.random.Generator], Ids]


@dataclass(frozen=True)
class _Lesson:
    """One way in which texts are released to learn from: the evidence of each output word, and what is read of it."""

    release: Release
    outputs: Ids
    words: torch.Tensor
    logs: torch.Tensor
    soft: Soft

    @classmethod
    def of(cls, reader: Reader, crowds: CrowdMechanism, typed: TypedWords) -> _Lesson:
        """The lesson of releases by crowds."""
        outputs = np.union1d(crowds.channel.outputs, typed.ids[crowds.is_public(typed.ids)])
        (found,) = likelihoods_of_crowds(crowds, typed).best(outputs, CANDIDATES, [typed.log_prior])
        words, logs = torch.from_numpy(found.words), torch.from_numpy(found.logs)
        with torch.no_grad():
            soft = reader.soft(words, torch.softmax(logs, dim=1))
        release: Release = lambda ids, generator: privatize(crowds, ids, generator)  # noqa: E731
        return cls(release, outputs, words[:, :_LEARNED], logs[:, :_LEARNED], soft)


def train_reader(
    own: Corpus,
    typed: TypedWords,
    vectors: Vectors,
    lessons: Sequence[CrowdMechanism],
    seed: int,
    *,
    epochs: int,
    tick: Callable[[], None] = lambda: None,
) -> Reader:
    """Learns from the reader's `own` texts, each released anew by one of `lessons` in every epoch.

    Short texts are read more often. The same arguments give the same reader.
    """
    generator, draws = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    times = np.bincount(typed.indices_of(own.ids), minlength=len(typed.ids))
    reader = Reader(vectors[typed.ids], typed, times, generator)
    prepared = [_Lesson.of(reader, crowds, typed) for crowds in lessons]
    reader.standardize(torch.cat([lesson.soft[0] for lesson in prepared]))
    optimizer = torch.optim.Adam(reader.parameters(), lr=_RATE, betas=(0.9, 0.98), fused=True)
    batches: list[tuple[int, NDArray[np.int64]]] = []
    for epoch in itertools.count():
        enough = _LEAST_STEPS if epoch >= _PASSES else _STEPS
        if not len(own.ids) or (epoch >= epochs and len(batches) >= enough):
            break
        batches += _batches(own, len(prepared), draws)
    for done, (lesson, documents) in enumerate(batches):
        fallen = 0.05 + 0.95 * (1 + math.cos(math.pi * done / len(batches))) / 2
        for group in optimizer.param_groups:
            group["lr"] = _RATE * fallen * min(1, (done + 1) / _WARM_UP)
        loss = _loss(reader, prepared[lesson], own.select(documents), typed, draws, generator)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        tick()
    return reader


def _loss(
    reader: Reader,
    lesson: _Lesson,
    text: Corpus,
    typed: TypedWords,
    draws: np.random.Generator,
    chance: torch.Generator,
) -> torch.Tensor:
    """The loss: minus the mean log-chance of the typed word among the candidates, over some places.

    Places whose word is in doubt are chosen more often.
    """
    places = torch.from_numpy(np.searchsorted(lesson.outputs, lesson.release(text.ids, draws)))
    words, logs, lengths = lesson.words[places], lesson.logs[places], Lengths.of(text.starts)
    means, likeliest, best = (part[places] for part in lesson.soft)
    expected = reader.expected((means, likeliest, best), lengths)
    chosen = torch.multinomial(1.02 - best[:, 0], min(_SCORED, len(places)), generator=chance)
    repeats = reader.repeats(words, torch.softmax(logs, dim=1), lengths)[chosen]
    own = words[chosen] == torch.from_numpy(typed.indices_of(text.ids))[chosen, None]
    among = own.any(dim=1)
    scores = logs[chosen] + reader.scores(words[chosen], expected[chosen], repeats)
    return functional.cross_entropy(scores[among], own.float().argmax(dim=1)[among])


def _batches(own: Corpus, lessons: int, draws: np.random.Generator) -> list[tuple[int, NDArray[np.int64]]]:
    """Batches with about as many words each: a lesson and its documents. Every document is in one random lesson."""
    lengths, lesson_of = np.diff(own.starts), draws.integers(lessons, size=len(own))
    found = []
    for lesson in range(lessons):
        documents = draws.permutation(np.flatnonzero((lesson_of == lesson) & (lengths > 0)))
        cuts = np.cumsum(lengths[documents]) // _TOKENS
        found += [(lesson, batch) for batch in np.split(documents, np.flatnonzero(np.diff(cuts)) + 1) if len(batch)]
    return [found[i] for i in draws.permutation(len(found))]
