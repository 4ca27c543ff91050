"""Command-line arguments: the parser of a command, and values that are checked as they are parsed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hushbit.cli._failure import CommandError, exit_code

if TYPE_CHECKING:
    from hushbit import Bundle


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


def positive(text: str) -> int:
    """A whole number, 1 or more."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 1 or more")
    return value


def natural(text: str) -> int:
    """A whole number, 0 or more."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return value


def epsilon(text: str) -> float:
    """A finite number, 0 or more."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a finite number, 0 or more")
    return value


def share(text: str) -> float:
    """A number strictly between 0 and 1."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between 0 and 1")
    return value


def mask(text: str) -> str:
    """A replacement of 1 to 64 bytes in UTF-8 that stays on its line."""
    if not 1 <= len(text.encode("utf-8", "surrogateescape")) <= 64:
        raise argparse.ArgumentTypeError("the mask must have 1 to 64 bytes")
    if not text.isprintable():
        raise argparse.ArgumentTypeError("the mask must be printable text in UTF-8")
    return text
