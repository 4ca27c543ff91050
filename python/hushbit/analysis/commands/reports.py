"""What commands that read reports share."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import epsilon
from hushbit.cli._shared.failure import EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Adds REPORTS, which are read, their epsilon and their column."""
    reads(
        parser.add_argument(
            "reports", metavar="REPORTS", nargs="+", help="files, folders, quoted patterns, or - for stdin"
        ),
        stdin=True,
    )
    parser.add_argument(
        "--epsilon", type=epsilon, metavar="E", help="epsilon of the reports (default: what the first report says)"
    )
    parser.add_argument(
        "--column",
        default="report",
        metavar="NAME",
        help="column of the reports in CSV, TSV and Parquet (default: report)",
    )


def standard_input() -> io.BufferedReader:
    """Raises CommandError if it is closed."""
    if sys.stdin is None:
        raise CommandError("standard input is closed")
    return cast("io.BufferedReader", sys.stdin.buffer)


def epsilon_of(given: float | None, files: Sequence[Path]) -> float:
    """The ε that was given, or that of the first report which says its own: of files, or of standard input without
    any.
    """
    from hushbit.analysis.counts.reading import first_of
    from hushbit.analysis.counts.sources import first_report

    if given is not None:
        return given
    for report in map(first_report, files) if files else [first_of(standard_input().peek(1).split(b"\n"))]:
        if report is not None:
            return float(report["epsilon"])
    raise CommandError(
        "no line is a report that says its epsilon: check what these are, and give --epsilon if they are numbers",
        EXIT_USAGE,
    )


def say_refused(counted: int, refused: Mapping[str, int]) -> None:
    """How many reports were counted, and how many not, by the reason."""
    streams.say(f"reports counted {counted:,}")
    for reason, count in sorted(refused.items()):
        if count:
            streams.say(f"reports refused, {reason}: {count:,}")
