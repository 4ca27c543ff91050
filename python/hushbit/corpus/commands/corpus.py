"""`hushbit corpus`: files of texts, privatized part by part, each once."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit._options import DEFAULTS, EMBEDDER_EPSILON, REPORTER_DEFAULTS
from hushbit._plumbing.names import listed
from hushbit._plumbing.parallel import processors
from hushbit.cli._shared import mechanism, repetition, reported_values, streams
from hushbit.cli._shared.arguments import open_bundle, positive, threads
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import MANIFEST
from hushbit.cli._shared.progress import ProgressBar
from hushbit.corpus import reading

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.corpus.columns import Releaser
    from hushbit.corpus.run import Summary
    from hushbit.corpus.sources import Corpus

_DESCRIPTION = """\
Reads Parquet, CSV, TSV or JSON lines (these may be compressed: .gz, .bz2, .xz, .zst), privatizes one column, and
writes a folder of files of the same format. Other columns go along only if --keep names them.
"""
_EPILOG = """\
examples:
  hushbit corpus reviews.parquet --column text --keep label -o released
  hushbit corpus 'logs/*.csv.gz' --column message -o released --bundle words.hushbit --jobs 4
  hushbit corpus reviews --column text -o released --bundle words.hushbit --budget sent.budget --budget-lifetime 1e6
  hushbit corpus log.txt --format tsv --no-header --column 3 -o released
  hushbit corpus messages.parquet --column text -o embedded --as embedding --epsilon 2
  hushbit corpus messages.parquet --column text -o reported --as report --values emoji --epsilon 1
  hushbit corpus reviews --column text -o released --bundle words.hushbit --scheduler tcp://host:8786

Each row is one release: it costs the sum over its tokens, or with --as embedding or report one epsilon, whatever its
length.
Rows are released in parts, files of the folder OUT, and no part is drawn twice: OUT.manifest, beside the folder, says
which are out. Run the same command again after an interrupt, a crash or an exhausted budget, and it goes on with what
is missing; once all is released it refuses. The manifest names the input and its hashes: keep it, and do not send it
along.

With --budget a part is spent before it is released, in one write; the first part that a cap refuses ends the command
with exit code 6, and the parts before it stay.

Missing texts stay missing. Folders are read with all files below them but those whose name, or a folder of it, begins
with a dot or "_". A file is read once, however many names and links it has, and two files with equal contents are
refused, since each row would be released twice.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "corpus", help="privatize a column of files, once", description=_DESCRIPTION, epilog=_EPILOG
    )
    reads(parser.add_argument("sources", metavar="SOURCE", nargs="+", help="file, folder or quoted pattern"))
    writes(
        parser.add_argument("-o", "--output", metavar="OUT", required=True, help="folder to write"),
        _written,
        kind=MANIFEST,
    )
    parser.add_argument("--column", metavar="NAME", required=True, help="column of the texts")
    parser.add_argument("--keep", metavar="NAMES", default="", help="columns to copy unchanged, separated by commas")
    reads(
        parser.add_argument(
            "--bundle", metavar="FILE", help="bundle, a .hushbit file (default: the built-in English one)"
        )
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=("words", "embedding", "report"),
        default="words",
        help="what is released of each text: words, or, at one epsilon for the whole text, the index of its "
        "embedding or the number of a report for `hushbit count` (default: words; --epsilon of an embedding: "
        f"{EMBEDDER_EPSILON:g}, of a report: {REPORTER_DEFAULTS.epsilon:g})",
    )
    reported_values.add_options(parser, "text", "with --as report: ")
    mechanism.add_options(parser)
    repetition.add_budget(parser, "spend each part from the ledger FILE before it is released")
    parser.add_argument(
        "--jobs", type=threads, metavar="N", help="number of parts at a time (default: one for each CPU)"
    )
    parser.add_argument(
        "--part-rows",
        type=positive,
        metavar="N",
        default=100_000,
        help="number of rows of a part at most (default: 100000)",
    )
    parser.add_argument(
        "--allow-equal-files", action="store_true", help="release each of several files with equal contents"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="draw on the workers of the Dask cluster at ADDRESS")
    parser.add_argument("--json", action="store_true", help="print what was released and its cost as JSON")
    reading.add_options(parser)
    parser.set_defaults(run=run)


