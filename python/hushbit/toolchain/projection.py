"""Projections: how vectors of a sentence encoder become short integer vectors for embeddings of whole texts.

A projection is learned from vectors of public texts, which nobody must protect: their mean is subtracted, since it says
nothing of what a text is about, and their principal axes are scaled so that texts vary alike along all of them. It is
a small public file (docs/bundle-format.md), and the promise holds whatever is in it.
"""

import hashlib
import math
import struct

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.rounding import on_grid
from hushbit.toolchain.embedding import DIMENSIONS, rotation, with_signs

DIRECTIONS = 1 << 14
MOST_NUMBERS = 4096
_MAGIC = b"\x89HSP\r\n\x1a\n"
_VERSION = 1
_HEAD = struct.Struct("<8sIIIIQi28s")
_QUANTIZED_BITS = 24  # bits of the largest number that is not cut
_HEADROOM_BITS = 3  # numbers up to 8 times the largest of the public vectors are not cut
_LARGEST_ENTRY = (1 << 15) - 1
_MOST_SCALE_BITS = 60
_RANK = 1e-5  # axes that vary less, compared with the first, are not told apart from rounding


def learn_projection(
    vectors: ArrayLike, dimensions: int = DIMENSIONS, *, directions: int = DIRECTIONS, seed: int = 0
) -> bytes:
    """The bytes of a projection file, learned from vectors of public texts, (texts, n).

    `dimensions` is d, a multiple of 8 from 8 to 64 and at most n; `directions` is K, 2 to 65,536, of which one is
    released; they are made from `seed`. Take vectors of the encoder and of the kind of texts that the app will embed:
    10·n texts are plenty. The same vectors give the same bytes with every version of numpy, but for rounding in 1 of
    10⁹ cases.

    Raises InvalidArgumentError for vectors that are not finite or vary along fewer than d axes, and for sizes that are
    out of range.
    """
    found = np.asarray(vectors, dtype=np.float64)
    _check(found, dimensions, directions, seed)
    scale_bits = _scale_bits(float(np.abs(found).max()))
    mean = on_grid(found.mean(axis=0))
    centered = found - mean
    values, axes = np.linalg.eigh(on_grid(centered.T @ centered / len(centered)))
    order = np.argsort(-values, kind="stable")[:dimensions]
    if values[order[-1]] <= _RANK * values[order[0]]:
        raise InvalidArgumentError(f"the vectors vary along fewer than {dimensions} axes: give more of them")
    matrix = rotation(dimensions) @ (with_signs(axes[:, order].T) / np.sqrt(values[order])[:, None])
    integers = np.rint(on_grid(matrix * (_LARGEST_ENTRY / np.abs(matrix).max())))
    head = _HEAD.pack(_MAGIC, _VERSION, found.shape[1], dimensions, directions, seed, scale_bits, bytes(28))
    quantized = np.rint(np.ldexp(mean, scale_bits)).astype("<i4")
    data = head + quantized.tobytes() + integers.astype("<i2").tobytes()
    return data + hashlib.sha256(data).digest()


def _check(vectors: NDArray[np.float64], dimensions: int, directions: int, seed: int) -> None:
    if vectors.ndim != 2 or len(vectors) < 2 or not 1 <= vectors.shape[1] <= MOST_NUMBERS:
        raise InvalidArgumentError(f"vectors are {vectors.shape}; they must be (texts, 1 to {MOST_NUMBERS} numbers)")
    if not np.isfinite(vectors).all() or not vectors.any():
        raise InvalidArgumentError("the vectors must be finite numbers, and not all 0")
    if dimensions not in range(8, 65, 8) or dimensions > vectors.shape[1]:
        raise InvalidArgumentError(
            f"{dimensions} dimensions are not possible: a multiple of 8 from 8 to 64, at most {vectors.shape[1]}"
        )
    if not 2 <= directions <= 1 << 16 or not 0 <= seed < 1 << 64:
        raise InvalidArgumentError(f"directions must be 2 to 65536, and the seed below 2^64: {directions}, {seed}")


def _scale_bits(largest: float) -> int:
    """The power of two by which numbers are multiplied before they become integers."""
    bits = _QUANTIZED_BITS - _HEADROOM_BITS - math.frexp(largest)[1]
    if not -_MOST_SCALE_BITS <= bits <= _MOST_SCALE_BITS:
        raise InvalidArgumentError(f"the largest number of the vectors is {largest:g}: scale them to about 1")
    return bits
