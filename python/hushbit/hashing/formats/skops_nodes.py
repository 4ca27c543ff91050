"""The JSON objects, called nodes, that a `.skops` schema is made of: reading their values and making new ones.

New nodes carry no `__id__`: it is an address in the memory of who saved the model, and serves to share objects.
"""

from __future__ import annotations

import json
from typing import Any

Node = dict[str, Any]
Scalar = str | int | float | bool | None


class UnknownNodeError(ValueError):
    """A node holds something else than was asked for."""


def scalar(node: Node) -> Scalar:
    """The value of a node that holds a number, a text, a truth value or None. Raises UnknownNodeError."""
    if node["__loader__"] != "JsonNode":
        raise UnknownNodeError
    try:
        value = json.loads(node["content"])
    except (TypeError, ValueError, RecursionError):
        raise UnknownNodeError from None
    if value is not None and not isinstance(value, str | int | float):
        raise UnknownNodeError
    return value


def items(node: Node) -> list[Scalar]:
    """The values of a list, tuple or set of scalars. Raises UnknownNodeError."""
    if node["__loader__"] not in ("ListNode", "TupleNode", "SetNode"):
        raise UnknownNodeError
    return [scalar(item) for item in node["content"]]


def attributes(node: Node) -> dict[str, Node]:
    """The attributes of an object; none if it has no state. Raises UnknownNodeError if it is no object."""
    if node["__loader__"] != "ObjectNode":
        raise UnknownNodeError
    state = node.get("content")
    if state is None or state["__loader__"] == "JsonNode":
        return {}
    return dict(mapping(state))


def mapping(node: Node) -> dict[str, Node]:
    """The content of a dictionary. Raises UnknownNodeError."""
    if node["__loader__"] != "DictNode" or not isinstance(node["content"], dict):
        raise UnknownNodeError
    return node["content"]


def new_scalar(value: Scalar) -> Node:
    """A number, a text, a truth value or None."""
    return {**_named("str", "builtins", "JsonNode"), "content": json.dumps(value), "is_json": True}


def new_items(kind: str, content: list[Node]) -> Node:
    """A list, a tuple or a set, as `kind` says."""
    return {**_named(kind, "builtins", f"{kind.title()}Node"), "content": content}


def new_mapping(content: dict[str, Node]) -> Node:
    """A dictionary."""
    types = new_items("list", [new_reference("str", "builtins", "TypeNode") for _ in content])
    return {**_named("dict", "builtins", "DictNode"), "content": content, "key_types": types}


def new_object(name: str, module: str, content: dict[str, Node]) -> Node:
    """An object of a class, by its attributes."""
    return {**_named(name, module, "ObjectNode"), "content": new_mapping(content)}


def new_reference(name: str, module: str, loader: str) -> Node:
    """Makes a reference to a type (TypeNode) or a function (FunctionNode)."""
    return _named(name, module, loader)


def new_array(file: str) -> Node:
    """An array that is the member `file` of the zip file."""
    return {**_named("ndarray", "numpy", "NdArrayNode"), "type": "numpy", "file": file}


def new_text_array(content: list[Scalar]) -> Node:
    """An array of Python objects, (n,)."""
    shape = new_items("tuple", [new_scalar(len(content))])
    values = [new_scalar(item) for item in content]
    return {**_named("ndarray", "numpy", "NdArrayNode"), "content": values, "type": "json", "shape": shape}


def _named(name: str, module: str, loader: str) -> Node:
    if not all(isinstance(part, str) for part in (name, module)):
        raise UnknownNodeError
    return {"__class__": name, "__module__": module, "__loader__": loader}
