#!/usr/bin/env python3
"""Prints what pyproject.toml requires, for those who install only a part: requirement.py NAME | --extra EXTRA.

How it pins one package, or the packages of an extra, a line each.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Prints the requirements, or fails if there are none of the name."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    *option, name = sys.argv[1:]
    if option == ["--extra"]:
        found = extras.get(name, [])
    else:
        found = [r for extra in extras.values() for r in extra if re.split(r"[^\w.-]", r)[0] == name][:1]
    if not found:
        sys.exit(f"no extra of pyproject.toml {'is' if option else 'names'} {name}")
    print(*found, sep="\n")


if __name__ == "__main__":
    main()
