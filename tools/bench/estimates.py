"""How near `hushbit estimate` comes to the words that were typed, and whether its intervals hold them.

For each file of texts, size of crowds and epsilon: the total variation distance to the shares of the known words that
were typed, each as its stand-in, of the released shares and of the estimated ones, their ratio, the steps taken, for
how much of the text the data tell the words, and how often the interval of 95 in 100 holds the true count: of words
that the data tell, and of all.

    tools/bench/estimates REVIEWS.parquet:review MESSAGES.parquet:message [--crowds many,few] [--epsilons 5,6]

With the built-in bundle; draws are from fixed seeds.
"""

import argparse

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import hushbit
from hushbit import _core_testing
from hushbit.corpus.estimate import channel_of, estimate, typed_counts
from hushbit.study.mechanisms.core import UNKNOWN

FEWEST = 20  # resamples that make an interval
Counts = NDArray[np.int64]


def main() -> None:
    """Prints a line for each, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+", metavar="FILE:COLUMN", help="Parquet files and their columns of texts")
    parser.add_argument("--crowds", default="many,few,one")
    parser.add_argument("--epsilons", default="4,5,6,7")
    parser.add_argument("--resamples", type=int, default=40, help="for intervals (40); 1 for none")
    parser.add_argument("--rows", type=int, help="the first rows of each file (all)")
    arguments = parser.parse_args()
    bundle = hushbit.open()
    print("| texts | words | crowds | ε | released | estimated | ratio | steps | told | holds, told | holds, all |")
    print("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for source in arguments.texts:
        path, _, column = source.rpartition(":")
        texts = pq.read_table(path, columns=[column])[column].to_pylist()[: arguments.rows]
        texts = [text.replace("<br />", " ") for text in texts]
        typed = np.asarray(typed_counts(bundle, texts).sum(axis=0)).ravel().astype(np.int64)
        for crowd in arguments.crowds.split(","):
            for epsilon in map(float, arguments.epsilons.split(",")):
                privatizer = bundle.privatizer("crowd", epsilon, crowd=crowd)
                row = measured(privatizer, typed, arguments.resamples)
                print(f"| {column} | {typed.sum():,} | {crowd} | {epsilon:g} | {row} |", flush=True)


def measured(privatizer: hushbit.Privatizer, typed: Counts, resamples: int) -> str:
    """The rest of a line."""
    ids = channel_of(privatizer).ids
    found = estimate(privatizer, released_counts(privatizer, typed), {}, resamples=resamples)
    places = {privatizer.bundle.word(int(word)): place for place, word in enumerate(ids)}
    order = [places[word.name] for word in found.words]
    truth = typed[order]
    low, high = (np.array([getattr(word, name) for word in found.words]) for name in ("low", "high"))
    held = (low <= truth) & (truth <= high)
    told = np.array([word.told for word in found.words])
    released = distance([word.released for word in found.words], truth)
    estimated = distance([word.typed for word in found.words], truth)
    distances = f"{released:.3f} | {estimated:.3f} | {estimated / released:.2f} | {found.steps}"
    if resamples < FEWEST:
        return f"{distances} | | |"
    share = truth[told].sum() / truth.sum()
    holds = f"{held[told].mean():.2f}" if told.any() else ""
    return f"{distances} | {share:.2f} | {holds} | {held.mean():.2f}"


def released_counts(privatizer: hushbit.Privatizer, typed: Counts) -> Counts:
    """How often each output word comes out, of how often each was typed and, last, unknown ones."""
    ids = privatizer.bundle._native.output_words()
    words = np.repeat(np.append(ids, UNKNOWN).astype(np.uint32), typed)
    out = _core_testing.replace(privatizer._native, words, bytes([7] * 32))
    return np.bincount(np.searchsorted(ids, out), minlength=len(ids))


def distance(one: object, other: Counts) -> float:
    """Half the sum of the differences of shares."""
    first, second = np.asarray(one, dtype=float), other.astype(float)
    return float(np.abs(first / first.sum() - second[: len(first)] / second[: len(first)].sum()).sum() / 2)


if __name__ == "__main__":
    main()
