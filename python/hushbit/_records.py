"""Public records made of the core's, which have fields of the same names."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)


def public(form: type[Record], native: object, **other: Any) -> Record:
    """A `form` with the fields of `native`, but for those in `other`, which the core keeps in another form."""
    same = (field.name for field in fields(form) if field.name not in other)
    return form(**{name: getattr(native, name) for name in same}, **other)
