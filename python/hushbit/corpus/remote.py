"""Files where Arrow's file systems reach: s3://, gs:// and others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from hushbit._plumbing.extras import extra
from hushbit._plumbing.files import is_marked
from hushbit.corpus.formats.files import File
from hushbit.errors import InputFileError, InputNotFoundError

with extra("corpus"):
    import pyarrow as pa
    from pyarrow import fs


def remote_files(source: str) -> list[tuple[File, bool]]:
    """The file at an address, or those in the folder there, and whether each is passed over.

    Addresses may have options and keys as Arrow knows them (s3://bucket/key?endpoint_override=…); names of files have
    none. Raises InputFileError, and InputNotFoundError if there is no file.
    """
    scheme = source.partition("://")[0]
    with _errors(f"{scheme}://"):
        filesystem, path = fs.FileSystem.from_uri(source)
        name = f"{scheme}://{path}"
    with _errors(name):
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
def _errors(name: str) -> Iterator[None]:
    """Nothing of a file has been read so far, so that what Arrow says can be said."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputFileError(f"{name}: cannot be reached: {error}") from None
