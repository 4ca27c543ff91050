"""Membership inference with a shadow model (Shokri et al. 2017), as in section 5.3 of the TEM paper.

The attacker trains a shadow model on documents of their own, as they were typed, and learns from its outputs what the
outputs for members look like: by an MLP with two layers of 64 and ReLU. It is then asked about the attacked model's
training documents and about documents that neither model has seen. A variant trains the shadow model on documents that
were released by the mechanism, as the attacked model's were, which the attacker can do as well.
"""

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from hushbit._plumbing.auc import auc_of, hits_at
from hushbit.study.evaluate.classifier import Classifier

_EPOCHS = 20
_BATCH = 64
_WIDTH = 64
FALSE_SHARES = (0.01, 0.001)
"""Shares of non-members that may be taken for members where members are counted (Carvalho et al. have AUC alone)."""
SHADOWS = ("typed", "released")
"""What a shadow model is trained on: text as it was typed, as in the paper, or as the mechanism released it."""

Outputs = NDArray[np.float32]
"""What a model says of documents: the logarithms of the classes' probabilities, (documents, classes)."""


class TypedShadows:
    """The shadow models of typed text, one for each trial, whatever is attacked. Each is trained when it is asked for
    first.

    Any number of threads may use one; all but the first wait until a model is trained.
    """

    def __init__(self, train: Callable[[int], Classifier]) -> None:
        """Takes a function that trains the shadow model of a trial."""
        self._train = train
        self._lock = threading.Lock()
        self._models: dict[int, Classifier] = {}

    def of(self, trial: int) -> Classifier:
        """The shadow model of a trial, trained when it is asked for first."""
        with self._lock:
            if trial not in self._models:
                self._models[trial] = self._train(trial)
            return self._models[trial]


def attack(shadow_in: Outputs, shadow_out: Outputs, model_in: Outputs, model_out: Outputs, seed: int) -> dict[str, Any]:
    """Learns from the shadow model's members and non-members, and is asked about the model's: see `judged`."""
    known = np.concatenate([shadow_in, shadow_out])
    member = np.concatenate([np.ones(len(shadow_in)), np.zeros(len(shadow_out))]).astype(np.float32)
    mean, deviation = known.mean(axis=0), known.std(axis=0) + 1e-6
    mlp = _trained(torch.from_numpy((known - mean) / deviation), torch.from_numpy(member), seed)
    with torch.no_grad():
        scores = [mlp(torch.from_numpy((asked - mean) / deviation))[:, 0].numpy() for asked in (model_in, model_out)]
    return judged(*scores)


def judged(members: NDArray[np.floating], others: NDArray[np.floating]) -> dict[str, Any]:
    """A JSON document of how well scores tell members from others.

    It has the area under the curve with its interval, and, by the share of others that are taken for members, the share
    of members that are found.
    """
    auc = auc_of(members, others)
    hits = {f"{share:g}": hits_at(members, others, share) for share in FALSE_SHARES}
    return {"auc": auc.value, "low": auc.low, "high": auc.high, "hits": hits}


def _trained(inputs: torch.Tensor, member: torch.Tensor, seed: int) -> nn.Sequential:
    generator = torch.Generator().manual_seed(seed)
    mlp = nn.Sequential(
        _layer(inputs.shape[1], _WIDTH, generator), nn.ReLU(),
        _layer(_WIDTH, _WIDTH, generator), nn.ReLU(),
        _layer(_WIDTH, 1, generator),
    )  # fmt: skip
    optimizer = torch.optim.Adam(mlp.parameters())
    for _ in range(_EPOCHS):
        order = torch.randperm(len(inputs), generator=generator)
        for first in range(0, len(inputs), _BATCH):
            chosen = order[first : first + _BATCH]
            loss = functional.binary_cross_entropy_with_logits(mlp(inputs[chosen])[:, 0], member[chosen])
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
    return mlp


def _layer(inputs: int, outputs: int, generator: torch.Generator) -> nn.Linear:
    """A linear layer that starts from `generator` and not from torch's global one, which threads share."""
    layer = nn.Linear(inputs, outputs, device="meta").to_empty(device="cpu")
    bound = 1 / math.sqrt(inputs)
    with torch.no_grad():
        for parameter in (layer.weight, layer.bias):
            parameter.uniform_(-bound, bound, generator=generator)
    return layer
