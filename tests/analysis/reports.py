"""Draws reports for tests, by the definition in docs/counting.md and by enumeration: for small spaces."""

import numpy as np
from numpy.typing import NDArray

from hushbit.analysis.counts.design import Design
from hushbit.analysis.counts.geometry import Space

Whole = NDArray[np.int64]


def points_by_definition(prime: int, dimension: int) -> list[tuple[int, ...]]:
    """All points in the order of their numbers."""
    points = []
    for leading in range(dimension):
        for number in range(prime ** (dimension - 1 - leading)):
            digits = [number // prime**place % prime for place in reversed(range(dimension - 1 - leading))]
            points.append((*[0] * leading, 1, *digits))
    return points


def sets_by_definition(space: Space) -> NDArray[np.bool_]:
    """(Z, Z): whether a report, the column, is in the set of a value, the row."""
    if space.dimension == 2:
        return np.eye(space.points, dtype=bool)
    points = np.array(points_by_definition(space.prime, space.dimension))
    sets: NDArray[np.bool_] = points @ points.T % space.prime == 0
    return sets


def draw(design: Design, values: Whole, generator: np.random.Generator) -> Whole:
    """A report of each value."""
    members = [np.flatnonzero(row) for row in sets_by_definition(design.space)]
    reports = generator.integers(0, design.space.points, len(values))
    own = np.flatnonzero(generator.random(len(values)) < design.threshold / 2**64)
    places = generator.integers(0, design.space.on_plane, len(own))
    reports[own] = [members[value][place] for value, place in zip(values[own], places, strict=True)]
    return reports


def json_line(report: int, values: str, epsilon: float) -> str:
    """The report as devices write it."""
    return f'{{"report": {report}, "values": "{values}", "epsilon": {epsilon:g}, "version": 1}}\n'
