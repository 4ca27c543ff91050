"""What the interface of Python shows."""

import ast
import re
from pathlib import Path

from interface.shown import MAIN_TYPE, Shown, carried_on


def read_python(root: Path) -> Shown:
    """Dataclasses, Literals and classes of the interface, and the table of errors."""
    shown = Shown()
    constants: dict[str, str] = {}
    folder = root / "python/hushbit"
    exported = _exported(folder / "__init__.py")
    for path in [*sorted(folder.glob("_*.py")), folder / "_plumbing/records.py"]:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                if any("dataclass" in ast.unparse(each) for each in node.decorator_list):
                    _read_dataclass(node, shown)
                if node.name in exported or node.name == "Record":
                    _read_class(node, shown)
            elif isinstance(node, ast.FunctionDef) and node.name in exported:
                way = node.name if MAIN_TYPE.search(_unparsed(node.returns)) else None
                shown.add("module", node.name, _said(node), way)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, value = node.targets[0].id, ast.unparse(node.value)
                constants[name] = value
                if value.startswith("Literal["):
                    shown.enums[name] = dict.fromkeys(re.findall(r"'([^']+)'", value))
    if "__version__" in exported:
        shown.add("module", "version", "", None)
    for defaults in shown.defaults.values():
        defaults.update({name: constants.get(value, value) for name, value in defaults.items()})
    errors = (folder / "errors.py").read_text(encoding="utf-8")
    table = re.search(r"_BY_STATUS[^{]*\{(.*?)\}", errors, re.DOTALL)
    shown.errors = {int(number): name for number, name in re.findall(r"(\d+): (\w+)", table[1] if table else "")}
    return shown


def _exported(path: Path) -> set[str]:
    """The names of __all__."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def _unparsed(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


def _said(node: ast.ClassDef | ast.FunctionDef) -> str:
    return " ".join((ast.get_docstring(node) or "").replace("**", "^").split())


def _read_dataclass(node: ast.ClassDef, shown: Shown) -> None:
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
    named = {each.target.id: each.value for each in fields if isinstance(each.target, ast.Name)}
    named.pop("_", None)
    if node.name.startswith("_"):
        return
    shown.records[node.name] = list(named)
    written = {name: ast.unparse(value) for name, value in named.items() if value is not None}
    default = re.compile(r"field\(default=([^,)]*).*")
    shown.defaults[node.name] = {name: default.sub(r"\1", value) for name, value in written.items()}
    shown.documents[node.name] = _arguments(node)


def _arguments(node: ast.ClassDef) -> dict[str, str]:
    """What a docstring says of arguments or fields: "name, other: …", and the lines that are indented below."""
    said: dict[str, str] = {}
    for names, text in re.findall(r"^((?:\w+, )*\w+): (.*(?:\n[ ]+.*)*)", ast.get_docstring(node) or "", re.MULTILINE):
        said |= {name: " ".join(text.replace("**", "^").split()) for name in names.split(", ")}
    return carried_on(said)


def _read_class(node: ast.ClassDef, shown: Shown) -> None:
    """Public methods and properties. A class is constructed if its docstring or that of __init__ says how."""
    for each in node.body:
        if not isinstance(each, ast.FunctionDef):
            continue
        if each.name == "__init__" and MAIN_TYPE.fullmatch(node.name):
            if "Created by" not in _said(node) or _said(each):
                shown.ways.add(node.name)
                _read_keywords(node, each, shown)
        elif not each.name.startswith("_"):
            made = MAIN_TYPE.search(_unparsed(each.returns)) and not _is_property(each)
            shown.add(node.name, each.name, _said(each), f"{node.name}.{each.name}" if made else None)


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def _read_keywords(node: ast.ClassDef, constructor: ast.FunctionDef, shown: Shown) -> None:
    """Keyword arguments of a constructor are options, too."""
    keywords = {
        each.arg: value for each, value in zip(constructor.args.kwonlyargs, constructor.args.kw_defaults, strict=True)
    }
    if keywords:
        shown.records[node.name] = list(keywords)
        shown.defaults[node.name] = {name: _unparsed(value) for name, value in keywords.items()}
        shown.documents[node.name] = _arguments(node)
