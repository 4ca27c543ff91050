"""What commands offer against repetition: memoized noise, a budget, an audit log."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from hushbit._options import DEVICE_KEY_BYTES
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import checked
from hushbit.cli._shared.failure import EXIT_NOT_FOUND, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import of_ledger, reads, writes
from hushbit.cli._shared.kinds import AUDIT_LOG
from hushbit.errors import HushbitError

if TYPE_CHECKING:
    from hushbit import Budget

_CAPS = ("budget_per_day", "budget_lifetime", "tokens_per_day", "tokens_lifetime")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to a parser."""
    memo = parser.add_argument_group("memoized noise")
    reads(
        memo.add_argument(
            "--memoize",
            metavar="KEYFILE",
            help="give the same word, or where a line is released as one the same line, the same noise, by the device "
            "key in KEYFILE (see hushbit key); repeats can be seen",
        )
    )
    memo.add_argument(
        "--epoch",
        type=_count,
        metavar="N",
        help="number of the period: another number gives different noise under the same key (default: 0)",
    )
    budget = add_budget(parser, "spend each line from the ledger FILE before it is released")
    writes(
        budget.add_argument(
            "--audit-log",
            metavar="FILE",
            help="append a line of JSON for each release to this file: day, bundle, cost and counts, never text",
        ),
        kind=AUDIT_LOG,
    )


def add_budget(parser: argparse.ArgumentParser, help: str) -> argparse._ArgumentGroup:  # noqa: A002 - as argparse
    """Adds the options of a budget; `help` says what is spent when."""
    budget = parser.add_argument_group("budget")
    writes(budget.add_argument("--budget", metavar="FILE", help=help), of_ledger)
    budget.add_argument(
        "--budget-per-day", type=_cost, metavar="C", help="refuse to spend more than C of worst-case cost a day"
    )
    budget.add_argument(
        "--budget-lifetime", type=_cost, metavar="C", help="refuse to spend more than C of worst-case cost in all"
    )
    budget.add_argument("--tokens-per-day", type=_count, metavar="N", help="refuse to release more than N tokens a day")
    budget.add_argument(
        "--tokens-lifetime", type=_count, metavar="N", help="refuse to release more than N tokens in all"
    )
    return budget


def device_key(arguments: argparse.Namespace) -> bytes | None:
    """The key of --memoize. Raises CommandError."""
    if arguments.memoize is None:
        if arguments.epoch is not None:
            raise CommandError("--epoch is only used with --memoize", EXIT_USAGE)
        return None
    path = arguments.memoize
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a FIFO or /dev/fd/N is welcome
            key = file.read(DEVICE_KEY_BYTES + 1)
    except FileNotFoundError:
        raise CommandError(f"there is no key file {path}: make one with: hushbit key {path}", EXIT_NOT_FOUND) from None
    if len(key) != DEVICE_KEY_BYTES:
        raise CommandError(f"{path} is not a key file of {DEVICE_KEY_BYTES} bytes; hushbit key makes one", EXIT_USAGE)
    return key


def open_budget(arguments: argparse.Namespace) -> Budget | None:
    """The budget of --budget, with its caps. Raises CommandError."""
    if arguments.budget is None:
        given = next((name for name in _CAPS if getattr(arguments, name) is not None), None)
        if given is not None:
            raise CommandError(f"--{given.replace('_', '-')} is only used with --budget", EXIT_USAGE)
        return None
    from hushbit import Budget

    return Budget(
        arguments.budget,
        worst_case_per_day=math.inf if arguments.budget_per_day is None else arguments.budget_per_day,
        worst_case_lifetime=math.inf if arguments.budget_lifetime is None else arguments.budget_lifetime,
        tokens_per_day=arguments.tokens_per_day,
        tokens_lifetime=arguments.tokens_lifetime,
    )


def say_budget(budget: Budget) -> None:
    """Says what is spent."""
    try:
        state = budget.state
    except HushbitError:  # spending has said it, or will
        return
    streams.say(
        f"budget: worst case {state.worst_case_today:.6g} on {state.day}, {state.worst_case_lifetime:.6g} in all; "
        f"tokens {state.tokens_today} on that day, {state.tokens_lifetime} in all"
    )


def _cost(text: str) -> float:
    return checked(text, float, lambda value: value >= 0, "a number, 0 or more")


def _count(text: str) -> int:
    return checked(text, int, lambda value: 0 <= value < (1 << 64) - 1, "a whole number, 0 or more, that fits 64 bits")
