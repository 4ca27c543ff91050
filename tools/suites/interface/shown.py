"""What a language shows of the interface, and how sources are read for it: as text, by what their style makes sure of.

Nothing is imported or compiled. Names are returned as they are written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Shown:
    """What a language shows of the interface.

    enums: by name, each member with its number, or None where a member has none of its own.
    records: by name, the fields in order; options too.
    defaults: by name of a record, the default of each field as it is written in code.
    documents: by name of a record, what is said of each field, in one line.
    methods: by name of a type, what is said of each public method and property, in one line.
    ways: the ways to open or create an object of a main type, as programs write them.
    errors: by number of the status.
    """

    enums: dict[str, dict[str, int | None]] = field(default_factory=dict)
    records: dict[str, list[str]] = field(default_factory=dict)
    defaults: dict[str, dict[str, str]] = field(default_factory=dict)
    documents: dict[str, dict[str, str]] = field(default_factory=dict)
    methods: dict[str, dict[str, str]] = field(default_factory=dict)
    ways: set[str] = field(default_factory=set)
    errors: dict[int, str] = field(default_factory=dict)

    def add(self, kind: str, name: str, document: str, way: str | None) -> None:
        """Adds a public method or property of the type `kind`, or the way to an object that it is."""
        if way is not None:
            self.ways.add(way)
        else:
            self.methods.setdefault(kind, {})[name] = document

    def keep_exported(self, exported: set[str], bases: dict[str, str]) -> None:
        """Gives each class the methods of its base, which `bases` names, and drops classes that are not exported."""
        for name, base in bases.items():
            self.methods[name] |= self.methods.get(base, {})
        self.methods = {name: members for name, members in self.methods.items() if name in exported}
        self.ways = {way for way in self.ways if way.partition(".")[0] in exported}


# The main types, whose objects are opened or created and then used, by their names in all
# languages but C. They are not records.
MAIN_TYPE = re.compile(
    r"\b(?:(?:Hushbit|Remote)?Bundle|(?:Remote)?(?:Privatizer|Embedder|Reporter)|VectorEmbedder|Classifier|Budget)\b"
)


def text_of(root: Path, *patterns: str) -> str:
    """The text of all files that match, in order."""
    files = [path for pattern in patterns for path in sorted(root.glob(pattern))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def in_one_line(comment: str) -> str:
    """The words of a comment, without its marks: /* * // ///."""
    return " ".join(re.sub(r"^[ \t]*(/\*\*|\*/|\*|//+)|\*/\s*$", "", comment, flags=re.MULTILINE).split())


def carried_on(documents: dict[str, str]) -> dict[str, str]:
    """The same, where "the same in total", or nothing at all, stands after what was said of the one before."""
    before = ""
    for name, said in documents.items():
        if not said or re.match(r"(?:does )?the same\b", said, re.IGNORECASE):
            documents[name] = f"{before} {said}".strip()
        before = documents[name]
    return documents


def without_comments(text: str) -> str:
    """The code of a text in Kotlin or Swift."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)


def parts_of(parameters: str) -> list[str]:
    """The parameters of a function, which commas divide unless they are in brackets."""
    depth, parts = 0, [""]
    for sign in parameters:
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


@dataclass
class Declared:
    """A line of code in Kotlin or Swift: what is said of it, the types around it, and all text from it on."""

    document: str
    around: list[str]
    line: str
    text: str

    def parameters(self) -> tuple[list[str], str]:
        """The parameters of the function that begins here, and the text that follows them."""
        rest = self.text[self.text.index("(") + 1 :]
        depth = 1
        for end, sign in enumerate(rest):
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                return parts_of(rest[:end]), rest[end + 1 :]
        return [], ""


def declarations(text: str, opening: re.Pattern[str]) -> Iterator[Declared]:
    """Each line of code with the comment before it and the types around it, which indentation shows.

    opening: finds the line on which a type begins; its group "name" is what the members belong to.
    """
    around: list[tuple[int, str]] = []
    comment: list[str] = []
    inside, at = False, 0
    for line in text.splitlines(keepends=True):
        stripped, begin, at = line.strip(), at, at + len(line)
        if inside or stripped.startswith(("/**", "///")):
            comment.append(line)
            inside = (inside or stripped.startswith("/**")) and not stripped.endswith("*/")
            continue
        if not stripped or stripped.startswith(("@", "//", "#")):
            continue
        indent = len(line) - len(line.lstrip())
        while around and (around[-1][0] > indent or (around[-1][0] == indent and stripped[0] not in ")}")):
            around.pop()
        yield Declared(in_one_line("".join(comment)), [name for _, name in around], line.rstrip("\n"), text[begin:])
        comment = []
        found = opening.match(line)
        if found:
            around.append((indent, found["name"]))
