"""How often `hushbit discover` finds a new word that many people type, and how many words it finds that nobody types.

One word is planted among 3,000 rare ones of random letters, which 3 of 10 people type; the others have no new word.
The first row has reports of the core, of a text for each person, with the operating system's randomness. The second has
ten times as many people: there how many of them fall to each bucket is drawn from its exact chances (multinomial), then
how many of a bucket report it rather than anything (binomial), and numpy draws the numbers. So the reports are
distributed as those of devices.

    tools/bench/new_words [--runs 20] [--drawn-runs 20]
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import hushbit
from hushbit.analysis.counts.beginnings import HASHES, LENGTHS, NewWords, beginning, buckets_of
from hushbit.analysis.counts.design import Design
from hushbit.analysis.counts.discover import discover, letters_of

Whole = NDArray[np.int64]
EPSILON = 4.0
WORD = "covfefe"
RARE = 3000
RARE_SHARE = 0.3
PART = 1_000_000


@dataclass
class People:
    """words: what is typed; the last one is no new word. chances: (words,)."""

    words: Sequence[str]
    chances: NDArray[np.float64]


@dataclass
class Row:
    """The number of runs that found the word, and the words that nobody types."""

    found: int = 0
    runs: int = 0
    false: int = 0
    shares: list[float] = field(default_factory=list)


def main() -> None:
    """Prints a table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="number of runs with reports of the core (default: 20)")
    parser.add_argument(
        "--drawn-runs", type=int, default=20, help="number of runs with reports drawn by numpy (default: 20)"
    )
    arguments = parser.parse_args()
    bundle = hushbit.open()
    generator = np.random.default_rng(1)
    letters = letters_of(bundle.word(int(word)) for word in bundle._native.output_words())
    print("| reports | ε | share | runs | found | false words, all runs | its share, mean | seconds a run |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    reporter = bundle.reporter(values="new-words", epsilon=EPSILON)

    def by_core(people: People, heard: NewWords) -> None:
        texts = [people.words[place] for place in generator.choice(len(people.words), PART, p=people.chances)]
        heard.add(reporter.report_many(texts, threads=1).astype(np.int64))

    def by_numpy(people: People, heard: NewWords) -> None:
        add_drawn(heard, people, 10 * PART, generator)

    rows: list[tuple[str, float, int, Callable[[People, NewWords], None]]] = [
        (f"{PART:,} of the core", 0.01, arguments.runs, by_core),
        (f"{10 * PART:,} drawn", 0.003, arguments.drawn_runs, by_numpy),
    ]
    for what, share, runs, hear in rows:
        began = time.perf_counter()
        row = Row()
        for _ in range(runs):
            people = people_with(share, generator)
            heard = NewWords(EPSILON)
            hear(people, heard)
            judge(row, people, {word.word: word.share for word in discover(heard, letters).words})
        seconds = (time.perf_counter() - began) / max(runs, 1)
        mean = f"{np.mean(row.shares):.3%}" if row.shares else "-"
        of = f"{what} | {EPSILON:g} | {share:.1%} | {row.runs}"
        print(f"| {of} | {row.found} | {row.false} | {mean} | {seconds:.1f} |", flush=True)


def people_with(share: float, generator: np.random.Generator) -> People:
    """The planted word, equally rare words of 4 to 12 letters, and a text without any new word."""
    alphabet = list("etaoinsrhldcumfpgwybvkxjqz")
    rare = ["".join(generator.choice(alphabet, size)) for size in generator.integers(4, 13, RARE)]
    chances = [share, *[RARE_SHARE / RARE] * RARE, 1 - share - RARE_SHARE]
    return People([WORD, *rare, "the"], np.array(chances))


def judge(row: Row, people: People, found: dict[str, float]) -> None:
    """Adds a run."""
    row.runs += 1
    row.found += WORD in found
    row.false += len(found.keys() - set(people.words))
    row.shares += [found[WORD]] if WORD in found else []


# ---- Reports by numpy


def add_drawn(heard: NewWords, people: People, reports: int, generator: np.random.Generator) -> None:
    """Adds reports of so many people, drawn group by group."""
    parts = []
    points = heard.design.space.points
    members = members_of(heard.design)
    by_group = generator.multinomial(reports, np.full(len(LENGTHS) * HASHES, 1 / (len(LENGTHS) * HASHES)))
    for place, length in enumerate(LENGTHS):
        buckets = buckets_of([beginning(word, length) for word in people.words]).astype(np.int64)
        values = np.where(np.arange(len(people.words))[:, np.newaxis] == len(people.words) - 1, 0, 1 + buckets)
        for number in range(HASHES):
            group = place * HASHES + number
            chances = np.bincount(values[:, number], people.chances, heard.design.values)
            drawn = points_drawn(heard.design, members, generator.multinomial(by_group[group], chances), generator)
            parts.append(group * points + drawn)
    heard.add(np.concatenate(parts))


def points_drawn(design: Design, members: Whole, counts: Whole, generator: np.random.Generator) -> Whole:
    """A report of each person. counts: (values,) people. Of a value's people, some report it, and the others any."""
    own = generator.binomial(counts, design.threshold / 2**64)
    of = np.repeat(np.arange(design.values), own)
    places = generator.integers(0, design.space.on_plane, len(of))
    anything = generator.integers(0, design.space.points, counts.sum() - own.sum())
    return np.concatenate([members[of, places], anything]).astype(np.int64)


def members_of(design: Design) -> Whole:
    """(values, s) the reports that are in the set of each value, of a design with more than two coordinates."""
    coordinates = design.space.coordinates(np.arange(design.space.points))
    products = coordinates[: design.values] @ coordinates.T % design.space.prime
    return np.nonzero(products == 0)[1].reshape(design.values, design.space.on_plane)


if __name__ == "__main__":
    main()
