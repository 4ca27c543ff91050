"""Grades: how far a crowd reaches, and the share of nearer and less near words, for each ε.

A grade is a function G of mass that starts at 0 and grows by 0 or 1 with every unit. A word of weight q, whose nearer
words have the total weight a, has the share G(a + q) - G(a) in the crowd. A share is at most q, and the sum of the
shares is exactly m = G(end) for every crowd. docs/proofs.md needs nothing else.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hushbit._options import CrowdSize
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.defaults import CROWD_SIZE_CODES

FEW: CrowdSize = "few"
MANY: CrowdSize = "many"
MAX_SEGMENTS = 4
SLOPE_ONE = 1 << 16
_STEPS = 100  # rows for a whole ε where crowds become narrower
_ROUNDING = 1e-6  # λ grows by this with each row: above what a mass of 2^22 or more loses as an integer


@dataclass(frozen=True)
class Grade:
    """A row of the table of grades, in fractions of the whole mass M."""

    size: CrowdSize
    """FEW or MANY."""
    up_to: float
    """The largest ε (per word) for which this row is used; infinite in the last row of a size."""
    segments: tuple[tuple[float, float], ...]
    """(end, slope): the fraction of M where the segment ends, and the part of a word's weight that is its share, 0 to
    1."""

    def __post_init__(self) -> None:
        if not self.up_to > 0:
            raise InvalidArgumentError(f"a grade ends at an epsilon of {self.up_to}; it must be above 0")
        if self.size not in (FEW, MANY):
            raise InvalidArgumentError(f"a grade must be for the size {FEW!r} or {MANY!r}, not {self.size!r}")
        ends = [0.0, *(end for end, _ in self.segments)]
        rising = all(a < b for a, b in pairwise(ends))
        if not 1 <= len(self.segments) <= MAX_SEGMENTS or not rising or ends[-1] >= 1:
            raise InvalidArgumentError(
                f"a grade must have 1 to {MAX_SEGMENTS} segments with ascending ends below the whole mass: {ends[1:]}"
            )
        if not all(0 <= slope <= 1 for _, slope in self.segments) or self.segments[0][1] <= 0:
            raise InvalidArgumentError(f"the slopes of a grade must be 0 to 1; got {self.segments}")

    def integers(self, mass: int) -> list[tuple[int, int]]:
        """(end, slope in 1 / 65536) of each segment, for weights that sum to `mass`; ends rise by at least 1."""
        found: list[tuple[int, int]] = []
        last = 0
        for end, slope in self.segments:
            last = max(last + 1, round(end * mass))
            found.append((last, round(slope * SLOPE_ONE)))
        return found


def with_grades(grades: tuple[Grade, ...], rows: Sequence[Grade]) -> tuple[Grade, ...]:
    """`grades`, in which `rows` replace all rows of their sizes, sorted by size and ε.

    Raises InvalidArgumentError if a size has two rows for an ε, or none for a large one.
    """
    sizes = {row.size for row in rows}
    merged = [*(grade for grade in grades if grade.size not in sizes), *rows]
    merged.sort(key=lambda grade: (CROWD_SIZE_CODES[grade.size], grade.up_to))
    for size in (FEW, MANY):
        limits = [grade.up_to for grade in merged if grade.size == size]
        if len(set(limits)) < len(limits) or not limits or limits[-1] < math.inf:
            raise InvalidArgumentError(
                f"the grades of {size!r} must end at different epsilons, the last at inf: {limits}"
            )
    return tuple(merged)


def crowd_mass(segments: list[tuple[int, int]]) -> int:
    """m, the mass of every crowd: G at the end of the last segment."""
    mass = start = 0
    for end, slope in segments:
        mass += (end - start) * slope // SLOPE_ONE
        start = end
    return mass


def grade_for(grades: tuple[Grade, ...], size: CrowdSize, epsilon: float) -> Grade:
    """The row of `grades` for a size and an ε."""
    return next(grade for grade in grades if grade.size == size and epsilon <= grade.up_to)


def coin(epsilon: float, crowd: int, mass: int) -> float:
    """λ, the probability of drawing from the crowd, for e^ε = 1 + λ·M / ((1 - λ)·m); the core uses an integer."""
    if epsilon > 700:
        return 1.0
    odds = math.expm1(epsilon) * crowd / mass
    return odds / (1 + odds)


def narrowing(wide: Grade, narrow: Grade) -> list[Grade]:
    """Rows between two of equal slopes that narrow crowds from the end of `wide` on, so that nothing falls.

    A narrower crowd has less mass m, so that at the same ε fewer words come from it: a single step would cost more ε
    and keep less. So there is a row for every hundredth of ε, with as much less mass as keeps λ: m times e^ε - 1 stays.
    """
    if [slope for _, slope in wide.segments] != [slope for _, slope in narrow.segments]:
        raise InvalidArgumentError("only the ends of grades may differ for rows between them")
    most, least = _mass(wide), _mass(narrow)
    rows: list[Grade] = []
    first = round(wide.up_to * _STEPS)
    while True:
        step = first + len(rows) + 1
        kept = most * math.expm1(first / _STEPS) / math.expm1(step / _STEPS)
        mass = kept * (1 + _ROUNDING * (step - first))
        if mass <= least:
            return rows
        part = (most - mass) / (most - least)
        segments = [
            (a + part * (b - a), slope) for (a, slope), (b, _) in zip(wide.segments, narrow.segments, strict=True)
        ]
        rows.append(Grade(wide.size, step / _STEPS, tuple(segments)))


def _mass(grade: Grade) -> float:
    """m as a fraction of M."""
    starts = [0.0, *(end for end, _ in grade.segments)]
    return sum((end - start) * slope for start, (end, slope) in zip(starts, grade.segments, strict=False))


_WIDE = Grade(MANY, 5.25, ((0.005, 1.0), (0.02, 0.3)))
_MIDDLE = Grade(MANY, 6.25, ((0.0025, 1.0), (0.01, 0.3)))
_NARROW = Grade(MANY, math.inf, ((0.001, 1.0), (0.01, 0.3)))
GRADES = (
    Grade(FEW, math.inf, ((0.0005, 1.0),)),
    *(_WIDE, *narrowing(_WIDE, _MIDDLE)),
    *(_MIDDLE, *narrowing(_MIDDLE, _NARROW)),
    _NARROW,
)
"""The default table: three rows determined with `tools/bench/crowds` (docs/crowd.md), and those between them."""
