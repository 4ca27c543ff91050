"""What all six languages show."""

from pathlib import Path

from interface.c import read_c
from interface.javascript import read_javascript
from interface.kotlin import read_kotlin
from interface.python import read_python
from interface.shown import Shown
from interface.swift import read_swift
from interface.typescript import read_typescript

LANGUAGES = ("c", "python", "kotlin", "swift", "javascript", "typescript")


def read(root: Path) -> dict[str, Shown]:
    """All six, from the sources in `root`."""
    c = read_c(root)
    numbers: dict[str, int | None] = {f"HUSHBIT_{name}": number for number, name in c.errors.items()}
    numbers |= {f"HUSHBIT_{name}": number for members in c.enums.values() for name, number in members.items()}
    return {
        "c": c,
        "python": read_python(root),
        "kotlin": read_kotlin(root),
        "swift": read_swift(root, numbers),
        "javascript": read_javascript(root),
        "typescript": read_typescript(root),
    }
