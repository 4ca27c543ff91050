"""The papers' classifier, like fastText's: the mean of the words' vectors, then one linear layer.

The vectors start as the embeddings and are trained, too, as fastText trains its own.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.inputs import BATCH, EPOCHS
from hushbit.study.mechanisms import Ids, Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BLOCK = 1024  # documents classified at once


@dataclass(frozen=True)
class Classifier:
    """A trained model."""

    vectors: torch.Tensor
    """(words, dimensions)"""
    weight: torch.Tensor
    """(classes, dimensions)"""
    bias: torch.Tensor
    """(classes,)"""

    def outputs(self, corpus: Corpus) -> NDArray[np.float32]:
        """The logarithms of the classes' probabilities, (documents, classes)."""
        blocks = []
        with torch.no_grad():
            for first in range(0, len(corpus), _BLOCK):
                block = corpus.select(np.arange(first, min(first + _BLOCK, len(corpus))))
                logits = _logits(block, self.vectors, self.weight, self.bias)
                blocks.append(functional.log_softmax(logits, dim=1).numpy())
        return np.concatenate(blocks)

    def accuracy(self, corpus: Corpus, labels: NDArray[np.int64]) -> float:
        """The share of documents whose likeliest class is their label."""
        return float((self.outputs(corpus).argmax(axis=1) == labels).mean())


def train(
    corpus: Corpus,
    labels: NDArray[np.int64],
    classes: int,
    vectors: Vectors,
    seed: int,
    *,
    epochs: int = EPOCHS,
    tick: Callable[[], None] = lambda: None,
) -> Classifier:
    """Trains with Adam's defaults. The same arguments give the same model. `tick` is called after each epoch."""
    words = _TrainingWords.of(corpus)
    dimensions = vectors.shape[1]
    generator = torch.Generator().manual_seed(seed)
    bound = 1 / math.sqrt(dimensions)  # torch's own start for a linear layer
    start = words.mean_of_groups(vectors)
    rows = torch.from_numpy(start.copy()).requires_grad_()
    weight = (bound * (2 * torch.rand((classes, dimensions), generator=generator) - 1)).requires_grad_()
    bias = torch.zeros(classes, requires_grad=True)
    gradient = torch.zeros_like(rows)
    optimizer = torch.optim.Adam([rows, weight, bias], fused=True)
    for _ in range(epochs):
        for chosen in _batches(len(corpus), generator):
            batch = words.batch(chosen)
            means = torch.from_numpy(batch.shares @ rows.detach()[batch.groups].numpy()).requires_grad_()
            loss = functional.cross_entropy(functional.linear(means, weight, bias), torch.from_numpy(labels[chosen]))
            weight.grad, bias.grad, of_means = torch.autograd.grad(loss, [weight, bias, means])
            # Only the words of the batch have a gradient; torch would fill a new matrix for all of them.
            gradient[batch.groups] = torch.from_numpy(batch.own_shares.T @ of_means.numpy())
            rows.grad = gradient
            optimizer.step()
            gradient[batch.groups] = 0
        tick()
    trained = vectors.copy()
    trained[words.ids] += (rows.detach().numpy() - start)[words.group_of]
    return Classifier(torch.from_numpy(trained), weight.detach(), bias.detach())


@dataclass(frozen=True)
class _Batch:
    """Some documents, and the groups of words that they hold."""

    groups: torch.Tensor
    """(groups,)"""
    shares: "csr_array"
    """(documents, groups): the share of a document's words that are of a group."""
    own_shares: "csr_array"
    """The shares of one word of a group."""


@dataclass(frozen=True)
class _TrainingWords:
    """The words of a training text, in groups that training never tells apart.

    A word that is in one document only has that document's gradient. So words of one document that are there equally
    often move alike, and one row is enough for all of them: this saves nearly half of the rows.
    """

    ids: Ids
    """(words,), ascending."""
    group_of: NDArray[np.int64]
    """(words,): the group of each word."""
    starts: NDArray[np.int64]
    """(documents + 1,): where each document begins in the three arrays below."""
    groups: NDArray[np.int64]
    """(entries,): the groups of each document, ascending."""
    shares: NDArray[np.float32]
    own_shares: NDArray[np.float32]

    @classmethod
    def of(cls, corpus: Corpus) -> "_TrainingWords":
        """Counts each document's words."""
        ids, local = np.unique(corpus.ids, return_inverse=True)
        lengths = np.diff(corpus.starts)
        pairs, counts = np.unique(np.repeat(np.arange(len(corpus)), lengths) * len(ids) + local, return_counts=True)
        documents, words = np.divmod(pairs, len(ids))
        alone = np.bincount(words, minlength=len(ids)) == 1
        # A key for each word: its own, or what it shares with others of its one document.
        keys = np.arange(len(ids))
        single = alone[words]
        keys[words[single]] = len(ids) + documents[single] * (counts.max(initial=0) + 1) + counts[single]
        _, group_of = np.unique(keys, return_inverse=True)
        cells, place, members = np.unique(
            documents * (group_of.max(initial=0) + 1) + group_of[words], return_inverse=True, return_counts=True
        )
        own = np.zeros(len(cells), dtype=np.float32)
        own[place] = counts / lengths[documents]
        of_documents, groups = np.divmod(cells, group_of.max(initial=0) + 1)
        starts = np.searchsorted(of_documents, np.arange(len(corpus) + 1))
        return cls(ids, group_of, starts, groups, own * members.astype(np.float32), own)

    def mean_of_groups(self, vectors: Vectors) -> NDArray[np.float32]:
        """The mean vector of the words of each group, (groups, dimensions)."""
        sums = np.zeros((int(self.group_of.max(initial=-1)) + 1, vectors.shape[1]))
        np.add.at(sums, self.group_of, vectors[self.ids])
        sizes = np.bincount(self.group_of, minlength=len(sums))
        return np.asarray(sums / sizes[:, None], dtype=np.float32)

    def batch(self, chosen: NDArray[np.int64]) -> _Batch:
        """The batch of the documents `chosen`, (documents,)."""
        from scipy.sparse import csr_array

        lengths = (self.starts[1:] - self.starts[:-1])[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], lengths)
        groups, columns = np.unique(self.groups[places], return_inverse=True)
        shape = (len(chosen), len(groups))
        return _Batch(
            torch.from_numpy(groups),
            csr_array((self.shares[places], columns, starts), shape=shape),
            csr_array((self.own_shares[places], columns, starts), shape=shape),
        )


def _batches(count: int, generator: torch.Generator) -> Iterator[NDArray[np.int64]]:
    order = torch.randperm(count, generator=generator).numpy()
    for first in range(0, count, BATCH):
        yield order[first : first + BATCH]


def _logits(corpus: Corpus, vectors: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    ids, starts = torch.from_numpy(corpus.ids.astype(np.int64)), torch.from_numpy(corpus.starts[:-1])
    return functional.linear(functional.embedding_bag(ids, vectors, starts, mode="mean"), weight, bias)
