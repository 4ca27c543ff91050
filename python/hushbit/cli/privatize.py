"""`hushbit privatize`: text in, privatized text out, line by line."""

from __future__ import annotations

import argparse
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hushbit._options import (
    CROWDS,
    DEFAULTS,
    MAX_MASK_BYTES,
    MECHANISMS,
    OOV_POLICIES,
    PUNCTUATION_POLICIES,
    SEARCHES,
)
from hushbit._parallel import processors
from hushbit._text import PrivacyCost, cost_of, decode, document_of
from hushbit.cli._shared import repetition, streams
from hushbit.cli._shared.arguments import add_bundle, epsilon, mask, not_found, open_bundle, share, threads
from hushbit.cli._shared.failure import EXIT_FAILURE, EXIT_OK, EXIT_USAGE, CommandError, exit_code
from hushbit.cli._shared.files import reads
from hushbit.errors import CorruptBundleError, HushbitError, InvalidTextError, UnknownWordError

if TYPE_CHECKING:
    from hushbit import Budget, Privatizer, _core

_EPILOG = """\
examples:
  hushbit privatize words.hushbit letters.txt > private.txt
  hushbit privatize words.hushbit --epsilon 0.6 --json < letters.txt
  hushbit privatize words.hushbit --mechanism crowd --crowd many --epsilon 5.5 < letters.txt
  echo 'see you tomorrow' | hushbit privatize words.hushbit --oov drop
  hushbit privatize words.hushbit --budget sent.budget --budget-per-day 5000 < letters.txt
  hushbit key device.key; hushbit privatize words.hushbit --memoize device.key < letters.txt

Each line is one release: it costs the sum over its tokens, and the whole costs the sum over its lines. With --budget
each line is spent before it is released, one after the other, days being days in UTC; the first that a cap refuses ends
the command with exit code 6.

The first line that is not UTF-8 ends the command with exit code 1: its number is said, and neither it nor any line
after it is released. --invalid-utf8 replace goes on with U+FFFD in place of the bytes that are not UTF-8, which is part
of no word; skip leaves such a line out, so that fewer lines come out. Both say on stderr how many lines there were.

With --json each line gives one JSON document on one line: the privatized text, what became of every token (its kind,
its range in bytes and in UTF-16 code units of the line as typed, its replacement or null), and the cost. An infinite
cost is the string "Infinity". The tokens tell about the line as typed: release the text alone. Where bytes were
replaced, ranges are those of the line with U+FFFD.
"""

_SENSIBLE_PER_WORD = 16
_OOV_HELP = """what becomes of a token outside the vocabulary: a random word (the default), left out, replaced by the
mask, refused, or passed through as typed, WITHOUT privacy"""
_INVALID_SAID = {
    "replace": "lines in which bytes that are not UTF-8 became U+FFFD",
    "skip": "lines left out since they are not UTF-8",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "privatize",
        help="privatize text, line by line",
        description="Reads UTF-8 text and writes its privatized form, line by line, in order.",
        epilog=_EPILOG,
    )
    add_bundle(parser)
    reads(
        parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="UTF-8 text; - or nothing for stdin"),
        stdin=True,
    )
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        metavar="E",
        help="budget, 0 or more: per differing bit, for crowds per word (the bundle's default)",
    )
    parser.add_argument(
        "--mechanism", choices=MECHANISMS, help="how words are replaced (the bundle's); another one may need --epsilon"
    )
    parser.add_argument(
        "--crowd",
        choices=CROWDS,
        help="of --mechanism crowd, how many near words a word may become: the word alone, few for counting, many for "
        "meaning (the bundle's)",
    )
    parser.add_argument(
        "--beta", type=share, metavar="B", help=f"of --mechanism tem: words beyond its reach ({DEFAULTS.beta})"
    )
    parser.add_argument("--oov", choices=OOV_POLICIES, default=DEFAULTS.oov, help=_OOV_HELP)
    parser.add_argument(
        "--mask",
        type=mask,
        metavar="TEXT",
        help=f"what --oov mask writes, 1 to {MAX_MASK_BYTES} bytes ({DEFAULTS.mask})",
    )
    parser.add_argument(
        "--punctuation",
        choices=PUNCTUATION_POLICIES,
        default=DEFAULTS.punctuation,
        help="what becomes of punctuation: left out (the default), or treated like words",
    )
    parser.add_argument(
        "--invalid-utf8",
        choices=("error", *_INVALID_SAID),
        default="error",
        help="a line that is not UTF-8 ends the command (the default), gets U+FFFD for those bytes, or is left out",
    )
    parser.add_argument("--threads", type=threads, metavar="N", help="how many lines at a time (one for each CPU)")
    parser.add_argument(
        "--search",
        choices=SEARCHES,
        default=DEFAULTS.search,
        help="how the nearest words are looked for; the output does not depend on it (the fastest for the noise)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document for each line")
    repetition.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    if arguments.mask is not None and arguments.oov != "mask":
        raise CommandError("--mask is only used with --oov mask", EXIT_USAGE)
    device_key = repetition.device_key(arguments)
    bundle = open_bundle(arguments.bundle)
    mechanism = arguments.mechanism or bundle.info.default_mechanism
    if arguments.beta is not None and mechanism != "tem":
        raise CommandError("--beta is only used with --mechanism tem", EXIT_USAGE)
    if arguments.crowd is not None and mechanism != "crowd":
        raise CommandError("--crowd is only used with --mechanism crowd", EXIT_USAGE)
    budget = repetition.open_budget(arguments)
    privatizer = bundle.privatizer(
        arguments.mechanism,
        arguments.epsilon,
        beta=DEFAULTS.beta if arguments.beta is None else arguments.beta,
        oov=arguments.oov,
        punctuation=arguments.punctuation,
        mask=arguments.mask or DEFAULTS.mask,
        device_key=device_key,
        epoch=arguments.epoch or DEFAULTS.epoch,
        budget=budget,
        audit_log=arguments.audit_log,
        search=arguments.search,
        crowd=arguments.crowd,
    )
    name = "standard input" if arguments.file == "-" else arguments.file
    file = _open_input(arguments.file, name)
    _say_terms(privatizer, arguments)
    if file.isatty():
        streams.say("text is read from this terminal, line by line, until Ctrl-D")
    form = _json_form() if arguments.json else _text_form
    work = partial(_privatize_block, privatizer._native, form, arguments.invalid_utf8)
    workers = 1 if budget is not None else arguments.threads or processors()
    invalid = _INVALID_SAID.get(arguments.invalid_utf8, "")
    _privatize_lines(file, name, work, workers, summary=not arguments.json, budget=budget, invalid=invalid)
    return EXIT_OK


