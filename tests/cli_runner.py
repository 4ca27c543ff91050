"""Runs the `hushbit` command for tests, in a process of its own."""

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import hushbit.cli
from typed import CANARY

SURE = "40"  # an epsilon at which no bit flips: a word whose code nobody shares stays itself


def command(*arguments: str | Path) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "hushbit", *map(str, arguments)]


def commands_of(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command that runs, by its name."""
    nested = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not nested:
        yield name, parser
    for action in nested:
        for word, inner in action.choices.items():
            yield from commands_of(inner, f"{name} {word}".strip())


def run(*arguments: str | Path, stdin: bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs it to its end. Whatever happens, it must not show a traceback. The time limit is for what hangs."""
    options = {"capture_output": True, **options}
    done = subprocess.run(command(*arguments), input=stdin, timeout=300, check=False, **options)
    assert_no_traceback(done.stderr)
    return done


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Starts it with pipes. The caller ends it, as a context manager."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(*arguments), **{**pipes, **options})


def assert_no_traceback(stderr: bytes | None) -> None:
    """No error of Python's own reached the user."""
    for sign in (b"Traceback", b"Exception ignored", b"Fatal Python error", b"internal error"):
        assert sign not in (stderr or b""), stderr


def assert_no_canary(*outputs: bytes) -> None:
    """Nothing typed came out, in whatever case or spelling."""
    for output in outputs:
        assert CANARY.lower() not in output.decode(errors="replace").lower()


def lines(words: Sequence[str], count: int) -> list[str]:
    """`count` lines of 0 to 6 words, all different in a row."""
    return [" ".join([words[i % len(words)]] * (i % 7)) for i in range(count)]


class Here:
    """Runs the command in this process, which is faster."""

    def __init__(self, directory: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.text_file = directory / "typed.txt"
        self._capture = capture

    def __call__(self, *arguments: str | Path) -> tuple[int, bytes, bytes]:
        code = hushbit.cli.main([str(argument) for argument in arguments])
        out, err = self._capture.readouterr()
        assert_no_traceback(err)
        return code, out, err

    def privatize(self, path: Path, *options: str, typed: bytes) -> tuple[int, bytes, bytes]:
        """Privatizes what was typed, from a file."""
        self.text_file.write_bytes(typed)
        return self("privatize", path, self.text_file, *options)
