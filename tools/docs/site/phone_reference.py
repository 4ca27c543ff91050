"""The references of the Kotlin and the Swift interface, as Markdown, from the comments of their sources.

Both languages mark what is public and put its comment above it, which is all that is needed. DocC's pages are an
application that only works from a server; `tools/docs/build --docc` puts them beside this one. Dokka comes with
Gradle, and makes the Javadoc of the AAR there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from comments import with_gaps_around_lists, with_links_to_pages

STRINGS = re.compile(r'"""|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')
MODIFIERS = r"(?:(?:public|final|sealed|abstract|data|static|class|enum|indirect|override|suspend|convenience)\s+)*"
TYPE = re.compile(rf"^{MODIFIERS}(?:class|object|interface|struct|enum|protocol|extension)\s+([\w.]+)")
MEMBER = re.compile(
    r"\b(?:fun|func|val|var|let|case|typealias)\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)?`?(\w+)|\b(init)\b|(constructor)\b"
)
RECEIVER = re.compile(r"\bfun (\w+)\.")
CONTINUED = re.compile(r"^(?:@JvmOverloads\b|constructor\(|get\(\)|\) |: )")
HIDDEN = re.compile(r"\s*(?:@JvmOverloads\s+)?(?:internal|private)\s+constructor\s*\((?:(?!public )[^)])*\)", re.DOTALL)
TAG = re.compile(r"^@(property|param|throws|return)\s+", re.MULTILINE)
LINK = re.compile(r"``([^`]+)``|(?<![\w`\])])\[([A-Z]\w*(?:\.\w+)*|[a-z]\w*)\](?!\()")


@dataclass
class Declaration:
    """Something public: its name, its code, its comment; `members` if it is a type."""

    name: str
    code: str
    comment: str
    members: list["Declaration"] = field(default_factory=list)


@dataclass
class Source:
    """A file, read line by line."""

    lines: list[str]
    types: dict[str, Declaration]
    # The types that are open: each with the depth of what is directly in it. Those that are not public have none.
    open: list[tuple[Declaration | None, int, bool]] = field(default_factory=list)
    depth: int = 0
    comment: list[str] = field(default_factory=list)

    def read(self) -> None:
        """Adds what is public to `types`."""
        at = 0
        while at < len(self.lines):
            line = self.lines[at].strip()
            if line.startswith("/**"):
                at = self.read_comment(at)
                continue
            if line.startswith("///"):
                self.comment.append(line[3:].removeprefix(" "))
            elif line and not line.startswith(("@", "#")):
                if self.is_reached():
                    self.declare(at, line)
                self.comment = []
            elif not line:
                self.comment = []
            self.count(self.lines[at])
            at += 1

    def read_comment(self, at: int) -> int:
        """A comment in stars; the line after it."""
        found = []
        while True:
            text = self.lines[at].strip().removeprefix("/**").removesuffix("*/").strip()
            found.append(re.sub(r"^\* ?", "", text) if text.startswith("*") else text)
            at += 1
            if self.lines[at - 1].rstrip().endswith("*/"):
                break
        self.comment = "\n".join(found).strip().splitlines()
        return at

    def is_reached(self) -> bool:
        """Whether a line is directly in a public type, or in none."""
        return self.depth == (self.open[-1][1] if self.open else 0) and not (self.open and self.open[-1][0] is None)

    def declare(self, at: int, line: str) -> None:
        """The declaration that begins in a line, if it is public."""
        in_enum = bool(self.open) and self.open[-1][2]
        is_extension = line.startswith("extension ")
        entry = re.match(r"^([A-Z][A-Z_]+)[,;(]?", line) if in_enum and not line.startswith("case ") else None
        if not ("public " in line.split("=")[0] or is_extension or entry or (in_enum and line.startswith("case "))):
            if found := TYPE.match(line):
                self.enter(at, None, found[0])
            return
        code = self.code_from(at)
        if "companion object" in code:
            self.enter(at, self.open[-1][0], "")
        elif found := TYPE.match(line):
            owner = self.open[-1][0] if self.open else None
            name = f"{owner.name}.{found[1]}" if owner and not is_extension else found[1]
            made = self.types.setdefault(name, Declaration(name, "" if is_extension else code, "\n".join(self.comment)))
            if not is_extension and not made.code:
                made.code, made.comment = code, "\n".join(self.comment)
            self.enter(at, made, found[0])
        elif owner := self.open[-1][0] if self.open else self.receiver(code):
            name = entry[1] if entry else name_of(code)
            owner.members.append(Declaration(name, name if entry else code, "\n".join(self.comment)))

    def receiver(self, code: str) -> Declaration | None:
        """The type that a function is written for outside of it."""
        found = RECEIVER.search(code)
        return self.types.setdefault(found[1], Declaration(found[1], "", "")) if found else None

    def enter(self, at: int, made: Declaration | None, head: str) -> None:
        """What follows is in a type, if it has braces."""
        text = "\n".join(self.lines[at : at + 40])
        opened = masked(text)
        if "{" in opened[: len(self.code_from(at, public=True)) + 3]:
            self.open.append((made, self.depth + 1, "enum" in head.split()))

    def code_from(self, at: int, public: bool = False) -> str:
        """A declaration without its body."""
        text, depth = "\n".join(self.lines[at : at + 40]), 0
        hidden = masked(text)
        for i, character in enumerate(hidden):
            depth += (character in "([") - (character in ")]")
            ends = character == "{" or (character == "=" and hidden[i - 1] == " " and hidden[i + 1] in " \n")
            if character == "\n" and depth == 0:
                ends = not CONTINUED.match(hidden[i:].strip())
            if ends and depth == 0:
                text = text[:i]
                break
        return text.rstrip() if public else shown(text)

    def count(self, line: str) -> None:
        """Follows braces and parentheses through a line."""
        for character in masked(line):
            self.depth += (character in "{(") - (character in "})")
        while self.open and self.depth < self.open[-1][1] and "}" in masked(line):
            self.open.pop()


