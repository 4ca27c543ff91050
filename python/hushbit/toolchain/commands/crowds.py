"""Arguments of `hushbit export` that describe crowds and the words that come out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit._options import CROWD_SIZES
from hushbit.cli._shared.files import reads
from hushbit.toolchain.defaults import (
    EXPORTED_ALPHA,
    EXPORTED_CROWD_SIZE,
    EXPORTED_OUTPUTS,
    FUNCTION_WORDS,
    SENSITIVE_WORDS,
)

if TYPE_CHECKING:
    from hushbit.toolchain.crowds import CrowdOptions, Grade


def add_crowds(parser: argparse.ArgumentParser) -> None:
    """Adds them."""
    reads(
        parser.add_argument(
            "--output-words",
            metavar="N|all|FILE",
            default=str(EXPORTED_OUTPUTS),
            help="words that may come out: the N most frequent ones that are written in letters, all words as in the "
            f"papers, or those of FILE, one a line (default: {EXPORTED_OUTPUTS})",
        ),
        _file_of_words,
    )
    reads(
        parser.add_argument(
            "--exclude-outputs",
            metavar="FILE",
            help="words that never come out, though they may be typed: those of FILE, one a line, or "
            f"{SENSITIVE_WORDS}, which are slurs, violence and names of persons; the promise stays the same",
        ),
        _file_of_words,
    )
    parser.add_argument(
        "--crowd-size",
        choices=CROWD_SIZES,
        default=EXPORTED_CROWD_SIZE,
        help=f"default size of crowds, see docs/crowd.md (default: {EXPORTED_CROWD_SIZE})",
    )
    parser.add_argument(
        "--grade",
        metavar="SIZE:E:SHARES",
        type=grade,
        action="append",
        help="shape of the crowds of SIZE (few, many) up to an epsilon of E (a number or inf), in place of the "
        "usual table; SHARES are ENDxPART,…: up to the fraction END of all weights, words take part with PART"
        " of their weight, as in many:inf:.005x1,.02x.3; may be repeated",
    )
    parser.add_argument(
        "--weights",
        metavar="ALPHA",
        type=exponent,
        default=EXPORTED_ALPHA,
        help="how much more often frequent words come out: the weight of a word is its rank to the power of "
        f"-ALPHA; 0 treats all alike (default: {EXPORTED_ALPHA:g})",
    )
    reads(
        parser.add_argument(
            "--public-words",
            metavar="FILE",
            help="words that are released as typed: those of FILE, one a line, or"
            f" {FUNCTION_WORDS}; a reader then guesses about twice as many of the other words",
        ),
        _file_of_words,
    )


def _file_of_words(value: str) -> list[Path]:
    return [] if value.isdecimal() or value in ("all", FUNCTION_WORDS, SENSITIVE_WORDS) else [Path(value)]


def crowd_options(arguments: argparse.Namespace) -> CrowdOptions:
    """What they say. Reads the files that they name."""
    from hushbit.toolchain.crowds import GRADES, CrowdOptions, excluded_words, read_output_words, with_grades

    wanted = arguments.output_words
    outputs: int | str | list[str] = wanted
    if wanted.isdecimal():
        outputs = int(wanted)
    elif wanted != "all":
        outputs = read_output_words(wanted)
    grades = with_grades(GRADES, arguments.grade or ())
    excluded = () if arguments.exclude_outputs is None else tuple(excluded_words(arguments.exclude_outputs))
    return CrowdOptions(outputs=outputs, alpha=arguments.weights, grades=grades, excluded=excluded)


def grade(text: str) -> Grade:
    """The type of --grade."""
    from hushbit.errors import InvalidArgumentError
    from hushbit.toolchain.crowds import Grade

    try:
        size, up_to, shares = text.split(":")
        pairs = [share.split("x") for share in shares.split(",")]
        segments = tuple((float(end), float(part)) for end, part in pairs)
        return Grade(size, float(up_to), segments)  # type: ignore[arg-type]
    except (ValueError, InvalidArgumentError) as error:
        reason = str(error) if isinstance(error, InvalidArgumentError) else "write SIZE:E:ENDxPART,…"
        raise argparse.ArgumentTypeError(f"{text!r}: {reason}") from None


def exponent(text: str) -> float:
    """The type of --weights."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
