"""The sections `outputs`, `standins`, `weights`, `crowds`, `grades` and `public`: read with every rule checked, and
written, from docs/bundle-format.md alone.
"""

import math
import struct
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from .rules import Bits, need, pack

SIZES = {"few": 2, "many": 3}


@dataclass(frozen=True)
class Grade:
    """A row of `grades`: G rises with `slope` / 65536 up to the `end` mass of each segment."""

    size: str
    up_to: float
    segments: tuple[tuple[int, int], ...]

    def of(self, v: int) -> int:
        """G(v)."""
        value, begin = 0, 0
        for end, slope in self.segments:
            value += max(min(v, end) - begin, 0) * slope // 65536
            begin = end
        return value

    @property
    def end_mass(self) -> int:
        return self.segments[-1][0]

    @property
    def mass(self) -> int:
        """m"""
        return self.of(self.end_mass)


@dataclass(frozen=True)
class CrowdTables:
    """Everything but codes that says what may come out. Without lists crowds are made of codes."""

    outputs: list[int]
    """Ids, ascending."""
    standins: list[int]
    """The output index of each word's stand-in."""
    weights: list[int] | None = None
    self_first: bool = False
    centers: list[int] = field(default_factory=list)
    """The number of each output word's list."""
    lists: list[list[int]] | None = None
    grades: list[Grade] | None = None
    public: list[int] = field(default_factory=list)

    @property
    def all_weights(self) -> list[int]:
        """1 for each where the bundle has no weights."""
        return self.weights or [1] * len(self.outputs)


def width(below: int) -> int:
    """The bits of numbers below this."""
    return max(1, (below - 1).bit_length())


# ---- Writing


def crowd_sections(tables: CrowdTables, words: int) -> dict[int, bytes]:
    """Type -> section."""
    count = len(tables.outputs)
    sections = {
        7: struct.pack("<II", count, 0) + pack(tables.outputs, width(words)) + bytes(8),
        8: pack(tables.standins, width(count)) + bytes(8),
    }
    if tables.weights is not None:
        sections[9] = struct.pack(f"<{count}I", *accumulate(tables.weights))
    if tables.lists is not None:
        starts = [0, *accumulate(map(len, tables.lists))]
        head = struct.pack("<IIII", len(tables.lists), int(tables.self_first), starts[-1], 0) + pack(starts, 32)
        entries = [index for members in tables.lists for index in members]
        sections[10] = head + pack(tables.centers, width(len(tables.lists))) + pack(entries, width(count)) + bytes(8)
    if tables.grades is not None:
        sections[11] = struct.pack("<II", len(tables.grades), 0) + b"".join(map(_grade_row, tables.grades))
    if tables.public:
        sections[12] = struct.pack(f"<II{len(tables.public)}I", len(tables.public), 0, *tables.public)
    return sections


def _grade_row(grade: Grade) -> bytes:
    segments = b"".join(struct.pack("<II", *segment) for segment in grade.segments)
    return (struct.pack("<IId", SIZES[grade.size], len(grade.segments), grade.up_to) + segments).ljust(64, b"\0")


# ---- Reading


def read_crowd_sections(sections: dict[int, bytes], words: int) -> CrowdTables:
    """The tables from the sections by type."""
    need((7 in sections) == (8 in sections), "outputs and standins come together")
    need(10 not in sections or {9, 11} <= set(sections), "crowds need weights and grades")
    outputs = standins = list(range(words))
    if 7 in sections:
        outputs, standins = _read_outputs(sections[7], sections[8], words)
    count = len(outputs)
    weights = _read_weights(sections[9], count) if 9 in sections else None
    total = sum(weights) if weights else count
    grades = _read_grades(sections[11], total) if 11 in sections else None
    tables = CrowdTables(outputs, standins, weights, grades=grades)
    if 10 in sections:
        tables = _with_lists(sections[10], tables)
    if 12 in sections:
        tables.public.extend(_read_public(sections[12], words, set(outputs)))
    return tables


def _numbers(reader: Bits, count: int, bits: int) -> list[int]:
    numbers = [reader.read(bits) for _ in range(count)]
    reader.align()
    return numbers


