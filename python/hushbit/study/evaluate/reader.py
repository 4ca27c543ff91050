"""A reader of running text: a small network that weighs what a released word tells by what the words around it tell.

It reads *soft words*: for each place, the mean vector of the words that may have been typed there, weighted by their
chances, and the likeliest ones. It scores the candidates of each place by the places around, by the whole document, and
by how often other places of the document suggest the same word: a rare word is seldom used only once. Scores are added
to the logs of prior and likelihood, so an untrained network is the reader who knows only word frequencies; how much
they count is chosen for what is attacked (`reading`). What it finds are soft words again, and it reads them once more.
`reader_training` trains it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from hushbit.study.evaluate.evidence import Evidence, TypedWords

_GAP = 4  # empty places between documents: as far as a layer sees on each side
_LIKELIEST = 8  # words that are read of a place, besides the mean of all
_OFTEN = 4  # times that a word must occur to be learned by itself; of others the vectors are all that is known
_EMBEDDED = 48  # dimensions of such a word where it is read
_WIDTH = 128
_PSEUDO_COUNTS = (0.03, 0.3, 2.0)  # how much one more place that repeats a word counts
_BLOCK = 32  # documents read at once
_TIMES = 2  # times that a text is read

Soft = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Soft words of places: mean vectors (places, dimensions), the likeliest words (places, words) and their chances."""


@dataclass(frozen=True)
class Lengths:
    """The lengths of documents that stand one after the other."""

    of_documents: torch.Tensor
    """(documents,): the number of places of each."""
    documents: torch.Tensor
    """(places,): in which document each is."""

    @classmethod
    def of(cls, starts: NDArray[np.int64]) -> Lengths:
        """The lengths of documents that begin at `starts`, which ends with the number of places."""
        lengths = torch.from_numpy(np.diff(starts))
        return cls(lengths, torch.repeat_interleave(torch.arange(len(lengths)), lengths))


