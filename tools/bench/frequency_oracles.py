"""Reports about values and their counts beside the frequency oracles of the package pure-ldp, in one run.

That package has optimized local hashing (OLH), Hadamard response, and the two count sketches of Apple (CMS, and HCMS,
whose reports are one bit), here with 1,024 hashes to 1,024 places. People's values are of Zipf's law, the same for all.
The error is the mean square of the differences between estimated and true shares over all values and draws, with its
standard error, by the optimum 4e^ε/(n(e^ε - 1)²) for n reports and many values. Times are of the processor: of a call
for each report, for ours also of one call for an array; and of counting all values, ours with intervals, which the
others do not have. OLH takes a hash for each report and value, in Python, so 20,000 reports are few.

frequency_oracles.py --peer PYTHON: a Python that has pure-ldp, in which this file runs itself as `--as-peer`.
"""

import argparse
import json
import math
import subprocess
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int64]
Run = Callable[[Values], tuple[NDArray[np.float64], float, float]]
SKETCH = 1024
OURS = "Hushbit"
ORACLES = ("OLH", "Hadamard response", "CMS", "HCMS")


@dataclass
class Row:
    """What was measured of an oracle. Errors are squared differences of shares, one for each value and draw."""

    values: int
    epsilon: float
    oracle: str
    errors: list[float] = field(default_factory=list)
    report_seconds: float = 0.0
    count_seconds: float = 0.0


