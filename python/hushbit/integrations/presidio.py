"""An operator of Presidio's anonymizer."""

from __future__ import annotations

from typing import Any

from hushbit import Privatizer
from hushbit._plumbing.extras import extra

with extra("pipelines"):
    from presidio_anonymizer.entities import InvalidParamError
    from presidio_anonymizer.operators import Operator, OperatorType


class PrivatizeOperator(Operator):
    """The operator "hushbit": what Presidio's analyzer has found is replaced by its release.

    Its only parameter is "privatizer", a `Privatizer`. Everything that the analyzer has not found stays as typed, so
    the result is as private as the analyzer is good; to release whole texts, use `Privatizer.privatize`. A value that
    occurs twice is drawn twice, and each costs. There is no operator that undoes it.
    """

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """The release of one found value. Raises the errors of `Privatizer.privatize`."""
        return _privatizer_of(params).privatize(text).text

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Raises InvalidParamError without a privatizer."""
        _privatizer_of(params)

    def operator_name(self) -> str:
        """The name by which a configuration asks for the operator."""
        return "hushbit"

    def operator_type(self) -> OperatorType:
        """The type of an operator that anonymizes."""
        return OperatorType.Anonymize


def _privatizer_of(params: dict[str, Any] | None) -> Privatizer:
    found = (params or {}).get("privatizer")
    if not isinstance(found, Privatizer):
        raise InvalidParamError('the operator hushbit needs {"privatizer": a Privatizer}')
    return found
