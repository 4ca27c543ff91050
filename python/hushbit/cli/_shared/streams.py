"""Writing to stdout, which is data, and to stderr, which is everything else."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterable
from typing import Any

from hushbit._plumbing.records import plain

WORKER_NAME = "hushbit-worker"


class OutputError(Exception):
    """stdout cannot be written. The message says why."""


def write(data: bytes) -> None:
    """Writes bytes to stdout and hands them on at once, so that a reader never waits for later ones.

    Raises BrokenPipeError if the reader is gone, and OutputError for anything else.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed")
    try:
        rest = memoryview(data)
        while rest:  # unbuffered output, PYTHONUNBUFFERED, may take a part only
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon()
        raise OutputError(f"cannot write standard output: {error.strerror}") from None


def write_text(text: str) -> None:
    """Writes text to stdout in UTF-8, whatever the locale."""
    write(text.encode("utf-8", "backslashreplace"))


def write_json(document: Any) -> None:
    """Writes one JSON document and a newline to stdout; infinite numbers as the string "Infinity"."""
    import json

    write_text(json.dumps(plain(document), ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_result(document: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Writes what a command found: the document if programs asked for it, else the lines, for people."""
    if as_json:
        write_json(document)
    else:
        write_text("".join(f"{line}\n" for line in lines))


def say(message: str) -> None:
    """Writes a line to stderr. That nobody listens there is not a failure."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"hushbit: {message}", file=sys.stderr, flush=True)


def flush() -> None:
    """Flushes stdout, which argparse has written to, so that a full disk is a failure."""
    if sys.stdout is not None:
        write(b"")


def abandon() -> None:
    """Gives up on stdout: what is still buffered goes nowhere, so that leaving Python does not fail on it again."""
    if sys.stdout is None:
        return
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def leave_if_busy(code: int) -> None:
    """Ends the process if a worker is still inside the core.

    The core cannot be interrupted, and a thread that comes back to an interpreter which is shutting down would crash.
    """
    if not any(thread.name == WORKER_NAME for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
