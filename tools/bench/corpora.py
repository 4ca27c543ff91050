"""How fast corpora go from Parquet to Parquet: `hushbit corpus` without and with a ledger, tables, and Dask's cluster.

A row is ten words, drawn by the public weights of the bundle. Figures are words a second of processor time, of the
whole program with its start, so that other work on the machine changes little, and the most memory that it had. What
is compared runs in turns, `--rounds` times each, and the fastest counts. Of Dask the processor time is that of its two
workers, each a process of one thread; in the second row of it, that of the program that talks to them too. Tables of
polars, Arrow and pandas and queries of DuckDB are programs of a few lines, in which one thread draws.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import hushbit
import hushbit.corpus
from hushbit import _core

WORDS_A_ROW = 10
WORKERS = 2
BARS = "bars: 300,000 words a second and core, 1,000 MB, .95 with a ledger, .7 a worker, .8 for polars and DuckDB"

BEGIN = """
import sys
from functools import partial
import hushbit, hushbit.corpus, hushbit.corpus.frames
hushbit.corpus.frames.processors = lambda: 1
source, output, path = sys.argv[1:]
privatizer = hushbit.open(path or None).privatizer("crowd")
privatize = partial(hushbit.corpus.privatize, column="text", privatizer=privatizer)
"""
TABLES = {
    "polars": "import polars as pl; privatize(pl.read_parquet(source)).write_parquet(output)",
    "polars, lazy": "import polars as pl; privatize(pl.scan_parquet(source)).sink_parquet(output)",
    "DuckDB": """
