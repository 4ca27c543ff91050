"""scikit-learn linear models in `.skops` files.

Such a file is a zip of arrays and of `schema.json`, which says where they belong. It is read as that: no class is
imported, no object made, nothing unpickled. What is written is made anew from what is known (see skops_schema.py).
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushbit._plumbing.atomic import atomic_file
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.formats.arrays import open_zip, write_array, write_rows, zip_writer
from hushbit.hashing.formats.dense import model_of_coefficients
from hushbit.hashing.formats.skops_nodes import UnknownNodeError
from hushbit.hashing.formats.skops_schema import COEFFICIENTS, Released, release
from hushbit.hashing.table.model import HashedModel, Rows

_SCHEMA = "schema.json"


@dataclass(frozen=True, eq=False)
class SkopsFile:
    """A `.skops` file with one linear model in it, alone or in a pipeline."""

    path: Path
    model: HashedModel
    released: Released
    flat: bool  # coef_ is (R,)
    format: str = "skops"

    def write(self, path: Path | str, rows: Rows) -> None:
        """Writes the complete model. Raises WriteFailedError."""
        model = self.model
        with atomic_file(path) as file, zip_writer(file) as archive:
            for name, array in self.released.arrays.items():
                write_array(archive, name, array)
            with archive.open(COEFFICIENTS, "w", force_zip64=True) as member:
                shape = (model.range,) if self.flat else (model.dimensions, model.range)
                write_rows(member, rows, shape, model.weights.dtype, transposed=not self.flat)
            archive.writestr(_SCHEMA, json.dumps(self.released.schema, indent=2))


def read_skops(path: Path) -> SkopsFile:
    """Reads a `.skops` file.

    Raises InputFileError if it has not exactly one linear model with dense coefficients, or anything that is not known.
    """
    try:
        with open_zip(path) as archive:
            return _read(archive, path)
    except InvalidArgumentError as error:
        raise InputFileError(f"{path}: {error}") from None
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, UnknownNodeError, ValueError):
        raise InputFileError(f"{path}: {_SCHEMA} is damaged") from None  # not what skops writes


def _read(archive: zipfile.ZipFile, path: Path) -> SkopsFile:
    found = release(archive, _schema(archive, path), path)
    if len(found.coefficients) != 1:
        raise InputFileError(
            f"{path}: holds {len(found.coefficients)} fitted linear models; save one, alone or in a pipeline with its "
            "vectorizer"
        )
    coefficients = found.coefficients.pop()
    model = model_of_coefficients(coefficients, found.intercept, found.classes, found.settings)
    for owner, features in found.features.items():
        if features != model.range:
            raise InputFileError(f"{path}: {owner} is for {features} features, but the model has {model.range}")
    return SkopsFile(path, model, found, coefficients.ndim == 1)


def _schema(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        schema = json.loads(archive.read(_SCHEMA))
    except KeyError:
        raise InputFileError(f"{path}: has no {_SCHEMA}, so it is no .skops file") from None
    except (ValueError, RecursionError):
        raise InputFileError(f"{path}: {_SCHEMA} is not JSON") from None
    if not isinstance(schema, dict):
        raise InputFileError(f"{path}: {_SCHEMA} is not a JSON object")
    return schema
