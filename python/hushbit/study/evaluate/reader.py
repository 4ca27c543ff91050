"""A reader of running text: a small network that weighs what a released word tells by what the words around it tell.

It reads *soft words*: of each place the mean vector of the words that may have been typed there, weighted by their
chances, and the likeliest one. From the places around and from the whole document it scores the candidates of each
place. Scores are added to the logs of prior and likelihood, so an untrained network is the reader who knows only word
frequencies; how much they count is chosen for what is attacked (`reading`). It learns from the reader's own texts,
released by crowds of several sizes at several ε: soft words look alike whatever mechanism they come from, so one
network reads all.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.evidence import CANDIDATES, Evidence, TypedWords, likelihoods_of_crowds
from hushbit.study.mechanisms import CrowdMechanism, Ids, Vectors

_GAP = 4  # empty places between documents: as far as the network sees on each side
_TOKENS = 1024  # of a batch, about
_SCORED = 512  # places of a batch that are learned from
_LEARNED = 32  # candidates of each
_EMBEDDED = 32  # dimensions of the likeliest word
_WIDTH = 128
_RATE = 4e-3
_LEAST_STEPS = 400  # however short the texts are
_BLOCK = 256  # documents read at once

Release = Callable[[Ids, np.random.Generator], Ids]
Soft = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Of places: mean vectors, the likeliest word, its chance."""


