"""scikit-learn linear models in `.skops` files.

Such a file is a zip of arrays and of `schema.json`, which says where they belong. It is read as that: no class is
imported, no object made, nothing unpickled. On writing, everything but the coefficients is copied byte for byte.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hushbit._atomic import atomic_file
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.arrays import open_zip, read_array, write_rows, zip_writer
from hushbit.hashing.dense import model_of_coefficients
from hushbit.hashing.model import HashedModel, Rows

_SCHEMA = "schema.json"
# Copies of the coefficients that training would go on from; a released model does without.
_TRAINING_STATE = ("_standard_coef", "_average_coef", "_standard_intercept", "_average_intercept", "standard_coef_",
                   "average_coef_", "standard_intercept_", "average_intercept_")  # fmt: skip
_SHORT = 64  # entries, up to which a list in the schema may be settings
# Settings of HashingVectorizer that say how features are made.
_SETTINGS = ("analyzer", "lowercase", "strip_accents", "token_pattern", "ngram_range", "stop_words", "tokenizer",
             "preprocessor", "alternate_sign", "n_features")  # fmt: skip


@dataclass(frozen=True, eq=False)
class SkopsFile:
    """A `.skops` file with one linear model in it, alone or in a pipeline."""

    path: Path
    model: HashedModel
    schema: dict[str, Any]
    coefficients: str  # the member that holds coef_
    flat: bool  # coef_ is (R,)
    format: str = "skops"

    def write(self, path: Path | str, rows: Rows) -> None:
        """Writes the complete model. Raises BundleWriteError."""
        model = self.model
        with zipfile.ZipFile(self.path) as old, atomic_file(path) as file, zip_writer(file) as archive:
            for name in sorted(_members(self.schema) - {self.coefficients}):
                with old.open(name) as source, archive.open(name, "w") as target:
                    shutil.copyfileobj(source, target)
            with archive.open(self.coefficients, "w", force_zip64=True) as member:
                shape = (model.range,) if self.flat else (model.dimensions, model.range)
                write_rows(member, rows, shape, model.weights.dtype, transposed=not self.flat)
            archive.writestr(_SCHEMA, json.dumps(self.schema, indent=2))


def read_skops(path: Path) -> SkopsFile:
    """Reads a `.skops` file. Raises InputFileError if it has not exactly one linear model with dense coefficients."""
    try:
        with open_zip(path) as archive:
            return _read(archive, path)
    except InvalidArgumentError as error:
        raise InputFileError(f"{path}: {error}") from None
    except (AttributeError, IndexError, KeyError, TypeError):  # something in the schema is not what skops writes
        raise InputFileError(f"{path}: {_SCHEMA} is damaged") from None


def _read(archive: zipfile.ZipFile, path: Path) -> SkopsFile:
    schema = _schema(archive, path)
    state = _linear_model(schema, path)
    for name in _TRAINING_STATE:
        _drop(state, name)
    content = state["content"]
    coefficients = _array(archive, content["coef_"], path)
    intercept = _array(archive, content["intercept_"], path) if "intercept_" in content else None
    classes = _classes(archive, content["classes_"], path) if "classes_" in content else None
    member = content["coef_"]["file"]
    _check_others(archive, _members(schema) - {member}, coefficients.shape[-1], path)
    _check_schema(schema, coefficients.shape[-1], path)
    settings = _vectorizer_settings(schema, path)
    model = model_of_coefficients(coefficients, intercept, classes, settings)
    features = settings.get("n_features", model.range)
    if features != model.range:
        raise InputFileError(f"{path}: the vectorizer makes {features} features, but the model has {model.range}")
    return SkopsFile(path, model, schema, member, coefficients.ndim == 1)


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


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object in a schema, from the outside in."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack += list(node.values())
        elif isinstance(node, list):
            stack += node


def _state(node: dict[str, Any]) -> dict[str, Any] | None:
    """The attributes of an object's node, as the node of their dictionary."""
    state = node.get("content") if node.get("__loader__") == "ObjectNode" else None
    return state if isinstance(state, dict) and isinstance(state.get("content"), dict) else None


def _linear_model(schema: dict[str, Any], path: Path) -> dict[str, Any]:
    states = [state for node in _nodes(schema) if (state := _state(node)) and "coef_" in state["content"]]
    if len(states) != 1:
        raise InputFileError(
            f"{path}: holds {len(states)} fitted linear models; save one, alone or in a pipeline with its vectorizer"
        )
    return states[0]


def _array(archive: zipfile.ZipFile, node: Any, path: Path) -> Any:
    if not isinstance(node, dict) or node.get("type") != "numpy" or not isinstance(node.get("file"), str):
        raise InputFileError(f"{path}: the coefficients must be a dense array; call densify() before saving")
    return read_array(archive, node["file"], path)


def _classes(archive: zipfile.ZipFile, node: Any, path: Path) -> Any:
    """Labels may be an array, or, if they are text in Python objects, as from pandas, a list in the schema."""
    if isinstance(node, dict) and node.get("type") == "json":
        return np.array([str(_plain(item, path)) for item in node["content"]])
    return _array(archive, node, path)


def _drop(state: dict[str, Any], name: str) -> None:
    """Takes an attribute out; the types of the keys are a list beside it."""
    if name not in state["content"]:
        return
    position = list(state["content"]).index(name)
    del state["content"][name]
    del state["key_types"]["content"][position]


def _members(schema: dict[str, Any]) -> set[str]:
    return {node["file"] for node in _nodes(schema) if isinstance(node.get("file"), str)}


def _check_others(archive: zipfile.ZipFile, names: set[str], size: int, path: Path) -> None:
    """Another array with something for every hash would say which hashes are genuine."""
    for name in names:
        if not name.endswith(".npy"):
            raise InputFileError(f"{path}: holds {name}, which is no plain array; save the model without it")
        array = read_array(archive, name, path)
        if size in array.shape and array.size > 1:
            raise _told(path, size)


def _check_schema(schema: dict[str, Any], size: int, path: Path) -> None:
    """The same for lists, and no words of the training data may be there."""
    for node in _nodes(schema):
        if "vocabulary_" in node:
            raise InputFileError(f"{path}: holds the vocabulary of a vectorizer, so its features are not hashed")
        if any(isinstance(part, list | dict) and len(part) >= max(size, _SHORT) for part in node.values()):
            raise _told(path, size)


def _told(path: Path, size: int) -> InputFileError:
    return InputFileError(
        f"{path}: beside coef_, something else has {size} entries and may tell which hashes are genuine; "
        "save the model without it"
    )


def _vectorizer_settings(schema: dict[str, Any], path: Path) -> dict[str, Any]:
    found = [node for node in _nodes(schema) if node.get("__class__") == "HashingVectorizer"]
    states = [state for node in found if (state := _state(node))]
    if not states:
        return {}
    return {name: _plain(states[0]["content"][name], path) for name in _SETTINGS if name in states[0]["content"]}


def _plain(node: dict[str, Any], path: Path) -> Any:
    """The value of a node that holds JSON or a tuple of it; of others just that there is one."""
    if node.get("__loader__") == "JsonNode":
        try:
            return json.loads(node["content"])
        except (ValueError, TypeError, KeyError):
            raise InputFileError(f"{path}: {_SCHEMA} is damaged") from None
    if node.get("__loader__") in ("TupleNode", "ListNode"):
        return [_plain(item, path) for item in node["content"]]
    return "custom"
