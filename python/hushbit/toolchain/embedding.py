"""What a bundle needs for private embeddings of whole texts: a weight for each output word and a matrix for codes.

The vector of a text is A · Σ s(w)·c(w) over its known words, c the code of the stand-in as ±1. The weights s are those
of smooth inverse frequency (Arora, Liang and Ma 2017): frequent words say less. The rows of A are the principal axes of
the codes of a text's words, scaled so that all vary alike, since noise is equally large along every axis.
"""

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.rounding import on_grid

DIMENSIONS = 32
SMOOTHING = 1e-3
"""The frequency at which a word has half of the weight of a rare one."""
_LARGEST_WEIGHT = 255
_LARGEST_ENTRY = 4095
_BLOCK_ROWS = 1 << 14
_RANK = 1e-6  # axes that vary less, compared with the first, are not told apart from rounding


def embedding_of(
    codes: NDArray[np.integer], probabilities: NDArray[np.floating], dimensions: int = DIMENSIONS
) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """The matrix A, int16 (dimensions, bits), and the weights, uint8 (Y,), 1 to 255, of Y output words.

    `codes` are of the output words, uint8 (Y, bits / 8), as `Bundle.code` packs them. `probabilities` (Y,) is how often
    each is typed, up to a factor; public knowledge, never counted in texts of people.

    The same arguments give the same numbers with every version of numpy, but for rounding in 1 of 10⁹ cases. A matrix
    has rows of zeros where the codes have fewer axes than `dimensions`.

    Raises InvalidArgumentError for codes and probabilities of different lengths, and for impossible probabilities.
    """
    shares = _shares(codes, probabilities)
    weights = word_weights(shares)
    return _matrix(codes, shares * weights, dimensions), weights


def word_weights(shares: NDArray[np.float64], smoothing: float = SMOOTHING) -> NDArray[np.uint8]:
    """The weight s of each word, 1 to 255: a / (a + p), scaled so that the largest is 255."""
    raw = smoothing / (smoothing + shares)
    scaled = np.rint(on_grid(raw * (_LARGEST_WEIGHT / raw.max())))
    weights: NDArray[np.uint8] = np.clip(scaled, 1, _LARGEST_WEIGHT).astype(np.uint8)
    return weights


def _shares(codes: NDArray[np.integer], probabilities: NDArray[np.floating]) -> NDArray[np.float64]:
    shares = np.asarray(probabilities, dtype=np.float64)
    if codes.ndim != 2 or shares.shape != (len(codes),) or len(codes) == 0:
        raise InvalidArgumentError(
            f"codes {codes.shape} and probabilities {shares.shape} must be of as many words, 1 or more"
        )
    if not (np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0):
        raise InvalidArgumentError("the probabilities of words must be finite, 0 or more, and not all 0")
    return np.asarray(shares / shares.sum())


def _matrix(codes: NDArray[np.integer], shares: NDArray[np.float64], dimensions: int) -> NDArray[np.int16]:
    values, axes = np.linalg.eigh(on_grid(_second_moments(codes, shares / shares.sum())))
    order = np.argsort(-values, kind="stable")[:dimensions]
    kept = order[values[order] > _RANK * values.max()]
    matrix = np.zeros((dimensions, axes.shape[0]))
    matrix[: len(kept)] = _with_signs(axes[:, kept].T) / np.sqrt(values[kept])[:, None]
    return np.rint(on_grid(matrix * (_LARGEST_ENTRY / np.abs(matrix).max()))).astype(np.int16)


def _second_moments(codes: NDArray[np.integer], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(bits, bits): the mean product of every two bits, as ±1."""
    bits = codes.shape[1] * 8
    moments = np.zeros((bits, bits))
    for first in range(0, len(codes), _BLOCK_ROWS):
        signs = np.unpackbits(codes[first : first + _BLOCK_ROWS].astype(np.uint8), axis=1, bitorder="little") * 2.0 - 1
        moments += (signs * shares[first : first + _BLOCK_ROWS, None]).T @ signs
    return moments


def _with_signs(axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same axes, each in the direction in which its entry of largest magnitude is positive."""
    rounded = np.abs(on_grid(axes))
    largest = axes[np.arange(len(axes)), rounded.argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None]
