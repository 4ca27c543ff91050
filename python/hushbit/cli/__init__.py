"""The `hushbit` command.

stdout is data, stderr is everything else. Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 corrupt bundle or
budget, 5 verification or parity mismatch, 6 budget exhausted, 130 interrupted, 141 the reader of stdout went away.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from hushbit import _core
from hushbit.cli._shared import failure, streams
from hushbit.cli._shared.arguments import CommandParser, Parser

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
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit as done:  # argparse has printed its help, or what is wrong
        return done.code if isinstance(done.code, int) else failure.EXIT_USAGE
    code: int = arguments.run(arguments)
    return code


def _parser() -> argparse.ArgumentParser:
    from hushbit.cli import (
        audit,
        budget,
        calibrate,
        compare,
        corrections,
        encode,
        evaluate,
        export,
        hashing,
        inspect,
        key,
        neighbors,
        privacy,
        privatize,
        quality,
        verify,
    )

    parser = Parser(
        prog="hushbit",
        description="Text made private on the device, before it leaves it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"hushbit {_core.VERSION}, Unicode {_core.UNICODE_VERSION}"
    parser.add_argument("--version", action="version", version=version)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=CommandParser)
    using = (export, encode, privatize, inspect, verify, neighbors, budget, key)
    studying = (quality, privacy, calibrate, compare, audit, corrections, hashing, evaluate)
    for command in using + studying:
        command.add_parser(subparsers)
    return parser
