"""A filter for logs: fields that hold what a person typed are released, or withheld."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from hushbit import Privatizer

WITHHELD = "(withheld)"
_DONE = "hushbit_fields"


class PrivatizeFilter(logging.Filter):
    """Replaces fields of log records by their release: `logger.info("searched", extra={"query": text})`.

    privatizer: the privatizer to use.
    fields: names of fields that hold typed text, of `extra`, or of a mapping that is the only argument of a message, as
        in logger.info("searched %(query)s", {"query": text}).

    Add it to each handler; a filter of a logger does not see records of loggers below it. A record is drawn once,
    however many handlers it passes. A field that is no str, and one that cannot be released, as when a budget is
    exhausted, becomes "(withheld)": logging never fails, and never shows what was typed. It cannot know about text
    elsewhere: in the message itself, other arguments, and tracebacks.
    """

    def __init__(self, privatizer: Privatizer, fields: Iterable[str]) -> None:
        super().__init__()
        self._privatizer = privatizer
        self._fields = frozenset(fields)

    def filter(self, record: logging.LogRecord) -> bool:
        """Replaces the fields; lets every record pass."""
        done: frozenset[str] = getattr(record, _DONE, frozenset())
        due = self._fields - done
        setattr(record, _DONE, done | due)
        for name in due & vars(record).keys():
            setattr(record, name, self._released(getattr(record, name)))
        if isinstance(record.args, Mapping):
            record.args = {name: self._released(value) if name in due else value for name, value in record.args.items()}
        return True

    def _released(self, value: object) -> str:
        try:
            return self._privatizer.privatize(value).text if isinstance(value, str) else WITHHELD
        except Exception:
            return WITHHELD
