"""Finds the files that a user's sources mean. Each file is read once, by whatever names and links it is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit
from urllib.request import url2pathname

from hushbit._plumbing.extras import extra
from hushbit._plumbing.files import find_files, is_marked, reading
from hushbit._plumbing.progress import Progress
from hushbit.corpus.formats.files import File
from hushbit.errors import InputFileError, InputNotFoundError

with extra("corpus"):
    import pyarrow as pa
    from pyarrow import fs


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
    files: dict[tuple[object, object], File] = {}
    names: set[Path | str] = set()
    passed_over: set[Path | str] = set()
    for source in map(_local, sources):
        if "://" in source:
            for file, marked in _remote_files(source):
                (passed_over if marked else names).add(file.name)
                if not marked:
                    files.setdefault((file.filesystem.type_name, file.key), file)
            continue
        for path, marked in find_files(source):
            if marked:
                passed_over.add(path.absolute())
                continue
            names.add(path.absolute())
            with reading(path):
                status = path.stat()
            files.setdefault((status.st_dev, status.st_ino), File(str(path)))
    _check_apart(sources, files.values(), output)
    return Inputs(tuple(files.values()), len(passed_over - names), len(names) - len(files))


def _remote_files(source: str) -> list[tuple[File, bool]]:
    """The file at an address of Arrow's file systems (s3://, gs://), or those in the folder there, and whether each is
    passed over.

    Addresses may have options and keys as Arrow knows them (s3://bucket/key?endpoint_override=…); names of files have
    none. Raises InputFileError, and InputNotFoundError if there is no file.
    """
    scheme = source.partition("://")[0]
    with _reaching(f"{scheme}://"):
        filesystem, path = fs.FileSystem.from_uri(source)
        name = f"{scheme}://{path}"
    with _reaching(name):
        there = filesystem.get_file_info(path)
        if there.type == fs.FileType.File:
            return [(File(name, filesystem, path), False)]
        inner = filesystem.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    found = sorted(info.path for info in inner if info.type == fs.FileType.File)
    files = [
        (File(f"{scheme}://{key}", filesystem, key), is_marked(PurePosixPath(key).relative_to(path))) for key in found
    ]
    if all(marked for _, marked in files):
        raise InputNotFoundError(f"{name}: there is no file; patterns are for files of this machine only")
    return files


@contextmanager
def _reaching(name: str) -> Iterator[None]:
    """Turns what Arrow says into an InputFileError. It may be said, since nothing of a file has been read so far."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputFileError(f"{name}: cannot be reached: {error}") from None


def _local(source: str) -> str:
    """The path of an address that begins with file://."""
    return url2pathname(urlsplit(source).path) if source.startswith("file://") else source


def _check_apart(sources: Sequence[str], files: Iterable[File], output: Path) -> None:
    target = output.resolve()
    for file in files:
        path = Path(file.name).resolve()
        if file.filesystem is None and (target == path or target in path.parents):
            raise InputFileError(f"{output}: {file}, which is to be read, is in it; write to another folder")
    for source in map(_local, sources):
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
