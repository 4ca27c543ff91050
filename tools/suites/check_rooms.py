#!/usr/bin/env python3
"""Checks who uses whom: check_rooms.py [ROOT].

The core is in floors, the Python package in rooms. Prints how many includes or imports lead from each to each, and
fails with both files named where one leads up, or where packages or files use each other in a circle. An import inside
a function counts like any other. An import for types alone cannot make a circle of files, since it never runs.
"""

import ast
import functools
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

FLOORS = {
    "api": ["api/*"],
    "release": ["release/*"],
    "mechanism": ["mechanism/*"],
    "text": ["text/*"],
    "bundle": ["bundle/*"],
    "search": ["search/search.*", "search/codes.*"],
    "search/mih": ["search/mih/*"],
    "search/scan": ["search/scan/*"],
    "search/kernels": ["search/kernels/*"],
    "search (shared)": ["search/*"],
    "base": ["base/*"],
}
"""The core, top floor first: the first pattern that fits a file of native/src. A file uses its own floor and lower."""

INTERFACE = [
    *("__init__", "_budget", "_bundle", "_classifier", "_core", "_core_testing", "_described", "_embedder", "_many"),
    *("_options", "_own_vectors", "_privatizer", "_pyinstaller/*", "_reporter", "_text", "testing"),
]
"""What `import hushbit` shows, and what it is made of."""

BELOW = {
    "study": ["analysis", "toolchain", "interface", "plumbing"],
    "analysis": ["corpus", "toolchain", "interface", "plumbing"],
    "corpus": ["toolchain", "interface", "plumbing"],
    "toolchain": ["interface", "plumbing"],
    "hashing": ["plumbing"],
    "integrations": ["interface", "plumbing"],
    "interface": ["plumbing"],
    "plumbing": [],
}
"""The rooms that each room may use besides itself. Its commands also use the interface, and what all commands share."""

Room = tuple[list[str], list[str]]
ROOMS: dict[str, Room] = {
    "cli": (["cli/__init__", "cli/groups", "__main__"], ["cli (shared)", "interface"]),
    **{
        f"{room} (commands)": (
            ["_commands/*" if room == "interface" else f"{room}/commands/*"],
            list(dict.fromkeys(["cli (shared)", room, *BELOW[room], "interface", "plumbing"])),
        )
        for room in ("study", "analysis", "corpus", "toolchain", "hashing", "interface")
    },
    "cli (shared)": (["cli/_shared/*"], ["interface", "plumbing"]),
    **{room: ([f"{room}/*"], BELOW[room]) for room in ("study", "analysis", "corpus", "toolchain", "hashing")},
    "integrations": (["integrations/*"], BELOW["integrations"]),
    "interface": (INTERFACE, BELOW["interface"]),
    "plumbing": (["_plumbing/*", "errors"], BELOW["plumbing"]),
}
"""The rooms of python/hushbit: the modules of each room, the first pattern that fits, and the rooms it may use besides.
"""

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
Arrow = tuple[str, str]
"""A file that uses another, and that other."""


# ---- The core


def floor_of(file: str) -> str | None:
    """The floor of a file of native/src, or None if the table has none for it."""
    return next((floor for floor, patterns in FLOORS.items() if any(fnmatch(file, p) for p in patterns)), None)


def includes(root: Path) -> Iterator[Arrow]:
    """Every include of a file of native/src but of the public headers, which everything may use."""
    source = root / "native/src"
    for path in sorted(source.rglob("*")):
        if path.suffix in {".cpp", ".h", ".inc"}:
            for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if not (root / "native/include" / included).is_file():
                    yield str(path.relative_to(source)), included


def check_core(root: Path) -> list[str]:
    """Prints the map of the core; returns what is wrong."""
    names = list(FLOORS)
    problems, counts = [], Counts()
    for user, used in includes(root):
        above, below = floor_of(user), floor_of(used)
        if above is None or below is None or not (root / "native/src" / used).is_file():
            problems.append(f"native/src/{user} includes {used}: both must be files of native/src, named from there")
            continue
        counts.add(above, below)
        if names.index(above) > names.index(below):
            problems.append(f"native/src/{user} ({above}) includes native/src/{used} ({below}), which is above it")
    counts.print("native/src: includes", names)
    return problems


# ---- Python


def module_of(package: Path, name: str) -> Path:
    """The file of a dotted name within the package: of the longest part of it that is a module."""
    parts = name.split(".")[1:]
    while parts:
        path = package.joinpath(*parts)
        for file in (path / "__init__.py", path.with_suffix(".py"), path.with_suffix(".pyi")):
            if file.is_file():
                return file
        parts.pop()
    return package / "__init__.py"


