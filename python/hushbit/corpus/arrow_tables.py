"""Columns of tables, record batches and readers of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from hushbit._plumbing.extras import extra
from hushbit.corpus.drawing import Chosen, Draw, check_text

with extra("corpus"):
    import pyarrow as pa

Arrow: TypeAlias = "pa.Table | pa.RecordBatch | pa.RecordBatchReader"


def released_arrow(table: Arrow, chosen: Chosen, draw: Draw) -> Arrow:
    """See `privatize`, `embed` and `report`. A reader draws each batch when it is read."""
    fields = [table.schema.field(place) for place in chosen.places]
    check_text(fields[chosen.text].type, chosen.name)
    fields[chosen.text] = pa.field(fields[chosen.text].name, draw.type)
    schema = pa.schema(fields, metadata=table.schema.metadata)

    def released(part: pa.Table) -> pa.Table:
        columns = [part.column(place) for place in chosen.places]
        columns[chosen.text] = draw(columns[chosen.text], chosen.name)
        return pa.table(columns, schema=schema)

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in table:
            yield from released(pa.Table.from_batches([batch])).combine_chunks().to_batches()

    if isinstance(table, pa.Table):
        return released(table)
    if isinstance(table, pa.RecordBatch):
        whole = released(pa.Table.from_batches([table])).combine_chunks().to_batches()
        return whole[0] if whole else pa.RecordBatch.from_pylist([], schema=schema)
    return pa.RecordBatchReader.from_batches(schema, batches())
