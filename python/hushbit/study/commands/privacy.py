"""`hushbit privacy`: what each epsilon means for a bundle."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit._options import CROWD_SIZES, MECHANISMS, ON_CODES
from hushbit._plumbing.extras import extra, require
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import (
    add_beta,
    add_bundle,
    add_embeddings,
    add_extension,
    add_seed,
    epsilon,
    open_bundle,
    positive,
    share,
)
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import PAGE, WORDS
from hushbit.cli._shared.progress import ProgressBar
from hushbit.cli._shared.tables import render
from hushbit.study.commands import people
from hushbit.study.commands.frequencies import frequencies_of
from hushbit.study.commands.vectors import faiss_for, read_vectors
from hushbit.study.names import ON_VECTORS

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.study.privacy.report import PrivacyOptions, Report

_DESCRIPTION = """\
Measures what each epsilon means for the words of a bundle, for each mechanism: the cost of a token and of a text, how
often a word stays unchanged and how that varies between words, what the replacements are, what repetition reveals, and
how all of this compares with a control that needs no codes.

BRR is measured on sampled words by draws of the core; TEM is computed in closed form for the sampled words. Crowds are
exact: what comes out, what an attacker guesses who knows how frequent words are, and what a text costs. The same
bundle, options and seed give the same report.

With --embeddings, Madlib and TEM on the real vectors are measured in the same way: Madlib by draws, TEM (tem-euclidean)
from its distribution. Their epsilon is per unit of Euclidean distance. They draw in floating point, so they are for
comparison only.

