"""`hushbit privatize` privatizes text, line by line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hushbit._commands.lines import (
    INVALID_SAID,
    add_file,
    add_options,
    failure_of,
    mended,
    open_text,
    say_if_typed,
    take_text_for_text,
)
from hushbit._options import DEFAULTS
from hushbit._text import Cost, cost_of, decode, document_of
from hushbit.cli._shared import mechanism, repetition, streams
from hushbit.cli._shared.arguments import add_bundle, open_bundle
from hushbit.cli._shared.failure import EXIT_FAILURE, EXIT_OK
from hushbit.errors import CorruptBundleError, HushbitError, UnknownWordError

if TYPE_CHECKING:
    from hushbit import Budget, _core

_EPILOG = """\
examples:
  hushbit privatize < letters.txt
  hushbit privatize letters.txt --epsilon 5 > private.txt
  hushbit privatize words.hushbit letters.txt > private.txt
  hushbit privatize words.hushbit --epsilon 5 --json < letters.txt
  hushbit privatize words.hushbit --mechanism crowd --crowd-size many --epsilon 5.5 < letters.txt
  echo 'see you tomorrow' | hushbit privatize words.hushbit --oov drop
  hushbit privatize words.hushbit --budget sent.budget --budget-per-day 5000 < letters.txt
  hushbit key device.key; hushbit privatize words.hushbit --memoize device.key < letters.txt

Without BUNDLE the built-in English one is used. A single file that is not a bundle is read as the text.

Each line is one release. A line costs the sum over its tokens, and a file costs the sum over its lines. With --budget,
lines are processed one after another, and each is spent before it is released. Days are UTC days. The first line that a
cap refuses ends the command with exit code 6.

The first line that is not UTF-8 ends the command with exit code 1. The error states its number, and neither this line
nor any later one is released. With --invalid-utf8 replace, invalid bytes become U+FFFD, which is never part of a word.
With skip, such a line is left out, so the output has fewer lines. Both report the number of such lines on stderr.

With --json, each line gives one JSON document on one line. It contains the privatized text, every token (its kind, its
range in bytes and in UTF-16 code units of the input line, its replacement or null), and the cost. An infinite cost is
the string "Infinity". The tokens reveal the input line: release only the text. Where bytes were replaced, ranges refer
to the line with U+FFFD.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "privatize",
        help="release each line with other words in place of the typed ones",
        description="Reads UTF-8 text and writes its privatized form, line by line, in order.",
        epilog=_EPILOG,
    )
    add_bundle(parser)
    add_file(parser)
    mechanism.add_options(parser)
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document for each line")
    repetition.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    device_key = repetition.device_key(arguments)
    take_text_for_text(arguments)
    bundle = open_bundle(arguments.bundle)
    budget = repetition.open_budget(arguments)
    privatizer = mechanism.privatizer(
        arguments,
        bundle,
        device_key=device_key,
        epoch=arguments.epoch or DEFAULTS.epoch,
        budget=budget,
        audit_log=arguments.audit_log,
    )
    text = open_text(arguments.file)
    mechanism.say_terms(privatizer, arguments)
    say_if_typed(text)
    form = _json_form() if arguments.json else _text_form
    work = partial(_privatize_block, privatizer._native, form, arguments.invalid_utf8)
    released = text.released("privatizing", work, arguments.threads, one_by_one=budget is not None)
    invalid = INVALID_SAID.get(arguments.invalid_utf8, "")
    _privatize_lines(released, summary=not arguments.json, budget=budget, invalid=invalid)
    return EXIT_OK


class _Released(NamedTuple):
    """What became of some lines. It holds nothing of the lines as typed but ranges of tokens."""

    output: bytes
    results: list[_core.Result]
    input_bytes: int
    lines: int
    """The number of lines that were read: all, or those before the one that failed."""
    invalid: int
    """How many of them were not UTF-8."""
    failure: tuple[str, int] | None
    """What failed in the line after those, and the exit code."""


def _privatize_lines(blocks: Generator[_Released], *, summary: bool, budget: Budget | None, invalid: str) -> None:
    """Writes what is released, and says how much it was. `invalid` is what to say of lines that are not UTF-8."""
    lines, invalid_lines, total = 0, 0, Cost.zero()
    try:
        with closing(blocks) as released:
            for some in released:
                streams.write(some.output)
                if some.results:
                    total += cost_of(some.results)
                lines += len(some.results)
                invalid_lines += some.invalid
    except BrokenPipeError:
        summary, invalid_lines = False, 0
        raise
    finally:
        if invalid_lines:
            streams.say(f"{invalid}: {invalid_lines}")
        if summary and lines:
            mechanism.say_total(f"lines released {lines}", total)
            if budget is not None:
                repetition.say_budget(budget)


def _privatize_block(
    privatizer: _core.Privatizer, form: Callable[[_core.Result], bytes], invalid_utf8: str, _: int, block: bytes
) -> _Released:
    """Runs on a worker. `block` is a line, or several with newlines between them; they stay bytes all the way."""
    lines = block.split(b"\n")
    kept, invalid = mended(lines, invalid_utf8)
    results, error = privatizer.privatize_lines(list(kept.values()))
    output = []
    for done, result in enumerate(results):
        try:
            output.append(form(result))
        except CorruptBundleError as damage:  # the damage is in a word that came out
            results, error = results[:done], damage
            break
    reached = len(lines) if error is None else list(kept)[len(results)]
    return _Released(
        output=b"".join(output),
        results=results,
        input_bytes=len(block) + 1,
        lines=reached,
        invalid=sum(place < reached for place in invalid),
        failure=None if error is None else _failure_of(error, block),
    )


def _failure_of(error: HushbitError, block: bytes) -> tuple[str, int]:
    if isinstance(error, UnknownWordError):
        return f", byte {error.position}: a token is not in the vocabulary, and --oov error refuses it", EXIT_FAILURE
    return failure_of(error, block)


def _text_form(result: _core.Result) -> bytes:
    text = result.text
    if not text.isascii():
        decode(text)  # a damaged bundle must not pass unnoticed
    return text.replace(b"\n", b" ") + b"\n"  # a vocabulary could hold a word with a newline: a line stays a line


def _json_form() -> Callable[[_core.Result], bytes]:
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
    return lambda result: encoder.encode(document_of(result)).encode() + b"\n"