def main() -> None:
    """Prints a table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="a Python that has pure-ldp")
    parser.add_argument("--values", default="128,1024", help="numbers of values (default: 128,1024)")
    parser.add_argument("--epsilons", default="1,2,4,6", help="epsilons of a report (default: 1,2,4,6)")
    parser.add_argument("--reports", type=int, default=20_000, help="number of reports of a draw (default: 20000)")
    parser.add_argument(
        "--errors", type=int, default=1024, help="number of errors of a row, over values and draws (default: 1024)"
    )
    parser.add_argument("--oracles", default=",".join(ORACLES), help="theirs, by name (default: all)")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    numbers = [int(text) for text in arguments.values.split(",")]
    epsilons = [float(text) for text in arguments.epsilons.split(",")]
    makers = peers(arguments.oracles.split(",")) if arguments.as_peer else ours()
    rows = [
        measured(Row(values, epsilon, name), maker(values, epsilon), arguments.reports, arguments.errors)
        for values in numbers
        for epsilon in epsilons
        for name, maker in makers.items()
    ]
    if arguments.as_peer:
        print(json.dumps([asdict(row) for row in rows]))
        return
    command = [arguments.peer, __file__, "--as-peer", "--peer", arguments.peer, "--values", arguments.values]
    command += [
        "--epsilons",
        arguments.epsilons,
        "--reports",
        str(arguments.reports),
        "--errors",
        str(arguments.errors),
        "--oracles",
        arguments.oracles,
    ]
    theirs = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1])
    print_table([*rows, *(Row(**row) for row in theirs)], arguments.reports)


def measured(row: Row, run: Run, reports: int, errors: int) -> Row:
    """The row after as many draws as give so many errors. Values are drawn from a seed, the same for every oracle."""
    generator = np.random.default_rng(row.values)
    chances = 1 / np.arange(1, row.values + 1)
    draws = max(1, errors // row.values)
    for _ in range(draws):
        values = generator.choice(row.values, reports, p=chances / chances.sum())
        counts, report_seconds, count_seconds = run(values)
        row.errors += (((counts - np.bincount(values, minlength=row.values)) / reports) ** 2).tolist()
        row.report_seconds += report_seconds / reports / draws
        row.count_seconds += count_seconds / draws
    return row


def print_table(rows: list[Row], reports: int) -> None:
    """Rows of a number of values and an ε together, ours first."""
    print("| values | ε | | error by the optimum | theirs by ours | a report, µs | counting, ms |")
    print("|--:|--:|---|--:|--:|--:|--:|")
    beside = {(row.values, row.epsilon): np.mean(row.errors) for row in rows if row.oracle == OURS}
    for row in sorted(rows, key=lambda row: (row.values, row.epsilon, not row.oracle.startswith(OURS))):
        optimum = 4 * math.exp(row.epsilon) / math.expm1(row.epsilon) ** 2 / reports
        error = np.mean(row.errors)
        deviation = np.std(row.errors) / math.sqrt(len(row.errors))
        ratio = "" if row.oracle.startswith(OURS) else f"{error / beside[row.values, row.epsilon]:.2f}"
        print(
            f"| {row.values:,} | {row.epsilon:g} | {row.oracle} | {error / optimum:.2f} ± {deviation / optimum:.2f} "
            f"| {ratio} | {1e6 * row.report_seconds:.1f} | {1e3 * row.count_seconds:,.1f} |"
        )


# ---- Ours


def ours() -> dict[str, Callable[[int, float], Run]]:
    """A call for each report, as the others have, and one for all of them."""
    return {OURS: our_run, f"{OURS}, an array": lambda values, epsilon: our_run(values, epsilon, at_once=True)}


def our_run(values: int, epsilon: float, *, at_once: bool = False) -> Run:
    """Reports through the Python interface; and all that `hushbit count` computes."""
    import hushbit
    from hushbit.analysis.counts import Tally, design_of, estimate

    names = [f"v{value}" for value in range(values)]
    reporter = hushbit.Reporter(None, hushbit.ReporterOptions(values=names, epsilon=epsilon, none=False))
    design = design_of(values, epsilon)

    def run(typed: Values) -> tuple[NDArray[np.float64], float, float]:
        numbers = typed.tolist()
        began = time.process_time()
        if at_once:
            reports = reporter.report_values(typed).astype(np.int64)
        else:
            reports = np.array([reporter.report_value(value).report for value in numbers], dtype=np.int64)
        reported = time.process_time()
        tally = Tally(design)
        tally.add(reports)
        counts = estimate(tally, names).counts
        return counts, reported - began, time.process_time() - reported

    return run


# ---- The peer, in its own environment


def peers(names: Sequence[str]) -> dict[str, Callable[[int, float], Run]]:
    """Some oracles of pure-ldp by their names."""
    from pure_ldp import frequency_oracles as oracles

    warnings.simplefilter("ignore")  # of few reports

    def olh(values: int, epsilon: float) -> Run:
        server = oracles.LHServer(epsilon, values, use_olh=True)
        return peer_run(server, oracles.LHClient(epsilon, values, use_olh=True), values)

    def hadamard(values: int, epsilon: float) -> Run:
        server = oracles.HadamardResponseServer(epsilon, values)
        return peer_run(server, oracles.HadamardResponseClient(epsilon, values, server.get_hash_funcs()), values)

    def sketch(values: int, epsilon: float, *, one_bit: bool = False) -> Run:
        server = oracles.CMSServer(epsilon, SKETCH, SKETCH, is_hadamard=one_bit)
        client = oracles.CMSClient(epsilon, server.get_hash_funcs(), SKETCH, is_hadamard=one_bit)
        return peer_run(server, client, values)

    makers: Sequence[Callable[[int, float], Run]] = (olh, hadamard, sketch, partial(sketch, one_bit=True))
    return {name: maker for name, maker in zip(ORACLES, makers, strict=True) if name in names}


def peer_run(server: Any, client: Any, values: int) -> Run:
    """Their values are numbered from 1."""

    def run(typed: Values) -> tuple[NDArray[np.float64], float, float]:
        server.reset()
        began = time.process_time()
        reports = [client.privatise(value) for value in (typed + 1).tolist()]
        reported = time.process_time()
        server.aggregate_all(reports)
        counts = server.estimate_all(range(1, values + 1), suppress_warnings=True)
        return np.asarray(counts, dtype=np.float64), reported - began, time.process_time() - reported

    return run


if __name__ == "__main__":
    main()
