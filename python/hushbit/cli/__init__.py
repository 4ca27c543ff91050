"""The `hushbit` command.

stdout is data, stderr is everything else. Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 corrupt bundle or
budget, 5 verification or parity mismatch, 6 budget exhausted, 130 interrupted, 141 the reader of stdout went away.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from hushbit import _core
from hushbit.cli._shared import failure, streams
from hushbit.cli._shared.arguments import CommandParser, Parser
from hushbit.cli.groups import GROUPS

_EPILOG = """\
examples:
  hushbit export --embeddings glove-6b-50d --bits 256 -o words.hushbit
  hushbit privatize words.hushbit letters.txt > private.txt
  echo 'see you tomorrow' | hushbit privatize words.hushbit --json
  hushbit inspect words.hushbit

exit codes:
  0 ok, 1 failure, 2 usage, 3 not found, 4 corrupt bundle or budget, 5 verification or parity mismatch,
  6 budget exhausted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Failures become a line on stderr, never a traceback.

    `argv` is without the program's name; by default what the process was started with.
    """
    try:
        code = _run(argv)
        streams.flush()
    except Exception as error:
        code = failure.report(error)
    except KeyboardInterrupt:
        code = failure.EXIT_INTERRUPTED
    streams.leave_if_busy(code)
    return code


def _run(argv: Sequence[str] | None) -> int:
    given = sys.argv[1:] if argv is None else argv
    try:
        arguments = _parser(*given[:1]).parse_args(given)
    except SystemExit as done:  # argparse has printed its help, or what is wrong
        return done.code if isinstance(done.code, int) else failure.EXIT_USAGE
    code: int = arguments.run(arguments)
    return code


def _parser(first: str = "") -> argparse.ArgumentParser:
    """A parser with the one command that is the first argument, so that no other is imported, or else with all."""
    parser = Parser(
        prog="hushbit",
        description="Text made private on the device, before it leaves it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"hushbit {_core.VERSION}, Unicode {_core.UNICODE_VERSION}"
    parser.add_argument("--version", action="version", version=version)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    parser._positionals._group_actions.remove(subparsers)  # the groups below list what it has
    parser._action_groups.remove(parser._optionals)
    only = next(({first: commands[first]} for commands in GROUPS.values() if first in commands), None)
    for title, commands in GROUPS.items() if only is None else [("", only)]:
        group, listed = parser.add_argument_group(title), len(subparsers._choices_actions)
        for name, home in commands.items():
            import_module(f"hushbit.{home}.{name}").add_parser(subparsers)
        group._group_actions += subparsers._choices_actions[listed:]
    parser._action_groups.append(parser._optionals)
    return parser