import duckdb
connection = duckdb.connect(config={"threads": 1})
connection.execute("SET enable_progress_bar = false")
hushbit.corpus.register_duckdb(connection, privatizer)
connection.execute(f"COPY (SELECT privatize(text) AS text FROM '{source}') TO '{output}' (FORMAT parquet)")
""",
    "Arrow": "import pyarrow.parquet as pq; pq.write_table(privatize(pq.read_table(source)), output)",
    "pandas": "import pandas as pd; privatize(pd.read_parquet(source)).to_parquet(output)",
}


@dataclass(frozen=True)
class Cost:
    """The figures of one run: seconds of processor time, seconds by the clock, and bytes of memory at most (0: not
    measured).
    """

    processor: float
    wall: float
    memory: int = 0


Ways = dict[str, list[Cost]]


def main() -> None:
    """Prints a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", nargs="?", help="bundle (default: the built-in English one)")
    parser.add_argument("--rows", type=int, default=1_000_000, help="number of rows of ten words (default: 1000000)")
    parser.add_argument("--without-dask", action="store_true")
    parser.add_argument("--rounds", type=int, default=2, help="number of rounds (default: 2)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(arguments.bundle, arguments.rows, arguments.rounds, Path(folder), with_dask=not arguments.without_dask)


def compare(path: str | None, rows: int, rounds: int, folder: Path, *, with_dask: bool) -> None:
    """Writes the rows and runs all ways in turns."""
    bundle = hushbit.open() if path is None else hushbit.open(path)
    privatizer = bundle.privatizer("crowd")
    source = folder / "in.parquet"
    write_rows(source, privatizer, rows)
    options = [] if path is None else ["--bundle", path]
    ledger = ["--budget", str(folder / "ledger")]
    ways: Ways = {}
    for turn in range(rounds):
        for name, more in (("one job", ["--jobs", "1"]), ("one job, ledger", ["--jobs", "1", *ledger])):
            ways.setdefault(name, []).append(command(source, folder / f"{name} {turn}", [*options, *more]))
        ways.setdefault("two jobs", []).append(command(source, folder / f"two {turn}", [*options, "--jobs", "2"]))
        for name, program in TABLES.items():
            line = [sys.executable, "-c", BEGIN + program, str(source), str(folder / f"{name} {turn}"), path or ""]
            ways.setdefault(name, []).append(cost_of(line))
    if with_dask:
        compare_dask(source, folder, options, privatizer, rounds, ways)
    words = rows * WORDS_A_ROW
    print(f"{rows:,} rows of {WORDS_A_ROW} words, {bundle.info.words:,} words known, {rounds} rounds; {BARS}\n")
    print("| way | words a second and core | to one job | seconds by the clock | MB at most |")
    print("|---|--:|--:|--:|--:|")
    one = min(cost.processor for cost in ways["one job"])
    for name, costs in ways.items():
        best = min(costs, key=lambda cost: cost.processor)
        memory = max(cost.memory for cost in costs)
        print(
            f"| {name} | {words / best.processor:,.0f} | {one / best.processor:.2f} | {best.wall:.0f} "
            f"| {f'{memory / 1e6:,.0f}' if memory else ''} |"
        )


def compare_dask(
    source: Path, folder: Path, options: list[str], privatizer: hushbit.Privatizer, rounds: int, ways: Ways
) -> None:
    """Adds the ways of Dask."""
    with Cluster() as (client, workers):
        # Once before, so that each worker has opened the bundle.
        frames(client, workers, source, privatizer, folder / "warm")
        for turn in range(rounds):
            ways.setdefault("Dask, frames", []).append(
                frames(client, workers, source, privatizer, folder / f"frames {turn}")
            )
            before = seconds_of(workers)
            there = command(
                source, folder / f"there {turn}", [*options, "--scheduler", client.scheduler_info()["address"]]
            )
            drawn = seconds_of(workers) - before
            ways.setdefault("Dask, --scheduler", []).append(Cost(drawn, there.wall, there.memory))
            ways.setdefault("  and its client", []).append(Cost(drawn + there.processor, there.wall, there.memory))


def write_rows(path: Path, privatizer: hushbit.Privatizer, rows: int) -> None:
    """Groups of 100,000 rows, words by the public weights, from a fixed seed."""
    bundle = privatizer.bundle
    ids = bundle._native.output_words()
    weights = _core.output_weights(privatizer._native)[ids].astype(float)
    words = np.array([bundle.word(int(word)) for word in ids], dtype=object)
    generator = np.random.default_rng(1)
    with pq.ParquetWriter(path, pa.schema([("text", pa.string())])) as writer:
        for _ in range(0, rows, 100_000):
            drawn = words[generator.choice(len(ids), size=(min(rows, 100_000), WORDS_A_ROW), p=weights / weights.sum())]
            writer.write_table(pa.table({"text": [" ".join(row) for row in drawn]}))


def command(source: Path, output: Path, options: list[str]) -> Cost:
    """`hushbit corpus` in a process of its own, which must end well."""
    return cost_of(
        [sys.executable, "-m", "hushbit", "corpus", str(source), "--column", "text", "-o", str(output), *options]
    )


def cost_of(line: list[str]) -> Cost:
    """A process, which must end well."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(line, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.exit(said.read().decode())
    return Cost(processor_seconds(used), time.monotonic() - began, used.ru_maxrss * 1024)


def processor_seconds(used: resource.struct_rusage) -> float:
    """The seconds in user and kernel mode."""
    return used.ru_utime + used.ru_stime


# ---- Dask


class Cluster:
    """A client of a local cluster, and the processes of its workers."""

    def __enter__(self) -> tuple[Any, list[Any]]:
        import psutil  # type: ignore[import-untyped, unused-ignore]

        distributed: Any = import_module("distributed")
        self._cluster = distributed.LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None)
        self._client = distributed.Client(self._cluster)
        return self._client, [psutil.Process(pid) for pid in self._client.run(os.getpid).values()]

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._cluster.close()


def seconds_of(workers: list[Any]) -> float:
    """Processor time that they have had."""
    return float(sum(sum(worker.cpu_times()[:2]) for worker in workers))


def frames(client: Any, workers: list[Any], source: Path, privatizer: hushbit.Privatizer, output: Path) -> Cost:
    """A lazy frame from Parquet, privatized and written to Parquet, all by the workers."""
    import dask.dataframe as dd

    before, began = seconds_of(workers), time.monotonic()
    frame = dd.read_parquet(source, split_row_groups=True)
    released = hushbit.corpus.privatize(frame, column="text", privatizer=privatizer)
    released.to_parquet(output)
    memory = max(client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024).values())
    return Cost(seconds_of(workers) - before, time.monotonic() - began, memory)


if __name__ == "__main__":
    main()
