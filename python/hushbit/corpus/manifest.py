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
from pathlib import Path
from typing import Any

from hushbit._atomic import sync_folder
from hushbit._locks import try_lock
from hushbit._records import plain
from hushbit.errors import InputFileError, InvalidArgumentError, StorageError

_VERSION = 1
# Windows alone has text files, and opens those that say nothing as such.
_OPEN_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def manifest_path(output: Path) -> Path:
    """The path of the manifest: beside the output folder, not in it, because it must not be sent along."""
    return output.with_name(f"{output.name}.manifest")


@dataclass
class Manifest:
    """An open manifest. Only one run at a time can have it open."""

    path: Path
    output: Path
    descriptor: int
    drawn: dict[int, dict[str, Any]] = field(default_factory=dict)
    released: set[int] = field(default_factory=set)

    def draw(self, part: int, file: str, **what: Any) -> None:
        """Notes the cost of a part. Call it before the file of the part gets its name."""
        entry = {"part": part, "file": file, **what}
        self._append(entry)
        self.drawn[part] = entry

    def release(self, part: int) -> None:
        """Notes that a part is released. Call it after its file got its name."""
        self._append({"released": part})
        self.released.add(part)

    def complete(self) -> None:
        """Notes that all parts are released."""
        self._append({"complete": True})

    def begin(self, what: dict[str, Any]) -> None:
        """Writes the first line: what to do."""
        self._append({"version": _VERSION, **what})

    def _append(self, line: dict[str, Any]) -> None:
        data = json.dumps(plain(line), ensure_ascii=True).encode() + b"\n"
        try:
            written = os.write(self.descriptor, data)
            if written != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self.descriptor)
        except OSError as error:
            raise StorageError(f"{self.path}: could not be written: {error.strerror}; run again once it can") from error


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
        raise StorageError(f"{path}: could not be opened: {error.strerror}") from error
    try:
        if not try_lock(descriptor):
            raise InvalidArgumentError(f"{path}: another run is at work on this output")
        manifest = Manifest(path, output, descriptor)
        lines = _whole_lines(descriptor)
        if lines:
            _go_on(manifest, lines, what)
        else:
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
        raise StorageError(f"{output}: could not be made: {error.strerror}") from error


def _go_on(manifest: Manifest, lines: list[bytes], what: dict[str, Any]) -> None:
    path, output = manifest.path, manifest.output
    try:
        first, *entries = map(json.loads, lines)
    except ValueError:
        raise InputFileError(f"{path}: is damaged, so what was released is not known; write to a new folder") from None
    if first.get("version") != _VERSION:
        raise InputFileError(f"{path}: is of another version of Hushbit")
    wanted = json.loads(json.dumps(plain({"version": _VERSION, **what})))
    differing = [name for name in {**first, **wanted} if first.get(name) != wanted.get(name)]
    if differing:
        raise InvalidArgumentError(
            f"{output}: was begun with another choice of: {', '.join(sorted(differing))}; go on with the same, or "
            "write to a new folder (releasing a text again costs again)"
        )
    for entry in entries:
        if "complete" in entry:
            raise InvalidArgumentError(
                f"{output}: all of it is released already. Releasing it again costs as much again, and two releases "
                "tell more than one; write to a new folder if that is meant"
            )
        if "part" in entry:
            manifest.drawn[entry["part"]] = entry
        else:
            manifest.released.add(entry["released"])
    for part, entry in manifest.drawn.items():
        # A crash came after its file got its name, and before the line that says so.
        if part not in manifest.released and (output / entry["file"]).exists():
            manifest.release(part)
    if output.is_dir():
        for left in output.glob(".part-*.tmp"):  # drawn, but never released
            left.unlink()
    output.mkdir(exist_ok=True)