def name_of(code: str) -> str:
    """What a declaration of a member declares."""
    found = MEMBER.search(code)
    if found is None:
        raise SystemExit(f"phone_reference.py: this declares nothing that it knows:\n{code}")
    return str(found[1] or found[2] or found[3])


def masked(text: str) -> str:
    """The source without what stands in strings and comments; as long as it was."""
    text = STRINGS.sub(lambda found: '"' * len(found[0]), text)
    return re.sub(r"//[^\n]*", lambda found: " " * len(found[0]), text)


def shown(code: str) -> str:
    """A declaration as readers see it: without `public`, and without constructors that they cannot call."""
    margin = len(code) - len(code.lstrip(" "))
    lines = [line[margin:].rstrip() for line in HIDDEN.sub("", code).splitlines()]
    return re.sub(r"\bpublic ", "", "\n".join(line for line in lines if not line.strip().startswith("@Jvm")))


def declarations(folders: list[Path], ending: str) -> list[Declaration]:
    """The public types of folders, by name."""
    types: dict[str, Declaration] = {}
    for path in [path for folder in folders for path in sorted(folder.rglob(f"*{ending}"))]:
        Source(path.read_text(encoding="utf-8").splitlines(), types).read()
    return [types[name] for name in sorted(types) if types[name].code or types[name].members]


def phone_reference(folders: list[Path], ending: str, language: str, title: str) -> str:
    """The page: each type under a heading, its members under headings below."""
    parts = [f"# {title}"]
    for found in declarations(folders, ending):
        parts.extend(to_markdown(found, found.name, 2, language))
        seen: dict[str, int] = {}
        for member in found.members:
            seen[member.name] = seen.get(member.name, 0) + 1
            more = f"-{seen[member.name]}" if seen[member.name] > 1 else ""
            parts.extend(to_markdown(member, f"{found.name}.{member.name}{more}", 3, language))
    return "\n\n".join(parts) + "\n"


def to_markdown(found: Declaration, anchor: str, level: int, language: str) -> Iterator[str]:
    """A heading, the code, what it means."""
    yield f"{'#' * level} `{found.name}` {{ #{anchor} }}"
    if found.code:
        yield f"```{language}\n{found.code}\n```"
    if found.comment:
        yield comment_to_markdown(found.comment)


def comment_to_markdown(text: str) -> str:
    """Tags become lists, links to names become code, names of pages become links."""
    words = {"property": "", "param": "", "throws": "throws ", "return": "returns "}

    def item(found: re.Match[str]) -> str:
        rest = text[found.end() :].split(maxsplit=1)
        code = "" if found[1] == "return" or not rest else "\0"
        return f"- {words[found[1]]}{code}"

    text = re.sub(r"\0(\S+)", r"`\1`", TAG.sub(item, text))
    text = LINK.sub(lambda found: f"`{(found[1] or found[2]).replace('/', '.')}`", text)
    return with_gaps_around_lists(with_links_to_pages(text))
