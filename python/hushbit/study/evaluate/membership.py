"""Membership inference with a shadow model (Shokri et al. 2017), as in section 5.3 of the TEM paper.

The attacker trains a shadow model like the one attacked, on documents of their own, and learns from its outputs what
the outputs for members look like: by an MLP with two layers of 64 and ReLU. It is then asked about the attacked model's
training documents and about documents that neither model has seen.
"""

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from hushbit._plumbing.auc import Auc, auc_of

_EPOCHS = 20
_BATCH = 64
_WIDTH = 64

Outputs = NDArray[np.float32]
"""What a model says of documents: the logarithms of the classes' probabilities, (documents, classes)."""


def attack(shadow_in: Outputs, shadow_out: Outputs, model_in: Outputs, model_out: Outputs, seed: int) -> Auc:
    """Learns from the shadow model's members and non-members, and is asked about the model's."""
    known = np.concatenate([shadow_in, shadow_out])
    member = np.concatenate([np.ones(len(shadow_in)), np.zeros(len(shadow_out))]).astype(np.float32)
    mean, deviation = known.mean(axis=0), known.std(axis=0) + 1e-6
    mlp = _trained(torch.from_numpy((known - mean) / deviation), torch.from_numpy(member), seed)
    with torch.no_grad():
        scores = [mlp(torch.from_numpy((asked - mean) / deviation))[:, 0].numpy() for asked in (model_in, model_out)]
    return auc_of(*scores)


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