class Reader(nn.Module):
    """The network. `vectors` are those of the typed words, (T, dimensions); `times` says how often each is learned."""

    def __init__(
        self, vectors: NDArray[np.float32], typed: TypedWords, times: NDArray[np.int64], generator: torch.Generator
    ) -> None:
        super().__init__()
        centered = vectors - vectors.mean(axis=0)
        self.vectors = torch.from_numpy((centered / (centered.std() + 1e-9)).astype(np.float32))
        self.log_prior = torch.from_numpy(typed.log_prior)
        often = times >= _OFTEN
        self.own_row = torch.from_numpy(np.where(often, np.cumsum(often), 0))  # row 0 is that of all other words
        rows, dimensions = int(often.sum()) + 1, vectors.shape[1]
        self.read_as = nn.Embedding(rows, _EMBEDDED)
        self.place = nn.Linear(dimensions + _EMBEDDED + 1, _WIDTH)
        self.layers = nn.ModuleList(nn.Conv1d(_WIDTH, _WIDTH, 5, padding=2 * apart, dilation=apart) for apart in (1, 2))
        self.document = nn.Linear(_WIDTH, _WIDTH, bias=False)
        self.mixed = nn.Linear(_WIDTH, _WIDTH)
        self.wanted = nn.Linear(_WIDTH, dimensions + _WIDTH)
        self.scored_as = nn.Embedding(rows, _WIDTH)
        self.repeated = nn.Linear(len(_PSEUDO_COUNTS), 1, bias=False)
        for parameter in self.parameters():
            bound = 1 / math.sqrt(parameter[0].numel()) if parameter.dim() > 1 else 0.0
            nn.init.uniform_(parameter, -bound, bound, generator=generator)
        nn.init.normal_(self.scored_as.weight, std=3 / math.sqrt(_WIDTH), generator=generator)
        for last in (self.wanted, self.repeated):
            nn.init.zeros_(last.weight)  # no word is preferred at first
        self.norms = nn.ModuleList(nn.LayerNorm(_WIDTH) for _ in range(3))
        self.center, self.spread = torch.zeros(dimensions), torch.ones(dimensions)

    def standardize(self, means: torch.Tensor) -> None:
        """Takes the scale of mean vectors from some of them: the less releases tell, the less the vectors differ."""
        self.center, self.spread = means.mean(dim=0), means.std(dim=0) + 1e-6

    def soft(self, words: torch.Tensor, chances: torch.Tensor) -> Soft:
        """Soft words from candidates and their chances, both (places, candidates)."""
        means = torch.einsum("pc,pcd->pd", chances, functional.embedding(words, self.vectors))
        best, at = chances.topk(min(_LIKELIEST, words.shape[1]), dim=1)
        return means, words.gather(1, at), best

    def expected(self, soft: Soft, lengths: Lengths) -> torch.Tensor:
        """What the places around suggest for each place, (places, dimensions + width)."""
        means, likeliest, best = soft
        likely = torch.einsum("pc,pcd->pd", best, self.read_as(self.own_row[likeliest]))
        features = torch.cat([(means - self.center) / self.spread, likely, best[:, :1]], dim=1)
        places = functional.gelu(self.norms[0](self.place(features)))
        count = len(lengths.of_documents)
        sums = places.new_zeros(count, _WIDTH).index_add(0, lengths.documents, places)
        topic = self.document(sums / lengths.of_documents.clamp(min=1)[:, None])[lengths.documents]
        at = torch.arange(len(places)) + _GAP * lengths.documents
        for layer, norm, more in zip(self.layers, self.norms[1:], (0.0, topic), strict=True):
            line = places.new_zeros(len(places) + _GAP * count, _WIDTH).index_copy(0, at, places)
            places = places + functional.gelu(norm(layer(line.T[None])[0].T[at] + more))
        return torch.as_tensor(self.wanted(functional.gelu(self.mixed(places))))

    def repeats(self, words: torch.Tensor, chances: torch.Tensor, lengths: Lengths) -> torch.Tensor:
        """Log-ratios, (places, candidates, pseudo-counts): how much more often than usual the other places of the
        document suggest each of the candidates, (places, candidates).
        """
        keys = lengths.documents[:, None] * len(self.log_prior) + words
        different, where = torch.unique(keys, return_inverse=True)
        sums = chances.new_zeros(len(different)).index_add(0, where.flatten(), chances.flatten())
        others = (sums[where] - chances).clamp(min=0)
        usual = self.log_prior[words].exp() * (lengths.of_documents[lengths.documents] - 1)[:, None]
        return torch.stack([torch.log((others + more) / (usual + more)) for more in _PSEUDO_COUNTS], dim=-1)

    def scores(self, words: torch.Tensor, expected: torch.Tensor, repeats: torch.Tensor) -> torch.Tensor:
        """The scores of candidates, (places, candidates)."""
        dimensions = self.vectors.shape[1]
        by_vector, by_word = expected[:, :dimensions] / math.sqrt(dimensions), expected[:, dimensions:]
        scores = torch.einsum("pcd,pd->pc", functional.embedding(words, self.vectors), by_vector)
        scores = scores + torch.einsum("pcd,pd->pc", self.scored_as(self.own_row[words]), by_word)
        return torch.as_tensor(scores + self.repeated(repeats)[:, :, 0])

    def read(self, evidence: Evidence, starts: NDArray[np.int64], tick: Callable[[], None]) -> NDArray[np.float32]:
        """What context adds to the logs of the candidates of `evidence`, up to a constant for each place."""
        found = np.zeros_like(evidence.logs)
        for first in range(0, len(starts) - 1, _BLOCK):
            bounds = starts[first : first + _BLOCK + 1]
            part = slice(int(bounds[0]), int(bounds[-1]))
            words, logs = torch.from_numpy(evidence.words[part]), torch.from_numpy(evidence.logs[part])
            if len(words):
                found[part] = self._read(words, logs, Lengths.of(bounds)).numpy()
            tick()
        return found

    @torch.no_grad()
    def _read(self, words: torch.Tensor, logs: torch.Tensor, lengths: Lengths) -> torch.Tensor:
        scores = torch.zeros_like(logs)
        for _ in range(_TIMES):
            chances = torch.softmax(logs + scores, dim=1)
            expected = self.expected(self.soft(words, chances), lengths)
            scores = self.scores(words, expected, self.repeats(words, chances, lengths))
        return scores
