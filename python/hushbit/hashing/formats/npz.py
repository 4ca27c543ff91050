"""Plain `.npz` models.

Either the arrays `range` (a number R), `hashes` (n), `weights` (n, d), and if wanted `bias` (d), `labels` (d, text) and
`settings` (JSON text); or scikit-learn's own `coef_` (d, R), `intercept_` and `classes_`, as
`np.savez("model.npz", coef_=m.coef_, intercept_=m.intercept_, classes_=m.classes_)` writes them, where a hash of zero
weights has no row. Nothing is ever unpickled.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.atomic import atomic_file
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.formats.arrays import open_zip, read_array, write_array, write_rows, zip_writer
from hushbit.hashing.formats.dense import model_of_coefficients
from hushbit.hashing.formats.estimators import TRANSFORMERS
from hushbit.hashing.table.model import HashedModel, Rows, sorted_model

_DENSE = {"coef_", "intercept_", "classes_"}
_SPARSE = {"range", "hashes", "weights", "bias", "labels", "settings"}


@dataclass(frozen=True, eq=False)
class NpzFile:
    """A plain `.npz` model, of either kind."""

    path: Path
    model: HashedModel
    kept: dict[str, NDArray[Any]]  # the arrays that stay as they are
    dense: bool
    format: str = "npz"

    def write(self, path: Path | str, rows: Rows) -> None:
        """Writes a complete model of the same kind. Raises WriteFailedError."""
        model = self.model
        size, dimensions, dtype = model.range, model.dimensions, model.weights.dtype
        with atomic_file(path) as file, zip_writer(file) as archive:
            for name, array in self.kept.items():
                write_array(archive, f"{name}.npy", array)
            if not self.dense:
                write_array(archive, "hashes.npy", np.arange(size, dtype=np.int64))
            with archive.open("coef_.npy" if self.dense else "weights.npy", "w", force_zip64=True) as member:
                shape = (dimensions, size) if self.dense else (size, dimensions)
                write_rows(member, rows, shape, dtype, transposed=self.dense)


def write_model(path: Path | str, model: HashedModel) -> None:
    """Writes a model, complete or not, as a plain `.npz`. Raises WriteFailedError."""
    with atomic_file(path) as file, zip_writer(file) as archive:
        for name, array in _described(model).items():
            write_array(archive, f"{name}.npy", array)
        write_array(archive, "hashes.npy", model.hashes)
        write_array(archive, "weights.npy", model.weights)


def read_npz(path: Path) -> NpzFile:
    """Reads a plain `.npz` model. Raises InputFileError, which names the file and the array."""
    with open_zip(path) as archive:
        arrays = {
            name.removesuffix(".npy"): read_array(archive, name, path)
            for name in archive.namelist()
            if name.endswith(".npy")
        }
    dense = "coef_" in arrays
    if unknown := arrays.keys() - (_DENSE if dense else _SPARSE):
        raise InputFileError(
            f"{path}: holds {len(unknown)} arrays beside {', '.join(sorted(_DENSE if dense else _SPARSE))}; they may "
            "tell which hashes are genuine, so take them out"
        )
    try:
        return _dense(path, arrays) if dense else _sparse(path, arrays)
    except InvalidArgumentError as error:
        raise InputFileError(f"{path}: {error}") from None


def _dense(path: Path, arrays: dict[str, NDArray[Any]]) -> NpzFile:
    model = model_of_coefficients(arrays["coef_"], arrays.get("intercept_"), arrays.get("classes_"))
    return NpzFile(path, model, {name: array for name, array in arrays.items() if name != "coef_"}, dense=True)


def _sparse(path: Path, arrays: dict[str, NDArray[Any]]) -> NpzFile:
    for name in ("range", "hashes", "weights"):
        if name not in arrays:
            raise InputFileError(f"{path}: has neither coef_ nor {name}; see docs/feature-hashing.md for the arrays")
    weights = arrays["weights"]
    if weights.ndim == 1:
        weights = weights[:, None]
    dimensions = weights.shape[-1] if weights.ndim == 2 else 0
    size = arrays["range"]
    if size.size != 1 or size.dtype.kind not in "iu":
        raise InputFileError(f"{path}: range must be one whole number")
    labels = _labels(path, arrays["labels"]) if "labels" in arrays else _numbered(dimensions)
    bias = np.atleast_1d(arrays.get("bias", np.zeros(dimensions)))
    settings = _settings(path, arrays.get("settings"))
    model = sorted_model(int(size.reshape(())), arrays["hashes"], weights, bias, labels, settings)
    return NpzFile(path, model, _described(model), dense=False)


def _described(model: HashedModel) -> dict[str, NDArray[Any]]:
    arrays = {"range": np.array(model.range), "bias": model.bias, "labels": np.array(model.labels)}
    if model.settings:
        arrays["settings"] = np.array(json.dumps(model.settings))
    return arrays


def _settings(path: Path, array: NDArray[Any] | None) -> dict[str, Any]:
    if array is None:
        return {}
    try:
        settings = json.loads(str(array.reshape(())))
    except ValueError:
        settings = None
    if not isinstance(settings, dict):
        raise InputFileError(f"{path}: settings must be the text of one JSON object")
    for name, value in settings.items():
        if name not in TRANSFORMERS["HashingVectorizer"] or not _is_setting(name, value):
            raise InputFileError(
                f"{path}: settings hold something that is no setting of a HashingVectorizer and may tell which hashes "
                "are genuine; take it out"
            )
    return settings


def _is_setting(name: str, value: Any) -> bool:
    """One number or text, two of them as in ngram_range, or a list of stop words."""
    if not isinstance(value, list):
        return not isinstance(value, dict)
    if name == "stop_words":
        return all(isinstance(word, str) for word in value)
    return len(value) <= 2 and not any(isinstance(item, list | dict) for item in value)


def _labels(path: Path, array: NDArray[Any]) -> tuple[str, ...]:
    if array.ndim != 1:
        raise InputFileError(f"{path}: labels must be one list")
    return tuple(map(str, array))


def _numbered(dimensions: int) -> tuple[str, ...]:
    return tuple(map(str, range(dimensions)))
