"""Command-line arguments: the parser of a command, and values that are checked as they are parsed."""

from __future__ import annotations

import argparse
import io
import math
import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from hushbit._options import DEFAULTS, MAX_MASK_BYTES
from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_NOT_FOUND, EXIT_USAGE, CommandError, exit_code
from hushbit.cli._shared.files import check_apart, check_kinds, of_embeddings, reads
from hushbit.cli._shared.kinds import BUNDLE

if TYPE_CHECKING:
    from hushbit import Bundle

Number = TypeVar("Number", int, float)

_MAX_THREADS = 256
# No argument of a process has a NUL, so it can mark those that are no options, whatever they begin with.
_NO_OPTION = "\0"


class Parser(argparse.ArgumentParser):
    """A parser whose help is data: not being able to write it is a failure, and errors never land in it."""

    def error(self, message: str) -> NoReturn:
        """Says what is wrong and exits. Of the usage, which is long, it says where it is."""
        if sys.stderr is not None:  # argparse would write to stdout if it is closed
            self._print_message(f"{self.prog}: error: {message}\n(see {self.prog} --help)\n", sys.stderr)
        sys.exit(EXIT_USAGE)

    def _print_message(self, message: str, file: Any = None) -> None:
        if message and file is not None and file is sys.stdout:
            streams.write_text(message)  # argparse itself would keep silent about a full disk
        else:
            super()._print_message(message, file)


class CommandParser(Parser):
    """The parser of one command: options may stand between BUNDLE and FILE, abbreviations are refused, and so is an
    output that is an input or another output, or that would replace a file of another kind.
    """

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
        args = list(sys.argv[1:] if args is None else args)
        if "--" in args:
            end = args.index("--")
            args = args[:end] + [_NO_OPTION + argument for argument in args[end + 1 :]]
        self._inside = True
        try:
            namespace, extra = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._inside = False
        options = [argument for argument in extra if argument.startswith("-")]
        if options:
            self.error(f"unknown option: {options[0].partition(' ')[0].partition('=')[0]}")
        if extra:  # this could be text that was meant to be privatized
            self.error("too many arguments (text is read from a file or from stdin)")
        check_apart(self._actions, namespace)
        check_kinds(self._actions, namespace)
        return namespace, extra

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        return super()._get_value(action, arg_string.removeprefix(_NO_OPTION))


def open_bundle(path: str | None) -> Bundle:
    """Opens the BUNDLE of a command, the built-in one if none is named. Raises CommandError, which names the file."""
    import hushbit
    from hushbit.errors import NotFoundError

    if path is None:
        return hushbit.open()
    try:
        return hushbit.open(path)
    except NotFoundError:
        raise not_found(path, "BUNDLE") from None
    except hushbit.HushbitError as error:
        named = str(error).startswith((f"cannot open {path}: ", f"cannot read {path}: ", f"{path} is "))
        raise CommandError(str(error) if named else f"{path}: {error}", exit_code(error)) from None


def is_bundle(path: str) -> bool:
    """Whether an argument that may be a bundle is one, by its name or its first bytes. A pipe is not opened."""
    if path.endswith(".hushbit"):
        return True
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - opening a pipe would wait for a writer
            return False
        with io.FileIO(path) as file:
            return file.read(len(BUNDLE.beginnings[0])) in BUNDLE.beginnings
    except (OSError, ValueError):
        return False


def not_found(path: str, what: str, hint: str = "") -> CommandError:
    """An error that says that there is no such file. White space makes it likely that a text stands there instead: it
    is not quoted.
    """
    shown = what if not path or any(map(str.isspace, path)) else path
    return CommandError(f"{shown}: No such file or directory{hint}", EXIT_NOT_FOUND)


def unknown_word(word: str) -> CommandError:
    """An error that says that WORD, which was looked up, is not in the bundle."""
    return CommandError(
        f"'{word}' is not in the vocabulary: words are matched exactly as spelled there, "
        "most vocabularies are lower case"
    )


def utf8(text: str) -> str:
    """Text in UTF-8, whatever the locale takes arguments for."""
    try:
        return os.fsencode(text).decode()
    except UnicodeError:
        raise argparse.ArgumentTypeError("it is not UTF-8") from None


def output_path(text: str) -> Path:
    """The file to write."""
    if not text or text.endswith(("/", os.sep)):
        raise argparse.ArgumentTypeError("name a file, not a folder")
    return Path(text)


def threads(text: str) -> int:
    """How many threads."""
    value = positive(text)
    if value > _MAX_THREADS:
        raise argparse.ArgumentTypeError(f"more than {_MAX_THREADS} threads are not possible")
    return value


def add_bundle(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Adds BUNDLE, which is read. Where it is not required, open_bundle takes the built-in one."""
    if required:
        action = parser.add_argument("bundle", metavar="BUNDLE", help="bundle, a .hushbit file")
    else:
        action = parser.add_argument(
            "bundle", metavar="BUNDLE", nargs="?", help="bundle, a .hushbit file (default: the built-in English one)"
        )
    reads(action)


def shown_bundle(path: str | None) -> str:
    """The BUNDLE of a command, for a message."""
    return "the built-in bundle" if path is None else path


def add_embeddings(
    parser: argparse.ArgumentParser,
    *,
    required: bool = False,
    help: str = "embeddings from which the bundle was exported, as for export",  # noqa: A002 - as argparse calls it
) -> None:
    """Adds --embeddings, which is read."""
    reads(parser.add_argument("--embeddings", metavar="SOURCE", required=required, help=help), of_embeddings)


def add_extension(parser: argparse.ArgumentParser) -> None:
    """Adds --extend, which is read, to a command that takes embeddings."""
    given = "file of new words that the bundle was exported with, as for export"
    reads(parser.add_argument("--extend", metavar="FILE", help=given))


def add_beta(parser: argparse.ArgumentParser) -> None:
    """Adds --beta, of the mechanism TEM."""
    parser.add_argument(
        "--beta",
        type=share,
        default=DEFAULTS.beta,
        metavar="B",
        help=f"probability of a word beyond the reach of TEM (default: {DEFAULTS.beta})",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Adds --seed, of a command that samples words and draws."""
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        metavar="N",
        help="random seed of the samples; no privacy depends on it (default: 0)",
    )


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
    decoded = utf8(text)
    if not 1 <= len(decoded.encode()) <= MAX_MASK_BYTES:
        raise argparse.ArgumentTypeError(f"the mask must have 1 to {MAX_MASK_BYTES} bytes")
    if not decoded.isprintable():
        raise argparse.ArgumentTypeError("the mask must be printable text")
    return decoded
