"""Finds the files that a user's sources mean. Each file is read once, by whatever names and links it is found."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hushbit._files import reading
from hushbit._progress import Progress
from hushbit.corpus.formats.files import File
from hushbit.errors import InputFileError, InputNotFoundError

_MARKS = (".", "_")
"""What begins with one of these is passed over in a folder: copies of editors, what jobs have not finished, marks."""


@dataclass(frozen=True)
class Inputs:
    """files: the files to read, each once.

    passed_over: the number of files that were not taken, since their name or that of a folder begins with "." or "_".
    repeated: the number of further names, or links, of files that are read already.
    """

    files: tuple[File, ...]
    passed_over: int
    repeated: int


def find_inputs(sources: Sequence[str], output: Path) -> Inputs:
    """Finds the files of folders, patterns and names, in the order of the sources.

    Raises InputNotFoundError if a source has no file, and InputFileError if the output folder is among the input.
    """
    files: dict[tuple[int, int], Path] = {}
    names: set[Path] = set()
    passed_over: set[Path] = set()
    for source in sources:
        for path, marked in _files(source):
            if marked:
                passed_over.add(path.absolute())
                continue
            names.add(path.absolute())
            with reading(path):
                status = path.stat()
            files.setdefault((status.st_dev, status.st_ino), path)
    _check_apart(sources, files.values(), output)
    return Inputs(tuple(File(str(path)) for path in files.values()), len(passed_over - names), len(names) - len(files))


def _files(source: str) -> list[tuple[Path, bool]]:
    """The files of a source, and whether each is passed over."""
    path = Path(source)
    if path.is_dir():
        found = [(inner, _is_marked(inner.relative_to(path))) for inner in sorted(path.rglob("*")) if inner.is_file()]
        if all(marked for _, marked in found):
            others = f' whose name or folder does not begin with "." or "_"; {len(found)} others' if found else ""
            raise InputNotFoundError(f"{source}: there is no file in this folder{others}")
        return found
    if path.exists():
        return [(path, False)]
    matches = sorted(Path(match) for match in glob.glob(source, recursive=True))  # noqa: PTH207 - of any folder
    asked = {part[0] for part in path.parts if _is_marked(Path(part))}
    found = [(match, _is_marked(match, asked)) for match in matches if match.is_file()]
    if all(marked for _, marked in found):
        raise InputNotFoundError(f"{source}: no such file, folder or pattern of files")
    return found


def _is_marked(path: Path, asked: set[str] | None = None) -> bool:
    """Whether a name on the path begins with a mark that was not asked for."""
    marks = tuple(mark for mark in _MARKS if mark not in (asked or ()))
    return any(part.startswith(marks) for part in path.parts if part != "..") if marks else False


def _check_apart(sources: Sequence[str], files: Iterable[Path], output: Path) -> None:
    target = output.resolve()
    for file in files:
        if target == file.resolve() or target in file.resolve().parents:
            raise InputFileError(f"{output}: {file}, which is to be read, is in it; write to another folder")
    for source in sources:
        folder = Path(source).resolve()
        if folder.is_dir() and folder in target.parents:
            raise InputFileError(f"{output}: is inside {source}, which is to be read; write to another folder")


def hashes(files: Sequence[File], progress: Progress, *, equal: bool) -> list[dict[str, str]]:
    """The path of each file, and the SHA-256 of its contents, unpacked.

    Raises InputFileError if two files have equal contents, unless `equal` says that both are meant: the rows would be
    released twice.
    """
    found: dict[str, File] = {}
    listed = []
    for done, file in enumerate(files):
        progress(done, len(files), "checking the input")
        digest = file.sha256()
        other = found.setdefault(digest, file)
        if other is not file and not equal:
            raise InputFileError(
                f"{file}: has the same contents as {other}, so each row would be released, and cost, twice; take one "
                "of them away, or add --allow-equal-files if both are meant"
            )
        listed.append({"path": str(file), "sha256": digest})
    progress(len(files), len(files), "checking the input")
    return listed
