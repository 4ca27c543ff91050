"""scikit-learn's dense coefficients as a sparse table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.hashing.model import HashedModel, sorted_model


def model_of_coefficients(
    coefficients: NDArray[Any],
    intercept: NDArray[Any] | None,
    classes: NDArray[Any] | None,
    settings: dict[str, Any] | None = None,
) -> HashedModel:
    """The model of `coef_`, (d, R) or (R,): a hash has a row if one of its weights is not zero.

    Of two classes scikit-learn keeps the weights of the second only, which then is the label. Raises
    InvalidArgumentError.
    """
    table = np.atleast_2d(coefficients)
    if table.ndim != 2 or table.dtype.kind not in "iuf":
        raise InvalidArgumentError("coef_ must be real numbers, one row a class, one column a hash")
    dimensions, size = table.shape
    hashes = np.flatnonzero(table.any(axis=0)).astype(np.int64)
    bias = np.zeros(dimensions)
    if intercept is not None:
        if intercept.size not in (1, dimensions) or intercept.dtype.kind not in "iuf":
            raise InvalidArgumentError("intercept_ must have one number for each row of coef_")
        bias = bias + np.ravel(intercept)
    return sorted_model(size, hashes, table[:, hashes].T, bias, _labels(classes, dimensions), settings)


def _labels(classes: NDArray[Any] | None, dimensions: int) -> tuple[str, ...]:
    if classes is None or classes.ndim != 1:
        return tuple(map(str, range(dimensions)))
    names = tuple(map(str, classes))
    if len(names) == 2 and dimensions == 1:
        return names[1:]
    if len(names) != dimensions:
        raise InvalidArgumentError(f"there are {len(names)} classes, but {dimensions} rows of coef_")
    return names
