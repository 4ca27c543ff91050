"""Reads reports: JSON lines, or a whole number a line. What is no report of the list is refused by its reason, and
counted.

Nothing of a refused line is kept or shown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hushbit.analysis.counts.design import EPSILONS
from hushbit.analysis.counts.geometry import Whole
from hushbit.analysis.counts.tally import Refused

VERSION = 1
DAMAGED = "damaged"
OTHER_VERSION = "of another version"
OTHER_VALUES = "of another list of values"
OTHER_EPSILON = "of another epsilon"
NO_CLASS = "without their class"

_MOST_BYTES = 1 << 16  # bytes of a line; no report is as long
_READ_BYTES = 1 << 20
_BUFFER = 1 << 18  # reports
_MOST = 1 << 62


class Readable(Protocol):
    """A binary file, or text that is unpacked as it is read."""

    def read(self, size: int, /) -> bytes:
        """Returns at most `size` bytes; none at the end."""


@dataclass(frozen=True)
class Wanted:
    """What reports must say of themselves, if they say it. values: the hash of the list, 16 hexadecimal digits.
    by: the name of the public class in the reports, or None.
    """

    values: str
    epsilon: float
    by: str | None = None

    def refuses(self, values: object, epsilon: object, version: object) -> str | None:
        """Why a report that says this is not wanted. None for what it does not say."""
        if version is not None and version != VERSION:
            return OTHER_VERSION
        if values is not None and values != self.values:
            return OTHER_VALUES
        if epsilon is not None and epsilon != self.epsilon:
            return OTHER_EPSILON
        return None


class Buffer:
    """Reports by class, handed on when there are many. `refused` counts the others."""

    def __init__(self) -> None:
        self.refused: Refused = Counter()
        self._held: dict[str, list[int]] = {}
        self._count = 0

    def take(self, report: object, label: object = "") -> None:
        """Keeps a report that is a whole number and has a class; counts it as damaged otherwise."""
        if type(report) is not int or not 0 <= report < _MOST:
            self.refused[DAMAGED] += 1
        elif not isinstance(label, str | int):
            self.refused[NO_CLASS] += 1
        else:
            self._held.setdefault(str(label), []).append(report)
            self._count += 1

    @property
    def full(self) -> bool:
        """Whether it is time to empty it."""
        return self._count >= _BUFFER

    def empty(self) -> Iterator[tuple[str, Whole]]:
        """What was kept, by class; it is kept no longer."""
        held, self._held, self._count = self._held, {}, 0
        for label, reports in held.items():
            yield label, np.array(reports, dtype=np.int64)


def read_lines(file: Readable, wanted: Wanted, refused: Refused) -> Iterator[tuple[str, Whole]]:
    """The reports of a file, by class, some at a time; adds to `refused`."""
    buffer = Buffer()
    last: tuple[bytes, bytes] | None = None  # what stands before and after the report of a line that was taken
    for line in lines_of(file, buffer.refused):
        if last is not None and line.startswith(last[0]) and line.endswith(last[1]):
            number = line[len(last[0]) : len(line) - len(last[1])]
            if number.isdigit() and len(number) < 19:
                buffer.take(int(number))
                continue
        else:
            last = _around(line) if wanted.by is None else None
            if last is not None and _reason(last[0] + b"0" + last[1], wanted) is not None:
                last = None
        _take(line, wanted, buffer)
        if buffer.full:
            yield from buffer.empty()
    yield from buffer.empty()
    refused.update(buffer.refused)


def lines_of(file: Readable, refused: Refused) -> Iterator[bytes]:
    """Lines without their ends, and without those that are empty or too long to be a report."""
    rest, skipping = b"", False
    for chunk in iter(lambda: file.read(_READ_BYTES), b""):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if skipping or len(line) > _MOST_BYTES:
                refused[DAMAGED] += 1
                skipping = False
            elif stripped := line.strip():
                yield stripped
        if len(rest) > _MOST_BYTES:
            rest, skipping = b"", True
    if skipping or rest.strip():
        if skipping or len(rest) > _MOST_BYTES:
            refused[DAMAGED] += 1
        else:
            yield rest.strip()


def object_of(line: bytes) -> Any:
    """The JSON value of a line; None if it is none."""
    try:
        return json.loads(line.removeprefix(b"\xef\xbb\xbf"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, none of whose names occurs twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _take(line: bytes, wanted: Wanted, buffer: Buffer) -> None:
    value = object_of(line)
    if not isinstance(value, dict):
        buffer.take(value, "" if wanted.by is None else None)
        return
    reason = wanted.refuses(value.get("values"), value.get("epsilon"), value.get("version"))
    if reason is not None:
        buffer.refused[reason] += 1
    else:
        buffer.take(value.get("report"), "" if wanted.by is None else value.get(wanted.by))


def _around(line: bytes) -> tuple[bytes, bytes] | None:
    """What stands before and after the report of a line that begins with it, as the lines of `hushbit report` do."""
    name = b'{"report": '
    comma = line.find(b",", len(name))
    return (name, line[comma:]) if line.startswith(name) and comma > 0 else None


def _reason(line: bytes, wanted: Wanted) -> str | None:
    """Why a line is not wanted, if it is an object; "" if it is none."""
    value = object_of(line)
    if not isinstance(value, dict):
        return ""
    return wanted.refuses(value.get("values"), value.get("epsilon"), value.get("version"))


def first_of(lines: Iterable[bytes]) -> dict[str, Any] | None:
    """The first report that is a JSON object and says an epsilon that reports may have."""
    for line in lines:
        value = object_of(line)
        if isinstance(value, dict) and _is_epsilon(value.get("epsilon")):
            return value
    return None


def _is_epsilon(said: object) -> bool:
    return isinstance(said, int | float) and type(said) is not bool and EPSILONS[0] <= said <= EPSILONS[1]
