"""The columns of a table that come back, and how the one of the texts is drawn."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from hushbit._plumbing.extras import extra
from hushbit.corpus.columns import Releaser, RowError, is_text, released_type
from hushbit.corpus.columns import draw as draw_column
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pyarrow as pa

Column: TypeAlias = "pa.Array | pa.ChunkedArray"


@dataclass(frozen=True)
class Chosen:
    """The columns that come back, by their places, and the one of the texts, by its place among these."""

    places: list[int]
    text: int
    name: Hashable


@dataclass(frozen=True)
class Draw:
    """Draws what is released of a column of texts, on several threads."""

    releaser: Releaser
    threads: int

    @property
    def type(self) -> pa.DataType:
        """The type of what comes back."""
        return released_type(self.releaser)

    def __call__(self, texts: Column, name: Hashable) -> pa.ChunkedArray:
        """What is released of a column that passed `check_text`. Raises the errors of the releaser, with the row."""
        typed = texts.cast(pa.large_string()) if pa.types.is_null(texts.type) else texts
        try:
            released, _ = draw_column(self.releaser, typed, self.threads)
        except RowError as error:
            failure = error.cause
            failure.add_note(f"in column {name}, row {error.row} (counted from 0) of the frame or partition")
        else:
            return released
        raise failure


def check_text(type_: pa.DataType, name: Hashable) -> None:
    """Raises InvalidArgumentError unless a column of this type holds texts, or nothing."""
    if not (is_text(type_) or pa.types.is_null(type_)):
        raise InvalidArgumentError(f"column {name}: is not text throughout")