class Import(NamedTuple):
    """A name that a file imports."""

    level: int
    """How many dots precede it; 0 for a name from the top."""
    name: str
    for_types: bool


@functools.cache
def imports_in(source: str) -> tuple[Import, ...]:
    """What a file imports, wherever in it. Files that are equal are parsed once."""
    found: list[Import] = []
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while waiting:
        node, for_types = waiting.pop()
        if isinstance(node, ast.Import):
            found += (Import(0, alias.name, for_types) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = f"{node.module}." if node.module else ""
            found += (Import(node.level, f"{start}{alias.name}", for_types) for alias in node.names)
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):  # no expression holds an import
            guarded = name == "body" and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            waiting += ((inner, for_types or guarded) for inner in getattr(node, name, ()))
    return tuple(found)


def imported_names(path: Path, package: Path, *, types: bool) -> Iterator[str]:
    """The dotted names from the top that a file imports; `types`: also what only types need."""
    own = ["hushbit", *path.relative_to(package).with_suffix("").parts]
    for level, name, for_types in imports_in(path.read_text(encoding="utf-8")):
        if types or not for_types:
            yield ".".join([*(own[:-level] if level else []), name])


def imports(root: Path, *, types: bool = True) -> Iterator[Arrow]:
    """Every import of a file of python/hushbit in another; `types`: also those that only types need."""
    package = root / "python/hushbit"
    for path in sorted(package.rglob("*.py")):
        names = (name for name in imported_names(path, package, types=types) if name.split(".")[0] == "hushbit")
        for used in sorted({module_of(package, name) for name in names} - {path}):
            yield str(path.relative_to(package)), str(used.relative_to(package))


@functools.cache
def room_of(file: str) -> str | None:
    """The room of a file of python/hushbit, or None if the table has none for it."""
    name = str(Path(file).with_suffix(""))
    return next((room for room, (members, _) in ROOMS.items() if any(fnmatch(name, one) for one in members)), None)


def check_python(root: Path) -> list[str]:
    """Prints the map of the package; returns what is wrong."""
    package = root / "python/hushbit"
    files = (str(path.relative_to(package)) for path in sorted(package.rglob("*.py")))
    problems = [
        f"python/hushbit/{file} is in no room: say in ROOMS which is its own" for file in files if not room_of(file)
    ]
    counts = Counts()
    arrows = list(imports(root))
    for user, used in arrows:
        above, below = room_of(user), room_of(used)
        if above is None or below is None:
            continue
        counts.add(above, below)
        if above != below and below not in ROOMS[above][1]:
            problems.append(f"python/hushbit/{user} ({above}) imports python/hushbit/{used} ({below}): not its to use")
    counts.print("python/hushbit: imports", list(ROOMS))
    packages: dict[str, dict[str, Arrow]] = defaultdict(dict)
    modules: dict[str, dict[str, Arrow]] = defaultdict(dict)
    for user, used in imports(root, types=False):
        modules[user][used] = user, used
    for user, used in arrows:
        if room_of(user) == room_of(used) and Path(user).parent != Path(used).parent:
            packages[str(Path(user).parent)].setdefault(str(Path(used).parent), (user, used))
    problems += [f"a circle of packages: {circle}" for circle in circles(packages)]
    return problems + [f"a circle of files: {circle}" for circle in circles(modules)]


def circles(arrows: dict[str, dict[str, Arrow]]) -> Iterator[str]:
    """The imports that lead from a package or file back to it, by the shortest way; each circle once."""
    seen = set()
    for start in list(arrows):
        ways: dict[str, list[Arrow]] = {start: []}
        waiting = [start]
        while waiting:
            at = waiting.pop(0)
            for onward, arrow in arrows.get(at, {}).items():
                if onward == start:
                    circle = [*ways[at], arrow]
                    if frozenset(circle) not in seen:
                        seen.add(frozenset(circle))
                        yield ", ".join(f"python/hushbit/{user} imports python/hushbit/{used}" for user, used in circle)
                elif onward not in ways:
                    ways[onward] = [*ways[at], arrow]
                    waiting.append(onward)


# ---- What both share


class Counts:
    """How many arrows lead from where to where."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))

    def add(self, user: str, used: str) -> None:
        """One more."""
        if user != used:
            self.counts[user][used] += 1

    def print(self, title: str, order: list[str]) -> None:
        """The map, a line for each that uses others."""
        print(f"{title} from one to another")
        for name in order:
            used = self.counts[name]
            arrows = ", ".join(f"{other} {used[other]}" for other in order if used[other])
            print(f"  {name:<22} {'> ' + arrows if arrows else '.'}")


def main() -> int:
    """Prints both maps and every problem; 1 if there is one."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    problems = [*check_core(root), *check_python(root)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
