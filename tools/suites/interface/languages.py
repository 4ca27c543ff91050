"""What each language shows: its enumerations, records, options with their defaults, and errors.

The sources are read as text, by what their style makes sure of; nothing is imported or compiled. Names are returned as
they are written.
"""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = ("c", "python", "kotlin", "swift", "javascript")


@dataclass
class Shown:
    """What a language shows of the interface.

    enums: by name, each member with its number, or None where a member has none of its own.
    records: by name, the fields in order; options too.
    defaults: by name of a record, the default of each field as it is written.
    errors: by number of the status.
    """

    enums: dict[str, dict[str, int | None]] = field(default_factory=dict)
    records: dict[str, list[str]] = field(default_factory=dict)
    defaults: dict[str, dict[str, str]] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)


def read(root: Path) -> dict[str, Shown]:
    """All five, from the sources in `root`."""
    c = read_c(root)
    numbers: dict[str, int | None] = {f"HUSHBIT_{name}": number for number, name in c.errors.items()}
    numbers |= {f"HUSHBIT_{name}": number for members in c.enums.values() for name, number in members.items()}
    return {
        "c": c,
        "python": read_python(root),
        "kotlin": read_kotlin(root),
        "swift": read_swift(root, numbers),
        "javascript": read_javascript(root),
    }