def _open_input(path: str, name: str) -> io.FileIO:
    if path == "-" and sys.stdin is None:
        raise CommandError(f"{name} is closed")
    try:
        return io.FileIO(0 if path == "-" else path, closefd=path != "-")
    except FileNotFoundError:
        raise not_found(path, "FILE", "; text itself is read from standard input") from None


class _Released(NamedTuple):
    """What became of some lines. It holds nothing of the lines as typed but ranges of tokens."""

    output: bytes
    results: list[_core.Result]
    input_bytes: int
    lines: int
    """As read: all, or those before the one that failed."""
    invalid: int
    """How many of them were not UTF-8."""
    failure: tuple[str, int] | None
    """Of the line after those: what failed, and the exit code."""


def _privatize_lines(
    file: io.FileIO,
    name: str,
    work: Callable[[int, bytes], _Released],
    threads: int,
    *,
    summary: bool,
    budget: Budget | None,
    invalid: str,
) -> None:
    from hushbit.cli._shared.line_pipeline import in_order, one_by_one, read_blocks, read_lines

    read, lines, done, invalid_lines, total = 0, 0, 0, 0, PrivacyCost.zero()
    try:
        with _progress(file) as show:
            # A line that is begun is spent, so none is begun that may not be written.
            if budget is not None:
                made = one_by_one(read_lines(file, name), work)
            else:
                made = in_order(read_blocks(file, name), work, threads, lambda: show(done))
            with closing(made) as released:
                for some in released:
                    streams.write(some.output)
                    if some.results:
                        total += cost_of(some.results)
                    read += some.lines
                    lines += len(some.results)
                    invalid_lines += some.invalid
                    if some.failure is not None:
                        what, code = some.failure
                        raise CommandError(f"{name}, line {read + 1}{what}; nothing of this line was released", code)
                    done += some.input_bytes
                    show(done)
    except BrokenPipeError:
        summary, invalid_lines = False, 0
        raise
    finally:
        if invalid_lines:
            streams.say(f"{invalid}: {invalid_lines}")
        if summary and lines:
            _say_total(lines, total)
            if budget is not None:
                repetition.say_budget(budget)


