"""The papers' classifier, like fastText's: the mean of the words' vectors, then one linear layer.

The vectors start as the embeddings and are trained along, as fastText trains its own.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.inputs import BATCH, EPOCHS
from hushbit.study.mechanisms import Vectors

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
    words, local = np.unique(corpus.ids, return_inverse=True)
    corpus = corpus.replaced(local.astype(np.uint32))
    dimensions = vectors.shape[1]
    generator = torch.Generator().manual_seed(seed)
    bound = 1 / math.sqrt(dimensions)  # torch's own start for a linear layer
    # Only words of the training text get gradients, so only their rows need to be in the optimizer.
    rows = torch.from_numpy(vectors[words]).requires_grad_()
    weight = (bound * (2 * torch.rand((classes, dimensions), generator=generator) - 1)).requires_grad_()
    bias = torch.zeros(classes, requires_grad=True)
    optimizer = torch.optim.Adam([rows, weight, bias], fused=True)
    for _ in range(epochs):
        for chosen in _batches(len(corpus), generator):
            logits = _logits(corpus.select(chosen), rows, weight, bias)
            loss = functional.cross_entropy(logits, torch.from_numpy(labels[chosen]))
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
        tick()
    trained = torch.from_numpy(vectors.copy())
    trained[torch.from_numpy(words.astype(np.int64))] = rows.detach()
    return Classifier(trained, weight.detach(), bias.detach())


def _batches(count: int, generator: torch.Generator) -> Iterator[NDArray[np.int64]]:
    order = torch.randperm(count, generator=generator).numpy()
    for first in range(0, count, BATCH):
        yield order[first : first + BATCH]


def _logits(corpus: Corpus, vectors: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    ids, starts = torch.from_numpy(corpus.ids.astype(np.int64)), torch.from_numpy(corpus.starts[:-1])
    return functional.linear(functional.embedding_bag(ids, vectors, starts, mode="mean"), weight, bias)
