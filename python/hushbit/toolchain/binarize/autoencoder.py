"""The near-lossless autoencoder of Tissier, Gravier and Habrard (AAAI 2019).

A code is b = heaviside(W·x); it is reconstructed as tanh(Wᵀ·b + c). The loss is the mean squared error plus ½·λ·‖WᵀW -
I‖², and its gradient passes only through the decoder, since the heaviside function has none. The differences from the
paper prevent it from collapsing (docs/binarizers.md): vectors without their top components, scaled to what the decoder
can reach; orthogonal initial weights; a rate that falls to zero; few epochs.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.autoencoder_training import Training, train
from hushbit.toolchain.binarize.base import Vectors
from hushbit.toolchain.binarize.itq import itq_weights
from hushbit.toolchain.binarize.linear import LinearBinarizer, linear_binarizer
from hushbit.toolchain.binarize.preprocessing import (
    default_components,
    fit_preprocessing,
    unit_sample,
)

_SAMPLE = 100_000  # more words do not improve it
_ITQ_ITERATIONS = 30
_FEW_BLOCKS = 2  # blocks of bits; with more, rotations that ITQ has improved are too similar
_MOST_SCALE = 0.5  # the root mean square of a coordinate; above it tanh is nonlinear


@dataclass(frozen=True)
class AutoencoderMethod:
    """Trains the autoencoder with mini-batches. Early stopping uses held-out words."""

    learning_rate: float = 3e-3
    """The step size for the gradient summed over a batch."""
    regularizer: float = 0.1
    """λ."""
    epochs: int = 4
    """The maximum number of epochs."""
    batch: int = 512
    device: str = "cpu"
    """"cpu" (numpy) or "cuda" (torch)."""

    def __post_init__(self) -> None:
        for name in ("learning_rate", "regularizer"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InvalidArgumentError(f"{name} is {getattr(self, name)}; it must be finite, 0 or more")
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise InvalidArgumentError(f"{name} is {getattr(self, name)}; it must be 1 or more")
        if self.device not in ("cpu", "cuda"):
            raise InvalidArgumentError(f"device is {self.device!r}; it must be cpu or cuda")

    def default_components(self, dimensions: int) -> int:
        """A tenth of the dimensions, at most 10."""
        return default_components(dimensions)

    def fit(self, vectors: Vectors, *, bits: int, seed: int, components: int, progress: Progress) -> LinearBinarizer:
        """Trains. Raises DivergenceError if the loss is no longer a number."""
        preprocessing = fit_preprocessing(vectors, components)
        generator = np.random.Generator(np.random.PCG64(seed))
        sample = unit_sample(preprocessing, vectors, _SAMPLE, generator)
        weights = _first_weights(sample, bits, generator, progress)
        scale = min(_MOST_SCALE, math.sqrt(bits / (2 * math.pi * preprocessing.kept)))
        targets = np.clip(sample * np.float32(scale * math.sqrt(preprocessing.kept)), -1, 1)
        settings = Training(self.learning_rate, self.regularizer, self.epochs, self.batch, self.device)
        weights, error, epochs = train(targets, weights, settings, generator, progress)
        parameters = {
            "learning_rate": self.learning_rate,
            "regularizer": self.regularizer,
            "epochs": epochs,
            "batch": self.batch,
            "scale": round(scale, 6),
            "device": self.device,
            "reconstruction_error": round(error, 4),
        }
        return linear_binarizer("autoencoder", seed, parameters, preprocessing, weights, _warnings(error, bits))


def _first_weights(
    sample: NDArray[np.float32], bits: int, generator: np.random.Generator, progress: Progress
) -> NDArray[np.float32]:
    """Orthogonal blocks, with WᵀW = I if the number of bits allows it; improved by ITQ if there are few bits."""
    dimensions = sample.shape[1]
    rows = sample if len(sample) <= 30_000 else sample[generator.choice(len(sample), 30_000, replace=False)]
    weights = itq_weights(rows, bits, _ITQ_ITERATIONS if bits <= _FEW_BLOCKS * dimensions else 0, generator, progress)
    return (weights * math.sqrt(dimensions / max(bits, dimensions))).astype(np.float32)


def _warnings(error: float, bits: int) -> tuple[str, ...]:
    if error <= 1:
        return ()
    return (
        f"the autoencoder reconstructs vectors from {bits} bits worse than their mean does (error {error:.2f} of the "
        "variance): use more bits, more epochs, or --binarizer itq",
    )
