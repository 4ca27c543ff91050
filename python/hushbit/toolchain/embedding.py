"""What a bundle needs for private embeddings of whole texts: a weight for each output word and a matrix for codes.

The vector of a text is A · Σ s(w)·c(w) over its known words, c the code of the stand-in as ±1. The weights s are those
of smooth inverse frequency (Arora, Liang and Ma 2017): frequent words say less. A is made in three steps, each because
noise is equally large in all directions:

- What most texts share is left out, since it says nothing of what one is about: the mean code of a text is projected
  out, and the first two principal axes of the codes of a text's words are dropped.
- The next axes are scaled so that words vary alike along all of them.
- The axes are rotated so that texts vary alike along every coordinate: from signs nobody could learn otherwise.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.rounding import on_grid

DIMENSIONS = 32
SMOOTHING = 1e-3
"""The frequency at which a word has half of the weight of a rare one."""
_DROPPED = 2  # axes
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

    The same arguments give the same numbers with every version of numpy, but for rounding in 1 of 10⁹ cases. The
    matrix has fewer independent rows where the codes have fewer axes than `dimensions`, and is 0 where they have none.

    Raises InvalidArgumentError for codes and probabilities of different lengths, and for impossible probabilities.
    """
    shares = _shares(codes, probabilities)
    weights = word_weights(shares)
    return _matrix(codes, shares, weights, dimensions), weights


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


def _matrix(
    codes: NDArray[np.integer], shares: NDArray[np.float64], weights: NDArray[np.uint8], dimensions: int
) -> NDArray[np.int16]:
    # A text of independent words has the mean Σ p·s·c, and the covariance Σ p·s²·c·cᵀ about it.
    mean = _mean_code(codes, shares * weights)
    squares = shares * weights.astype(np.float64) ** 2
    moments = _second_moments(codes, squares / squares.sum())
    length = float(np.sqrt(mean @ mean))
    if length > 0:
        unit = mean / length
        moments -= np.outer(unit, unit @ moments)
        moments -= np.outer(moments @ unit, unit)
    values, axes = np.linalg.eigh(on_grid((moments + moments.T) / 2))
    order = np.argsort(-values, kind="stable")[_DROPPED : _DROPPED + dimensions]
    kept = order[values[order] > _RANK * max(values.max(), 1.0)]
    matrix = np.zeros((dimensions, axes.shape[0]))
    matrix[: len(kept)] = with_signs(axes[:, kept].T) / np.sqrt(values[kept])[:, None]
    matrix = rotation(dimensions) @ matrix
    return np.rint(on_grid(matrix * (_LARGEST_ENTRY / max(np.abs(matrix).max(), 1e-300)))).astype(np.int16)


def _blocks(codes: NDArray[np.integer]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Some rows at a time, as ±1."""
    for first in range(0, len(codes), _BLOCK_ROWS):
        rows = slice(first, first + _BLOCK_ROWS)
        bits = np.unpackbits(codes[rows].astype(np.uint8), axis=1, bitorder="little")
        yield rows, bits.astype(np.float64) * 2 - 1


def _mean_code(codes: NDArray[np.integer], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(bits,)"""
    total = np.zeros(codes.shape[1] * 8)
    for rows, signs in _blocks(codes):
        total += shares[rows] @ signs
    return np.asarray(total / shares.sum())


def _second_moments(codes: NDArray[np.integer], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(bits, bits): the mean product of every two bits."""
    moments = np.zeros((codes.shape[1] * 8,) * 2)
    for rows, signs in _blocks(codes):
        moments += (signs * shares[rows, None]).T @ signs
    return moments


def rotation(dimensions: int) -> NDArray[np.float64]:
    """The orthonormal matrix of the discrete Hartley transform: no entry is large."""
    angles = 2 * np.pi / dimensions * (np.outer(np.arange(dimensions), np.arange(dimensions)) % dimensions)
    return np.asarray((np.cos(angles) + np.sin(angles)) / np.sqrt(dimensions))


def with_signs(axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same axes, each in the direction in which its entry of largest magnitude is positive."""
    rounded = np.abs(on_grid(axes))
    largest = axes[np.arange(len(axes)), rounded.argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None]
