"""Counts as rows: for CSV, JSON, Parquet, data frames, and people."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from hushbit.analysis.counts.differences import Differences
from hushbit.analysis.counts.estimates import Estimates

Columns = dict[str, list[Any]]
"""The columns of a table by name, which are equally long."""


def columns_of(counts: Mapping[str, Estimates], groups: Mapping[str, Estimates]) -> Columns:
    """Counts by class, the groups of each first; "" is the class of all. The most frequent values are first.

    Columns: class (if there are classes), kind (group or value), name, count, deviation, low, high, told, consistent,
    and share, the count by the number of reports.
    """
    parts = []
    for label, values in counts.items():
        if label in groups:
            parts.append((label, "group", groups[label], range(len(groups[label].names))))
        parts.append((label, "value", values, values.order().tolist()))
    columns: Columns = {}
    if list(counts) != [""]:
        columns["class"] = [label for label, _, _, places in parts for _ in places]
    columns["kind"] = [kind for _, kind, _, places in parts for _ in places]
    columns["name"] = [found.names[place] for _, _, found, places in parts for place in places]
    for name, field in _NUMBERS.items():
        columns[name] = [
            value for _, _, found, places in parts for value in getattr(found, field)[list(places)].tolist()
        ]
    columns["share"] = [
        count / found.reports for _, _, found, places in parts for count in found.counts[list(places)].tolist()
    ]
    return columns


_NUMBERS = {
    "count": "counts",
    "deviation": "deviations",
    "low": "low",
    "high": "high",
    "told": "told",
    "consistent": "consistent",
}


def columns_of_differences(found: Differences) -> Columns:
    """Changes told first, then the others, each by their size. Columns: name, first, second, change, low, high,
    told.
    """
    order = sorted(range(len(found.names)), key=lambda place: (not found.told[place], -abs(found.change[place])))
    columns: Columns = {"name": [found.names[place] for place in order]}
    for field in ("first", "second", "change", "low", "high", "told"):
        columns[field] = getattr(found, field)[order].tolist()
    return columns


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    """A dictionary for each row."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def encoded(columns: Columns, suffix: str, about: Mapping[str, Any]) -> bytes:
    """The table as a file: ".csv", ".json" (with what it is `about`) or ".parquet" (needs pyarrow)."""
    if suffix == ".json":
        document = {**about, "rows": rows_of(columns)}
        return (json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()
    if suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        packed = io.BytesIO()
        pq.write_table(pa.table(columns), packed, compression="zstd")
        return packed.getvalue()
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else value