@contextmanager
def _progress(file: io.FileIO) -> Iterator[Callable[[int], None]]:
    """Shows how many bytes of a file are done, unless its lines are on the screen anyway."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode) or sys.stdout is None or sys.stdout.isatty():
        yield lambda _: None
        return
    from hushbit.cli._shared.progress import ProgressBar

    with ProgressBar() as bar:
        yield lambda done: bar(min(done, status.st_size), status.st_size, "privatizing")


def _privatize_block(
    privatizer: _core.Privatizer, form: Callable[[_core.Result], bytes], invalid_utf8: str, _: int, block: bytes
) -> _Released:
    """Runs on a worker. `block` is a line, or several with newlines between them; they stay bytes all the way."""
    lines = block.split(b"\n")
    kept, invalid = _mended(lines, invalid_utf8)
    results, error = privatizer.privatize_lines(list(kept.values()))
    output = []
    for done, result in enumerate(results):
        try:
            output.append(form(result))
        except CorruptBundleError as damage:  # in a word that came out
            results, error = results[:done], damage
            break
    reached = len(lines) if error is None else list(kept)[len(results)]
    return _Released(
        output=b"".join(output),
        results=results,
        input_bytes=len(block) + 1,
        lines=reached,
        invalid=sum(place < reached for place in invalid),
        failure=None if error is None else _failure_of(error),
    )


def _mended(lines: list[bytes], invalid_utf8: str) -> tuple[dict[int, bytes], list[int]]:
    """The lines to privatize by their places, and the places of those that are not UTF-8, unless the core is to find
    out.
    """
    if invalid_utf8 == "error":
        return dict(enumerate(lines)), []
    kept, invalid = {}, []
    for place, line in enumerate(lines):
        try:
            line.decode()
            kept[place] = line
        except UnicodeDecodeError:
            invalid.append(place)
            if invalid_utf8 == "replace":
                kept[place] = line.decode(errors="replace").encode()
    return kept, invalid


def _failure_of(error: HushbitError) -> tuple[str, int]:
    if isinstance(error, InvalidTextError):
        return f", byte {error.position}: the text is not UTF-8", EXIT_FAILURE
    if isinstance(error, UnknownWordError):
        return f", byte {error.position}: a token is not in the vocabulary, and --oov error refuses it", EXIT_FAILURE
    return f": {str(error).removesuffix('; nothing was released')}", exit_code(error)


def _text_form(result: _core.Result) -> bytes:
    text = result.text
    if not text.isascii():
        decode(text)  # a damaged bundle must not pass unnoticed
    return text.replace(b"\n", b" ") + b"\n"  # a vocabulary could hold a word with a newline: a line stays a line


def _json_form() -> Callable[[_core.Result], bytes]:
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
    return lambda result: encoder.encode(document_of(result)).encode() + b"\n"


def _say_terms(privatizer: Privatizer, arguments: argparse.Namespace) -> None:
    info = privatizer.info
    if info.epsilon_unit == "word":
        terms = f"{info.effective_epsilon:.6g} per word, between any two words"
    else:
        terms = (
            f"{info.effective_epsilon:.6g} per differing bit, "
            f"{info.average_per_token:.6g} per token on average, {info.worst_case_per_token:.6g} at worst"
        )
    if arguments.epsilon is None:
        streams.say(f"epsilon is the bundle's default: {terms}")
    if info.clamped:
        streams.say(f"epsilon {info.requested_epsilon:g} is more than the integers can express; what holds is {terms}")
    if info.epsilon_unit == "word" and info.requested_epsilon > _SENSIBLE_PER_WORD:
        streams.say(
            f"WARNING: epsilon {info.requested_epsilon:g} per word hides almost nothing; of crowds it is 4 to 8. Is it "
            "meant for another mechanism, whose epsilon is per differing bit?"
        )
    if info.public_words:
        streams.say(f"{info.public_words} public words of the bundle are released without noise")
    if info.memoized:
        streams.say("noise is memoized: a word that is repeated is replaced by the same word again")
    if arguments.oov == "verbatim-unsafe":
        streams.say(
            "WARNING: --oov verbatim-unsafe passes every unknown token through AS TYPED. Names, numbers, passwords and "
            "misspelled words will stand in the output. This is NOT private."
        )


def _say_total(lines: int, cost: PrivacyCost) -> None:
    counts = f"words {cost.words}, unknown tokens {cost.unknown}, tokens left out {cost.dropped}"
    if cost.verbatim:
        counts += f", tokens passed through AS TYPED {cost.verbatim}"
    if cost.public_words:
        counts += f", public words {cost.public_words}"
    streams.say(f"lines released {lines}, {counts}")
    if cost.epsilon_unit == "word":
        streams.say(f"cost: epsilon {cost.epsilon:.6g} per word adds up to {cost.worst_case:.6g}, over all tokens")
    else:
        streams.say(
            f"cost: epsilon {cost.epsilon:.6g} per differing bit adds up to {cost.average:.6g} on average and "
            f"{cost.worst_case:.6g} at worst, over all tokens"
        )
