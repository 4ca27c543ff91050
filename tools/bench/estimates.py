"""How near `hushbit estimate` comes to the words that were typed, and whether its intervals hold them.

For each file of texts, size of crowds and epsilon: the total variation distance to the shares of the known words that
were typed, each as its stand-in, of the released shares and of the estimated ones, their ratio, the steps taken, how
many words the data tell, for how much of the text, and how often the interval of 95 in 100 holds the true count: of
words that the data tell, of groups that they tell, and of all words. Groups are an output word and the 19 words nearest
to it, for 300 output words; they overlap.

    tools/bench/estimates REVIEWS.parquet:review MESSAGES.parquet:message [--crowds many,few] [--epsilons 5,6]

With the built-in bundle; draws are from fixed seeds. Distances are those of the first draw, the rest is of all.

With --steps the lines hold other estimates of the first draw instead, as distances to what was typed: with the steps
that two halves of the released words choose, and those that ten parts choose, which is what `hushbit estimate` does;
that one with one step more, which is the sum over released words of the posterior of what was typed; the posterior of
one half's words for the other half, the mean over four splits; and the best number of steps, which nobody knows.
"""

import argparse
from dataclasses import dataclass, field

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import hushbit
from hushbit import _core, _core_testing
from hushbit.analysis.words.estimate import (
    MAX_STEPS,
    Channel,
    Estimate,
    channel_of,
    estimate,
    first_shares,
    likely_shares,
    steps_towards,
    typed_counts,
)
from hushbit.study.mechanisms.core import UNKNOWN

GROUPS, MEMBERS = 300, 20
SPLITS = 4
PATIENCE = 10
COLUMNS = ("released", "estimated", "ratio", "steps", "told", "share", "holds", "groups told", "hold", "all hold")
STEPS_COLUMNS = ("two halves", "ten parts", "and a step", "posterior of halves", "best")
Counts = NDArray[np.int64]


@dataclass
class Held:
    """Whether intervals held, by draw."""

    told: list[bool] = field(default_factory=list)
    groups: list[bool] = field(default_factory=list)
    all: list[bool] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        draws = len(self.shares)
        holds = [f"{np.mean(held):.3f}" if held else "" for held in (self.told, self.groups, self.all)]
        counts = f"{len(self.told) / draws:.0f} | {np.mean(self.shares):.2f} | {holds[0]}"
        return f"{counts} | {len(self.groups) / draws:.0f} | {holds[1]} | {holds[2]}"


