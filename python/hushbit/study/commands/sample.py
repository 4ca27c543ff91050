"""`hushbit sample`: what a word becomes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hushbit._plumbing.extras import extra, require
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import (
    add_beta,
    add_bundle,
    add_embeddings,
    add_extension,
    add_seed,
    epsilon,
    is_bundle,
    open_bundle,
    positive,
    share,
    unknown_word,
    utf8,
)
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.progress import ProgressBar
from hushbit.cli._shared.tables import render
from hushbit.study.commands.vectors import faiss_for, read_vectors
from hushbit.study.names import ALL, CROWDS, ON_CODES, ON_VECTORS

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.study.privacy.becomes import Becomes
    from hushbit.study.privacy.table import Table

_DESCRIPTION = """\
Shows what a word becomes: its commonest outputs and their chances, a row for each mechanism.

--unchanged SHARE chooses each mechanism's own epsilon so that this share of the output words stays unchanged on
average, which makes the rows comparable. --epsilon looks at one mechanism at an epsilon: per differing bit, of crowds
per word, of mechanisms on real vectors per unit of Euclidean distance.

Crowds, randomized response and TEM are computed exactly. The chances of BRR and Madlib have no closed form: they are
counted in seeded draws (--draws), and given with intervals of 95 percent. By default all mechanisms that the bundle can
are shown; with --embeddings, Madlib and TEM on the real vectors too, which are for comparison only.
"""
_EPILOG = """\
examples:
  hushbit sample coffee
  hushbit sample words.hushbit coffee
  hushbit sample words.hushbit coffee friday --unchanged 0.1 --unchanged 0.5
  hushbit sample words.hushbit coffee --mechanism crowd-few --epsilon 5 --top 20
  hushbit sample words.hushbit coffee --mechanism madlib --mechanism brr --embeddings glove-6b-50d --json
"""
_SHARES = (0.1, 0.5, 0.9)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser("sample", help="show what a word becomes", description=_DESCRIPTION, epilog=_EPILOG)
    add_bundle(parser)
    parser.add_argument(
        "words", metavar="WORD", nargs="+", type=utf8, help="word of the vocabulary, exactly as spelled there"
    )
    parser.add_argument(
        "--mechanism",
        choices=ALL,
        action="append",
        help="mechanism to show; may be repeated (default: all that the bundle can)",
    )
    add_embeddings(
        parser, help="embeddings from which the bundle was exported, as for export; for madlib and tem-euclidean"
    )
    add_extension(parser)
    at = parser.add_mutually_exclusive_group()
    at.add_argument(
        "--unchanged",
        type=share,
        action="append",
        metavar="SHARE",
        help="share of the words that stay unchanged, on average; may be repeated (default: 0.1, 0.5 and 0.9)",
    )
    at.add_argument("--epsilon", type=epsilon, action="append", metavar="E", help="epsilon of one mechanism")
    parser.add_argument("--top", type=positive, default=5, metavar="N", help="number of outputs to show (default: 5)")
    parser.add_argument(
        "--draws", type=positive, default=10_000, metavar="N", help="number of draws of BRR and Madlib (default: 10000)"
    )
    add_beta(parser)
    add_seed(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    if arguments.bundle is not None and not is_bundle(arguments.bundle):  # it is the first word
        arguments.bundle, arguments.words = None, [utf8(arguments.bundle), *arguments.words]
    bundle = open_bundle(arguments.bundle)
    mechanisms = _mechanisms(arguments, bundle)
    for word in arguments.words:
        if bundle.find(word) is None:
            raise unknown_word(word)
    require("privacy", "scipy", *faiss_for(mechanisms))
    with extra("privacy"):
        from hushbit.study.privacy.becomes import Question, becomes

        question = Question(
            mechanisms,
            shares=() if arguments.epsilon else tuple(arguments.unchanged or _SHARES),
            epsilons=tuple(arguments.epsilon or ()),
            top=arguments.top,
            draws=arguments.draws,
            seed=arguments.seed,
            beta=arguments.beta,
        )
        with ProgressBar() as progress:
            vectors = None if arguments.embeddings is None else read_vectors(bundle, arguments, progress)
            found, notes = becomes(bundle, arguments.words, question, vectors, progress)
        lines = render([_table(word, found) for word in dict.fromkeys(arguments.words)])
    document = {"rows": [row.document() for row in found], "notes": notes}
    streams.write_result(document, [*lines, *(f"note: {note}" for note in notes)], as_json=arguments.json)
    return EXIT_OK


def _mechanisms(arguments: argparse.Namespace, bundle: Bundle) -> tuple[str, ...]:
    chosen: tuple[str, ...]
    if arguments.mechanism:
        chosen = tuple(dict.fromkeys(arguments.mechanism))
        if (arguments.embeddings is not None) != bool(set(chosen) & set(ON_VECTORS)):
            raise CommandError(f"--embeddings and --mechanism {' or '.join(ON_VECTORS)} need each other", EXIT_USAGE)
    else:
        chosen = (*(CROWDS if _has_crowds(bundle) else ()), *ON_CODES)
        chosen += ON_VECTORS if arguments.embeddings is not None else ()
    if arguments.epsilon and len(chosen) > 1:
        raise CommandError("--epsilon means something else to each mechanism: name one with --mechanism", EXIT_USAGE)
    return chosen


def _has_crowds(bundle: Bundle) -> bool:
    return any(section.name == "crowds" for section in bundle.info.sections)


def _table(word: str, found: list[Becomes]) -> Table:
    from hushbit.study.names import TITLES
    from hushbit.study.privacy.table import Table, printable

    rows = []
    for row in (row for row in found if row.word == word):
        own = f"{row.unchanged.chance:.3f}"
        if not row.exact:
            own += f" ({row.unchanged.low:.3f} to {row.unchanged.high:.3f})"
        rows.append(
            [
                "" if row.share is None else f"{row.share:g}",
                TITLES[row.mechanism],
                f"{row.epsilon:.4g}",
                own,
                ", ".join(f"{printable(output.word)} {output.chance:.3f}" for output in row.outputs),
                f"{row.others:.3f}",
            ]
        )
    counted = [row.draws for row in found if not row.exact]
    note = f"Chances of {counted[0]:,} draws each for BRR and Madlib, exact otherwise." if counted else "Exact."
    columns = ["unchanged", "mechanism", "own ε", "stays itself", "becomes", "others"]
    return Table(f"What '{printable(word)}' becomes", columns, rows, note)
