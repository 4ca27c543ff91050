"""Small bundles of every kind of crowd, and the exact chances of their words by what the core tells of itself."""

import hashlib
import math
from fractions import Fraction

import numpy as np

from hushbit import _core
from reference.bundle_maker import make_bundle
from reference.coin import RANGE
from reference.crowd import CrowdSize
from reference.crowd_sections import CrowdTables, Grade

SIZES: tuple[CrowdSize, ...] = ("one", "few", "many")
Row = list[Fraction]


def seed_of(label: str) -> bytes:
    return hashlib.sha256(f"tests of crowds: {label}".encode()).digest()


def grades(total: int) -> list[Grade]:
    return [
        Grade("few", 5.0, ((max(2, total // 6), 65536),)),
        Grade("few", math.inf, ((max(1, total // 9), 65536),)),
        Grade("many", math.inf, ((max(1, total // 5), 65536), (max(3, total // 2), 21845))),
    ]


def toy_tables(words: int, outputs: int, label: str, *, lists: bool = True, self_first: bool = True) -> CrowdTables:
    """Tables of a toy, drawn from the label: stand-ins, weights from 1 to 9, half as many lists as output words."""
    random = np.random.default_rng(list(seed_of(label)))
    ids = sorted(random.choice(words, outputs, replace=False).tolist())
    weights = random.integers(1, 10, outputs).tolist()
    standins = random.integers(0, outputs, words).tolist()
    for index, id in enumerate(ids):
        standins[id] = index
    tables = CrowdTables(ids, standins, weights)
    if not lists:
        return tables
    centers = max(1, outputs // 2)
    return CrowdTables(
        ids, standins, weights, self_first, random.integers(0, centers, outputs).tolist(),
        [random.permutation(outputs).tolist() for _ in range(centers)], grades(sum(weights)),
        [id for id in range(words) if id not in ids][:1],
    )  # fmt: skip


def toy_codes(words: int) -> dict[str, bytes]:
    return {
        f"w{i:02d}": (0x9E3779B97F4A7C15 * (i // 2 + 1) & (1 << 64) - 1).to_bytes(8, "little") for i in range(words)
    }


def toy(words: int, tables: CrowdTables | None) -> bytes:
    return make_bundle(toy_codes(words), tables=tables)


TOYS = {
    "two words": toy(2, None),
    "no tables": toy(30, None),
    "one output word": toy(3, toy_tables(3, 1, "one output word", lists=False)),
    "weights": toy(26, toy_tables(26, 17, "weights", lists=False)),
    "lists": toy(40, toy_tables(40, 23, "lists")),
    "borrowed lists": toy(40, toy_tables(40, 21, "borrowed lists", self_first=False)),
    "all are output words": toy(24, toy_tables(24, 24, "all are output words")),
}


def rows_of(limit: int, crowds: list[dict[int, int]], weights: list[int]) -> list[Row]:
    """Pr[output y | word], of every word, then of an unknown token; `crowds` are the shares by output."""
    total, chance = sum(weights), Fraction(limit, RANGE)
    noise = [Fraction(weight, total) for weight in weights]
    rows = []
    for shares in crowds:
        mass = sum(shares.values())
        rows.append([chance * Fraction(shares.get(y, 0), mass) + (1 - chance) * noise[y] for y in range(len(weights))])
    return [*rows, noise]


def core_rows(privatizer: _core.Privatizer, words: int) -> list[Row]:
    """The same from what the core tells of itself, with ids for outputs."""
    crowds = [{int(y): int(share) for y, share, _ in _core.crowd(privatizer, word)} for word in range(words)]
    return rows_of(privatizer.info().crowd_threshold, crowds, _core.output_weights(privatizer).tolist())
