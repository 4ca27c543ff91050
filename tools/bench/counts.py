"""How many words the reports of many people tell, for how much of the text, and how many of them are false.

A report of each word of the texts, at an epsilon a word; and a report of each text, at an epsilon a text, of people
whose texts are drawn anew from the given ones. Reports are drawn by the core, with the operating system's randomness; a
word counts as its stand-in. Also the time and the memory of counting them. Last, beside the optimal variance
4e^ε/(n(e^ε - 1)²), that of the design which reports have, and of optimized local hashing, for several numbers of
values.

    tools/bench/counts REVIEWS.parquet:review [--rows 2500] [--runs 3]
    tools/bench/counts --variances
    tools/bench/counts --dask 100000000

The last one draws so many reports in partitions of a million, and counts them through a data frame of Dask, one
partition at a time.
"""

import argparse
import math
import resource
import time

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from numpy.typing import NDArray

import hushbit
from hushbit.analysis.counts import Counted, Estimates, Tally, Wanted, count_frame, design_of, estimate, words_of
from hushbit.analysis.words.estimate import typed_counts

Counts = NDArray[np.int64]
PEOPLE = 1_000_000
DASK_EPSILON = 4.0


def main() -> None:
    """Prints the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="?", metavar="FILE:COLUMN", help="a Parquet file and its column of texts")
    parser.add_argument("--rows", type=int, help="the first rows of the file (default: all)")
    parser.add_argument("--runs", type=int, default=3, help="number of runs of each row (default: 3)")
    parser.add_argument("--dask", type=int, metavar="REPORTS", help="count so many reports by Dask, and nothing else")
    parser.add_argument("--variances", action="store_true", help="print the last table alone")
    arguments = parser.parse_args()
    if arguments.variances:
        print_variances()
        return
    if arguments.dask is not None:
        print_dask(arguments.dask)
        return
    if arguments.texts is None:
        parser.error("name the texts")
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


# ---- Very many reports


def print_dask(reports: int) -> None:
    """Draws the reports of words, at an epsilon of 4, and counts them. Each partition is drawn when it is counted."""
    import dask
    import dask.dataframe as dd

    values = words_of(hushbit.open())
    names = values.names
    counted = Counted(design_of(len(names), DASK_EPSILON))
    parts, meta = range(-(-reports // PEOPLE)), pd.DataFrame({"report": np.zeros(0, np.int64)})
    frame = dd.from_map(partition, parts, meta=meta)  # type: ignore[no-untyped-call]
    began, used = time.perf_counter(), time.process_time()
    with dask.config.set(scheduler="synchronous"):
        counted = count_frame(frame, Wanted(values.hash, DASK_EPSILON), counted)
    found = estimate(counted.whole, names)
    seconds, used = time.perf_counter() - began, time.process_time() - used
    drawing = time.process_time()
    partition(0)
    drawing = (time.process_time() - drawing) * len(parts)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print("| reports | values | ε | told | seconds | of processor | of which drawing | most memory |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    print(
        f"| {counted.whole.reports:,} | {len(names):,} | {DASK_EPSILON:g} | {found.told.sum()} | {seconds:.0f} "
        f"| {used:.0f} | {drawing:.0f} | {peak} MB |"
    )


def partition(number: int) -> pd.DataFrame:
    """A million reports of words whose frequencies follow Zipf's law."""
    reporter = hushbit.open().reporter(values="words", epsilon=DASK_EPSILON)
    count = reporter.info.value_count
    shares = np.cumsum(1 / np.arange(1, count + 1))
    values = np.searchsorted(shares, np.random.default_rng(number).random(PEOPLE) * shares[-1])
    return pd.DataFrame({"report": reporter.report_values(values).astype(np.int64)})


# ---- Variances


def print_variances() -> None:
    """The optimum of the variance of the count of a value that nobody has, and of the mean over all values.

    Of optimized local hashing (OLH), too: e^ε + 1 buckets, rounded, and a hash for each report. The mean over all
    values is that of frequencies that add up to 1, whatever they are. Randomized response has the smallest variance
    where nobody has the value, and one that grows with the frequency fastest.
    """
    print("| values | ε | q | t | nobody's value | all values | OLH, nobody's value | OLH, all values |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    for values in (4, 16, 128, 256, 1024, 3800, 16_385, 370_000):
        for epsilon in (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0):
            if values <= math.exp(epsilon):
                continue
            design = design_of(values, epsilon)
            buckets = round(math.exp(epsilon)) + 1
            hashed = math.exp(epsilon) / (math.exp(epsilon) + buckets - 1)
            cells = [
                variances(design.own, design.other, values, epsilon),
                variances(hashed, 1 / buckets, values, epsilon),
            ]
            shown = " | ".join(f"{variance:.3f}" for pair in cells for variance in pair)
            print(f"| {values:,} | {epsilon:g} | {design.space.prime} | {design.space.dimension} | {shown} |")


def variances(own: float, other: float, values: int, epsilon: float) -> tuple[float, float]:
    """The variance by the optimum 4e^ε/(n(e^ε - 1)²), of n reports that support their own value with one chance and
    another one's with the other: of nobody's value, and the mean over all.
    """
    scale = math.expm1(epsilon) ** 2 / (4 * math.exp(epsilon)) / (own - other) ** 2
    nobodys = other * (1 - other)
    return nobodys * scale, (nobodys + (own * (1 - own) - nobodys) / values) * scale


if __name__ == "__main__":
    main()
