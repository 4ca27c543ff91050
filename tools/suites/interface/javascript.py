"""What the entry point of the npm package shows."""

import re
from pathlib import Path

from interface.shown import MAIN_TYPE, Shown, carried_on, in_one_line, text_of

_COMMENT = r"/\*\*(?:(?!\*/).)*\*/"


def read_javascript(root: Path) -> Shown:
    """The types in comments, the tables of numbers, classes, functions, and the names of statuses."""
    text = text_of(root, "web/src/*.js")
    shown = Shown()
    for comment in re.findall(_COMMENT, text, re.DOTALL):
        for part in re.split(r"(?=@typedef)", comment)[1:]:
            name = re.match(r"@typedef \{object\} (\w+)", part)
            if name:
                _read_typedef(name[1], part, shown)
            for body, alias in re.findall(r'@typedef \{((?:"[\w-]+"[ |\n*]*)+)\} (\w+)', part):
                shown.enums[alias] = dict.fromkeys(re.findall(r'"([\w-]+)"', body))
    for name, body in re.findall(r"const ([A-Z_]+) = \{ ([^}]*) \};", text):
        members = re.findall(r'"?([\w-]+)"?: (\d+)', body)
        shown.enums[f"const {name}"] = {member: int(number) for member, number in members}
    table = re.search(r"STATUSES = \[(.*?)\]", text, re.DOTALL)
    names = re.findall(r'"(\w+)"', table[1] if table else "")
    shown.errors = {number: name for number, name in enumerate(names) if number != 0}
    shown.enums.pop("Status", None)
    _read_literals(text, shown)
    entry = re.findall(r"^export \{(.*?)\}", text_of(root, "web/src/index.js"), re.MULTILINE)
    _read_entry(text, set(re.findall(r"\w+", " ".join(entry))), shown)
    return shown


def _read_typedef(name: str, comment: str, shown: Shown) -> None:
    found = re.findall(r"@property \{.*?\} \[?(\w+)\]?((?:(?!@property|\n \*\n).)*)", comment, re.DOTALL)
    shown.records[name] = [each for each, _ in found]
    shown.documents[name] = carried_on({each: in_one_line(said) for each, said in found})


def _read_literals(text: str, shown: Shown) -> None:
    """The few defaults in code, where a function takes options apart: const { epoch = 0 } = options."""
    taken = re.findall(rf"({_COMMENT})\n(?:export )?function \w+\((.*?)\n\}}\n", text, re.DOTALL)
    for comment, body in taken:
        of = re.search(r"@param \{(\w+(?:Options|Limits))\b[^}]*\} (?:options|limits)\b", comment)
        if not of:
            continue
        for apart in re.findall(r"\{([^{}]*)\}(?= = options;|\) \{)", body):
            for name, value in re.findall(r"(\w+) = ([^,\n]+?)(?=\s*(?:,|$))", apart):
                shown.defaults.setdefault(of[1], {})[name] = value


def _read_entry(text: str, exported: set[str], shown: Shown) -> None:
    """Classes and functions that are exported. What is protected or private belongs to the package."""
    bases: dict[str, str] = {}
    classes = re.findall(r"^(?:export )?class (\w+)(?: extends (\w+))? \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    for name, base, body in classes:
        bases[name] = base
        shown.methods[name] = {}
        member = rf"((?:  {_COMMENT}\n)?)^  (?:static )?(?:async )?(?:get )?(?=\w)(\w+)(\(|;)"
        for comment, method, sign in re.findall(member, body, re.DOTALL | re.MULTILINE):
            if method == "constructor" or re.search(r"@protected|@private", comment):
                continue
            made = sign == "(" and MAIN_TYPE.search(_returned(comment))
            shown.add(name, method, in_one_line(comment), f"{name}.{method}" if made else None)
    shown.keep_exported(exported, bases)
    for comment, name in re.findall(rf"({_COMMENT})\nexport (?:async )?function (\w+)", text, re.DOTALL):
        if name in exported:
            shown.add("module", name, in_one_line(comment), name if MAIN_TYPE.search(_returned(comment)) else None)


def _returned(comment: str) -> str:
    found = re.search(r"@returns \{(.*)\}", comment)
    return found[1] if found else ""
