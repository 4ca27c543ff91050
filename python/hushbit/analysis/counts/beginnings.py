"""Reports about new words as partial sums, and how their hashes place beginnings of words (docs/counting.md, "New
words").

A report says, for one of 12 lengths and one of 256 hashes, which of 1,024 buckets the beginning of a word falls into. A
device draws length and hash whatever was typed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushbit.analysis.counts.design import Design, design_of
from hushbit.analysis.counts.geometry import Space, Whole
from hushbit.analysis.counts.intervals import Floats
from hushbit.analysis.counts.tally import Refused
from hushbit.errors import InvalidArgumentError

LENGTHS = (1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24)
"""The lengths of beginnings, in letters."""
HASHES = 256
BUCKETS = 1024
END = "\0"
"""The character after a word that is shorter than the length."""

_AT_A_TIME = 1 << 22
_PRODUCTS = 1 << 21


class NewWords:
    """The sums of some reports about new words at one ε; the sums of parts are those of the whole.

    reports: int64 (lengths, hashes), how many. hits: int64 (lengths, hashes, 1 + buckets), how many of them are in the
    set of each value; value 0 is none, and value 1 + b bucket b. refused: reports that were not counted, by the reason.
    """

    def __init__(self, epsilon: float) -> None:
        self.design: Design = design_of(1 + BUCKETS, epsilon)
        self.reports = np.zeros((len(LENGTHS), HASHES), dtype=np.int64)
        self.hits = np.zeros((len(LENGTHS), HASHES, 1 + BUCKETS), dtype=np.int64)
        self.refused: Refused = Counter()

    def add(self, reports: Whole, label: str = "") -> None:  # noqa: ARG002 - new words have no classes
        """Adds the numbers that were sent. Those out of range are refused."""
        points = self.design.space.points
        fits = (reports >= 0) & (reports < len(LENGTHS) * HASHES * points)
        if not fits.all():
            self.refused["out of range"] += int((~fits).sum())
        for first in range(0, len(reports), _AT_A_TIME):
            part = slice(first, first + _AT_A_TIME)
            self._add(*np.divmod(reports[part][fits[part]], points))

    def _add(self, groups: Whole, points: Whole) -> None:
        self.reports += np.bincount(groups, minlength=self.reports.size).reshape(self.reports.shape)
        count = self.design.space.points
        for place in range(len(LENGTHS)):
            here = groups // HASHES == place
            cells = groups[here] % HASHES * count + points[here]
            seen = np.bincount(cells, minlength=HASHES * count).reshape(HASHES, count)
            # Single precision is exact for sums below 2^24.
            self.hits[place] += (seen.astype(np.float32) @ self._sets).astype(np.int64)

    @cached_property
    def _sets(self) -> NDArray[np.float32]:
        """(Z, 1 + buckets): 1 where a report is in the set of a value."""
        return _sets(self.design.space, 1 + BUCKETS)

    def __add__(self, other: NewWords) -> NewWords:
        """Both together. Raises InvalidArgumentError for another ε."""
        if self.design != other.design:
            raise InvalidArgumentError("these reports are not of one epsilon")
        both = NewWords(self.design.epsilon)
        both.reports = self.reports + other.reports
        both.hits = self.hits + other.hits
        both.refused = self.refused + other.refused
        return both


def _sets(space: Space, values: int) -> NDArray[np.float32]:
    found = np.zeros((space.points, values), dtype=np.float32)
    if space.dimension == 2:
        found[np.arange(values), np.arange(values)] = 1
        return found
    planes = space.coordinates(np.arange(values)).T
    block = max(1, _PRODUCTS // values)
    for first in range(0, space.points, block):
        points = np.arange(first, min(first + block, space.points))
        found[points] = space.coordinates(points) @ planes % space.prime == 0
    return found


# ---- Hashes


def beginning(word: str, length: int) -> str:
    """The first letters of a word; a word with fewer has an end."""
    return word[:length] if len(word) >= length else word + END


def buckets_of(beginnings: Sequence[str]) -> NDArray[np.uint16]:
    """The buckets of beginnings by each hash, (n, hashes)."""
    digests = b"".join(hashlib.sha256(b"hushbit new words 1\0" + text.encode()).digest()[:8] for text in beginnings)
    numbers = np.frombuffer(digests, dtype="<u8") >> np.uint64(12)
    factors, terms = _HASHES
    mixed = numbers[:, np.newaxis] * factors + terms  # modulo 2^64
    return (mixed >> np.uint64(54)).astype(np.uint16)


def _hashes() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    digests = [hashlib.sha256(b"hushbit new words hash 1\0" + bytes([number])).digest() for number in range(HASHES)]
    numbers = np.array([np.frombuffer(digest[:16], dtype="<u8") for digest in digests])
    return numbers[:, 0], numbers[:, 1]


_HASHES = _hashes()


def scores_of(hits: Whole, buckets: NDArray[np.uint16]) -> Floats:
    """The scores of beginnings: the sum over hashes of the hits of their buckets, (n,), from (hashes, 1 + buckets)."""
    found = np.zeros(len(buckets), dtype=np.int64)
    for number in range(HASHES):
        found += hits[number, 1 + buckets[:, number].astype(np.intp)]
    return found.astype(np.float64)
