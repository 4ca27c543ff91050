"""NumPy arrays inside zip files, read without unpickling and written row by row."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError
from hushbit.hashing.table.model import Rows


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip file for reading. Raises InputFileError if it is none, or damaged."""
    with reading(path):
        try:
            with zipfile.ZipFile(path) as archive:
                yield archive
        except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
            raise InputFileError(f"{path}: not a whole zip file: {error}") from None


def read_array(archive: zipfile.ZipFile, name: str, path: Path) -> NDArray[Any]:
    """One array. Raises InputFileError if it is missing, damaged, or holds Python objects."""
    try:
        with archive.open(name) as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except KeyError:
        raise InputFileError(f"{path}: has no array {name.removesuffix('.npy')}") from None
    except (
        MemoryError,
        OverflowError,
        SyntaxError,
        TokenError,
        TypeError,
        ValueError,
    ) as error:  # errors of a bad header
        reason = "Python objects, which are not read" if "pickle" in str(error) else "no whole array"
        raise InputFileError(f"{path}: {name} holds {reason}; store numbers or text of fixed length") from None
    return np.asarray(array)


def write_array(archive: zipfile.ZipFile, name: str, array: NDArray[Any]) -> None:
    """Adds a whole array."""
    with archive.open(name, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, np.asarray(array, order="C"), allow_pickle=False)


def write_rows(file: Any, rows: Rows, shape: tuple[int, ...], dtype: np.dtype[Any], *, transposed: bool) -> None:
    """Writes a .npy array of `shape` from blocks of rows: (R, d) or (R,), or (d, R) if `transposed`.

    An array of (d, R) is laid out in columns, so that its bytes come in the order of the rows all the same.
    """
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": transposed, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for block in rows:
        file.write(np.ascontiguousarray(block, dtype=dtype).data)


def zip_writer(file: BinaryIO) -> zipfile.ZipFile:
    """A zip file without compression, so that readers may map it."""
    return zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)
