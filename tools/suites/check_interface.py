#!/usr/bin/env python3
"""Checks that all languages show one interface: check_interface.py [ROOT].

native/interface.toml lists concepts with their names, members, fields, defaults, ranges, methods, and the ways to open
and create objects. Every language must have all of them, by these names in its own case, and no others. What a language
lacks, has besides or calls otherwise is listed in the table with the reason. Needs Python alone.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from interface.differences import Table, without_reasons
from interface.languages import LANGUAGES, read
from interface.shown import Shown

from interface import methods, values


def check(table: Table, languages: Mapping[str, Shown]) -> Iterator[str]:
    """Everything in which the table and the languages differ."""
    yield from without_reasons(table)
    yield from methods.unknown_ranges(table)
    for language in LANGUAGES:
        shown = languages[language]
        yield from values.statuses(table["errors"], language, shown)
        yield from values.concepts(table["enums"], language, {name: list(found) for name, found in shown.enums.items()})
        yield from values.numbers(table["enums"], language, shown)
        yield from values.concepts(table["records"], language, shown.records)
        yield from values.defaults(table["records"], language, shown)
        yield from methods.methods(table, language, shown)
        yield from methods.ways(table, language, shown)
        yield from methods.ranges(table, language, shown)


def main() -> int:
    """Prints what differs; the exit code is 1 if anything does."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    table = tomllib.loads((root / "native/interface.toml").read_text(encoding="utf-8"))
    found = list(check(table, read(root)))
    for line in found:
        print(line)
    if not found:
        rows = [*table["records"].values(), *table["methods"].values()]
        print(
            f"{len(table['enums'])} enumerations, {len(table['records'])} records, "
            f"{len(table['errors']['statuses'])} errors, {sum(len(row.get('ranges', {})) for row in rows)} ranges, "
            f"{sum(len(row['members']) for row in table['methods'].values())} methods and "
            f"{sum(len(rows) for rows in table['ways'].values())} ways to make objects "
            f"are the same in {len(LANGUAGES)} languages"
        )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
