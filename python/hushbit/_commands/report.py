"""`hushbit report` writes one report for each line of text."""

from __future__ import annotations

import argparse
import codecs
import json
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from hushbit._commands.lines import open_text, say_if_typed
from hushbit._options import DEFAULTS, REPORTER_DEFAULTS, ReporterOptions
from hushbit._plumbing.files import hint_of_encoding
from hushbit.cli._shared import repetition, reported_values, streams
from hushbit.cli._shared.arguments import epsilon, open_bundle, threads
from hushbit.cli._shared.failure import EXIT_FAILURE, EXIT_OK, exit_code
from hushbit.cli._shared.files import reads
from hushbit.errors import HushbitError, InvalidTextError, UnknownWordError

if TYPE_CHECKING:
    from hushbit import Budget, Reporter

_DESCRIPTION = """\
Reads UTF-8 text and writes one report for each line: a number about one word, emoji, answer or new word of it.

For any two lines, of any length, and any report, the probabilities that it is written differ by a factor of at most
e^E, where E is --epsilon. hushbit count and hushbit discover read the reports of many people.
"""
_EPILOG = f"""\
examples:
  hushbit report messages.txt > reports.jsonl
  echo 'see you tomorrow' | hushbit report --epsilon 1
  hushbit report --values emoji messages.txt > emoji.jsonl
  hushbit report --values new-words --epsilon 4 messages.txt > new.jsonl
  printf 'yes\\nno\\n' > answers.txt; echo yes | hushbit report --values answers.txt --plain
  hushbit report --budget sent.budget --budget-per-day 2 < today.txt

A line is one release and costs E, however long it is. Of its words or emoji one is drawn, and that is reported; a line
without any reports none. With --values FILE, a line is as a whole one of the values in FILE, one a line there.

A report is a line of JSON: its number, the hash of the values, the epsilon, and the version. --plain writes the number
alone. The default of --epsilon is {REPORTER_DEFAULTS.epsilon:g}.

The first line that is not UTF-8, or is none of the values in FILE, ends the command with exit code 1; the first that a
cap of the budget refuses, with exit code 6. Neither this line nor any later one is released.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "report",
        help="release one report about a word, emoji or answer of each line, at one epsilon",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    reads(
        parser.add_argument(
            "file", metavar="FILE", nargs="?", default="-", help="file of text in UTF-8; - is stdin (default: -)"
        ),
        stdin=True,
    )
    reported_values.add_options(parser, "line")
    parser.add_argument("--skin-tones", action="store_true", help="count emoji with skin tones as values of their own")
    reads(
        parser.add_argument(
            "--pass-over",
            metavar="FILE",
            help="file of public words that are never reported, one a line; for --values words",
        )
    )
    reads(parser.add_argument("--bundle", metavar="FILE", help="bundle (default: the built-in English one)"))
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        metavar="E",
        default=REPORTER_DEFAULTS.epsilon,
        help=f"local-DP epsilon of a whole line, 0.01 to 16 (default: {REPORTER_DEFAULTS.epsilon:g})",
    )
    parser.add_argument("--plain", action="store_true", help="write only the number of each report")
    parser.add_argument(
        "--threads", type=threads, metavar="N", help="number of lines at a time (default: one for each CPU)"
    )
    repetition.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit import Reporter

    device_key = repetition.device_key(arguments)
    values = reported_values.values_of(arguments)
    needs_bundle = values in ("words", "new-words")
    budget = repetition.open_budget(arguments)
    options = ReporterOptions(
        values,
        arguments.epsilon,
        none=arguments.none,
        skin_tones=arguments.skin_tones,
        pass_over=() if arguments.pass_over is None else reported_values.lines_of(arguments.pass_over, "--pass-over"),
        device_key=device_key,
        epoch=arguments.epoch or DEFAULTS.epoch,
        budget=budget,
        audit_log=arguments.audit_log,
    )
    reporter = Reporter(open_bundle(arguments.bundle) if needs_bundle else None, options)
    text = open_text(arguments.file)
    info = reporter.info
    streams.say(f"each line costs epsilon {reporter.epsilon:.6g}; {info.value_count} values, {info.hash[:16]}")
    say_if_typed(text)
    work = partial(_report_block, reporter, str if arguments.plain else _json_form(reporter))
    blocks = text.released("reporting", work, arguments.threads, one_by_one=budget is not None)
    _report_lines(blocks, reporter, budget)
    return EXIT_OK


class _Reported(NamedTuple):
    """What became of some lines. It holds nothing of them."""

    output: bytes
    input_bytes: int
    lines: int
    failure: tuple[str, int] | None
    """What failed in the line after those, and the exit code."""


def _report_lines(blocks: Generator[_Reported], reporter: Reporter, budget: Budget | None) -> None:
    """Writes what is released, and says how much it was."""
    lines, summary = 0, True
    try:
        with closing(blocks) as reported:
            for some in reported:
                lines += some.lines  # before they are written, since a part of them may be out if that fails
                streams.write(some.output)
    except BrokenPipeError:
        summary = False
        raise
    finally:
        if summary:
            streams.say(f"lines reported {lines}, epsilon {reporter.epsilon:.6g} each")
        if summary and budget is not None:
            repetition.say_budget(budget)


def _report_block(reporter: Reporter, form: Callable[[int], str], number: int, block: bytes) -> _Reported:
    """Runs on a worker. `block` is a line, or several with newlines between them; they stay bytes all the way.

    The first one may begin with the mark of UTF-8, which is no part of its value.
    """
    import numpy as np

    if number == 1:
        block = block.removeprefix(codecs.BOM_UTF8)
    lines = block.replace(b"\r\n", b"\n").removesuffix(b"\r").split(b"\n")
    offsets = np.array([0, *accumulate(map(len, lines))], dtype=np.int64)
    reports, error = reporter._native.report_batch(offsets, b"".join(lines))
    return _Reported(
        output="".join(f"{form(report)}\n" for report in reports.tolist()).encode(),
        input_bytes=len(block) + 1,
        lines=len(reports),
        failure=None if error is None else _failure_of(error, block),
    )


def _failure_of(error: HushbitError, block: bytes) -> tuple[str, int]:
    if isinstance(error, InvalidTextError):
        return f", byte {error.position}: the text is not UTF-8; {hint_of_encoding(block)}", EXIT_FAILURE
    if isinstance(error, UnknownWordError):
        return " is none of the values; report such lines as none with --none", EXIT_FAILURE
    return f": {str(error).removesuffix('; nothing was released')}", exit_code(error)


def _json_form(reporter: Reporter) -> Callable[[int], str]:
    from hushbit._reporter import Report

    rest = Report(0, reporter.info.hash[:16], reporter.info.requested_epsilon).to_dict()
    encode = json.JSONEncoder().encode
    return lambda report: encode(rest | {"report": report})
