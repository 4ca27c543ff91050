"""Rows of cells as Arrow tables of bounded size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hushbit._plumbing.extras import extra

with extra("corpus"):
    import pyarrow as pa


CHUNK_ROWS = 8192
CHUNK_BYTES = 8 << 20


def tables(rows: Iterator[list[str | None]], columns: Sequence[str]) -> Iterator[pa.Table]:
    """Tables of large_string with at most CHUNK_ROWS rows, each ending with the row that reaches CHUNK_BYTES."""
    schema = pa.schema([(name, pa.large_string()) for name in columns])
    held: list[list[str | None]] = []
    size = 0
    for row in rows:
        held.append(row)
        size += sum(len(cell) for cell in row if cell is not None)
        if len(held) == CHUNK_ROWS or size >= CHUNK_BYTES:
            yield _table(held, schema)
            held, size = [], 0
    if held:
        yield _table(held, schema)


def _table(rows: list[list[str | None]], schema: pa.Schema) -> pa.Table:
    return pa.table([pa.array(column, pa.large_string()) for column in zip(*rows, strict=True)], schema=schema)
