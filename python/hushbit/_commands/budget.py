"""`hushbit budget` shows what a ledger says was spent, and sets it back to zero."""

from __future__ import annotations

import argparse
import os

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import CommandParser
from hushbit.cli._shared.failure import EXIT_NOT_FOUND, EXIT_OK, CommandError
from hushbit.cli._shared.files import of_ledger, reads, writes
from hushbit.cli._shared.kinds import LEDGER

_DESCRIPTION = """\
Shows or resets the ledger of a budget. Caps are not stored in it: each command that spends sets them, see hushbit
privatize --budget.
"""
_EPILOG = """\
examples:
  hushbit budget show sent.budget
  hushbit budget show sent.budget --json
  hushbit budget reset sent.budget
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command and its own commands."""
    parser = subparsers.add_parser(
        "budget", help="show or reset what was spent", description=_DESCRIPTION, epilog=_EPILOG
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=CommandParser)
    show = commands.add_parser("show", help="show what was spent", description="Shows what was spent. Changes nothing.")
    show.add_argument("--json", action="store_true", help="print one JSON document")
    show.set_defaults(run=_show)
    reset = commands.add_parser(
        "reset",
        help="set what was spent back to zero",
        description="Makes the ledger an empty one, damaged or not. A file that is no ledger is left as it is.\n"
        "With what was spent, the promise of the caps goes.",
    )
    reset.set_defaults(run=_reset)
    for command in (show, reset):
        ledger = command.add_argument("file", metavar="FILE", help="file of the ledger")
        reads(ledger) if command is show else writes(ledger, of_ledger, kind=LEDGER)


def _show(arguments: argparse.Namespace) -> int:
    from hushbit import Budget
    from hushbit.errors import NotFoundError

    try:
        state = Budget.read(arguments.file)
    except NotFoundError as error:
        raise CommandError(str(error), EXIT_NOT_FOUND) from None
    lines = [
        f"{state.day}  worst case {state.worst_case_today:.6g}, {_counts(state.tokens_today, state.texts_today)}",
        f"in all      worst case {state.worst_case_lifetime:.6g}, "
        f"{_counts(state.tokens_lifetime, state.texts_lifetime)}",
    ]
    streams.write_result(state.to_dict(), lines, as_json=arguments.json)
    return EXIT_OK


def _counts(tokens: int, texts: int) -> str:
    return f"tokens {tokens:,}, of which {texts:,} are whole texts" if texts else f"tokens {tokens:,}"


def _reset(arguments: argparse.Namespace) -> int:
    from hushbit import Budget

    if not os.path.lexists(arguments.file):
        raise CommandError(f"there is no ledger {arguments.file}: a command with --budget makes one", EXIT_NOT_FOUND)
    Budget.reset(arguments.file)
    streams.say(f"{arguments.file} is empty: what was spent is forgotten")
    return EXIT_OK
