"""Exit codes, and how a failure becomes one."""

from __future__ import annotations

from hushbit import errors
from hushbit.cli._shared import streams

EXIT_OK = 0
EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_NOT_FOUND = 3
EXIT_CORRUPT = 4
EXIT_MISMATCH = 5
EXIT_EXHAUSTED = 6
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141

_EXIT_CODES: dict[type[Exception], int] = {
    errors.InvalidArgumentError: EXIT_USAGE,
    errors.CorruptBundleError: EXIT_CORRUPT,
    errors.CorruptBudgetError: EXIT_CORRUPT,
    errors.BudgetExhaustedError: EXIT_EXHAUSTED,
    FileNotFoundError: EXIT_NOT_FOUND,
}


class CommandError(Exception):
    """A failure that a command words itself: the message for stderr, and the exit code."""

    def __init__(self, message: str, code: int = EXIT_FAILURE) -> None:
        super().__init__(message)
        self.code = code


def report(error: Exception) -> int:
    """Says on stderr what failed and returns the exit code."""
    if isinstance(error, BrokenPipeError):  # whoever read stdout has seen enough
        streams.abandon()
        return EXIT_BROKEN_PIPE
    if _interrupted(error):
        return EXIT_INTERRUPTED
    streams.say(f"error: {_message(error)}")
    return exit_code(error)


def exit_code(error: Exception) -> int:
    """The exit code of a failure."""
    if isinstance(error, CommandError):
        return error.code
    return next((code for kind, code in _EXIT_CODES.items() if isinstance(error, kind)), EXIT_FAILURE)


def _interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt is at the bottom of it: while a class is made, in an import, it turns into an error."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _message(error: Exception) -> str:
    if isinstance(error, CommandError | streams.OutputError | errors.HushbitError):
        return str(error).replace("set allow_unchanged", "give --allow-unchanged")  # an option has another name here
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{error.strerror or type(error).__name__}"
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, ImportError):
        return f"a Python package is missing or broken: {error}"
    # A mistake in Hushbit itself. Its own message could hold text that was typed, so only kind and place are said.
    return f"internal error, please report it: {type(error).__name__} at {_place(error)}"


def _place(error: Exception) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown place"
