"""A shuffler: takes files of releases from a folder, mixes their lines, and writes them as one file without an order.

Each run goes through these steps, and the next run finishes what a run that was killed left:

1. Files are moved into a folder `.mixing-ID` of the source. What is there is still to be mixed.
2. The mixed lines are written into that folder, on the disk, and it is renamed to `.mixed-ID`. Now they are out.
3. The mixed file is moved to the output, and the folder is deleted.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import BinaryIO

from hushbit._plumbing.atomic import sync_folder
from hushbit._plumbing.files import Location, open_text
from hushbit._plumbing.locks import open_folder_to_lock, try_lock
from hushbit.analysis.counts.reading import DAMAGED, OTHER_VERSION, VERSION, lines_of, object_of
from hushbit.errors import InputFileError, InvalidArgumentError, NotFoundError

MORE = "with more than a release"
UNPACKED = "in a file that cannot be unpacked"
_MIXING, _MIXED = ".mixing-", ".mixed-"
_OUTPUT, _WAITING = "batch", "waiting"
_PART_BYTES = 32 << 20  # bytes of a part that is mixed in memory
_MOST_PARTS = 512  # parts that are open at once
_FORMS = (
    {"report": int, "values": str, "epsilon": float, "version": int},
    {"index": int, "epsilon": float},
)
"""What a release is: exactly these names, with values of these types."""
_LIMITS = {"report": 1 << 44, "index": 1 << 16}
"""No report and no index is as large. A number with more room could hold a telephone number in place of a release."""
_MOST_EPSILON = 1000


@dataclass
class Mixed:
    """What a run did. released: how many lines are in the new file, `output`; None if there is none. waiting: lines of
    kinds of which there are too few, by the kind. refused: lines that were no release, by the reason.
    """

    released: int = 0
    waiting: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    output: Path | None = None


def shuffle(source: Path, output: Path, least: int) -> Mixed:
    """Mixes the files of `source` into one new file of `output`, if there are `least` releases of a kind or more.

    A kind is a list of values and an epsilon: those of others do not hide a release. Kinds that have fewer stay in the
    source, mixed too. Lines that are no release are dropped and counted. Files whose names begin with a dot are not
    taken, so write under such a name and rename. Both folders must be on one file system.

    Raises NotFoundError for a folder that is not there, InvalidArgumentError for folders that do not fit,
    InputFileError if another run is at work.
    """
    for folder in (source, output):
        if not folder.is_dir():
            raise NotFoundError(f"{folder}: there is no such folder; make it first, on the same file system")
    if source.resolve() == output.resolve() or source.stat().st_dev != output.stat().st_dev:
        raise InvalidArgumentError("the folders of input and output must be two, on one file system")
    with ExitStack() as stack:
        descriptor = open_folder_to_lock(source)
        stack.callback(os.close, descriptor)
        if not try_lock(descriptor):
            raise InputFileError(f"{source}: another shuffler is at work there")
        mixed = Mixed()
        for folder in sorted(source.glob(f"{_MIXED}*")):
            _finish(folder, source, output)
        files = [path for path in sorted(source.rglob("*")) if path.is_file() and _is_taken(path, source)]
        kinds = _kinds(files, mixed)
        enough = {kind for kind, count in kinds.items() if count >= least}
        mixed.waiting = Counter({kind: count for kind, count in kinds.items() if kind not in enough})
        if not enough:
            mixed.refused.clear()  # they are still there
            return mixed
        mixed.released = sum(kinds[kind] for kind in enough)
        name = secrets.token_hex(8)
        folder = _take(files, source, name)
        _mix(folder, enough)
        done = folder.rename(source / f"{_MIXED}{name}")
        sync_folder(source)
        mixed.output = _finish(done, source, output)
    return mixed


# ---- Files


def _is_taken(path: Path, source: Path) -> bool:
    """A file that somebody put there, or one that an earlier run began to mix; but not what that run wrote."""
    inner = path.relative_to(source)
    if inner.parts[0].startswith(_MIXING):
        return len(inner.parts) == 2 and inner.name.startswith("in-")
    return len(inner.parts) == 1 and not inner.name.startswith((".", "_"))


def _take(files: Iterable[Path], source: Path, name: str) -> Path:
    """Moves the files to a folder of their own, under names that say nothing."""
    folder = source / f"{_MIXING}{name}"
    folder.mkdir(mode=0o700)
    for path in files:
        path.rename(folder / f"in-{secrets.token_hex(8)}")
    sync_folder(folder)
    for old in source.glob(f"{_MIXING}*"):
        if old != folder:
            shutil.rmtree(old)  # it holds nothing but what its run wrote
    sync_folder(source)
    return folder


def _finish(folder: Path, source: Path, output: Path) -> Path | None:
    """Moves what was mixed to where it belongs, and deletes the rest."""
    name = folder.name.removeprefix(_MIXED)
    target = output / f"{_OUTPUT}-{name}.jsonl"
    places = {_OUTPUT: target, _WAITING: source / f"{_WAITING}-{name}.jsonl"}
    for part, place in places.items():
        if (folder / part).exists():
            (folder / part).replace(place)
            sync_folder(place.parent)
    shutil.rmtree(folder)
    sync_folder(source)
    return target if target.exists() else None


# ---- Lines


def _releases(path: Path, refused: Counter[str]) -> Iterator[tuple[str, bytes]]:
    """The kind of each release, and its line, written in one way so that nothing else is in it."""
    if not path.stat().st_size:
        return
    with _going_on(refused), open_text(Location(path)) as text:
        for line in lines_of(text, refused):
            found = _release(line)
            if isinstance(found, str):
                refused[found] += 1
            else:
                yield found


@contextmanager
def _going_on(refused: Counter[str]) -> Iterator[None]:
    """Counts a packed file that cannot be unpacked, from there on, so that one such file does not stop all others.

    An error of the disk is raised, since it may pass.
    """
    try:
        yield
    except InputFileError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno is not None:
            raise
        refused[UNPACKED] += 1


def _release(line: bytes) -> tuple[str, bytes] | str:
    """The kind and the line of a release, or why it is none."""
    value = object_of(line)
    if type(value) is int:
        return ("numbers", b"%d\n" % value) if _fits("report", value, int) else MORE
    if value is None:
        return DAMAGED
    for form in _FORMS if isinstance(value, dict) else ():
        if value.keys() == form.keys() and all(_fits(name, value[name], kind) for name, kind in form.items()):
            if value.get("version", VERSION) != VERSION:
                return OTHER_VERSION  # what such a report may hold is not known here
            plain = {name: _plain(value[name]) for name in form}
            kind = " ".join(f"{name} {plain[name]}" for name in form if name in ("values", "epsilon"))
            return kind, (json.dumps(plain) + "\n").encode()
    return MORE


def _fits(name: str, value: object, kind: type) -> bool:
    if kind is str:
        return isinstance(value, str) and len(value) == 16 and set(value) <= set("0123456789abcdef")
    if kind is float:
        return isinstance(value, int | float) and type(value) is not bool and 0 <= value < _MOST_EPSILON
    return type(value) is int and value >= 0 and (name not in _LIMITS or value < _LIMITS[name])


def _plain(value: object) -> object:
    """A number without a fraction as a whole one, so that 2 and 2.0 are one line."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _kinds(files: Iterable[Path], mixed: Mixed) -> Counter[str]:
    return Counter(kind for path in files for kind, _ in _releases(path, mixed.refused))


