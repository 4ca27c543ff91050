"""What the React Native package shows."""

import re
from pathlib import Path

from interface.shown import MAIN_TYPE, Shown, carried_on, in_one_line, text_of

_COMMENT = r"/\*\*(?:(?!\*/).)*\*/"
_IGNORED = re.compile(r"@internal|@private")


def read_typescript(root: Path) -> Shown:
    """Interfaces and unions of names, classes, functions, and the names of statuses, which its C++ has."""
    text = text_of(root, "react-native/src/*.ts")
    shown = Shown()
    _read_types(text_of(root, "react-native/src/types.ts"), shown)
    table = re.search(r"kStatuses\[\] = \{(.*?)\}", text_of(root, "react-native/cpp/Values.cpp"), re.DOTALL)
    names = re.findall(r'"(\w+)"', table[1] if table else "")
    shown.errors = {number: name for number, name in enumerate(names) if number != 0}
    exported = re.findall(r"^export \{(.*?)\}", text_of(root, "react-native/src/index.ts"), re.MULTILINE | re.DOTALL)
    here = re.findall(r"^export (?:async )?function (\w+)", text_of(root, "react-native/src/[ei]n*.ts"), re.MULTILINE)
    _read_entry(text, {*re.findall(r"\w+", " ".join(exported)), *here}, shown)
    return shown


def _read_types(text: str, shown: Shown) -> None:
    """Unions of names are enumerations. An interface has the fields of the one that it extends; that is no record."""
    for name, body in re.findall(r"^export type (\w+) =([^;]*);", text, re.MULTILINE):
        shown.enums[name] = dict.fromkeys(re.findall(r'"([\w-]+)"', body))
    shown.enums.pop("Status", None)
    bases: set[str] = set()
    interface = r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}"
    for name, base, body in re.findall(interface, text, re.DOTALL | re.MULTILINE):
        found = re.findall(rf"((?:  {_COMMENT}\n)?)^  (?:readonly )?(\w+)\??: ", body, re.DOTALL | re.MULTILINE)
        documents = {**shown.documents.get(base, {}), **carried_on({each: in_one_line(said) for said, each in found})}
        shown.records[name], shown.documents[name] = list(documents), documents
        bases.add(base)
    for name in {*bases, "HushbitError"} & set(shown.records):
        del shown.records[name], shown.documents[name]


def _read_entry(text: str, exported: set[str], shown: Shown) -> None:
    """Classes and functions that are exported. What is protected or private belongs to the package."""
    bases: dict[str, str] = {}
    classes = re.findall(r"^export class (\w+)\S*(?: extends (\w+))?[^{]*\{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    for name, base, body in classes:
        bases[name] = base
        shown.methods[name] = {}
        member = (
            rf"((?:  {_COMMENT}\n)?)^  (?:(?:static|async|readonly|get) )*(?=[a-z])(?!protected)(\w+)(\(.*?\{{\n|:|;)"
        )
        for comment, method, rest in re.findall(member, body, re.DOTALL | re.MULTILINE):
            if method == "constructor" or _IGNORED.search(comment):
                continue
            shown.add(name, method, in_one_line(comment), f"{name}.{method}" if _makes(rest) else None)
    shown.keep_exported(exported, bases)
    function = rf"({_COMMENT})\nexport (?:async )?function (\w+)(\(.*?\{{\n)"
    for comment, name, rest in re.findall(function, text, re.DOTALL):
        if name in exported:
            shown.add("module", name, in_one_line(comment), name if _makes(rest) else None)


def _makes(rest: str) -> bool:
    """Whether a function, from its parameters on, returns an object of a main type."""
    returned = re.search(r"\): ([^{]*)\{\n$", rest)
    return bool(returned and MAIN_TYPE.search(returned[1]))
