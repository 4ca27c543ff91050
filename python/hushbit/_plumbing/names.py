"""How names that come from data are said in messages: columns, keys and labels.

Where a file has no line of names, or its columns are mixed up, a "name" is what somebody typed. So a name is said only
if it is known to be one, and has the form of one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(r"[^\W\d][\w.-]{0,31}|-?\d{1,2}")
_USUAL = frozenset(
    [
        "body",
        "category",
        "comment",
        "content",
        "date",
        "description",
        "id",
        "label",
        "lang",
        "language",
        "message",
        "query",
        "rating",
        "released",
        "review",
        "score",
        "sentence",
        "source",
        "subject",
        "text",
        "time",
        "timestamp",
        "title",
        "topic",
        "tweet",
        "word",
    ]
)
_MOST = 8


def is_name(name: str) -> bool:
    """Whether it has the form of one: one word, or a short number."""
    return _NAME.fullmatch(name) is not None


def shown(name: object) -> str:
    """A name that is known to be one: a label, or a column of a table that has the column that was asked for.

    What is neither one word nor a short number may still be a text: its length is said.
    """
    text = str(name)
    return text if is_name(text) else f"({len(text)} characters)"


def listed(names: Sequence[object]) -> str:
    """Several such names; of many, the first."""
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(map(shown, names[:_MOST])) + more


def has_no_column(wanted: object, names: Sequence[object]) -> str:
    """Says that a table lacks a column. Its names may be its first row, so few of them are said."""
    return f"has no column {wanted}; {columns_of(names, wanted)}"


def columns_of(names: Sequence[object], wanted: object = "") -> str:
    """Says how many columns a table has, and which have a usual name, or that of `wanted` spelled differently."""
    sure = [str(name) for name in names if str(name) in _USUAL or _plain(name) == _plain(wanted)]
    among = f", among them: {', '.join(sure[:_MOST])}" if sure else ""
    return f"it has {len(names)} column{'' if len(names) == 1 else 's'}{among}"


def _plain(name: object) -> str:
    return re.sub(r"\W|_", "", str(name)).casefold() or str(name)
