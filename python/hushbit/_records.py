"""Public records: made of the core's, which have fields of the same names, and made into plain dictionaries."""

from __future__ import annotations

import math
from dataclasses import fields
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Form = TypeVar("Form", bound=DataclassInstance)


class Record:
    """What the public records have in common, which are frozen dataclasses."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, nested records too, in types that JSON has.

        A date is a string like "2026-11-28"; an infinite number is the string "Infinity", since JSON has no such
        number.
        """
        return {field.name: plain(getattr(self, field.name)) for field in fields(cast("DataclassInstance", self))}


def plain(value: Any) -> Any:
    """A copy in types that JSON has, made of records, dictionaries, sequences, dates and numbers, as `to_dict` says."""
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
    """A `form` with the fields of `native`, but for those in `other`, which the core keeps in another form."""
    same = (field.name for field in fields(form) if field.name not in other)
    return form(**{name: getattr(native, name) for name in same}, **other)
