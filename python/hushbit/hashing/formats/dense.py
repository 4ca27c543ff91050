"""scikit-learn's dense coefficients as a sparse table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.hashing.table.model import HashedModel, sorted_model

# Relative to the largest weight of a label. Solvers that factor a matrix leave about 1e-15 (1e-7 in single precision)
# where a hash was not seen.
_ROUND_OFF = {"float64": 2.0**-40, "float32": 2.0**-18}


def model_of_coefficients(
    coefficients: NDArray[Any],
    intercept: NDArray[Any] | None,
    classes: NDArray[Any] | None,
    settings: dict[str, Any] | None = None,
) -> HashedModel:
    """The model of `coef_`, (d, R) or (R,): a hash has a row if one of its weights is not zero.

    Round-off counts as zero, in `coefficients` itself: or rows of it would be told from synthetic ones at a glance. Of
    two classes scikit-learn keeps the weights of the second only, which then is the label. Raises
    InvalidArgumentError.
    """
    table = np.atleast_2d(coefficients)
    if table.ndim != 2 or table.dtype.kind not in "iuf":
        raise InvalidArgumentError("coef_ must be real numbers, one row a class, one column a hash")
    dimensions, size = table.shape
    _clear_round_off(table)
    hashes = np.flatnonzero(table.any(axis=0)).astype(np.int64)
    bias = np.zeros(dimensions)
    if intercept is not None:
        if intercept.size not in (1, dimensions) or intercept.dtype.kind not in "iuf":
            raise InvalidArgumentError("intercept_ must have one number for each row of coef_")
        bias = bias + np.ravel(intercept)
    return sorted_model(size, hashes, table[:, hashes].T, bias, _labels(classes, dimensions), settings)


def _clear_round_off(table: NDArray[Any]) -> None:
    for row in table if table.dtype.name in _ROUND_OFF else ():
        largest = max(-row.min(initial=0), row.max(initial=0))
        if np.isfinite(largest):  # others are refused with the model
            row[np.abs(row) <= largest * _ROUND_OFF[table.dtype.name]] = 0


def _labels(classes: NDArray[Any] | None, dimensions: int) -> tuple[str, ...]:
    if classes is not None and classes.ndim != 1:
        raise InvalidArgumentError("classes_ must be one list of labels")
    if classes is None:
        return tuple(map(str, range(dimensions)))
    names = tuple(map(str, classes))
    if len(names) == 2 and dimensions == 1:
        return names[1:]
    if len(names) != dimensions:
        raise InvalidArgumentError(f"there are {len(names)} classes, but {dimensions} rows of coef_")
    return names
