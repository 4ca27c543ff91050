"""Reports as partial sums: how many are in the set of each value. The sums of parts are those of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hushbit.analysis.counts.design import Design
from hushbit.analysis.counts.geometry import Space, Whole, hits, sets_with
from hushbit.errors import InvalidArgumentError

AT_A_TIME = 1 << 20
"""Reports that are counted together; what is needed for them is bounded."""
_SMALL_SPACE = 1 << 22


class Tally:
    """The sums of some reports of one design.

    groups: numbers of values, by the name of the group. reports: how many were added. hits: int64 (values,). squares:
    (groups,) the sum over reports of the square of the number of sets of the group that the report is in.
    """

    def __init__(self, design: Design, groups: Mapping[str, Whole] | None = None) -> None:
        self.design = design
        self.groups = {name: np.unique(members) for name, members in (groups or {}).items()}
        self.reports = 0
        self.hits = np.zeros(design.values, dtype=np.int64)
        self.squares = np.zeros(len(self.groups), dtype=np.int64)

    def add(self, reports: Whole) -> None:
        """Adds numbers of points, (n,), each in range: see `Design.space`."""
        for first in range(0, len(reports), AT_A_TIME):
            some = reports[first : first + AT_A_TIME]
            self.reports += len(some)
            self.hits += hits(self.design.space, some, self.design.values)
            for place, members in enumerate(self.groups.values()):
                self.squares[place] += int((_sets_with(self.design.space, some, members) ** 2).sum())

    def __add__(self, other: Tally) -> Tally:
        """Both together. Raises InvalidArgumentError if they are of different designs or groups."""
        if self.design != other.design or self.groups.keys() != other.groups.keys():
            raise InvalidArgumentError("these reports are not of one list of values, one epsilon and the same groups")
        both = Tally(self.design, self.groups)
        both.reports = self.reports + other.reports
        both.hits = self.hits + other.hits
        both.squares = self.squares + other.squares
        return both


def _sets_with(space: Space, reports: Whole, members: Whole) -> Whole:
    """The number of sets of `members` that each report is in, (n,)."""
    if space.points > _SMALL_SPACE:
        return sets_with(space, reports, members)
    # A report is in the set of a value if the value, as a report, were in the set of the report, as a value.
    return hits(space, members, space.points)[reports]


Refused = Counter[str]
"""How many reports were not counted, by the reason."""


@dataclass
class Counted:
    """What was read: tallies by a public class ("" without classes), and what was refused. Sums add up."""

    design: Design
    groups: Mapping[str, Whole] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    refused: Refused = field(default_factory=Counter)

    def add(self, reports: Whole, label: str = "") -> None:
        """Adds reports of a class. Those out of range are refused."""
        fits = (reports >= 0) & (reports < self.design.space.points)
        if not fits.all():
            self.refused["out of range"] += int((~fits).sum())
        self.tallies.setdefault(label, Tally(self.design, self.groups)).add(reports[fits])

    @property
    def whole(self) -> Tally:
        """The tally of all classes together."""
        total = Tally(self.design, self.groups)
        for tally in self.tallies.values():
            total += tally
        return total

    def __add__(self, other: Counted) -> Counted:
        """Both together."""
        tallies = dict(self.tallies)
        for label, tally in other.tallies.items():
            tallies[label] = tallies[label] + tally if label in tallies else tally
        return Counted(self.design, self.groups, tallies, self.refused + other.refused)
