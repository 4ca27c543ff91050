"""`hushbit estimate`: what words the typed text had, from text that was released by crowds."""

from __future__ import annotations

import argparse
import csv
import io
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit._options import CROWD_SIZES
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import add_seed, epsilon, not_found, open_bundle, output_path
from hushbit.cli._shared.failure import EXIT_OK, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import COUNTS
from hushbit.cli._shared.progress import ProgressBar
from hushbit.corpus import reading

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.analysis.words.estimate import Estimate, Estimates
    from hushbit.corpus.formats import Reading

_DESCRIPTION = """\
Estimates how often each word was typed, from text that hushbit released by crowds, and writes a table of words. This
costs no privacy: it looks at nothing but what was released.
"""
_EPILOG = """\
examples:
  hushbit estimate released --column text -o words.csv
  hushbit estimate released --column text --bundle words.hushbit --groups moods.csv -o words.csv
  hushbit estimate released/part-00000.parquet --column text --bundle words.hushbit --epsilon 5 -o words.csv

Give the bundle, the epsilon and the size of crowds that the text was released with. --groups names a CSV file with the
columns group and word. Words with one stand-in cannot be told apart, so a word is counted as its stand-in.

The table has the columns kind (word or group), name, released, estimate, low, high, told. The true count is meant to
lie from low to high for 95 of 100 words that are told. Where told says no the interval reaches 0 or is wider than the
estimate: then the data cannot tell. Words are sorted by their estimates.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "estimate",
        help="estimate how often words were typed, from released text",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    reads(
        parser.add_argument(
            "released", metavar="RELEASED", nargs="+", help="files or folders that `hushbit corpus` wrote"
        )
    )
    parser.add_argument("--column", metavar="NAME", required=True, help="column of the released texts")
    reads(
        parser.add_argument(
            "--bundle", metavar="FILE", help="bundle of the release (default: the built-in English one)"
        )
    )
    parser.add_argument(
        "--epsilon", type=epsilon, metavar="E", help="epsilon of a released word (default: that of the bundle)"
    )
    parser.add_argument(
        "--crowd-size", choices=CROWD_SIZES, help="size of the crowds of the release (default: that of the bundle)"
    )
    parser.add_argument(
        "--no-unknown",
        action="store_true",
        help="say that the release did not replace unknown words by random ones (see --oov)",
    )
    reads(
        parser.add_argument(
            "--groups", metavar="FILE", help="estimate groups of words, too: a CSV file with the columns group and word"
        )
    )
    add_seed(parser)
    reading.add_options(parser)
    writes(
        parser.add_argument(
            "-o", "--output", type=output_path, metavar="FILE", required=True, help="write the table to this file"
        ),
        kind=COUNTS,
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit._plumbing.atomic import write_atomically
    from hushbit.analysis.words.estimate import estimate
    from hushbit.analysis.words.tables import output_counts_of

    bundle = open_bundle(arguments.bundle)
    privatizer = bundle.privatizer("crowd", arguments.epsilon, crowd_size=arguments.crowd_size, allow_unchanged=True)
    groups = _groups(arguments.groups, bundle) if arguments.groups is not None else {}
    counts = _count(arguments.released, arguments.column, arguments.output, reading.reading_of(arguments))
    released, others = output_counts_of(bundle, counts)
    with ProgressBar() as progress:
        found = estimate(
            privatizer,
            released,
            groups,
            unknown=not arguments.no_unknown,
            seed=arguments.seed,
            progress=progress,
        )
    write_atomically(arguments.output, _table(found))
    _say(found, others)
    return EXIT_OK


def _count(sources: list[str], column: str, output: Path, how: Reading) -> Counter[str]:
    from hushbit.analysis.words.tables import count_words
    from hushbit.corpus.sources import find_corpus

    corpus = find_corpus(sources, column, [], output, how)
    return count_words(table[column] for file in corpus.files for table in corpus.tables(file))


def _groups(path: str, bundle: Bundle) -> dict[str, list[int]]:
    """Places of the output words of each group. A word that the bundle does not know is said by its line."""
    from hushbit.analysis.words.tables import output_place

    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except FileNotFoundError:
        raise not_found(path, "FILE") from None
    except (UnicodeDecodeError, csv.Error):
        raise CommandError(f"{path}: is no CSV file in UTF-8") from None
    if not rows or not {"group", "word"} <= set(rows[0]):
        raise CommandError(f"{path}: needs a first line that names the columns group and word, and rows")
    groups: dict[str, list[int]] = {}
    for line, row in enumerate(rows, start=2):
        place = output_place(bundle, row["word"] or "")
        if place is None:
            raise CommandError(f"{path}, line {line}: the bundle does not know this word")
        groups.setdefault(row["group"], []).append(place)
    return groups


def _table(found: Estimates) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["kind", "name", "released", "estimate", "low", "high", "told"])
    writer.writerows(_row("group", group) for group in found.groups)
    writer.writerows(_row("word", word) for word in found.words)
    return text.getvalue().encode()


def _row(kind: str, of: Estimate) -> list[str]:
    numbers = (f"{value:.1f}" for value in (of.typed, of.low, of.high))
    return [kind, of.name, str(of.released), *numbers, "yes" if of.told else "no"]


def _say(found: Estimates, others: int) -> None:
    streams.say(f"released words counted {found.tokens}, steps {found.steps}")
    if others:
        streams.say(f"tokens that are no output words of the bundle, and were not counted: {others}")
    told = _told(found.words)
    streams.say(f"words that the data tell: {told} of {len(found.words)}, for {_share(found):.0%} of the text")
    if found.groups:
        streams.say(f"groups that the data tell: {_told(found.groups)} of {len(found.groups)}")
    if found.steps == 0 or not told:
        streams.say("WARNING: the data cannot tell: the table holds hardly more than the public weights of the words")


def _told(estimates: Iterable[Estimate]) -> int:
    return sum(estimate.told for estimate in estimates)


def _share(found: Estimates) -> float:
    return sum(word.typed for word in found.words if word.told) / found.tokens
