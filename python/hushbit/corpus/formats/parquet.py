"""Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from hushbit._extras import extra
from hushbit._files import reading
from hushbit.corpus.formats import rows
from hushbit.corpus.formats.files import File, arrow_errors
from hushbit.corpus.formats.options import Format

with extra("corpus"):
    import pyarrow as pa
    import pyarrow.parquet as pq


@contextmanager
def _open(file: File) -> Iterator[pq.ParquetFile]:
    what = f"{file}: is no whole Parquet file: cut off, damaged or another kind"
    with reading(file.name), arrow_errors(what), file.open() as opened, pq.ParquetFile(opened) as parquet:
        yield parquet


def _schema(file: File) -> pa.Schema:
    with _open(file) as parquet:
        return parquet.schema_arrow.remove_metadata()


def _read(file: File, columns: Sequence[str], _: str) -> Iterator[pa.Table]:
    with _open(file) as parquet:
        meta = parquet.metadata
        groups = (meta.row_group(i) for i in range(meta.num_row_groups))
        widest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=0)
        size = max(1, min(rows.CHUNK_ROWS, rows.CHUNK_BYTES // max(widest, 1)))
        for batch in parquet.iter_batches(batch_size=size, columns=list(columns)):
            yield pa.Table.from_batches([batch]).select(list(columns)).replace_schema_metadata()


def _write(file: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table], _: str) -> None:
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)


def _rows(file: File) -> int:
    with _open(file) as parquet:
        return int(parquet.metadata.num_rows)


PARQUET = Format(_schema, _read, _write, _rows)
