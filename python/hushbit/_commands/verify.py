"""`hushbit verify` checks that every byte of a bundle is as it was exported."""

from __future__ import annotations

import argparse

from hushbit.cli._shared import odd_words, streams
from hushbit.cli._shared.arguments import add_bundle, open_bundle, shown_bundle
from hushbit.cli._shared.failure import EXIT_MISMATCH, EXIT_OK, CommandError

_EPILOG = """\
examples:
  hushbit verify words.hushbit

exit codes:
  0 every hash fits, 3 no such file, 4 not a well-formed bundle, 5 well formed, but its contents do not fit its hashes
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "verify",
        help="check every byte of a bundle",
        description="Reads every byte of a bundle: hashes, padding, the order of the words, the description.",
        epilog=_EPILOG,
    )
    add_bundle(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit.errors import CorruptBundleError

    bundle = open_bundle(arguments.bundle)
    try:
        bundle.verify()
        bundle.meta  # noqa: B018 - the core does not parse it
    except CorruptBundleError as error:
        raise CommandError(f"{shown_bundle(arguments.bundle)}: {error}", EXIT_MISMATCH) from None
    for line in odd_words.human(odd_words.count(bundle)):
        streams.say(f"warning: {line}")
    streams.write_text(f"ok {bundle.info.hash}\n")
    return EXIT_OK
