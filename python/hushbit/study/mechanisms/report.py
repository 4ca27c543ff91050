"""Reports of whole texts, as the core releases them."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushbit import _core, _core_testing

Whole = NDArray[np.int64]


class ReportMechanism:
    """One number about a word of a text, at an epsilon for all of it."""

    def __init__(self, bundle: _core.Bundle, epsilon: float) -> None:
        self.reporter = _core.Reporter(bundle, values="words", epsilon=epsilon)
        self.info: _core.ReporterInfo = self.reporter.info()

    @cached_property
    def geometry(self) -> "Geometry":
        """The points that reports are numbers of."""
        return Geometry(self.info.prime, self.info.dimension)

    def release(self, value: int, seed: bytes) -> int:
        """The report of a value that a seed gives."""
        return _core_testing.report_value(self.reporter, value, seed).report

    def draw(self, value: int, count: int) -> Whole:
        """(count,): fresh reports of one value, by the operating system's randomness."""
        reports, error = self.reporter.report_values(np.full(count, value, dtype=np.uint32))
        if error is not None:
            raise error
        return reports.astype(np.int64)

    def in_set(self, value: int, reports: Whole) -> NDArray[np.bool_]:
        """(n,): which reports are in the set of a value, by its definition."""
        if self.info.dimension == 2:
            return np.asarray(reports == value)
        return np.asarray(self.geometry.products(value, reports) == 0)

    def members(self, value: int, places: Whole) -> Whole:
        """(n,): the reports at places of the set of a value (docs/counting.md)."""
        if self.info.dimension == 2:
            return np.full(len(places), value)
        return self.geometry.members(value, places)


class Geometry:
    """Points with t coordinates modulo a prime q, by their numbers."""

    def __init__(self, prime: int, dimension: int) -> None:
        self.prime, self.dimension = prime, dimension

    def coordinates(self, numbers: Whole, dimension: int) -> Whole:
        """The coordinates, (n, dimension), of points by their numbers, (n,)."""
        found = np.zeros((len(numbers), dimension), dtype=np.int64)
        rest = numbers.copy()
        for leading in range(dimension):
            block = self.prime ** (dimension - 1 - leading)
            here = (rest >= 0) & (rest < block)
            found[here, leading] = 1
            for place in range(dimension - 1, leading, -1):
                found[here, place] = rest[here] // self.prime ** (dimension - 1 - place) % self.prime
            rest = np.where(here, -1, rest - block)
        return found

    def numbers(self, points: Whole) -> Whole:
        """The numbers, (n,), of points by their coordinates, (n, t)."""
        first = (points != 0).argmax(axis=1)
        powers = self.prime ** np.arange(self.dimension - 1, -1, -1)
        before = np.concatenate([[0], np.cumsum(powers)])
        return np.asarray(before[first] + points @ powers - powers[first], dtype=np.int64)

    def products(self, value: int, reports: Whole) -> Whole:
        """The products, (n,), of the point `value` with each of the reports."""
        point = self.coordinates(np.array([value]), self.dimension)[0]
        return np.asarray(self.coordinates(reports, self.dimension) @ point % self.prime, dtype=np.int64)

    def members(self, value: int, places: Whole) -> Whole:
        """(n,): the points at places of the hyperplane of the point `value`."""
        point = self.coordinates(np.array([value]), self.dimension)[0]
        last = int(np.flatnonzero(point)[-1])
        rest = self.coordinates(places, self.dimension - 1)
        found = np.insert(rest, last, 0, axis=1)
        inverse = pow(int(point[last]), -1, self.prime)
        found[:, last] = -(found @ point) * inverse % self.prime
        return self.numbers(found)
