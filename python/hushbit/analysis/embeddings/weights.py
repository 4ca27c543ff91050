"""The file of a classifier's weights, and its exact scores (docs/embedding.md)."""

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit._plumbing.atomic import write_atomically
from hushbit.errors import InvalidArgumentError

_FORMAT = "hushbit-classifier"
_VERSION = 1
_FIELDS = ("format", "version", "hash", "dimensions", "fraction_bits", "classes", "weights", "biases")
_LARGEST = (1 << 31) - 1
_MOST_CLASSES = 1000
_MOST_NAME_BYTES = 200
_MOST_DIMENSIONS = 64
_VECTOR_BITS = 24  # bits of the largest number of a vector that is scored
_HASH_DIGITS = 64


@dataclass(frozen=True)
class Weights:
    """A linear classifier in integers. Equal weights give equal scores on every platform.

    Raises InvalidArgumentError for sizes and magnitudes that the format does not allow.
    """

    hash: str
    """The hash of what vectors come from: `embedder.info.hash`, 64 hexadecimal digits."""
    classes: tuple[str, ...]
    """2 to 1,000 different names."""
    fraction_bits: int
    """f: numbers are in units of 2^-f, 0 to 62."""
    weights: NDArray[np.int64]
    """(classes, d), magnitudes below 2^31."""
    biases: NDArray[np.int64]
    """(classes,), magnitudes below 2^31."""

    def __post_init__(self) -> None:
        problem = _problem(self)
        if problem is not None:
            raise InvalidArgumentError(f"weights cannot be used: {problem}")

    @classmethod
    def rounded(
        cls,
        hash: str,  # noqa: A002
        classes: Sequence[str],
        weights: ArrayLike,
        biases: ArrayLike,
    ) -> "Weights":
        """The integers nearest to finite real weights (classes, d) and biases (classes,), as finely as they fit.

        The mean over the classes is subtracted from both, which changes no decision and no probability.
        """
        both = np.column_stack([np.asarray(weights, dtype=np.float64), np.asarray(biases, dtype=np.float64)])
        if not np.isfinite(both).all():
            raise InvalidArgumentError("weights and biases must be finite")
        both -= both.mean(axis=0)
        largest = float(np.abs(both).max(initial=0.0))
        bits = 0 if largest == 0 else min(max(30 - math.frexp(largest)[1], 0), 62)
        scaled = np.rint(np.ldexp(both, bits))
        if np.abs(scaled).max(initial=0.0) > _LARGEST:
            raise InvalidArgumentError(f"a weight of {largest:g} is too large; it must be below 2^31")
        integers = scaled.astype(np.int64)
        return cls(hash, tuple(classes), bits, integers[:, :-1], integers[:, -1])

    @property
    def dimensions(self) -> int:
        """d."""
        return int(self.weights.shape[1])

    def scores(self, vectors: ArrayLike) -> NDArray[np.int64]:
        """The exact scores of clean vectors, integers (texts, d), as int64 (texts, classes)."""
        scaled, _ = self._scaled(vectors)
        lengths = _lengths(scaled)
        return np.asarray(scaled @ self.weights.T + lengths[:, None] * self.biases)

    def log_odds(self, vectors: ArrayLike) -> NDArray[np.float64]:
        """The scores as logarithms of probabilities, up to a number for each text: (texts, classes)."""
        scaled, _ = self._scaled(vectors)
        return np.ldexp(self.scores(vectors) / _lengths(scaled)[:, None], -self.fraction_bits)

    def _scaled(self, vectors: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        found = np.asarray(vectors, dtype=np.int64)
        if found.ndim != 2 or found.shape[1] != self.dimensions:
            raise InvalidArgumentError(f"vectors {found.shape} do not fit weights of {self.dimensions} dimensions")
        return scaled_vectors(found)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, all of it or nothing. Raises OSError."""
        rows = ",\n  ".join(json.dumps(row) for row in self.weights.tolist())
        head = json.dumps(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "hash": self.hash,
                "dimensions": self.dimensions,
                "fraction_bits": self.fraction_bits,
                "classes": list(self.classes),
            },
            indent=1,
            ensure_ascii=False,
        )
        text = f'{head[:-2]},\n "weights": [\n  {rows}\n ],\n "biases": {json.dumps(self.biases.tolist())}\n}}\n'
        write_atomically(Path(path), text.encode())

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, hash: str | None = None) -> "Weights":  # noqa: A002
        """Reads a file that `write` or another program wrote.

        With `hash`, that of an embedder's info, weights that were learned with another bundle are refused. Raises
        OSError, and InvalidArgumentError that says what is wrong with the file.
        """
        found = cls._parsed(Path(path))
        if hash is not None and found.hash != hash:
            raise InvalidArgumentError(
                f"{path}: these weights were learned with the bundle or projection {found.hash[:12]}…, not with "
                f"{hash[:12]}…: open that one, or learn again"
            )
        return found

    @classmethod
    def _parsed(cls, path: Path) -> "Weights":
        try:
            document: Any = json.loads(path.read_bytes().decode())
        except (ValueError, RecursionError):
            raise InvalidArgumentError(f"{path}: no JSON document in UTF-8") from None
        if not isinstance(document, dict) or document.get("format") != _FORMAT:
            raise InvalidArgumentError(f'{path}: no weights of a classifier: "format" must be "{_FORMAT}"')
        if document.get("version") != _VERSION:
            raise InvalidArgumentError(f"{path}: version {document.get('version')!r}; this program reads {_VERSION}")
        if set(document) != set(_FIELDS):
            odd = sorted(set(document) ^ set(_FIELDS))
            raise InvalidArgumentError(f"{path}: missing or unknown fields: {', '.join(odd)}")
        try:
            weights = _integers(document["weights"], 2)
            biases = _integers(document["biases"], 1)
            found = cls(document["hash"], tuple(document["classes"]), document["fraction_bits"], weights, biases)
            if document["dimensions"] != found.dimensions:
                raise InvalidArgumentError(f"dimensions is {document['dimensions']!r}, rows have {found.dimensions}")
        except (InvalidArgumentError, TypeError) as error:
            raise InvalidArgumentError(f"{path}: {error}") from None
        return found


def scaled_vectors(vectors: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Vectors (texts, d) times a power of two each, so that the largest magnitude has 24 bits; and the exponents.

    Division truncates toward zero. Zeros stay zeros.
    """
    largest = np.abs(vectors).max(axis=1, initial=0)
    bits = np.array([int(number).bit_length() for number in largest], dtype=np.int64)
    shift = np.where(largest > 0, _VECTOR_BITS - bits, 0)
    up, down = np.maximum(shift, 0)[:, None], np.maximum(-shift, 0)[:, None]
    scaled = np.sign(vectors) * ((np.abs(vectors) << up) >> down)
    return scaled, shift


def _lengths(scaled: NDArray[np.int64]) -> NDArray[np.int64]:
    """⌊|v|⌋ of each row, and 1 for zeros."""
    squares = (scaled**2).sum(axis=1)
    return np.array([max(math.isqrt(int(square)), 1) for square in squares], dtype=np.int64)


def _integers(rows: Any, depth: int) -> NDArray[np.int64]:
    flat = [number for row in rows for number in row] if depth == 2 else list(rows)
    if not all(type(number) is int and abs(number) <= _LARGEST for number in flat):
        raise InvalidArgumentError("weights and biases must be integers below 2^31")
    if depth == 2 and len({len(row) for row in rows}) != 1:
        raise InvalidArgumentError("all rows of weights must be equally long")
    return np.array(rows, dtype=np.int64)


def _problem(found: Weights) -> str | None:
    """What the format does not allow, or None."""
    count = len(found.classes)
    names = [name.encode() if isinstance(name, str) else b"" for name in found.classes]
    checks = {
        f"hash must be {_HASH_DIGITS} lower-case hexadecimal digits": isinstance(found.hash, str)
        and len(found.hash) == _HASH_DIGITS
        and set(found.hash) <= set("0123456789abcdef"),
        f"there must be 2 to {_MOST_CLASSES} classes": 2 <= count <= _MOST_CLASSES,
        f"names of classes must differ, and be 1 to {_MOST_NAME_BYTES} bytes long": len(set(names)) == count
        and all(1 <= len(name) <= _MOST_NAME_BYTES for name in names),
        "fraction_bits must be an integer from 0 to 62": type(found.fraction_bits) is int
        and 0 <= found.fraction_bits <= 62,
        f"there must be a row of 1 to {_MOST_DIMENSIONS} weights and a bias for each class": found.weights.ndim == 2
        and found.weights.shape[0] == count
        and 1 <= found.weights.shape[1] <= _MOST_DIMENSIONS
        and found.biases.shape == (count,),
        "weights and biases must be below 2^31": bool(
            (np.abs(found.weights) <= _LARGEST).all() and (np.abs(found.biases) <= _LARGEST).all()
        ),
    }
    return next((what for what, holds in checks.items() if not holds), None)
