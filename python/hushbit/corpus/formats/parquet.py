"""Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from hushbit._plumbing.extras import extra
from hushbit._plumbing.files import reading
from hushbit.corpus.formats import rows
from hushbit.corpus.formats.files import File, arrow_errors
from hushbit.corpus.formats.options import Format

with extra("corpus"):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq


@contextmanager
def _open(file: File) -> Iterator[pq.ParquetFile]:
    what = f"{file}: is no whole Parquet file: cut off, damaged or another kind"
    with reading(file.name), arrow_errors(what), file.open() as opened, pq.ParquetFile(opened) as parquet:
        yield parquet


def _schema(file: File, wanted: Sequence[str]) -> pa.Schema:
    with _open(file) as parquet:
        schema = parquet.schema_arrow.remove_metadata()
    nested = {name: _type_at(schema, name) for name in wanted if name not in schema.names}
    for name, type_ in nested.items():
        if type_ is not None:
            schema = schema.append(pa.field(name, type_))
    return schema


def _type_at(fields: Iterable[pa.Field], name: str) -> pa.DataType | None:
    """The type of a field, or of a field of a field, by its path."""
    for field in fields:
        if field.name == name:
            return field.type
        if name.startswith(f"{field.name}.") and pa.types.is_struct(field.type):
            return _type_at(field.type, name[len(field.name) + 1 :])
    return None


def _column_at(table: pa.Table, name: str) -> pa.ChunkedArray:
    if name in table.schema.names:
        return table.column(name)
    owner = next(field for field in table.schema.names if name.startswith(f"{field}."))
    fields, column = pa.Table.from_struct_array(table.column(owner)), name[len(owner) + 1 :]
    found = _column_at(fields, column)
    return pc.if_else(pc.is_valid(table.column(owner)), found, pa.scalar(None, found.type))


def _read(file: File, columns: Sequence[str], _: str) -> Iterator[pa.Table]:
    with _open(file) as parquet:
        meta = parquet.metadata
        groups = (meta.row_group(i) for i in range(meta.num_row_groups))
        widest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=0)
        size = max(1, min(rows.CHUNK_ROWS, rows.CHUNK_BYTES // max(widest, 1)))
        for batch in parquet.iter_batches(batch_size=size, columns=list(columns)):
            table = pa.Table.from_batches([batch])
            yield pa.table([_column_at(table, name) for name in columns], names=list(columns))


def _write(file: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table], _: str) -> None:
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)


def _rows(file: File) -> int:
    with _open(file) as parquet:
        return int(parquet.metadata.num_rows)


PARQUET = Format(_schema, _read, _write, _rows)