# ---- Mixing


def _mix(folder: Path, enough: set[str]) -> None:
    """Writes the releases of the folder's files in uniform random order, of the operating system's randomness.

    Each goes to a part at random, and the parts are mixed in memory and written one after the other (Rao 1961), so that
    there may be more than fit into memory.
    """
    files = sorted(folder.glob("in-*"))
    # Ten times what they take, since they may be compressed.
    size = 10 * sum(path.stat().st_size for path in files)
    parts = min(max(size // _PART_BYTES, 1), _MOST_PARTS)
    random = SystemRandom()
    for name, wanted in ((_OUTPUT, True), (_WAITING, False)):
        with ExitStack() as stack:
            opened = [stack.enter_context((folder / f"part-{number}").open("wb")) for number in range(parts)]
            lines = _wanted(files, enough, wanted)
            for line in lines:
                opened[secrets.randbelow(parts) if parts > 1 else 0].write(line)
        with (folder / name).open("wb") as file:
            for number in range(parts):
                _append(folder / f"part-{number}", file, random)
            file.flush()
            os.fsync(file.fileno())
        os.utime(folder / name, (0, 0))  # no time
        if not (folder / name).stat().st_size:
            (folder / name).unlink()
    sync_folder(folder)


def _wanted(files: Iterable[Path], enough: set[str], wanted: bool) -> Iterator[bytes]:
    for path in files:
        for kind, line in _releases(path, Counter()):
            if (kind in enough) == wanted:
                yield line


def _append(part: Path, file: BinaryIO, random: SystemRandom) -> None:
    lines = part.read_bytes().splitlines(keepends=True)
    random.shuffle(lines)
    file.writelines(lines)
    part.unlink()