def _read_outputs(section: bytes, standin_section: bytes, words: int) -> tuple[list[int], list[int]]:
    count, reserved = struct.unpack_from("<II", section)
    need(1 <= count <= words and reserved == 0, "head of outputs")
    reader = Bits(section[8:])
    outputs = _numbers(reader, count, width(words))
    need(reader.left == 64 and reader.read(64) == 0, "end of outputs")
    need(all(a < b for a, b in pairwise([*outputs, words])), "output words ascend")
    reader = Bits(standin_section)
    standins = _numbers(reader, words, width(count))
    need(reader.left == 64 and reader.read(64) == 0, "end of standins")
    need(max(standins) < count, "stand-ins in range")
    need(all(standins[id] == index for index, id in enumerate(outputs)), "output words stand for themselves")
    return outputs, standins


def _read_weights(section: bytes, count: int) -> list[int]:
    need(len(section) == 4 * count, "length of weights")
    sums = struct.unpack(f"<{count}I", section)
    need(all(a < b for a, b in pairwise([0, *sums])), "weights are 1 or more")
    return [b - a for a, b in pairwise([0, *sums])]


def _read_grades(section: bytes, total: int) -> list[Grade]:
    count, reserved = struct.unpack_from("<II", section)
    need(count >= 1 and reserved == 0 and len(section) == 8 + 64 * count, "head of grades")
    names = {number: name for name, number in SIZES.items()}
    grades = []
    for at in range(8, len(section), 64):
        size, segments, up_to, *numbers = struct.unpack_from("<IId12I", section, at)
        need(size in names and 1 <= segments <= 4 and up_to >= 0, "head of a grade")
        need(not any(numbers[2 * segments :]), "unused segments are zero")
        pairs = tuple(zip(numbers[: 2 * segments : 2], numbers[1 : 2 * segments : 2], strict=True))
        need(all(a < b for a, b in pairwise([0, *(end for end, _ in pairs)])), "end masses ascend")
        need(all(slope <= 65536 for _, slope in pairs), "slopes")
        grades.append(Grade(names[size], up_to, pairs))
        need(grades[-1].end_mass <= total and grades[-1].mass >= 1, "mass of a grade")
    keys = [(SIZES[grade.size], grade.up_to) for grade in grades]
    need(all(a < b for a, b in pairwise(keys)), "grades in order")
    for name in {grade.size for grade in grades}:
        need([math.isinf(g.up_to) for g in grades if g.size == name].index(True) + 1
             == sum(g.size == name for g in grades), "the last grade of a size is for any epsilon")  # fmt: skip
    return grades


def _with_lists(section: bytes, tables: CrowdTables) -> CrowdTables:
    centers, flags, entries, reserved = struct.unpack_from("<IIII", section)
    count = len(tables.outputs)
    need(1 <= centers <= count and flags in (0, 1) and reserved == 0, "head of crowds")
    reader = Bits(section[16:])
    starts = _numbers(reader, centers + 1, 32)
    numbers = _numbers(reader, count, width(centers))
    members = _numbers(reader, entries, width(count))
    need(reader.left == 64 and reader.read(64) == 0, "end of crowds")
    need(starts[0] == 0 and starts[-1] == entries and all(a <= b for a, b in pairwise(starts)), "starts of lists")
    need(max(numbers) < centers, "centers in range")
    lists = [members[a:b] for a, b in pairwise(starts)]
    largest = max(grade.end_mass for grade in tables.grades or [])
    for of_center in lists:
        need(all(index < count for index in of_center), "members in range")
        need(len(set(of_center)) == len(of_center), "no member twice")
        need(sum(tables.all_weights[index] for index in of_center) >= largest, "lists heavy enough")
    return CrowdTables(
        tables.outputs, tables.standins, tables.weights, bool(flags), numbers, lists, tables.grades
    )  # fmt: skip


def _read_public(section: bytes, words: int, outputs: set[int]) -> list[int]:
    count, reserved = struct.unpack_from("<II", section)
    need(reserved == 0 and len(section) == 8 + 4 * count, "head of public")
    public = list(struct.unpack_from(f"<{count}I", section, 8))
    need(all(a < b for a, b in pairwise([*public, words])), "public words ascend")
    need(outputs.isdisjoint(public), "public words are no output words")
    return public
