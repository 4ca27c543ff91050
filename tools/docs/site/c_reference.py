"""The reference of the C interface, as Markdown, from the comments of its headers.

A comment belongs to the declarations that follow it without an empty line between them. What stands alone is an
introduction: of the header, or of the section in which it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from comments import to_markdown

HEADERS = {
    "hushbit.h": "Functions",
    "types.h": "Types",
    "reports.h": "Reports",
    "analysis.h": "What mechanisms do",
    "testing.h": "For tests and experiments only",
}
SECTION = re.compile(r"// -{4} (.+?) -{2,}$")
SKIPPED = re.compile(r'#|extern "C"|}  // extern')
MACRO = re.compile(r"#define (HUSHBIT_\w+) ")
NAMES = [re.compile(r"\b(hushbit_\w+)\("), re.compile(r"[} ](hushbit_\w+);"), MACRO]
TOPIC = re.compile(r"(?:(?<=\n\n)|\A)((?:A )?[A-Z]{2,}(?: [A-Z]+)*)(?=[.\s])")
CONSTANT = re.compile(r"^  (HUSHBIT_\w+) = ", re.MULTILINE)
EXPORT = "HUSHBIT_API "


@dataclass
class Entry:
    """Declarations that share a comment; without any, an introduction. `section` is the heading above it."""

    section: str
    names: list[str]
    code: str
    comment: str


def blocks(text: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each part of a header between empty lines outside of braces: section, lines of comment, lines of code."""
    section, depth = "", 0
    comment: list[str] = []
    code: list[str] = []
    for line in [*re.sub(r"\\\n", " ", text).splitlines(), ""]:
        if found := SECTION.match(line):
            section = found[1].rstrip(".")
        elif not line and depth == 0:
            if comment or code:
                yield section, comment, code
            comment, code = [], []
        elif line.startswith("//") and depth == 0:
            if code:
                yield section, comment, code
                comment, code = [], []
            comment.append(line[2:].removeprefix(" "))
        elif not SKIPPED.match(line) or (MACRO.match(line) and EXPORT.strip() not in line):
            depth += line.count("{") - line.count("}")
            code.append(line)


def name_of(declaration: str) -> str:
    """What a declaration declares."""
    for pattern in NAMES:
        if found := pattern.search(declaration):
            return found[1]
    raise SystemExit(f"c_reference.py: this declares nothing that it knows:\n{declaration}")


def declarations(code: list[str]) -> list[str]:
    """Code, cut after each declaration."""
    text = "\n".join(code)
    return [found[0].strip("\n") for found in re.finditer(r"(?:[^;{]|\{[^}]*\})+(?:;[^\n]*|\Z)", text)]


def shown(declaration: str) -> str:
    """A declaration as readers see it: without what a compiler needs to export it, and the rest aligned as it was."""
    if not declaration.startswith(EXPORT):
        return declaration
    first, *others = declaration.removeprefix(EXPORT).splitlines()
    return "\n".join([first, *(line.removeprefix(" " * len(EXPORT)) for line in others)])


def entries(header: str) -> list[Entry]:
    """The declarations of a header, in its order."""
    found = []
    for section, comment, code in blocks(header):
        parts = declarations(code)
        names = [name_of(part) for part in parts]
        found.append(Entry(section, names, "\n".join(map(shown, parts)), "\n".join(comment)))
    return found


def reference(include: Path) -> str:
    """The page: sections of the headers in `include`, each declaration under a heading of its own."""
    found = {name: entries((include / name).read_text(encoding="utf-8")) for name in HEADERS}
    anchors = {}
    for entry in (entry for listed in found.values() for entry in listed):
        for name in [*entry.names, *CONSTANT.findall(entry.code)]:
            anchors[name] = f"#{name if name in entry.names else entry.names[0]}"
    parts = ["# The C interface"]
    for header, title in HEADERS.items():
        parts.append(f"## {title}: `{header}`")
        section = ""
        for entry in found[header]:
            if entry.section != section:
                section = entry.section
                parts.append(f"### {section}")
            parts.extend(entry_to_markdown(entry, anchors))
    return "\n\n".join(parts) + "\n"


def entry_to_markdown(entry: Entry, anchors: dict[str, str]) -> Iterator[str]:
    """A heading, the code, what it means."""
    if entry.names:
        yield from (f'<a id="{name}"></a>' for name in entry.names[1:])
        level = "####" if entry.section else "###"
        yield f"{level} {', '.join(f'`{name}`' for name in entry.names)} {{ #{entry.names[0]} }}"
        yield f"```c\n{entry.code}\n```"
    text = to_markdown(entry.comment, {name: at for name, at in anchors.items() if name not in entry.names})
    if not entry.names:
        text = TOPIC.sub(r"**\1**", text)
    if text:
        yield text
