#!/usr/bin/env python3
"""Checks every text file of the repository: length and width, American spelling, words that do not belong here, and
that help texts of commands and docstrings begin with a noun or a verb. A help text states a default as "(default: X)".
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

MAX_LINES = 400
MAX_COLUMNS = 120
SOURCE_SUFFIXES = {".c", ".cpp", ".css", ".h", ".html", ".java", ".js", ".kt", ".kts", ".py", ".pyi", ".sh", ".swift"}
GENERATED = re.compile(r"unicode_\w*tables?\w*\.(cpp|h|inc)$")
# Files that tools write, lists with a record a line, and texts of Android and declarations of UIKit that are one line.
ANY_WIDTH = re.compile(
    r"(\.(ipynb|json|pbxproj|svg|swiftinterface|tsv)|/strings\.xml|/bionic\.txt|/english_new_words\.txt)$"
)
# The parts of a line of Markdown that cannot be broken, which are ends of links and addresses; and rows of tables.
LINK_TARGET = re.compile(r"\]\([^)\s]*\)|https?://\S+")
TABLE = re.compile(r"\s*\|")
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
# Words with which no help text and no docstring begins, and a default or choice that stands bare in parentheses at the
# end of a help text.
_NOT_FIRST = (
    "about|above|after|and|as|at|before|below|between|beyond|but|by|for|from|if|in|into|of|on|or|over|per|since|so|than"
    "|that|then|to|under|unless|until|up|when|where|which|while|whose|with|within|without"
)
DOCSTRING_FRAGMENT = re.compile(rf"(?:{_NOT_FIRST})\b", re.IGNORECASE)
FRAGMENT = re.compile(rf"(?:{_NOT_FIRST}|more|another)\b", re.IGNORECASE)
BARE_DEFAULT = re.compile(r"\((?!default: |needs |see )(?:\{[^}]*\}|-?\.?\d|the |all\b|by |as |which)[^()]*\)$")


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
    for number, columns in widths(path, lines):
        if columns > MAX_COLUMNS:
            yield f"{path}:{number}: {columns} columns; {MAX_COLUMNS} are the most"
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        if line.rstrip() != line:
            yield f"{where}: white space at the end of the line"
        yield from (f"{where}: {what}" for what, pattern in FORBIDDEN.items() if pattern.search(line))
        if str(path) not in ANY_SPELLING:
            yield from (f"{where}: not American spelling: {match[0]}" for match in BRITISH.finditer(line))


def widths(path: Path, lines: list[str]) -> Iterator[tuple[int, int]]:
    """Numbers and columns of the lines that people write; of Markdown those of prose, without the ends of links."""
    if ANY_WIDTH.search(str(path)) or GENERATED.search(path.name):
        return
    in_code = False
    for number, line in enumerate(lines, 1):
        if path.suffix != ".md":
            yield number, len(line)
        elif line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not TABLE.match(line):
            yield number, len(LINK_TARGET.sub("", line))


@lru_cache(maxsize=1)
def nodes_of(text: str) -> list[ast.AST]:
    """The syntax of a Python file; nothing if there is an error in it, which ruff reports."""
    try:
        return list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return []


def text_of(node: ast.expr) -> str:
    """The text of a literal, with the values of an f-string as {}; nothing for what is computed."""
    if isinstance(node, ast.JoinedStr):
        return "".join("{}" if isinstance(part, ast.FormattedValue) else text_of(part) for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def help_problems(path: Path, text: str) -> Iterator[str]:
    """What is wrong with the help texts in a Python file: fragments, and defaults that are not called so."""
    for call in (node for node in nodes_of(text) if isinstance(node, ast.Call)):
        for keyword in call.keywords:
            said = text_of(keyword.value) if keyword.arg == "help" else ""
            if FRAGMENT.match(said):
                yield f"{path}:{keyword.value.lineno}: help begins with '{said.split()[0]}', not with a noun or a verb"
            if BARE_DEFAULT.search(said):
                yield f"{path}:{keyword.value.lineno}: help ends with a bare default: write (default: X)"


def docstring_problems(path: Path, text: str) -> Iterator[str]:
    """The docstrings of a Python file, also those of attributes, that begin with a preposition or a conjunction."""
    for node in nodes_of(text):
        if isinstance(node, ast.Expr) and DOCSTRING_FRAGMENT.match(said := text_of(node.value).strip()):
            yield f"{path}:{node.lineno}: docstring begins with '{said.split()[0]}', not with a noun or a verb"


def main() -> int:
    """Prints every problem; 1 if there is one."""
    found = 0
    for path in tracked_files():
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue  # a binary file
        found_here = [*problems(path, text)]
        if path.suffix in {".py", ".pyi"} or text.startswith("#!/usr/bin/env python"):
            found_here += [*help_problems(path, text), *docstring_problems(path, text)]
        for problem in found_here:
            print(problem)
        found += len(found_here)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
