"""Checks which files a command reads and writes: it writes none that it reads, and it replaces only its own.

Every option that names a file says so as it is added: `reads(parser.add_argument(…))` or `writes(…, kind=…)`. The
parser of the command compares all of them before the command runs. Files are compared by what they are, not by what
they are called: a link to a file is that file.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from hushbit.cli._shared.failure import EXIT_USAGE, CommandError
from hushbit.cli._shared.kinds import Kind, check_replaceable

Files = Callable[[str], Iterable[Path]]
"""A function from the value of an option to the files that it means."""

_ROLE = "hushbit_files"


class _Role(NamedTuple):
    written: bool
    stdin: bool
    files: Files
    kind: Kind | None = None


class _File(NamedTuple):
    shown: str
    """The option and the path, or the name of a stream."""
    identity: tuple[object, ...]
    stream: bool


def _itself(value: str) -> list[Path]:
    return [Path(value)]


def reads(action: argparse.Action, files: Files = _itself, *, stdin: bool = False) -> argparse.Action:
    """Says that the command reads the file that an argument names, or `files` of it. `stdin`: "-" means stdin."""
    setattr(action, _ROLE, _Role(False, stdin, files))
    return action


def writes(action: argparse.Action, files: Files = _itself, *, kind: Kind | None = None) -> argparse.Action:
    """Says that the command writes the file that an argument names, or `files` of it, whether or not it reads it.

    `kind`: what may be replaced. Without one, the command itself sees to it that nothing else is.
    """
    setattr(action, _ROLE, _Role(True, False, files, kind))
    return action


def writes_files(action: argparse.Action) -> bool:
    """Whether an argument went through `writes`."""
    role: _Role | None = getattr(action, _ROLE, None)
    return role is not None and role.written


def kind_of_output(action: argparse.Action) -> Kind | None:
    """What the file that an argument names may replace; None if it is only read, or if the command sees to it."""
    role: _Role = getattr(action, _ROLE)
    return role.kind


def names_files(action: argparse.Action) -> bool:
    """Whether an argument went through `reads` or `writes`."""
    return hasattr(action, _ROLE)


def with_suffixes(*suffixes: str) -> Files:
    """The file, and those beside it that differ in their suffix."""

    def files(value: str) -> list[Path]:
        path = Path(value)
        return [path, *(path.with_suffix(suffix) for suffix in suffixes if path.name)]

    return files


def inside(pattern: str) -> Files:
    """The file, or what is in the folder and fits the pattern."""
    return lambda value: [Path(value), *Path(value).glob(pattern)]


def of_ledger(value: str) -> list[Path]:
    """A ledger, and what the core keeps beside it."""
    return [Path(value + suffix) for suffix in ("", ".lock", ".new")]


def of_embeddings(source: str) -> list[Path]:
    """What --embeddings reads: the file, the archive of a member, an array and the word list beside it, files of spaCy.

    A named source is no path; its files lie in a package.
    """
    from hushbit._plumbing.files import kind_of, locate
    from hushbit.errors import InputFileError

    try:
        path = locate(source).path
        if source and path.is_dir():  # a folder of spaCy
            return [file for file in path.rglob("*") if file.is_file()]
        if kind_of(path) == "npy":
            return list(with_suffixes(".txt", ".json")(str(path)))
        if path.suffix == ".safetensors":
            return [*with_suffixes(".txt", ".json")(str(path)), path.with_name("tokenizer.json")]
        array = path.with_name(f"{path.name}.vectors.npy")  # the array of gensim
        return [path, array] if array.exists() else [path]
    except InputFileError:  # reading it will say why
        return []


def check_apart(actions: Iterable[argparse.Action], arguments: argparse.Namespace) -> None:
    """Raises CommandError if a file to write is also to be read, or is to be written twice.

    stdin and stdout count if they are regular files. A device or a pipe holds nothing that could be lost.
    """
    given = [(action, getattr(arguments, action.dest, None)) for action in actions if names_files(action)]
    files = [found for action, value in given if value is not None for found in _files(action, value)]
    written: dict[tuple[object, ...], _File] = {}
    for file in [file for file, is_written in files if is_written] + list(_output_streams()):
        other = written.setdefault(file.identity, file)
        if other is not file and not other.stream:  # stdout and stderr may go to one file
            raise CommandError(f"{other.shown} and {file.shown} are one file: write to different files", EXIT_USAGE)
    for file, is_written in files:
        if not is_written and file.identity in written:
            output = written[file.identity].shown
            raise CommandError(f"{output} would overwrite {file.shown}, the same file: write to another", EXIT_USAGE)


def check_kinds(actions: Iterable[argparse.Action], arguments: argparse.Namespace) -> None:
    """Raises CommandError if a file to write is there already, with something in it that is not of its kind."""
    for action in actions:
        role: _Role | None = getattr(action, _ROLE, None)
        value = getattr(arguments, action.dest, None)
        if role is not None and role.kind is not None and value is not None:
            for path in role.files(str(value)):
                check_replaceable(f"{_name(action)} {path}", path, role.kind)


def _files(action: argparse.Action, value: object) -> Iterator[tuple[_File, bool]]:
    role: _Role = getattr(action, _ROLE)
    if role.stdin and value in ("-", ["-"]):
        yield from ((file, False) for file in _stream(sys.stdin, 0, "standard input"))
        return
    name = _name(action)
    named = value if isinstance(value, list) else [value]
    for path in (path for one in named for path in role.files(str(one))):
        identity = identity_of(path)
        if identity is not None:
            yield _File(f"{name} {path}", identity, stream=False), role.written


def _name(action: argparse.Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)


def _output_streams() -> Iterator[_File]:
    yield from _stream(sys.stdout, 1, "standard output")
    yield from _stream(sys.stderr, 2, "standard error")


def _stream(stream: object, descriptor: int, shown: str) -> Iterator[_File]:
    if stream is None:  # it is closed, and its number may be another file's by now
        return
    try:
        identity = _identity(os.fstat(descriptor))
    except OSError:
        return
    if identity is not None:
        yield _File(shown, identity, stream=True)


def identity_of(path: Path) -> tuple[object, ...] | None:
    """What tells a regular file from all others; None for anything else.

    A file that does not exist yet is known by its folder and its name. Two such names that differ in nothing but case,
    or in how accents are composed, count as one: on some file systems they are.
    """
    try:
        return _identity(path.stat())
    except (OSError, ValueError):
        pass
    try:
        target = path.resolve()  # through a link, to what it names
        folder = target.parent.stat()
    except (OSError, ValueError, RuntimeError):
        return None
    return folder.st_dev, folder.st_ino, unicodedata.normalize("NFC", target.name).casefold()


def _identity(status: os.stat_result) -> tuple[object, ...] | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
