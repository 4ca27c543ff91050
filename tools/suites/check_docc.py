#!/usr/bin/env python3
"""Checks the Swift references against what the compiler sees: check_docc.py DIRECTORY.

DIRECTORY is what make_docc in swift.sh wrote. Every public name that a source declares must be in the table of the
site, and in the index of DocC's pages.
"""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "ios/Sources/Hushbit", ROOT / "ios/Sources/HushbitEnglish"]


def names_of_compiler(symbols: Path) -> set[str]:
    """Public names with their types, such as `Budget.init`; without what the compiler adds by itself."""
    found = set()
    for path in symbols.glob("*.json"):
        for symbol in json.loads(path.read_text(encoding="utf-8"))["symbols"]:
            if "::SYNTHESIZED::" not in symbol["identifier"]["precise"] and "location" in symbol:
                found.add(".".join(part.partition("(")[0] for part in symbol["pathComponents"]))
    return found


def names_of_table() -> set[str]:
    """What the table has."""
    sys.path.insert(0, str(ROOT / "tools/docs/site"))
    types = importlib.import_module("phone_reference").declarations(SOURCES, ".swift")
    return {found.name for found in types} | {f"{found.name}.{one.name}" for found in types for one in found.members}


def names_of_docc(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The paths of DocC's index, in lower case, without parameters."""
    for entry in entries:
        if "path" in entry:
            yield re.sub(r"\(.*|-swift\.\w+", "", entry["path"].removeprefix("/documentation/hushbit/"))
        yield from names_of_docc(entry.get("children", []))


def main() -> int:
    """Prints what is missing; 1 if something is."""
    folder = Path(sys.argv[1])
    wanted = names_of_compiler(folder / "symbols")
    table = names_of_table()
    index = json.loads((folder / "site/index/index.json").read_text(encoding="utf-8"))
    pages = set(names_of_docc(index["interfaceLanguages"]["swift"]))
    problems = [f"the table lacks {name}" for name in sorted(wanted - table)]
    problems += [f"the compiler does not see {name} of the table" for name in sorted(table - wanted)]
    problems += [f"DocC lacks {name}" for name in sorted(wanted) if name.lower().replace(".", "/") not in pages]
    problems += [] if len(wanted) > 200 else [f"the compiler sees only {len(wanted)} names"]
    print("\n".join(problems) or f"{len(wanted)} names of Swift")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
