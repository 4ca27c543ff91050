#!/usr/bin/env python3
"""Prints how pyproject.toml pins a package, for workflows that install only one: requirement.py NAME."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Prints the requirement, or fails if no extra names the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [r for extra in project["optional-dependencies"].values() for r in extra]
    for requirement in requirements:
        if re.split(r"[^\w.-]", requirement)[0] == sys.argv[1]:
            print(requirement)
            return
    sys.exit(f"no extra of pyproject.toml names {sys.argv[1]}")


if __name__ == "__main__":
    main()