class Reader(nn.Module):
    """The network. `vectors` are those of the typed words, (T, dimensions)."""

    def __init__(self, vectors: NDArray[np.float32], generator: torch.Generator) -> None:
        super().__init__()
        centered = vectors - vectors.mean(axis=0)
        self.vectors = torch.from_numpy((centered / (centered.std() + 1e-9)).astype(np.float32))
        words, dimensions = vectors.shape
        features = dimensions + _EMBEDDED + 1
        self.likeliest = nn.Embedding(words, _EMBEDDED)
        self.near = nn.Conv1d(features, _WIDTH, 5, padding=2)
        self.far = nn.Conv1d(_WIDTH, _WIDTH, 5, padding=2)
        self.document = nn.Linear(features, _WIDTH, bias=False)
        self.wanted = nn.Linear(_WIDTH, dimensions)
        for parameter in self.parameters():
            bound = 1 / math.sqrt(parameter[0].numel()) if parameter.dim() > 1 else 0.05
            nn.init.uniform_(parameter, -bound, bound, generator=generator)
        nn.init.zeros_(self.wanted.weight)  # no word is preferred at first
        nn.init.zeros_(self.wanted.bias)
        self.scored = nn.Embedding(words, dimensions, _weight=self.vectors / math.sqrt(dimensions))

        self.center, self.spread = torch.zeros(dimensions), torch.ones(dimensions)

    def standardize(self, means: torch.Tensor) -> None:
        """Takes the scale of mean vectors from some: the less releases tell, the less they differ."""
        self.center, self.spread = means.mean(dim=0), means.std(dim=0) + 1e-6

    def soft(self, words: torch.Tensor, chances: torch.Tensor) -> Soft:
        """Of candidates and their chances, both (places, candidates)."""
        means = torch.einsum("pc,pcd->pd", chances, functional.embedding(words, self.vectors))
        best, place = chances.max(dim=1)
        return means, words.gather(1, place[:, None])[:, 0], best

    def expected(self, soft: Soft, lengths: torch.Tensor) -> torch.Tensor:
        """What the places around want in each place, (places, dimensions); documents stand one after the other."""
        means, likeliest, best = soft
        places = torch.cat(
            [(means - self.center) / self.spread, self.likeliest(likeliest) * best[:, None], best[:, None]], dim=1
        )
        documents = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        at = torch.arange(len(places)) + _GAP * documents
        line = places.new_zeros(len(places) + _GAP * len(lengths), places.shape[1]).index_copy(0, at, places)
        far = self.far(functional.relu(self.near(line.T[None])))[0].T[at]
        sums = places.new_zeros(len(lengths), places.shape[1]).index_add(0, documents, places)
        topic = self.document(sums / lengths.clamp(min=1).sqrt()[:, None])
        return torch.as_tensor(self.wanted(functional.relu(far + topic[documents])))

    def scores(self, words: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
        """Of candidates (places, candidates)."""
        return torch.einsum("pcd,pd->pc", self.scored(words), expected)

    def read(self, evidence: Evidence, starts: NDArray[np.int64], tick: Callable[[], None]) -> NDArray[np.float32]:
        """Of the candidates of `evidence`, what context adds to their logs, up to a constant for each place."""
        found = np.empty_like(evidence.logs)
        with torch.no_grad():
            for first in range(0, len(starts) - 1, _BLOCK):
                bounds = starts[first : first + _BLOCK + 1]
                part = slice(int(bounds[0]), int(bounds[-1]))
                words, logs = torch.from_numpy(evidence.words[part]), torch.from_numpy(evidence.logs[part])
                soft = self.soft(words, torch.softmax(logs, dim=1))
                expected = self.expected(soft, torch.from_numpy(np.diff(bounds)))
                found[part] = self.scores(words, expected).numpy()
                tick()
        return found


@dataclass(frozen=True)
class _Lesson:
    """One way in which texts are released to learn from: of each output word its evidence, and what is read of it."""

    release: Release
    outputs: Ids
    words: torch.Tensor
    logs: torch.Tensor
    soft: Soft

    @classmethod
    def of(cls, reader: Reader, crowds: CrowdMechanism, typed: TypedWords) -> "_Lesson":
        """Of crowds."""
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
    reader = Reader(vectors[typed.ids], generator)
    prepared = [_Lesson.of(reader, crowds, typed) for crowds in lessons]
    reader.standardize(torch.cat([lesson.soft[0] for lesson in prepared]))
    optimizer = torch.optim.Adam(reader.parameters(), lr=_RATE, fused=True)
    batches: list[tuple[int, NDArray[np.int64]]] = []
    for epoch in itertools.count():
        if not len(own.ids) or (epoch >= epochs and len(batches) >= _LEAST_STEPS):
            break
        batches += _batches(own, len(prepared), draws)
    for done, (lesson, documents) in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - 0.8 * done / len(batches))
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
    """Of some places, those mostly whose word is in doubt: the log-chance of the typed word among the candidates."""
    places = torch.from_numpy(np.searchsorted(lesson.outputs, lesson.release(text.ids, draws)))
    soft = (lesson.soft[0][places], lesson.soft[1][places], lesson.soft[2][places])
    expected = reader.expected(soft, torch.from_numpy(np.diff(text.starts)))
    chosen = torch.multinomial(1.02 - soft[2], min(_SCORED, len(places)), generator=chance)
    words, logs = lesson.words[places[chosen]], lesson.logs[places[chosen]]
    own = words == torch.from_numpy(typed.indices_of(text.ids))[chosen, None]
    among = own.any(dim=1)
    scores = logs + reader.scores(words, expected[chosen])
    return functional.cross_entropy(scores[among], own.float().argmax(dim=1)[among])


def _batches(own: Corpus, lessons: int, draws: np.random.Generator) -> list[tuple[int, NDArray[np.int64]]]:
    """Every document once, in one lesson drawn by lot: lessons and documents, about as many words in each batch."""
    lengths, lesson_of = np.diff(own.starts), draws.integers(lessons, size=len(own))
    found = []
    for lesson in range(lessons):
        documents = draws.permutation(np.flatnonzero((lesson_of == lesson) & (lengths > 0)))
        cuts = np.cumsum(lengths[documents]) // _TOKENS
        found += [(lesson, batch) for batch in np.split(documents, np.flatnonzero(np.diff(cuts)) + 1) if len(batch)]
    return [found[i] for i in draws.permutation(len(found))]
