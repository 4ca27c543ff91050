"""`hushbit count`: how frequent words, emoji and answers are, from the reports of many devices."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushbit._plumbing.extras import extra, require
from hushbit.analysis.commands.reports import add_reports, epsilon_of, say_refused, standard_input
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import open_bundle, output_path, positive, share
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import COUNTED, PICTURE
from hushbit.cli._shared.progress import ProgressBar

if TYPE_CHECKING:
    from hushbit.analysis.counts.geometry import Whole
    from hushbit.analysis.counts.tables import Columns
    from hushbit.analysis.counts.tally import Counted
    from hushbit.analysis.counts.values import Values

_DESCRIPTION = """\
Counts how many reports are of each value: word, emoji, answer. Reports are what hushbit report and the libraries for
apps make. Counts are unbiased, with intervals of which 95 in 100 hold. This costs no privacy: it looks at nothing but
what was sent.
"""
_EPILOG = """\
examples:
  hushbit count reports.jsonl
  hushbit count 'reports/*.jsonl.gz' --values emoji -o emoji.csv --plot emoji.svg
  hushbit count answers.txt --values answers.txt --epsilon 2
  hushbit count march.jsonl --compare april.jsonl -o changes.csv
  cat reports.jsonl | hushbit count - --groups moods.csv --json

Reports are read from JSON lines, from files with a whole number in each line, and from the column --column of CSV, TSV
and Parquet. A report that is damaged, of another list, another epsilon or out of range is counted by its reason, and
nothing else is lost.

