"""Command-line arguments: the parser of a command, and values that are checked as they are parsed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from hushbit.cli._failure import CommandError, exit_code

if TYPE_CHECKING:
    from hushbit import Bundle

Number = TypeVar("Number", int, float)


class CommandParser(argparse.ArgumentParser):
    """The parser of one command: options may stand between BUNDLE and FILE, abbreviations are refused."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **arguments)
        self._inside = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """What argparse calls for a command. By itself it would give up on FILE at the first option after BUNDLE."""
        # Some versions of argparse come back here, and a command that has commands leaves arguments to them.
        if self._inside or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._inside = True
        try:
            namespace, extra = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._inside = False
        options = [argument for argument in extra if argument.startswith("-")]
        if options:
            self.error(f"unknown option: {options[0]}")
        if extra:  # which could be text that was meant to be privatized
            self.error("too many arguments (text is read from a file or from stdin)")
        return namespace, extra


def open_bundle(path: str) -> Bundle:
    """Opens the BUNDLE of a command. Raises CommandError, which names the file."""
    import hushbit

    try:
        return hushbit.open(path)
    except hushbit.HushbitError as error:
        where = "" if path in str(error) else f"{path}: "
        raise CommandError(f"{where}{error}", exit_code(error)) from None


def add_beta(parser: argparse.ArgumentParser) -> None:
    """Adds --beta, of the mechanism TEM."""
    parser.add_argument("--beta", type=share, default=0.001, help="of TEM: the chance of a word beyond gamma (0.001)")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Adds --seed, of a command that samples words and draws."""
    parser.add_argument("--seed", type=natural, default=0, help="of all sampling; no privacy depends on it (0)")


def positive(text: str) -> int:
    """A whole number, 1 or more."""
    return checked(text, int, lambda value: value >= 1, "a whole number, 1 or more")


def natural(text: str) -> int:
    """A whole number, 0 or more."""
    return checked(text, int, lambda value: value >= 0, "a whole number, 0 or more")


def epsilon(text: str) -> float:
    """A finite number, 0 or more."""
    return checked(text, float, lambda value: 0 <= value < math.inf, "a finite number, 0 or more")


def share(text: str) -> float:
    """A number strictly between 0 and 1."""
    return checked(text, float, lambda value: 0 < value < 1, "a number between 0 and 1")


def checked(text: str, parse: type[Number], fits: Callable[[Number], bool], what: str) -> Number:
    """The number that `text` says; ArgumentTypeError with `what` it should be if it says none or one that does not fit.

    `fits` must be False for NaN.
    """
    try:
        value = parse(text)
    except ValueError:
        value = None
    if value is None or not fits(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
    return value


def mask(text: str) -> str:
    """A replacement of 1 to 64 bytes in UTF-8 that stays on its line."""
    if not 1 <= len(text.encode("utf-8", "surrogateescape")) <= 64:
        raise argparse.ArgumentTypeError("the mask must have 1 to 64 bytes")
    if not text.isprintable():
        raise argparse.ArgumentTypeError("the mask must be printable text in UTF-8")
    return text
