#!/usr/bin/env python3
"""Checks the subjects of commits: check_subjects.py [ROOT]. None after BASE has more than 72 characters.

Commits up to BASE are older than this check, and some of their subjects are longer. In a shallow clone BASE can be
missing; then all commits that are there came after it, and all are checked.
"""

import subprocess
import sys
from pathlib import Path

BASE = "f5ad1002ddf2d818f17155d62de2bd50cde6908c"
MAX_CHARACTERS = 72


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What git says."""
    return subprocess.run(
        ["git", "-C", root, *arguments], check=False, capture_output=True, text=True, encoding="utf-8"
    )


def problems(root: Path, base: str = BASE) -> list[str]:
    """The commits after `base` whose subjects are too long, a message each."""
    there = git(root, "merge-base", "--is-ancestor", base, "HEAD").returncode == 0
    said = git(root, "log", "--no-merges", "--format=%h %s", f"{base}..HEAD" if there else "HEAD")
    if said.returncode != 0:
        return [f"git cannot list commits: {said.stderr.strip()}"]
    found = []
    for line in said.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > MAX_CHARACTERS:
            found.append(
                f"{commit}: the subject has {len(subject)} characters, {MAX_CHARACTERS} are the most: {subject}"
            )
    return found


def main() -> int:
    """Prints every problem; 1 if there is one."""
    found = problems(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