def _written(value: str) -> list[Path]:
    from hushbit.corpus.manifest import manifest_path

    return [manifest_path(Path(value))]


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit.corpus.run import release_corpus
    from hushbit.corpus.sources import find_corpus

    if arguments.scheduler is not None and arguments.jobs is not None:
        raise CommandError("--jobs is of this machine: --scheduler takes what the cluster has", EXIT_USAGE)
    bundle = open_bundle(arguments.bundle)
    releaser = _releaser(arguments, bundle)
    output = Path(arguments.output)
    keep = [name for name in arguments.keep.split(",") if name]
    corpus = find_corpus(arguments.sources, arguments.column, keep, output, reading.reading_of(arguments))
    _say_files(corpus)
    budget = repetition.open_budget(arguments)
    _say_terms(releaser, arguments)
    with ExitStack() as stack:
        draw, jobs = None, arguments.jobs or processors()
        if arguments.scheduler is not None:
            from hushbit.corpus.cluster import drawing_on

            draw, jobs = stack.enter_context(drawing_on(arguments.scheduler, releaser))
        progress = stack.enter_context(ProgressBar())
        summary, failure = release_corpus(
            corpus,
            releaser,
            output,
            draw=draw,
            budget=budget,
            jobs=jobs,
            part_rows=arguments.part_rows,
            equal_files=arguments.allow_equal_files,
            progress=progress,
        )
    _say(summary)
    if corpus.format.skipped:
        streams.say(f"rows left out, since they are not valid in their encoding: {len(corpus.format.skipped)}")
    if budget is not None:
        repetition.say_budget(budget)
    if failure is not None:
        raise failure
    if arguments.json:
        streams.write_json(summary)
    return EXIT_OK


def _releaser(arguments: argparse.Namespace, bundle: Bundle) -> Releaser:
    """The one that the options ask for. Raises CommandError for options of another form."""
    form = arguments.form
    if form != "report" and (arguments.values is not None or arguments.none):
        raise CommandError("--values and --none are only used with --as report", EXIT_USAGE)
    if form == "words":
        return mechanism.privatizer(arguments, bundle)
    about_words = ("mechanism", "crowd_size", "beta", "mask", "oov", "search")
    given = next(
        (name for name in about_words if getattr(arguments, name) not in (None, getattr(DEFAULTS, name))), None
    )
    if given is not None:
        option = "--" + given.replace("_", "-")
        raise CommandError(f"{option} is about words, and has no meaning with --as {form}", EXIT_USAGE)
    epsilon, punctuation = arguments.epsilon, arguments.punctuation
    if form == "embedding":
        return bundle.embedder(EMBEDDER_EPSILON if epsilon is None else epsilon, punctuation=punctuation)
    return bundle.reporter(
        reported_values.values_of(arguments),
        REPORTER_DEFAULTS.epsilon if epsilon is None else epsilon,
        punctuation=punctuation,
        none=arguments.none,
    )


def _say_terms(releaser: Releaser, arguments: argparse.Namespace) -> None:
    from hushbit import Privatizer, Reporter

    if isinstance(releaser, Privatizer):
        mechanism.say_terms(releaser, arguments)
    elif isinstance(releaser, Reporter):
        streams.say(f"reports of {releaser.info.value_count} values, {releaser.info.hash[:16]}")


def _say_files(corpus: Corpus) -> None:
    if corpus.inputs.passed_over:
        streams.say(
            f'files passed over, since their name or a folder of it begins with "." or "_": {corpus.inputs.passed_over}'
        )
    if corpus.inputs.repeated:
        streams.say(f"further names and links of files that are read once: {corpus.inputs.repeated}")


def _say(summary: Summary) -> None:
    tally = summary.tally
    if summary.earlier:
        streams.say(f"parts released by an earlier run {summary.earlier}")
    if summary.left_out or summary.left_out_of_some:
        others = f" and {summary.left_out_of_some} that some rows lack" if summary.left_out_of_some else ""
        streams.say(f"columns left out: {listed(summary.left_out) or 'none'}{others}")
    if not summary.parts:
        return
    mechanism.say_total(
        f"parts released {summary.parts}, rows {tally.rows}, of them missing {tally.missing}", tally.cost
    )
    if not tally.rows:
        streams.say("WARNING: there are no rows: a file without rows was written")
        return
    streams.say(f"cost of a row: {tally.cost.worst_case / tally.rows:.6g} in the mean, {tally.largest:.6g} at most")
