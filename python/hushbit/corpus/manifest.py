"""The manifest of a corpus that is being released: which parts were drawn, what they cost, and which are released.

It makes sure that no part is released twice. It is a file of JSON lines, each of them synced. The first line says what
to do. For each part, one line with its cost is written before its file gets its name, and one line after that. The
last line says that all parts are released. If a crash comes between the two lines of a part, the part counts as
released if its file exists. The manifest contains the paths and hashes of the input, so do not send it along.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from hushbit._plumbing.atomic import sync_folder
from hushbit._plumbing.locks import try_lock
from hushbit._plumbing.records import plain
from hushbit.errors import InputFileError, InvalidArgumentError, StorageFailedError

_VERSION = 2
# Windows alone has text files, and opens those that say nothing as such.
_OPEN_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def manifest_path(output: Path) -> Path:
    """The path of the manifest: beside the output folder, not in it, because it must not be sent along.

    Raises InvalidArgumentError if the output has no name of its own.
    """
    if output.name in ("", ".."):  # the current folder, the one above, or the root
        raise InvalidArgumentError(f"{output}: name a new folder to write, such as released")
    return output.with_name(f"{output.name}.manifest")


class Rows(NamedTuple):
    """The rows of a part: the file of the input (from 0), the first row (from 1), and the number of rows."""

    input: int
    first: int
    rows: int

    def __str__(self) -> str:
        return f"rows {self.first} to {self.first + self.rows - 1} of file {self.input + 1}"


@dataclass
class Manifest:
    """An open manifest. Only one run at a time can have it open.

    drawn: the rows of each part that was drawn. released: the parts whose files got their names.
    versions: what the last lines were written with, such as {"pyarrow": "26.0.1"}.
    """

    path: Path
    output: Path
    descriptor: int
    drawn: dict[int, Rows] = field(default_factory=dict)
    released: set[int] = field(default_factory=set)
    versions: dict[str, str] = field(default_factory=dict)

    def draw(self, part: int, file: str, rows: Rows, **cost: Any) -> None:
        """Notes the rows and the cost of a part. Call it before the file of the part gets its name."""
        numbers = {"input": rows.input, "first_row": rows.first, "rows": rows.rows}
        self._append({"part": part, "file": file, **numbers, **cost})
        self.drawn[part] = rows

    def release(self, part: int) -> None:
        """Notes that a part is released. Call it after its file got its name."""
        self._append({"released": part})
        self.released.add(part)

    def complete(self) -> None:
        """Notes that all parts are released."""
        self._append({"complete": True})

    def begin(self, what: dict[str, Any]) -> None:
        """Writes the first line: what to do."""
        self.versions = versions()
        self._append({"version": _VERSION, "versions": self.versions, **what})

    def go_on(self) -> None:
        """Notes the versions that go on, if they are others."""
        if self.versions != versions():
            self._append({"versions": versions()})

    def _append(self, line: dict[str, Any]) -> None:
        data = json.dumps(plain(line), ensure_ascii=True).encode() + b"\n"
        try:
            written = os.write(self.descriptor, data)
            if written != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self.descriptor)
        except OSError as error:
            raise StorageFailedError(
                f"{self.path}: could not be written: {error.strerror}; run again once it can"
            ) from error


@contextlib.contextmanager
def open_manifest(output: Path, what: dict[str, Any]) -> Iterator[Manifest]:
    """Creates a manifest, or continues that of an interrupted run.

    Raises InvalidArgumentError if everything is released already, if another run is using the manifest, or if it was
    created with other options; InputFileError if it is damaged. A released part is not drawn again, even if its file
    was moved away.
    """
    path = manifest_path(output)
    if not path.exists():
        _require_empty(output)  # before a file is made: Windows would not delete it while it is open
    try:
        descriptor = os.open(path, _OPEN_FLAGS, 0o600)
    except OSError as error:
        raise StorageFailedError(f"{path}: could not be opened: {error.strerror}") from error
    try:
        if not try_lock(descriptor):
            raise InvalidArgumentError(f"{path}: another run is at work on this output")
        manifest = Manifest(path, output, descriptor)
        lines = _whole_lines(descriptor)
        if len(lines) > 1:
            _go_on(manifest, lines, what)
        else:  # no part was drawn so far, so another choice is no second release
            os.ftruncate(descriptor, 0)
            _begin(manifest, what)
        yield manifest
    finally:
        os.close(descriptor)


def _whole_lines(descriptor: int) -> list[bytes]:
    """All complete lines. Removes a last line that a crash cut off: nothing was done because of it."""
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    data = os.read(descriptor, size)
    end = data.rfind(b"\n") + 1
    if end < size:
        os.ftruncate(descriptor, end)
    return data[:end].splitlines()


def _require_empty(output: Path) -> None:
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise InvalidArgumentError(f"{output}: is there and not empty; write to a new folder")


def _begin(manifest: Manifest, what: dict[str, Any]) -> None:
    output = manifest.output
    _require_empty(output)
    manifest.begin(what)
    try:
        output.mkdir(exist_ok=True)
        sync_folder(output.parent)
    except OSError as error:
        raise StorageFailedError(f"{output}: could not be made: {error.strerror}") from error


def _go_on(manifest: Manifest, lines: list[bytes], what: dict[str, Any]) -> None:
    path, output = manifest.path, manifest.output
    first, *entries = map(partial(_parsed, path), lines)
    if first.get("version") != _VERSION:
        raise InputFileError(f"{path}: is of another version of Hushbit")
    manifest.versions = first.pop("versions", {})
    wanted = json.loads(json.dumps(plain({"version": _VERSION, **what})))
    differing = [name for name in {**first, **wanted} if first.get(name) != wanted.get(name)]
    if differing:
        raise InvalidArgumentError(
            f"{output}: was begun with another choice of: {', '.join(sorted(differing))}; go on with the same, or "
            "write to a new folder (releasing a text again costs again)"
        )
    files = _read_entries(manifest, entries)
    for part, file in files.items():
        # A crash came after its file got its name, and before the line that says so.
        if part not in manifest.released and (output / file).exists():
            manifest.release(part)
    if output.is_dir():
        for left in output.glob(".part-*.tmp"):  # drawn, but never released
            left.unlink()
    output.mkdir(exist_ok=True)


def _read_entries(manifest: Manifest, entries: list[dict[str, Any]]) -> dict[int, str]:
    """Takes over what earlier runs noted, and returns the names of the files of the parts."""
    files = {}
    for entry in entries:
        match entry:
            case {"complete": _}:
                raise InvalidArgumentError(
                    f"{manifest.output}: all of it is released already. Releasing it again costs as much again, and "
                    "two releases tell more than one; write to a new folder if that is meant"
                )
            case {"part": int(part), "file": str(file), "input": int(at), "first_row": int(first), "rows": int(rows)}:
                manifest.drawn[part] = Rows(at, first, rows)
                files[part] = file
            case {"released": int(part)} if part in manifest.drawn:
                manifest.released.add(part)
            case {"versions": dict(found)}:
                manifest.versions = found
            case _:
                raise _damaged(manifest.path)
    return files


def _parsed(path: Path, line: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise _damaged(path)
    return parsed


def _damaged(path: Path) -> InputFileError:
    return InputFileError(f"{path}: is damaged, so what was released is not known; write to a new folder")


def versions() -> dict[str, str]:
    """The versions on which the borders of parts may depend."""
    import pyarrow as pa

    import hushbit

    return {"hushbit": hushbit.__version__, "pyarrow": pa.__version__}
