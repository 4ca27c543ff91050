"""The schema of a `.skops` file, made anew from what is known of it (see estimators.py), and the arrays it names."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InputFileError
from hushbit.hashing.formats import estimators
from hushbit.hashing.formats.arrays import read_array
from hushbit.hashing.formats.skops_nodes import (
    Node,
    Scalar,
    UnknownNodeError,
    attributes,
    items,
    mapping,
    new_array,
    new_items,
    new_mapping,
    new_object,
    new_reference,
    new_scalar,
    new_text_array,
    scalar,
)

COEFFICIENTS = "coef_.npy"
_PLAIN_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}")


@dataclass(eq=False)
class Released:
    """What may be released of a schema, and what was found on the way."""

    schema: Node = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)  # arrays by the names of their members, without coef_
    coefficients: list[NDArray[Any]] = field(default_factory=list)  # the coefficients of every fitted linear model
    intercept: NDArray[Any] | None = None
    classes: NDArray[Any] | None = None
    settings: dict[str, Any] = field(default_factory=dict)  # the settings of the vectorizer
    features: dict[str, Scalar] = field(default_factory=dict)  # how many each class says it was fitted on


def release(archive: zipfile.ZipFile, schema: Node, path: Path) -> Released:
    """Walks a schema. Raises InputFileError for what is not known, by name.

    A damaged schema raises what reading a wrong type or key raises.
    """
    walk = _Walk(archive, path)
    protocol, version = schema["protocol"], schema["_skops_version"]
    if type(protocol) is not int or not _PLAIN_VERSION.fullmatch(version):
        raise TypeError
    walk.found.schema = {**walk.estimator(schema), "protocol": protocol, "_skops_version": version}
    return walk.found


class _Walk:
    def __init__(self, archive: zipfile.ZipFile, path: Path) -> None:
        self._archive = archive
        self._path = path
        self.found = Released()

    def estimator(self, node: Node) -> Node:
        name, module = node["__class__"], node["__module__"]
        if node["__loader__"] == "ObjectNode" and module.split(".")[0] == "sklearn":
            if name == "Pipeline":
                return self._object(node, self._of_pipeline)
            if name in estimators.TRANSFORMERS:
                return self._object(node, self._of_transformer)
            if name in estimators.LINEAR_MODELS:
                return self._object(node, self._of_linear_model)
        raise InputFileError(
            f"{self._path}: holds a {_printable(name)}, which may tell which hashes are genuine; "
            f"{estimators.advice_on_class(name)}"
        )

    def _object(self, node: Node, rule: Callable[[str, str, Node], Node | None]) -> Node:
        """An object whose attributes are what `rule` makes of the old ones; those without a result are left out."""
        owner = node["__class__"]
        kept: dict[str, Node] = {}
        for name, value in attributes(node).items():
            try:
                new = self._version(value) if name == "_sklearn_version" else rule(owner, name, value)
            except UnknownNodeError:
                raise InputFileError(
                    f"{self._path}: {owner} has an attribute {_printable(name)}, which is not known and may tell which "
                    f"hashes are genuine; {estimators.advice_on_attribute(owner, _printable(name))}"
                ) from None
            if new is not None:
                kept[name] = new
        return new_object(owner, node["__module__"], kept)

    def _of_pipeline(self, _: str, name: str, node: Node) -> Node | None:
        if name in estimators.PIPELINE_SETTINGS:
            return self._training_setting(node)
        if name != "steps" or node["__loader__"] != "ListNode":
            raise UnknownNodeError
        return new_items("list", [self._step(step) for step in node["content"]])

    def _step(self, node: Node) -> Node:
        title, part = node["content"]
        if part["__loader__"] == "JsonNode" and scalar(part) in (None, "passthrough"):
            return new_items("tuple", [new_scalar(scalar(title)), new_scalar(scalar(part))])
        return new_items("tuple", [new_scalar(scalar(title)), self.estimator(part)])

    def _of_transformer(self, owner: str, name: str, node: Node) -> Node | None:
        if name == "n_features_in_":
            return self._features(owner, node)
        if name in estimators.LEFT_OUT:
            return None
        if name not in estimators.TRANSFORMERS[owner]:
            raise UnknownNodeError
        new, value = self._scoring_setting(name, node)
        if owner == "HashingVectorizer":
            self.found.settings[name] = value
        if name == "n_features":
            self.found.features[owner] = scalar(node)
        return new

    def _scoring_setting(self, name: str, node: Node) -> tuple[Node, Any]:
        """A setting as it is, and its value, or "custom" if that is a type or a function."""
        loader = node["__loader__"]
        if loader in ("TypeNode", "FunctionNode"):
            return new_reference(node["__class__"], node["__module__"], loader), "custom"
        if loader not in ("ListNode", "TupleNode", "SetNode"):
            value = self._number_or_text(node)
            return new_scalar(value), value
        values = items(node)
        if not all(isinstance(item, str) for item in values) if name == "stop_words" else len(values) > 2:
            raise UnknownNodeError
        return new_items(loader.removesuffix("Node").lower(), [new_scalar(item) for item in values]), values

    def _of_linear_model(self, owner: str, name: str, node: Node) -> Node | None:
        found = self.found
        if name == "coef_":
            found.coefficients.append(self._array(node))
            return new_array(COEFFICIENTS)
        if name in ("intercept_", "offset_"):
            return self._intercept(name, node)
        if name == "classes_":
            return self._classes(node)
        if name == "n_features_in_":
            return self._features(owner, node)
        if name == "_label_binarizer" and node["__class__"] == "LabelBinarizer":
            return self._object(node, self._of_label_binarizer)
        if name == "_base_loss":
            return _constant(node)
        if name in estimators.TRAINING_SETTINGS:
            return self._training_setting(node)
        if name in estimators.ROW_COUNTS:
            return new_scalar(None)
        if name not in estimators.LEFT_OUT:
            raise UnknownNodeError
        return None

    def _of_label_binarizer(self, _: str, name: str, node: Node) -> Node | None:
        if name == "classes_":
            return self._classes(node)
        if name not in estimators.LABEL_SETTINGS:
            raise UnknownNodeError
        return new_scalar(self._number_or_text(node))

    def _training_setting(self, node: Node) -> Node:
        try:
            return new_scalar(self._number_or_text(node))
        except UnknownNodeError:
            return new_scalar(None)

    def _number_or_text(self, node: Node) -> Scalar:
        """A scalar, also one of numpy, which is saved as an array of no dimension."""
        if node["__loader__"] != "NdArrayNode" or node.get("type") != "numpy":
            return scalar(node)
        array = read_array(self._archive, node["file"], self._path)
        if array.ndim or array.dtype.kind not in "biufU":
            raise UnknownNodeError
        value: Scalar = array.item()
        return value

    def _version(self, node: Node) -> Node:
        version = scalar(node)
        if not isinstance(version, str) or not _PLAIN_VERSION.fullmatch(version):
            raise UnknownNodeError
        return new_scalar(version)

    def _features(self, owner: str, node: Node) -> Node:
        self.found.features[owner] = count = self._number_or_text(node)
        return new_scalar(count)

    def _array(self, node: Node) -> NDArray[Any]:
        if node["__loader__"] != "NdArrayNode" or node.get("type") != "numpy":
            raise InputFileError(f"{self._path}: the coefficients must be a dense array; call densify() before saving")
        return read_array(self._archive, node["file"], self._path)

    def _intercept(self, name: str, node: Node) -> Node:
        """One number a label; more are refused with the model, and may be only one for an offset."""
        array = np.asarray(scalar(node)) if node["__loader__"] == "JsonNode" else self._array(node)
        if array.dtype.kind not in "iuf":
            raise InputFileError(f"{self._path}: {name} must be real numbers")
        if name == "intercept_":
            self.found.intercept = array
        elif array.size != 1:
            raise InputFileError(f"{self._path}: offset_ must be one number")
        return self._kept(array) if array.ndim else new_scalar(array.item())

    def _classes(self, node: Node) -> Node:
        """An array, or, for text in Python objects, as from pandas, a list in the schema."""
        if node["__loader__"] == "NdArrayNode" and node.get("type") == "json":
            values = [scalar(item) for item in node["content"]]
            classes, new = np.array([str(value) for value in values]), new_text_array(values)
        else:
            classes = self._array(node)
            new = self._kept(classes)
        known = self.found.classes
        if classes.ndim != 1 or (known is not None and not np.array_equal(classes, known)):
            raise InputFileError(f"{self._path}: classes_ must be one list of labels")
        self.found.classes = classes
        return new

    def _kept(self, array: NDArray[Any]) -> Node:
        file = f"{len(self.found.arrays)}.npy"
        self.found.arrays[file] = array
        return new_array(file)


def _constant(node: Node) -> Node:
    """A loss function: objects of scikit-learn's package of them, made of scalars."""
    loader = node["__loader__"]
    if loader == "JsonNode":
        return new_scalar(scalar(node))
    if loader == "DictNode":
        if not estimators.LOSS_SETTINGS.issuperset(mapping(node)):
            raise UnknownNodeError
        return new_mapping({name: _constant(part) for name, part in mapping(node).items()})
    if loader not in ("LossNode", "ObjectNode") or not node["__module__"].startswith("sklearn._loss."):
        raise UnknownNodeError
    new = {**new_reference(node["__class__"], node["__module__"], loader), "content": _constant(node["content"])}
    if loader == "LossNode":
        arguments = [new_scalar(value) for value in items(node["__reduce__"]["args"])]
        new["__reduce__"] = {"args": new_items("tuple", arguments)}
    return new


def _printable(name: Any) -> str:
    return name if isinstance(name, str) and name.isidentifier() and name.isascii() else "something without a name"
