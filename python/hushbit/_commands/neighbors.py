"""`hushbit neighbors` lists the words nearest to a word."""

from __future__ import annotations

import argparse

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import add_bundle, open_bundle, positive, unknown_word, utf8
from hushbit.cli._shared.failure import EXIT_OK

_EPILOG = """\
examples:
  hushbit neighbors coffee
  hushbit neighbors words.hushbit coffee
  hushbit neighbors words.hushbit coffee -k 25 --json
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "neighbors",
        help="show the words nearest to a word",
        description="Prints the words whose codes are nearest to a word's, with their Hamming distance in bits.",
        epilog=_EPILOG,
    )
    add_bundle(parser)
    parser.add_argument("word", metavar="WORD", type=utf8, help="word of the vocabulary, exactly as spelled there")
    parser.add_argument(
        "-k", type=positive, default=10, help="number of words to show, at most the whole vocabulary (default: 10)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit.errors import UnknownWordError

    bundle = open_bundle(arguments.bundle)
    try:
        neighbors = bundle.neighbors(arguments.word, min(arguments.k, bundle.words))
    except UnknownWordError:
        raise unknown_word(arguments.word) from None
    rows = [{"word": neighbor.word, "distance": neighbor.distance} for neighbor in neighbors]
    document = {"word": arguments.word, "bits": bundle.bits, "neighbors": rows}
    lines = [f"{neighbor.distance}\t{neighbor.word}" for neighbor in neighbors]
    streams.write_result(document, lines, as_json=arguments.json)
    return EXIT_OK
