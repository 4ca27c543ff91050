"""`hushbit embed --projection` writes one embedding for each of an app's own vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushbit._plumbing.extras import extra
from hushbit.cli._shared.arguments import not_found
from hushbit.cli._shared.failure import EXIT_FAILURE, EXIT_USAGE, CommandError, exit_code
from hushbit.errors import HushbitError, InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hushbit import VectorEmbedder

ROWS = 1024
"""Vectors that are released together."""
_ARRAY, _TABLE = (".npy",), (".parquet", ".pq")


def vectors_of(path: str, column: str | None) -> Iterator[NDArray[np.float32]]:
    """The vectors of a file, some rows at a time, (rows, n): a .npy array, or a column of lists of a Parquet file.

    Raises CommandError for another file, and for a table whose column is missing or holds other things; the message has
    no number of a vector.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (*_ARRAY, *_TABLE):
        raise CommandError(f"{path}: vectors are read from a .npy array or a Parquet file", EXIT_USAGE)
    if not Path(path).is_file():
        raise not_found(path, "FILE")
    if suffix in _ARRAY:
        if column is not None:
            raise CommandError("--column names a column of a Parquet file; a .npy array has none", EXIT_USAGE)
        yield from _of_array(path)
    elif column is None:
        raise CommandError(f"{path}: say which column holds the vectors, with --column", EXIT_USAGE)
    else:
        yield from _of_table(path, column)


def _of_array(path: str) -> Iterator[NDArray[Any]]:
    import numpy as np

    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError):
        raise CommandError(f"{path}: is no array of numbers in numpy's format") from None
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        shape = " × ".join(map(str, array.shape))
        raise CommandError(f"{path}: holds {array.dtype} of shape {shape}; a row of numbers is needed for each text")
    for first in range(0, len(array), ROWS):
        yield np.asarray(array[first : first + ROWS])


def _of_table(path: str, column: str) -> Iterator[NDArray[Any]]:
    with extra("corpus"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    import numpy as np

    try:
        with pq.ParquetFile(path) as file:
            if column not in file.schema_arrow.names:
                raise CommandError(f"{path}: there is no column {column}", EXIT_USAGE)
            kind = file.schema_arrow.field(column).type
            lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
            if not any(is_list(kind) for is_list in lists) or not _is_number(kind.value_type):
                raise CommandError(f"{path}: the column {column} holds {kind}; lists of numbers are needed")
            done = 0
            for batch in file.iter_batches(batch_size=ROWS, columns=[column]):
                lengths, numbers = _lengths(batch.column(0)), batch.column(0).flatten()
                if len(set(lengths)) > 1 or numbers.null_count:
                    raise CommandError(f"{path}, rows {done + 1} to {done + len(lengths)}: {_UNEVEN}")
                yield np.asarray(numbers).reshape(len(lengths), -1)
                done += len(lengths)
    except pa.ArrowException:
        raise CommandError(f"{path}: is no whole Parquet file: cut off, damaged or another kind") from None


_UNEVEN = "a vector is missing, lacks a number or is of another length; nothing of these rows was released"


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


def _lengths(lists: Any) -> list[int]:
    """The numbers of each vector; 0 for one that is missing."""
    import pyarrow.compute as pc

    return [length or 0 for length in pc.list_value_length(lists).to_pylist()]


def indexes_of(
    embedder: VectorEmbedder, path: str, column: str | None, each: int = ROWS
) -> Iterator[NDArray[np.uint32]]:
    """The indexes of the released directions, as many at a time as were released, `each` or fewer.

    Raises CommandError for the first row that fails, after those before it were given.
    """
    done = 0
    for rows in vectors_of(path, column):
        for first in range(0, len(rows), each):
            some = rows[first : first + each]
            found, error = embedder.try_embed_vectors(some)
            yield found
            done += len(found)
            if error is not None:
                raise _failure(path, done, error)


def _failure(path: str, done: int, error: HushbitError) -> CommandError:
    what = str(error).removesuffix("; nothing was released")
    # The file is what is wrong with a vector, not how the command was called.
    code = EXIT_FAILURE if isinstance(error, InvalidArgumentError) else exit_code(error)
    return CommandError(f"{path}, row {done + 1}: {what}; nothing of this row was released", code)