def main() -> None:
    """Prints a line for each, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+", metavar="FILE:COLUMN", help="Parquet files and their columns of texts")
    parser.add_argument("--crowds", default="many,few,one")
    parser.add_argument("--epsilons", default="4,5,6,7,8")
    parser.add_argument("--draws", type=int, default=1, help="released texts for each line (default: 1)")
    parser.add_argument("--steps", action="store_true", help="compare other estimates instead")
    parser.add_argument("--rows", type=int, help="number of rows of each file (default: all)")
    arguments = parser.parse_args()
    bundle = hushbit.open()
    groups = groups_of(bundle)
    columns = STEPS_COLUMNS if arguments.steps else COLUMNS
    print(f"| texts | words | crowds | ε | {' | '.join(columns)} |")
    print("|---|--:|---|--:|" + "--:|" * len(columns))
    for source in arguments.texts:
        path, _, column = source.rpartition(":")
        texts = pq.read_table(path, columns=[column])[column].to_pylist()[: arguments.rows]
        texts = [text.replace("<br />", " ") for text in texts]
        typed = np.asarray(typed_counts(bundle, texts).sum(axis=0)).ravel().astype(np.int64)
        for crowd in arguments.crowds.split(","):
            for epsilon in map(float, arguments.epsilons.split(",")):
                privatizer = bundle.privatizer("crowd", epsilon, crowd_size=crowd)
                if arguments.steps:
                    row = distances(privatizer, typed)
                else:
                    row = measured(privatizer, typed, groups, arguments.draws)
                print(f"| {column} | {typed.sum():,} | {crowd} | {epsilon:g} | {row} |", flush=True)


def groups_of(bundle: hushbit.Bundle) -> dict[str, list[int]]:
    """Places of output words, by a public list of neighbors: crowds of many."""
    privatizer = bundle.privatizer("crowd", 4.0, crowd_size="many")
    ids = bundle._native.output_words()
    found = {}
    for place in np.linspace(0, len(ids) - 1, GROUPS).astype(int).tolist():
        members = _core.crowd(privatizer._native, int(ids[place]))[:MEMBERS, 0]
        found[bundle.word(int(ids[place]))] = np.searchsorted(ids, members).tolist()
    return found


def measured(privatizer: hushbit.Privatizer, typed: Counts, groups: dict[str, list[int]], draws: int) -> str:
    """The rest of a line."""
    ids = channel_of(privatizer).ids
    places = {privatizer.bundle.word(int(word)): place for place, word in enumerate(ids)}
    held, first = Held(), ""
    for draw in range(draws):
        found = estimate(privatizer, released_counts(privatizer, typed, draw), groups)
        truth = typed[[places[word.name] for word in found.words]]
        if not first:
            released = distance([word.released for word in found.words], truth)
            estimated = distance([word.typed for word in found.words], truth)
            first = f"{released:.3f} | {estimated:.3f} | {estimated / released:.2f} | {found.steps}"
        of_groups = [int(typed[np.unique(group)].sum()) for group in groups.values()]
        held.all += [holds(word, count) for word, count in zip(found.words, truth, strict=True)]
        told = [(word, int(count)) for word, count in zip(found.words, truth, strict=True) if word.told]
        held.told += [holds(word, count) for word, count in told]
        held.shares.append(sum(count for _, count in told) / int(typed.sum()))
        held.groups += [holds(group, n) for group, n in zip(found.groups, of_groups, strict=True) if group.told]
    return f"{first} | {held}"


def distances(privatizer: hushbit.Privatizer, typed: Counts) -> str:
    """The rest of a line of --steps."""
    channel, released = channel_of(privatizer), released_counts(privatizer, typed, 0)
    generator = np.random.default_rng(0)
    _, steps = likely_shares(channel, released)
    halves = generator.binomial(released, 0.5)
    of_half = best_of_half(channel, halves, released - halves)
    course = []
    shares = first_shares(channel, True)
    for _ in range(3 * steps + 20):
        course.append(distance(shares[:-1, 0], typed))
        shares = steps_towards(channel, shares, released[:, np.newaxis].astype(float))
    crossed = np.mean([crossed_posterior(channel, released, generator) for _ in range(SPLITS)], axis=0)
    found = (course[of_half], course[steps], course[steps + 1], distance(crossed[:-1], typed), min(course))
    return " | ".join(f"{value:.4f}" for value in found)


def best_of_half(channel: Channel, here: Counts, there: Counts) -> int:
    """The number of steps on one half of the released words that explains the other half best."""
    shares, likelihoods = first_shares(channel, True), [-np.inf]
    while len(likelihoods) - int(np.argmax(likelihoods)) <= PATIENCE and len(likelihoods) <= MAX_STEPS:
        expected = np.maximum(channel.released(shares)[:, 0], np.finfo(float).tiny)
        likelihoods.append(float(there @ np.log(expected)))
        shares = steps_towards(channel, shares, here[:, np.newaxis].astype(float))
    return int(np.argmax(likelihoods)) - 1


def crossed_posterior(channel: Channel, released: Counts, generator: np.random.Generator) -> NDArray[np.float64]:
    """The posterior of each half's words under the estimate of the other half, added up, (Y + 1,)."""
    half = generator.binomial(released, 0.5)
    total = np.zeros(len(released) + 1)
    for here, there in ((half, released - half), (released - half, half)):
        shares, _ = likely_shares(channel, here)
        posterior = steps_towards(channel, shares[:, np.newaxis], there[:, np.newaxis].astype(float))
        total += there.sum() * posterior[:, 0]
    return total


def holds(found: Estimate, count: int) -> bool:
    """Whether the interval holds the true count."""
    return bool(found.low <= count <= found.high)


def released_counts(privatizer: hushbit.Privatizer, typed: Counts, draw: int) -> Counts:
    """How often each output word comes out, of how often each was typed and, last, unknown ones."""
    ids = privatizer.bundle._native.output_words()
    words = np.repeat(np.append(ids, UNKNOWN).astype(np.uint32), typed)
    out = _core_testing.replace(privatizer._native, words, bytes([7 + draw] * 32))
    return np.bincount(np.searchsorted(ids, out), minlength=len(ids))


def distance(one: object, other: Counts) -> float:
    """Half the sum of the differences of shares."""
    first, second = np.asarray(one, dtype=float), other.astype(float)
    return float(np.abs(first / first.sum() - second[: len(first)] / second[: len(first)].sum()).sum() / 2)


if __name__ == "__main__":
    main()