The table has the columns kind (value or group), name, count, deviation, low, high, told, consistent and share. told: so
large a count would be rare if nobody had the value; of the values that nobody has, at most one is told in a whole
table, on average. consistent: the counts moved so that none is below 0 and they add up. Where whole texts are reported,
a count is of texts by their composition: a text of 10 words has a tenth of each.
"""
_SHOWN = 30
_FORMS = (".csv", ".json", ".parquet")
_PICTURES = (".svg", ".png", ".pdf")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "count", help="count words, emoji and answers, from reports", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_reports(parser)
    add_values(parser)
    parser.add_argument(
        "--by", metavar="NAME", help="count by this public column of the reports, too, such as a version"
    )
    reads(
        parser.add_argument(
            "--groups", metavar="FILE", help="count groups of values, too: a CSV file with the columns group and value"
        )
    )
    reads(
        parser.add_argument(
            "--compare",
            metavar="REPORTS",
            nargs="+",
            help="reports of a second period: show what changed since the first",
        )
    )
    parser.add_argument(
        "--level",
        type=share,
        default=0.95,
        metavar="L",
        help="share of intervals that hold the true count (default: 0.95)",
    )
    parser.add_argument(
        "--top", type=positive, default=_SHOWN, metavar="N", help=f"number of rows to show (default: {_SHOWN})"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="count the files on the workers of a Dask cluster")
    writes(
        parser.add_argument(
            "-o",
            "--output",
            type=output_path,
            metavar="FILE",
            help="write all rows to this file (.csv, .json or .parquet)",
        ),
        kind=COUNTED,
    )
    writes(
        parser.add_argument(
            "--plot",
            type=output_path,
            metavar="FILE",
            help="draw the most frequent values to this file (.svg, .png or .pdf)",
        ),
        kind=PICTURE,
    )
    parser.add_argument("--json", action="store_true", help="print all rows as one JSON document")
    parser.set_defaults(run=run)


def add_values(parser: argparse.ArgumentParser) -> None:
    """Adds which list of values reports are about."""
    reads(
        parser.add_argument(
            "--values",
            default="words",
            metavar="LIST",
            help="what was reported: words, emoji, or a file with one value a line (default: words)",
        )
    )
    parser.add_argument(
        "--none",
        action="store_true",
        help="count a value for texts that are none of the list, as devices report them with --none",
    )
    parser.add_argument(
        "--skin-tones",
        action="store_true",
        help="count emoji with skin tones as values of their own, as devices report them with --skin-tones",
    )
    reads(
        parser.add_argument("--bundle", metavar="FILE", help="bundle of the words (default: the built-in English one)")
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    _check(arguments)
    with extra("analysis"):
        from hushbit.analysis.counts.tables import encoded

        values = values_of(arguments)
        groups = _groups(arguments, values)
        counted = _counted(arguments, arguments.reports, values, groups)
        about = _about(counted, values)
        if arguments.compare is not None:
            second = _counted(arguments, arguments.compare, values, {})
            about |= {"second": _about(second, values)}
            columns = _changes(arguments, counted, second, values)
        else:
            columns = _counts(arguments, counted, values)
        if arguments.output is not None:
            from hushbit._plumbing.atomic import write_atomically

            write_atomically(arguments.output, encoded(columns, arguments.output.suffix.lower(), about))
    if arguments.json:
        from hushbit.analysis.counts.tables import rows_of

        streams.write_json({**about, "rows": rows_of(columns)})
    elif arguments.output is None:
        streams.write_text("".join(f"{line}\n" for line in _lines(columns, arguments.top)))
    return EXIT_OK


def _check(arguments: argparse.Namespace) -> None:
    for path, suffixes in ((arguments.output, _FORMS), (arguments.plot, _PICTURES)):
        if path is not None:
            from hushbit._plumbing.atomic import check_writable

            if path.suffix.lower() not in suffixes:
                raise CommandError(f"{path}: the name must end with one of {', '.join(suffixes)}", EXIT_USAGE)
            check_writable(path)
    if arguments.plot is not None:
        require("analysis", "matplotlib")
    if arguments.output is not None and arguments.output.suffix.lower() == ".parquet":
        require("analysis", "pyarrow")
    if arguments.compare is not None and (arguments.by or arguments.groups or arguments.plot):
        raise CommandError("--compare shows changes of values: it goes without --by, --groups and --plot", EXIT_USAGE)
    if arguments.none and arguments.values in ("words", "emoji"):
        raise CommandError("--none is for a list in a file: words and emoji have none as their first value", EXIT_USAGE)


def values_of(arguments: argparse.Namespace) -> Values:
    """The list that --values names."""
    from hushbit.analysis.counts import values

    if arguments.values == "words":
        return values.words_of(open_bundle(arguments.bundle))
    if arguments.values == "emoji":
        return values.emoji(skin_tones=arguments.skin_tones)
    if arguments.values == "new-words":
        raise CommandError("reports of new words are read by hushbit discover", EXIT_USAGE)
    return values.read_list(Path(arguments.values), none=arguments.none)


def _groups(arguments: argparse.Namespace, values: Values) -> dict[str, Whole]:
    from hushbit.analysis.counts.values import groups_of

    return {} if arguments.groups is None else groups_of(Path(arguments.groups), values, values.places())


def _counted(arguments: argparse.Namespace, sources: list[str], values: Values, groups: dict[str, Whole]) -> Counted:
    from hushbit.analysis.counts.design import design_of
    from hushbit.analysis.counts.reading import Wanted
    from hushbit.analysis.counts.sources import count_files, count_files_there, count_stream, find_sources
    from hushbit.analysis.counts.tally import Counted

    if "-" in sources and len(sources) > 1:
        raise CommandError("reports from stdin go alone", EXIT_USAGE)
    files = [] if "-" in sources else find_sources(sources)
    of_reports = epsilon_of(arguments.epsilon, files)
    wanted = Wanted(values.hash, of_reports, arguments.by)
    counted = Counted(design_of(len(values.names), of_reports), groups)
    if not files:
        counted = count_stream(standard_input(), wanted, counted)
    elif arguments.scheduler is not None:
        with extra("dask"):
            counted = count_files_there(arguments.scheduler, files, wanted, counted, arguments.column)
    else:
        with ProgressBar() as progress:
            counted = count_files(files, wanted, counted, arguments.column, progress)
    say_refused(sum(tally.reports for tally in counted.tallies.values()), counted.refused)
    return counted


def _about(counted: Counted, values: Values) -> dict[str, Any]:
    return {
        "reports": sum(tally.reports for tally in counted.tallies.values()),
        "epsilon": counted.design.epsilon,
        "values": values.hash,
        "refused": {reason: count for reason, count in sorted(counted.refused.items()) if count},
    }


def _counts(arguments: argparse.Namespace, counted: Counted, values: Values) -> Columns:
    from hushbit.analysis.counts.estimates import estimate, estimate_groups
    from hushbit.analysis.counts.tables import columns_of

    tallies = dict(sorted(counted.tallies.items())) if arguments.by else {"": counted.whole}
    if not any(tally.reports for tally in tallies.values()):
        raise CommandError("there is no report to count")
    counts = {
        label: estimate(tally, values.names, arguments.level) for label, tally in tallies.items() if tally.reports
    }
    groups = {}
    if counted.groups:
        groups = {label: estimate_groups(tallies[label], arguments.level) for label in counts}
    for label, found in counts.items():
        told = found.counts[found.told].sum() / found.reports
        named = f"{arguments.by} {label}: " if arguments.by else ""
        streams.say(
            f"{named}values that the reports tell: {found.told.sum():,}, {told:.0%} of {found.reports:,} reports"
        )
    if arguments.plot is not None:
        from hushbit._plumbing.atomic import write_atomically
        from hushbit.analysis.counts.plot import chart

        of_all = counts[""] if "" in counts else estimate(counted.whole, values.names, arguments.level)
        write_atomically(arguments.plot, chart(of_all, arguments.plot.suffix.lower()[1:]))
    return columns_of(counts, groups)


def _changes(arguments: argparse.Namespace, first: Counted, second: Counted, values: Values) -> Columns:
    from hushbit.analysis.counts.differences import difference
    from hushbit.analysis.counts.tables import columns_of_differences

    found = difference(first.whole, second.whole, values.names, arguments.level)
    streams.say(f"values whose change the reports tell: {found.told.sum():,}")
    return columns_of_differences(found)


def _lines(columns: Columns, top: int) -> list[str]:
    """The first rows, for people: those that are told, or all if none is."""
    from hushbit.analysis.counts.tables import rows_of
    from hushbit.cli._shared.tables import render_rows

    rows = rows_of(columns)
    told = [row for row in rows if row["told"]] or rows
    cells = [[_cell(name, value) for name, value in row.items()] for row in told[:top]]
    more = "are told" if any(row["told"] for row in rows) else "are not shown; none is told"
    note = f"{len(told) - top:,} more {more}." if len(told) > top else ""
    return render_rows(list(columns), cells, note)


_SHARES = ("share", "first", "second", "change")


def _cell(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in value)
    return f"{100 * value:.3g} %" if name in _SHARES else f"{value:,.0f}"
