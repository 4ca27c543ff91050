"""A table of weights behind hashes, as every file format of this package is read into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

MAX_RANGE = 1 << 31
"""The largest range of hashes with 32 bits, of which one is the sign."""

Rows = Iterator[NDArray[Any]]
"""Blocks of consecutive rows, (any, d) each, that together are rows 0 to R - 1."""


@dataclass(frozen=True, eq=False)
class HashedModel:
    """Genuine rows of a table of `range` hashes.

    `hashes` are integers in [0, range), strictly increasing, n of them; `weights` is (n, d), float32 or float64,
    finite, no row all zero; `bias` has d numbers, and `labels` name the d dimensions. `settings` say how features are
    made, where a file says it. Raises InvalidArgumentError if something of this does not hold.
    """

    range: int
    hashes: NDArray[np.int64]
    weights: NDArray[Any]
    bias: NDArray[np.float64]
    labels: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.range <= MAX_RANGE:
            raise InvalidArgumentError(f"the range is {self.range}; it must be 1 to {MAX_RANGE}")
        weights = self.weights
        if weights.ndim != 2 or weights.dtype.kind != "f" or weights.shape[1] == 0:
            raise InvalidArgumentError("the weights must be real numbers, one row a hash, one column a label")
        if len(self.hashes) != len(weights):
            raise InvalidArgumentError(f"there are {len(self.hashes)} hashes, but {len(weights)} rows of weights")
        if len(self.bias) != weights.shape[1] or len(self.labels) != weights.shape[1]:
            raise InvalidArgumentError("weights, bias and labels must have the same number of dimensions")
        if not np.isfinite(self.bias).all():
            raise InvalidArgumentError("the bias has NaN or infinite numbers")
        self._check_hashes()
        if not (weights != 0).any(axis=1).all():
            raise InvalidArgumentError("a row of zeros is no row; leave it out")
        bad = np.flatnonzero(~np.isfinite(weights).all(axis=1))
        if len(bad):
            raise InvalidArgumentError(f"{len(bad)} rows have NaN or infinite weights, first hash {self._at(bad)}")

    def _check_hashes(self) -> None:
        bad = np.flatnonzero((self.hashes < 0) | (self.hashes >= self.range))
        if len(bad):
            raise InvalidArgumentError(f"{len(bad)} hashes are outside 0 to {self.range - 1}, first {self._at(bad)}")
        steps = np.diff(self.hashes)
        if (steps < 0).any():
            raise InvalidArgumentError("the hashes are not in increasing order")
        bad = np.flatnonzero(steps == 0)
        if len(bad):
            raise InvalidArgumentError(f"{len(bad)} hashes occur twice, first {self._at(bad)}")

    def _at(self, bad: NDArray[np.intp]) -> int:
        return int(self.hashes[bad[0]])

    @property
    def rows(self) -> int:
        """The number of genuine rows."""
        return len(self.hashes)

    @property
    def dimensions(self) -> int:
        """Weights of a row."""
        return int(self.weights.shape[1])

    @property
    def missing(self) -> int:
        """Hashes without a row, which privatizing fills in."""
        return self.range - self.rows


def sorted_model(
    size: int,
    hashes: NDArray[Any],
    weights: NDArray[Any],
    bias: NDArray[Any],
    labels: tuple[str, ...],
    settings: dict[str, Any] | None = None,
) -> HashedModel:
    """A model from rows in any order. Weights that are not float32 become float64. Raises InvalidArgumentError.

    Rows of zeros are left out, and zeros lose their sign: as no synthetic row has either, they would be seen to be
    genuine.
    """
    if hashes.ndim != 1 or hashes.dtype.kind not in "iu":
        raise InvalidArgumentError("the hashes must be one list of whole numbers")
    if weights.dtype != np.float32 and weights.dtype.kind in "iuf":
        weights = weights.astype(np.float64, copy=False)
    bias = np.asarray(bias)
    if bias.ndim != 1 or bias.dtype.kind not in "iuf":
        raise InvalidArgumentError("the bias must be real numbers, one a label")
    hashes = hashes.astype(np.int64, copy=False)
    if len(hashes) > 1 and (np.diff(hashes) < 0).any() and len(hashes) == len(weights):
        order = np.argsort(hashes, kind="stable")
        hashes, weights = hashes[order], weights[order]
    if weights.ndim == 2 and len(hashes) == len(weights) and not (present := (weights != 0).any(axis=1)).all():
        hashes, weights = hashes[present], weights[present]
    if weights.dtype.kind == "f" and (np.signbit(weights) & (weights == 0)).any():
        weights = weights + 0
    return HashedModel(size, hashes, weights, bias.astype(np.float64), labels, settings or {})


class ModelFile(Protocol):
    """A model that was read from a file, and how a file of the same kind is written with all rows."""

    @property
    def model(self) -> HashedModel:
        """The genuine rows."""
        ...

    @property
    def format(self) -> str:
        """One of `MODEL_FORMATS`."""
        ...

    def write(self, path: Path | str, rows: Rows) -> None:
        """Writes a complete model whose weights are `rows`; everything else is as it was read.

        Nothing or a whole file is at `path` afterwards. Raises WriteFailedError.
        """
        ...
