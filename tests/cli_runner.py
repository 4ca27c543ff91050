"""Runs the `hushbit` command for tests, in a process of its own or in theirs."""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

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


def run_here(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """Like `run`, in this process, where what commands need is imported once."""
    with contextlib.ExitStack() as opened:
        typed, out, err = files = [opened.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        typed.write(stdin)
        typed.seek(0)
        with standard_streams(files), contextlib.chdir(cwd or Path.cwd()):
            code = hushbit.cli.main([str(argument) for argument in arguments])
        out.seek(0)
        err.seek(0)
        done = subprocess.CompletedProcess(command(*arguments), code, out.read(), err.read())
    assert_no_traceback(done.stderr)
    return done


@contextlib.contextmanager
def standard_streams(files: Sequence[IO[bytes]]) -> Iterator[None]:
    """What is read and written by descriptors 0 to 2, and by `sys`, is in these three files."""
    with contextlib.ExitStack() as after, pytest.MonkeyPatch.context() as patch:
        for descriptor, (name, file) in enumerate(zip(("stdin", "stdout", "stderr"), files, strict=True)):
            before = os.dup(descriptor)
            after.callback(os.close, before)
            after.callback(os.dup2, before, descriptor)
            os.dup2(file.fileno(), descriptor)
            mode = "w" if descriptor else "r"
            patch.setattr(sys, name, after.enter_context(open(descriptor, mode, encoding="utf-8", closefd=False)))
        yield


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