def _text(root: Path, *patterns: str) -> str:
    files = [path for pattern in patterns for path in sorted(root.glob(pattern))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


# ---- C


def read_c(root: Path) -> Shown:
    """Headers, and the defaults that the functions *_options_init give."""
    names = ("types", "hushbit", "reports", "analysis")
    text = "\n".join(_text(root, f"native/include/hushbit/{name}.h") for name in names)
    text = re.sub(r"//[^\n]*", "", text)
    shown = Shown()
    for name, body in re.findall(r"typedef enum hushbit_(\w+) \{([^}]*)\}", text):
        shown.enums[name] = {member: int(number) for member, number in re.findall(r"HUSHBIT_(\w+) = (\d+)", body)}
    for name, body in re.findall(r"typedef struct hushbit_(\w+) \{([^}]*)\}", text):
        shown.records[name] = [each for line in body.split(";") for each in _declared(line)]
    shown.errors = {number: name for name, number in shown.enums.pop("status").items() if number}
    source = _text(root, "native/src/api/c_api*.cpp")
    made = re.findall(r"hushbit_(\w+) \w+\([^)]*\) \{(.*?)\n\}", source, re.DOTALL)
    made += re.findall(r"hushbit_(\w+) k\w+ = \{(.*?)\};", source, re.DOTALL)
    for name, body in made:
        found = re.findall(r"\.(\w+) = ([^,}]+?)(?=,\s|\}|$)", body)
        if name in shown.records and found:
            shown.defaults[name] = {key: value.strip() for key, value in found}
    mask = re.search(r'kMask\[\] = "([^"]*)"', source)
    if mask and "privatizer_options" in shown.defaults:
        shown.defaults["privatizer_options"]["mask"] = f'"{mask[1]}"'
    return shown


def _declared(line: str) -> list[str]:
    """The names that `line` declares: "double a, b" has two."""
    return re.findall(r"(\w+)(?:\[\d+\])?\s*(?:,|$)", re.sub(r"\s+", " ", line).strip())


# ---- Python


def read_python(root: Path) -> Shown:
    """Dataclasses and Literals of the interface, and the table of errors."""
    shown = Shown()
    constants: dict[str, str] = {}
    for path in sorted((root / "python/hushbit").glob("_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(each) for each in node.decorator_list):
                _read_dataclass(node, shown)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, value = node.targets[0].id, ast.unparse(node.value)
                constants[name] = value
                if value.startswith("Literal["):
                    shown.enums[name] = dict.fromkeys(re.findall(r"'([^']+)'", value))
    for defaults in shown.defaults.values():
        defaults.update({name: constants.get(value, value) for name, value in defaults.items()})
    errors = (root / "python/hushbit/errors.py").read_text(encoding="utf-8")
    table = re.search(r"_BY_STATUS[^{]*\{(.*?)\}", errors, re.DOTALL)
    shown.errors = {int(number): name for number, name in re.findall(r"(\d+): (\w+)", table[1] if table else "")}
    return shown


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


# ---- Kotlin


def read_kotlin(root: Path) -> Shown:
    """Public classes whose properties are in the constructor, enumerations, and the exceptions of statuses."""
    text = _without_comments(_text(root, "android/hushbit/src/main/kotlin/dev/hushbit/*.kt"))
    shown = Shown()
    for name, body in re.findall(r"public enum class (\w+)(?:\([^)]*\))? \{(.*?)\n\}", text, re.DOTALL):
        members = re.findall(r"^    ([A-Z][A-Z_]*)(?:\((\d+)\))?[,;]", body, re.MULTILINE)
        shown.enums[name] = {member: int(number) if number else None for member, number in members}
    pattern = r"public (?:data )?class (\w+)\s*(?:@JvmOverloads\s*)?(?:internal )?(?:constructor)?\s*\((.*?)\n\s*\)"
    for name, body in re.findall(pattern, text, re.DOTALL):
        found = re.findall(r"public val (\w+): ([^=\n]+?)(?: = (.+?))?,$", body, re.MULTILINE)
        if found:
            shown.records[name] = [each for each, _, _ in found]
            shown.defaults[name] = {each: default for each, _, default in found if default}
    values = re.findall(
        r"public (?:object|data class) (\w+)[^{]*: Values\(\) \{\s+override val value: Int get\(\) = (\d+)", text
    )
    shown.enums["Values"] = {name: int(number) for name, number in values}
    for number, name in re.findall(r"^\s+(\d+) -> HushbitException\.(\w+)\(", text, re.MULTILINE):
        shown.errors[int(number)] = name
    return shown


# ---- Swift


def read_swift(root: Path, numbers: dict[str, int | None]) -> Shown:
    """Public structs and enumerations, the defaults of their initializers, and the cases of the error."""
    text = _without_comments(_text(root, "ios/Sources/Hushbit/*.swift"))
    shown = Shown()
    for indent, name, body in re.findall(r"^( *)public enum (\w+)[^{]*\{(.*?)\n\1\}", text, re.DOTALL | re.MULTILINE):
        cases = re.findall(r"^\s+case (\w+)(?:\([^)]*\))?$", body, re.MULTILINE)
        known = re.findall(r"case \.(\w+): return UInt32\((HUSHBIT_\w+)\.rawValue\)", body)
        values = {case: numbers.get(constant) for case, constant in known}
        shown.enums[name if not indent else f"Token.{name}"] = {case: values.get(case) for case in cases}
    for name, body in re.findall(r"^public struct (\w+)[^{]*\{(.*?)\n\}", text, re.DOTALL | re.MULTILINE):
        shown.records[name] = re.findall(r"^    public (?:let|var) (\w+): [^{\n]*$", body, re.MULTILINE)
        initializer = re.search(r"public init\((.*?)\n?\s*\) \{", body, re.DOTALL)
        if initializer:
            shown.defaults[name] = dict(re.findall(r"(\w+): [^=,]+ = ([^,\s]+)", initializer[1]))
    shown.enums.pop("HushbitError", None)
    for constant, name in re.findall(r"case (HUSHBIT_\w+): self = \.(\w+)\(message", text):
        shown.errors[numbers.get(constant) or 0] = name
    return shown


# ---- JavaScript


def read_javascript(root: Path) -> Shown:
    """The types in comments, the tables of numbers, and the names of statuses."""
    text = _text(root, "web/src/*.js")
    shown = Shown()
    for comment in re.findall(r"/\*\*.*?\*/", text, re.DOTALL):
        for part in re.split(r"(?=@typedef)", comment)[1:]:
            name = re.match(r"@typedef \{object\} (\w+)", part)
            if name:
                shown.records[name[1]] = re.findall(r"@property \{.*?\} \[?(\w+)", part, re.DOTALL)
            for body, alias in re.findall(r'@typedef \{((?:"[\w-]+"[ |\n*]*)+)\} (\w+)', part):
                shown.enums[alias] = dict.fromkeys(re.findall(r'"([\w-]+)"', body))
    for name, body in re.findall(r"const ([A-Z_]+) = \{ ([^}]*) \};", text):
        members = re.findall(r'"?([\w-]+)"?: (\d+)', body)
        shown.enums[f"const {name}"] = {member: int(number) for member, number in members}
    table = re.search(r"STATUSES = \[(.*?)\]", text, re.DOTALL)
    names = re.findall(r'"(\w+)"', table[1] if table else "")
    shown.errors = {number: name for number, name in enumerate(names) if number != 0}
    shown.enums.pop("Status", None)
    return shown


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
