"""Training of the autoencoder, with numpy or torch: the few operations that it needs have the same names in both."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit._plumbing.progress import Progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.errors import DivergenceError

_MOST_HELD_OUT = 10_000
_LEAST_GAIN = 0.005  # the gain in held-out error that justifies another epoch
# What the loss cannot exceed while training works: targets and reconstructions lie in [-1, 1].
_MOST_ORTHOGONALITY = 1e3


@dataclass(frozen=True)
class Training:
    """The settings of the training; see AutoencoderMethod."""

    learning_rate: float
    regularizer: float
    epochs: int
    batch: int
    device: str


def train(
    targets: NDArray[np.float32],
    weights: NDArray[np.float32],
    settings: Training,
    generator: np.random.Generator,
    progress: Progress,
) -> tuple[NDArray[np.float32], float, int]:
    """Improves `weights` (bits, dimensions) for `targets` (words, dimensions), which are in [-1, 1].

    Returns the best weights, their held-out mean squared error as a share of the variance, and the epochs trained.
    Raises DivergenceError if the training diverges.
    """
    order = generator.permutation(len(targets))
    held_out = min(_MOST_HELD_OUT, max(1, len(targets) // 20))
    test, rest = targets[order[:held_out]], targets[order[held_out:]]
    if len(rest) == 0:
        return weights, 1.0, 0
    variance = max(float(test.var(dtype=np.float64)), 1e-12)
    model = _Model(weights, settings)
    best, best_error = model.weights(), model.error(test)
    steps = math.ceil(len(rest) / settings.batch)
    epoch = step = 0
    for epoch in range(1, settings.epochs + 1):
        shuffled = rest[generator.permutation(len(rest))]
        for first in range(0, len(rest), settings.batch):
            rate = settings.learning_rate * (1 - step / (steps * settings.epochs))
            model.step(shuffled[first : first + settings.batch], rate)
            step += 1
            if step % 64 == 0:
                progress(step, steps * settings.epochs, "train")
        error = model.error(test)
        _check(error, model, settings, epoch)
        gain = best_error - error
        if gain > 0 or epoch == 1:
            best, best_error = model.weights(), error
        if gain < _LEAST_GAIN * best_error:
            break
    progress(1, 1, "train")
    return best, best_error / variance, epoch


def _check(error: float, model: "_Model", settings: Training, epoch: int) -> None:
    if math.isfinite(error) and model.distance_from_orthogonal() < _MOST_ORTHOGONALITY:
        return
    raise DivergenceError(
        f"the training of the autoencoder diverged in epoch {epoch} (error {error:.3g}): "
        f"lower the learning rate, now {settings.learning_rate:g}, or the regularizer, now {settings.regularizer:g}"
    )


class _Model:
    """W (bits, dimensions) and c (dimensions,); `xp` is their array library."""

    def __init__(self, weights: NDArray[np.float32], settings: Training) -> None:
        self._settings = settings
        self._xp: Any = np if settings.device == "cpu" else _torch()
        self._w = self._load(weights)
        self._c = self._load(-0.5 * weights.sum(axis=0))  # a code with half of its bits set is reconstructed as 0
        self._identity = self._load(np.eye(weights.shape[1], dtype=np.float32))

    def step(self, batch: NDArray[np.float32], rate: float) -> None:
        """One step along the gradient through the decoder, summed over the batch, the mean over dimensions."""
        x = self._load(batch)
        code, decoded = self._pass(x)
        slope = (decoded - x) * (1 - decoded * decoded) * (2 / x.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):  # the held-out error shows divergence
            orthogonality = self._w @ (self._w.T @ self._w - self._identity)
            self._w = self._w - rate * (code.T @ slope) - (2 * rate * self._settings.regularizer) * orthogonality
            self._c = self._c - rate * slope.sum(0)

    def error(self, vectors: NDArray[np.float32]) -> float:
        """The mean squared error."""
        x = self._load(vectors)
        difference = self._pass(x)[1] - x
        return float((difference * difference).mean())

    def weights(self) -> NDArray[np.float32]:
        """W, in numpy."""
        return np.array(self._w if self._settings.device == "cpu" else self._w.cpu(), dtype=np.float32)

    def distance_from_orthogonal(self) -> float:
        """The largest entry of WᵀW - I."""
        return float(abs(self._w.T @ self._w - self._identity).max())

    def _pass(self, x: Any) -> tuple[Any, Any]:
        with np.errstate(over="ignore", invalid="ignore"):
            code = self._xp.asarray(x @ self._w.T > 0, dtype=self._xp.float32)
            return code, self._xp.tanh(code @ self._w + self._c)

    def _load(self, array: NDArray[np.float32]) -> Any:
        return array if self._settings.device == "cpu" else self._xp.asarray(array).to(self._settings.device)


def _torch() -> Any:
    with extra("train"):
        import torch
    if not torch.cuda.is_available():
        raise InvalidArgumentError("device=cuda, but torch finds no CUDA device: use device=cpu")
    return torch
