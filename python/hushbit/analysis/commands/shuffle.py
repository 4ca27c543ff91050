"""`hushbit shuffle`: mixes the releases of many people, and drops whatever else came with them."""

from __future__ import annotations

import argparse
from pathlib import Path

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import positive
from hushbit.cli._shared.failure import EXIT_OK
from hushbit.cli._shared.files import reads, writes

_DESCRIPTION = """\
Takes the files of releases in a folder, mixes their lines by the operating system's randomness, and writes them as one
new file, without an order, a name or a time. Then it deletes what it took. It waits until there are so many releases of
a kind that each is hidden among them.
"""
_EPILOG = """\
examples:
  hushbit shuffle spool mixed --least 100000
  hushbit privacy --people 100000 --delta 1e-8     # what that is worth

A release is a JSON line of hushbit report or hushbit embed with nothing else in it, or a whole number on a line.
Whatever carries more is dropped and counted. A kind is a list of values and an epsilon; one with fewer than --least
stays.

Write files under a name that begins with a dot, and rename them when they are complete. If a run is killed, at any
moment, the next one goes on, and nothing is lost or twice there. It cannot know whether a person sent twice, or who
else has seen the releases: docs/counting.md says what must hold.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "shuffle", help="mix the releases of many people", description=_DESCRIPTION, epilog=_EPILOG
    )
    reads(parser.add_argument("source", metavar="SOURCE", help="folder of files to mix; they are deleted"))
    writes(parser.add_argument("output", metavar="OUT", help="folder for the mixed file"))
    parser.add_argument(
        "--least",
        type=positive,
        metavar="N",
        required=True,
        help="number of releases of a kind that must be there before they are mixed",
    )
    parser.add_argument("--json", action="store_true", help="print what was done as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit.analysis.shuffler import shuffle

    mixed = shuffle(Path(arguments.source), Path(arguments.output), arguments.least)
    if mixed.output is not None:
        streams.say(f"releases mixed {mixed.released:,}, into {mixed.output}")
    for kind, count in sorted(mixed.waiting.items()):
        streams.say(f"releases waiting for {arguments.least:,} ({kind}): {count:,}")
    for reason, count in sorted(mixed.refused.items()):
        streams.say(f"lines dropped, {reason}: {count:,}")
    if arguments.json:
        output = None if mixed.output is None else str(mixed.output)
        streams.write_json(
            {"released": mixed.released, "output": output, "waiting": mixed.waiting, "refused": mixed.refused}
        )
    return EXIT_OK
