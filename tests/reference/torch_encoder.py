"""The scores of binarizers in torch, written from their definitions and their arrays."""

import numpy as np
import torch
from numpy.typing import NDArray

from hushbit.toolchain.binarize import Binarizer


def torch_scores(binarizer: Binarizer, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """(words, bits)."""
    a = {name: torch.from_numpy(array.copy()) for name, array in binarizer.arrays().items()}
    x = torch.from_numpy(vectors).double() - a["mean"]
    if binarizer.kind == "linear":
        return np.asarray(torch.nn.functional.linear(x, a["directions"]))
    nearest = binarizer.describe()["parameters"]["nearest"]
    x = torch.nn.functional.normalize(x @ a["basis"], dim=1)
    values, ids = torch.nn.functional.linear(x, a["anchors"]).topk(nearest + 1, dim=1)
    weights = torch.nn.functional.normalize((values[:, :nearest] - values[:, nearest:]).clamp_min(1e-6), dim=1)
    words = torch.einsum("wn,wnb->wb", weights, a["codewords"][ids[:, :nearest]].double())
    scores = torch.nn.functional.linear(x, a["directions"])
    scores[:, : words.shape[1]] += words
    return np.asarray(scores)