By default the mechanisms that count epsilon like the bundle's default one are reported: BRR and TEM, or crowds.
--per-word writes one JSON document in a line for each measured word, under each mechanism at each epsilon: N_w with its
interval, S_w, and the effective support.
"""
_EPILOG = """\
examples:
  hushbit privacy words.hushbit
  hushbit privacy words.hushbit --epsilon 0.4 --epsilon 0.5 --epsilon 0.6 --mechanism brr
  hushbit privacy words.hushbit --mechanism crowd --crowd-size few --epsilon 6 --frequencies counts.txt
  hushbit privacy words.hushbit --word-list sensitive.txt --per-word words.jsonl
  hushbit privacy words.hushbit --mechanism madlib --embeddings glove-6b-50d --epsilon 10 --epsilon 20
  hushbit privacy --people 100000 --delta 1e-8
  hushbit privacy --days 365 --per-day 1 --people 100000 --release report --epsilon 2
  hushbit privacy words.hushbit --html report.html --json > report.json
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "privacy", help="report what each epsilon means for a bundle", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_bundle(parser)
    parser.add_argument(
        "--mechanism",
        choices=(*MECHANISMS, *ON_VECTORS, "both", "all"),
        help="mechanisms to report: one of them; both: brr and tem; all: crowds, too, and with --embeddings those "
        "on vectors (default: as said above)",
    )
    add_embeddings(
        parser, help="embeddings from which the bundle was exported, as for export; for madlib and tem-euclidean"
    )
    add_extension(parser)
    parser.add_argument("--crowd-size", choices=CROWD_SIZES, help="size of the crowds (default: that of the bundle)")
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        action="append",
        metavar="E",
        help="epsilon per differing bit, per word with crowds, per unit of distance on vectors; may be repeated "
        "(default: ten values around the one that keeps half of the words; of crowds 3 to 8)",
    )
    parser.add_argument(
        "--words", type=positive, default=1000, metavar="N", help="number of words to sample (default: 1000)"
    )
    reads(
        parser.add_argument(
            "--word-list", metavar="FILE", help="file of words to measure, one a line, in place of sampled ones"
        )
    )
    reads(
        parser.add_argument(
            "--frequencies",
            metavar="FILE",
            help="file with a word and a count in each line: how often words are typed, for crowds (default: the "
            "weights of the bundle)",
        )
    )
    parser.add_argument(
        "--draws",
        type=positive,
        default=200,
        metavar="N",
        help="number of draws of a word for BRR and Madlib (default: 200)",
    )
    add_beta(parser)
    parser.add_argument(
        "--eta",
        type=share,
        default=0.05,
        metavar="H",
        help="probability that the effective support leaves out (default: 0.05)",
    )
    parser.add_argument(
        "--delta",
        type=float,
        default=1e-6,
        metavar="D",
        help="delta of the tight cost of a text, and of shuffling (default: 1e-6)",
    )
    people.add_options(parser)
    add_seed(parser)
    writes(
        parser.add_argument(
            "--per-word", type=Path, metavar="FILE", help="write figures of each word, too, as JSON lines"
        ),
        kind=WORDS,
    )
    writes(parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots, too"), kind=PAGE)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    bundle = open_bundle(arguments.bundle)
    if people.is_asked(arguments):
        return _of_people(arguments, bundle)
    mechanisms = _mechanisms(arguments, bundle)
    # These are needed late.
    require("privacy", "scipy", *([] if arguments.html is None else ["matplotlib"]), *faiss_for(mechanisms))
    with extra("privacy"):
        from hushbit._plumbing.atomic import check_writable
        from hushbit.study.privacy.report import make_report
        from hushbit.study.privacy.tables import tables_of

        for path in filter(None, (arguments.html, arguments.per_word)):
            check_writable(path)
        frequencies = frequencies_of(bundle, arguments.frequencies)
        with ProgressBar() as progress:
            vectors = None if arguments.embeddings is None else read_vectors(bundle, arguments, progress)
            report = make_report(bundle, _options(arguments, mechanisms), progress, frequencies, vectors)
        if arguments.html is not None:
            _write_page(arguments.html, report)
        if arguments.per_word is not None:
            _write_words(arguments.per_word, report, bundle)
        lines = render(tables_of(report))
    streams.write_result(report.document(), lines, as_json=arguments.json)
    return EXIT_OK


def _of_people(arguments: argparse.Namespace, bundle: Bundle) -> int:
    with extra("privacy"):
        rows = people.figures(arguments, bundle)
    document = {"people": arguments.people, "delta": arguments.delta, "releases": rows}
    streams.write_result(document, people.lines(rows, arguments), as_json=arguments.json)
    return EXIT_OK


def _mechanisms(arguments: argparse.Namespace, bundle: Bundle) -> tuple[str, ...]:
    mechanism = arguments.mechanism or ("both" if bundle.info.default_epsilon_unit == "bit" else "crowd")
    if mechanism == "all" and arguments.epsilon:
        raise CommandError("--epsilon counts bits for brr and tem, words for crowds: name a mechanism", EXIT_USAGE)
    on_vectors = mechanism in ON_VECTORS or (mechanism == "all" and arguments.embeddings is not None)
    if on_vectors != (arguments.embeddings is not None):
        raise CommandError(
            f"--embeddings and --mechanism {' or '.join(ON_VECTORS)} need each other (--mechanism all takes both)",
            EXIT_USAGE,
        )
    everything = (*MECHANISMS, *ON_VECTORS) if on_vectors else MECHANISMS
    return {"both": ON_CODES, "all": everything}.get(mechanism, (mechanism,))


def _options(arguments: argparse.Namespace, mechanisms: tuple[str, ...]) -> PrivacyOptions:
    from hushbit.errors import InvalidArgumentError
    from hushbit.study.privacy.measure import Settings
    from hushbit.study.privacy.report import PrivacyOptions
    from hushbit.toolchain.embeddings import read_word_list

    listed = () if arguments.word_list is None else tuple(read_word_list(arguments.word_list))
    if arguments.word_list is not None and not listed:
        raise InvalidArgumentError(f"{arguments.word_list}: the list has no word")
    return PrivacyOptions(
        mechanisms=mechanisms,
        crowd_size=arguments.crowd_size,
        epsilons=tuple(arguments.epsilon or ()),
        word_epsilons=tuple(arguments.epsilon or ()),
        beta=arguments.beta,
        words=arguments.words,
        word_list=listed,
        seed=arguments.seed,
        settings=Settings(draws=arguments.draws, eta=arguments.eta, delta=arguments.delta),
    )


def _write_page(path: Path, report: Report) -> None:
    from hushbit._plumbing.atomic import write_atomically
    from hushbit.study.privacy.page import page
    from hushbit.study.privacy.plots import plots_of
    from hushbit.study.privacy.tables import tables_of

    lead = "What each ε means for the words of this bundle: of BRR and TEM per differing bit, of crowds per word, of "
    lead += "mechanisms on real vectors per unit of Euclidean distance."
    write_atomically(path, page("Privacy report", lead, tables_of(report), plots_of(report)).encode())


def _write_words(path: Path, report: Report, bundle: Bundle) -> None:
    import json

    from hushbit._plumbing.atomic import write_atomically

    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in report.per_word(bundle))
    write_atomically(path, "".join(lines).encode())
