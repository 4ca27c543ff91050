"""How many words the reports of many people tell, for how much of the text, and how many of them are false.

A report of each word of the texts, at an epsilon a word; and a report of each text, at an epsilon a text, of people
whose texts are drawn anew from the given ones. Reports are drawn by the core, with the operating system's randomness; a
word counts as its stand-in. Also the time and the memory of counting them. Last, beside the optimal variance
4e^ε/(n(e^ε - 1)²), that of the design which reports have, for several numbers of values.

    tools/bench/counts REVIEWS.parquet:review [--rows 2500] [--runs 3]
"""

import argparse
import math
import resource
import time

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import hushbit
from hushbit.analysis.counts import Estimates, Tally, design_of, estimate, words_of
from hushbit.analysis.words.estimate import typed_counts

Counts = NDArray[np.int64]
PEOPLE = 1_000_000


def main() -> None:
    """Prints the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", metavar="FILE:COLUMN", help="a Parquet file and its column of texts")
    parser.add_argument("--rows", type=int, help="the first rows of the file (default: all)")
    parser.add_argument("--runs", type=int, default=3, help="of each row (default: 3)")
    arguments = parser.parse_args()
    path, _, column = arguments.texts.rpartition(":")
    texts = [
        text.replace("<br />", " ")
        for text in pq.read_table(path, columns=[column])[column].to_pylist()[: arguments.rows]
    ]
    bundle = hushbit.open()
    typed = typed_counts(bundle, texts)[:, :-1]
    of_words = np.append(0, np.asarray(typed.sum(axis=0)).ravel()).astype(np.int64)
    sums = np.asarray(typed.sum(axis=1)).ravel()
    of_texts = np.append((sums == 0).mean(), np.asarray(typed.T @ (1 / np.maximum(sums, 1))).ravel() / len(texts))
    print("| reports | ε | told | of the text | false | intervals that hold, told; all | seconds |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for _ in range(arguments.runs):
        print(
            row(bundle, f"{of_words.sum():,}, one a word", 6.0, np.repeat(np.arange(len(of_words)), of_words)),
            flush=True,
        )
    generator = np.random.default_rng(1)
    for epsilon in (1.0, 2.0, 4.0):
        for _ in range(arguments.runs):
            values = generator.choice(len(of_texts), PEOPLE, p=of_texts / of_texts.sum())
            print(row(bundle, f"{PEOPLE:,}, one a text", epsilon, values, of_texts), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"\nThe process had {peak} MB at most, bundle and texts among them.\n")
    print_variances()


def row(
    bundle: hushbit.Bundle, what: str, epsilon: float, values: Counts, shares: NDArray[np.float64] | None = None
) -> str:
    """Reports the values and counts the reports. shares: of the population, where people were drawn from one."""
    reports = bundle.reporter(values="words", epsilon=epsilon).report_values(values).astype(np.int64)
    names = words_of(bundle).names
    began = time.perf_counter()
    tally = Tally(design_of(len(names), epsilon))
    tally.add(reports)
    found = estimate(tally, names)
    seconds = time.perf_counter() - began
    there = np.bincount(values, minlength=len(names)).astype(float)
    truth = there if shares is None else shares * len(values)
    return f"| {what} | {epsilon:g} | {told(found, truth, there)} | {seconds:.2f} |"


def told(found: Estimates, truth: NDArray[np.float64], there: NDArray[np.float64]) -> str:
    """Cells of a row. A word is falsely told if nobody reported it."""
    held = (found.low <= truth) & (truth <= found.high)
    words = found.told.copy()
    words[0] = False  # none
    false = int((words & (there == 0)).sum())
    share = truth[words].sum() / truth[1:].sum()
    return f"{words.sum()} | {share:.0%} | {false} | {held[found.told].mean():.3f}; {held.mean():.3f}"


def print_variances() -> None:
    """The ratio of the variance to the optimum, for numbers of values above e^ε."""
    print("| values | ε | q | t | variance by the optimum |")
    print("|--:|--:|--:|--:|--:|")
    for values in (4, 16, 256, 3800, 16_385, 370_000):
        for epsilon in (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0):
            if values <= math.exp(epsilon):
                continue
            design = design_of(values, epsilon)
            variance = design.other * (1 - design.other) / (design.own - design.other) ** 2
            ratio = variance * math.expm1(epsilon) ** 2 / (4 * math.exp(epsilon))
            print(f"| {values:,} | {epsilon:g} | {design.space.prime} | {design.space.dimension} | {ratio:.3f} |")


if __name__ == "__main__":
    main()
