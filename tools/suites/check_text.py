#!/usr/bin/env python3
"""Checks every text file of the repository: length of sources, American spelling, words that do not belong here."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_LINES = 400
MAX_COLUMNS = 120
SOURCE_SUFFIXES = {".c", ".cpp", ".css", ".h", ".html", ".java", ".js", ".kt", ".kts", ".py", ".pyi", ".sh", ".swift"}
GENERATED = re.compile(r"unicode_\w*tables?\w*\.(cpp|h|inc)$")
# Data, and the address of a registry where Gradle reads it.
NOT_TEXT = re.compile(
    r"^(LICENSE$|.*/LICENSE-|tests/vectors/|tests/fixtures/|native/fuzz/corpus/|android/gradle/wrapper/)"
)

_ISE = (
    "(?:binar|custom|general|initial|maxim|memo|minim|normal|optim|organ|privat|random|recogn|sanit|serial|standard"
    "|summar|token|util)is"
)
BRITISH = re.compile(
    rf"\b(\w*(?:behaviour|colour|favour|neighbour|honour|labour)\w*|(?:un|re)?{_ISE}(?:e|ed|er|ers|es|ing|ations?)"
    r"|analys(?:e|ed|ing)|centre[ds]?|licence[ds]?|defence|catalogue|grey|modell(?:ed|ing)|labell(?:ed|ing)"
    r"|cancell(?:ed|ing)|fulfil|artefacts?)\b",
    re.IGNORECASE,
)
# Vocabularies, where both spellings are data, and a function of another package by its name.
ANY_SPELLING = {
    "tests/reference/golden_cases.py",
    "tests/interface/test_brr.py",
    "tools/bench/frequency_oracles.py",
    "tools/suites/check_text.py",
}
FORBIDDEN = {
    "the host name of a package registry": re.compile(
        r"\b(?:pypi|pythonhosted|npmjs|debian|ubuntu|maven|gradle)\.(?:org|com|net|io)\b", re.IGNORECASE
    ),
    "a path of one machine": re.compile(r"(?<![\w.])/(?:work|root|home)/\w"),
    "an unfinished spot": re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b"),
}


def tracked_files() -> Iterator[Path]:
    """Every text file that is committed or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        if not NOT_TEXT.search(name) and Path(name).is_file():
            yield Path(name)


def problems(path: Path, text: str) -> Iterator[str]:
    """What is wrong with one file, a message each."""
    lines = text.splitlines()
    if text and not text.endswith("\n"):
        yield f"{path}: the last line has no end"
    is_source = path.suffix in SOURCE_SUFFIXES and not GENERATED.search(path.name)
    if is_source and len(lines) > MAX_LINES:
        yield f"{path}: {len(lines)} lines; split it, {MAX_LINES} are the most"
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        if is_source and len(line) > MAX_COLUMNS:
            yield f"{where}: {len(line)} columns; {MAX_COLUMNS} are the most"
        if line.rstrip() != line:
            yield f"{where}: white space at the end of the line"
        yield from (f"{where}: {what}" for what, pattern in FORBIDDEN.items() if pattern.search(line))
        if str(path) not in ANY_SPELLING:
            yield from (f"{where}: not American spelling: {match[0]}" for match in BRITISH.finditer(line))


def main() -> int:
    """Prints every problem; 1 if there is one."""
    found = 0
    for path in tracked_files():
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue  # a binary file
        for problem in problems(path, text):
            print(problem)
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
