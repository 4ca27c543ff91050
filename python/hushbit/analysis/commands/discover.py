"""`hushbit discover`: which new words many people type, from the reports of many devices."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from typing import TYPE_CHECKING

from hushbit._plumbing.extras import extra
from hushbit.analysis.commands.reports import add_reports, epsilon_of, say_refused, standard_input
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import checked, open_bundle, output_path
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import FOUND
from hushbit.cli._shared.progress import ProgressBar

if TYPE_CHECKING:
    from pathlib import Path

    from hushbit import Bundle
    from hushbit.analysis.counts.beginnings import NewWords
    from hushbit.analysis.counts.discover import Discovery

_DESCRIPTION = """\
Finds words that the vocabulary lacks and many people type, from reports about new words. It finds a word only if so
many reports are of it that chance hardly explains them. This costs no privacy: it looks at nothing but what was sent.
"""
_EPILOG = """\
examples:
  hushbit discover reports.jsonl
  hushbit discover 'reports/*.jsonl.gz' -o new-words.csv
  hushbit discover reports.txt --epsilon 4 --json

The table has the columns word, share, low and high: shares of the reports, with intervals of which 95 in 100 hold. Then
publish the words as a list, and count them by reports about the list: that takes far fewer people than finding them.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "discover", help="find new words that many people type, from reports", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_reports(parser)
    reads(
        parser.add_argument(
            "--bundle", metavar="FILE", help="bundle that lacks the words (default: the built-in English one)"
        )
    )
    parser.add_argument(
        "--false",
        type=_false,
        default=0.05,
        metavar="N",
        help="number of false words to allow on average (default: 0.05)",
    )
    output = parser.add_argument(
        "-o", "--output", type=output_path, metavar="FILE", help="write the words to this CSV file"
    )
    writes(output, kind=FOUND)
    parser.add_argument("--json", action="store_true", help="print the words as one JSON document")
    parser.set_defaults(run=run)


def _false(text: str) -> float:
    return checked(text, float, lambda value: 0 < value <= 1, "a number above 0, at most 1")


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit._plumbing.atomic import check_writable, write_atomically

    if arguments.output is not None:
        check_writable(arguments.output)
    with extra("analysis"), ProgressBar() as progress:
        from hushbit.analysis.counts.discover import discover, letters_of

        bundle = open_bundle(arguments.bundle)
        heard = _heard(arguments, bundle)
        letters = letters_of(bundle.word(int(word)) for word in bundle._native.output_words())
        found = discover(heard, letters, arguments.false, progress)
    streams.say(f"words found {len(found.words)}: {found.explanation()}")
    if found.left_out:
        lengths = ", ".join(map(str, found.left_out))
        streams.say(f"rare letters were not tried before these numbers of letters: {lengths}")
    if arguments.output is not None:
        write_atomically(arguments.output, _table(found).encode())
    if arguments.json:
        words = [vars(word) for word in found.words]
        refused = {reason: count for reason, count in sorted(heard.refused.items()) if count}
        told = {str(length): count for length, count in found.told.items()}
        streams.write_json(
            {"reports": found.reports, "refused": refused, "told": told, "least": found.least, "words": words}
        )
    elif arguments.output is None:
        streams.write_text(_table(found))
    return EXIT_OK


def _heard(arguments: argparse.Namespace, bundle: Bundle) -> NewWords:
    from hushbit.analysis.counts.beginnings import NewWords
    from hushbit.analysis.counts.reading import Wanted
    from hushbit.analysis.counts.sources import count_files, count_stream, find_sources
    from hushbit.analysis.counts.values import new_words_of

    if "-" in arguments.reports and len(arguments.reports) > 1:
        raise CommandError("reports from stdin go alone", EXIT_USAGE)
    files: list[Path] = [] if "-" in arguments.reports else find_sources(arguments.reports)
    of_reports = epsilon_of(arguments.epsilon, files)
    heard = NewWords(of_reports)
    wanted = Wanted(new_words_of(bundle).hash, of_reports)
    if files:
        count_files(files, wanted, heard, arguments.column)
    else:
        count_stream(standard_input(), wanted, heard)
    say_refused(int(heard.reports.sum()), heard.refused)
    return heard


def _table(found: Discovery) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n" if sys.platform == "win32" else "\n")
    writer.writerow(["word", "share", "low", "high"])
    writer.writerows(
        [word.word, *(f"{value:.6g}" for value in (word.share, word.low, word.high))] for word in found.words
    )
    return text.getvalue()
