"""Records: made from the core's records, converted to plain dictionaries, and written as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Form = TypeVar("Form", bound=DataclassInstance)


class Record:
    """The base of the public records, which are frozen dataclasses."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, including nested records, in types that JSON has.

        A date is a string like "2026-11-28"; an infinite number is the string "Infinity", since JSON has no such
        number.
        """
        return {field.name: plain(getattr(self, field.name)) for field in fields(cast("DataclassInstance", self))}


def plain(value: Any) -> Any:
    """Converts records, dictionaries, sequences, dates and numbers to types that JSON has, in the way of `to_dict`."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def public(form: type[Form], native: object, **other: Any) -> Form:
    """A `form` with the fields of `native`, except those in `other`, which the core represents differently."""
    same = (field.name for field in fields(form) if field.name not in other)
    return form(**{name: getattr(native, name) for name in same}, **other)


def json_text(value: Any, depth: int) -> str:
    """JSON in which each part of the first `depth` levels starts a new line; deeper parts are on one line.

    So a diff of two such files shows the changes line by line. Raises ValueError for numbers that JSON lacks.
    """
    return _json(value, depth, "") + "\n"


def _json(value: Any, depth: int, indent: str) -> str:
    if depth == 0 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_json(value[key], depth - 1, inner)}" for key in value]
    else:
        parts = [_json(item, depth - 1, inner) for item in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{last}"
