"""What the sources of Swift show."""

import re
from pathlib import Path

from interface.shown import MAIN_TYPE, Declared, Shown, carried_on, declarations, text_of, without_comments

_TYPE = re.compile(r" *(?:public (?:final )?(?:class|struct|enum)|extension) (?P<name>[\w.]+)")
# What the system asks of every type, such as text for a debugger.
_OF_THE_SYSTEM = ("description", "customMirror")


def read_swift(root: Path, numbers: dict[str, int | None]) -> Shown:
    """Public structs and enumerations, the defaults of their initializers, functions, and the cases of the error."""
    commented = text_of(root, "ios/Sources/Hushbit/*.swift")
    text = without_comments(commented)
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
    _read_members(commented, shown)
    return shown


def _read_members(text: str, shown: Shown) -> None:
    """Public functions and properties. Those that are stored in a struct are the fields of a record."""
    classes = set(re.findall(r"^public final class (\w+)", text, re.MULTILINE))
    functions: list[tuple[str, str, str, str]] = []
    for each in declarations(text, _TYPE):
        found = re.match(r" *public (?:[\w()]+ )*?(?P<what>init|func|let|var)\b ?(?P<name>\w*)", each.line)
        if not found:
            continue
        kind, name = ".".join(each.around) or "module", found["name"]
        if found["what"] in ("init", "func"):
            labels, way = _labels(each, kind, name)
            if way is not None:
                shown.ways.add(way)
            elif name:
                functions.append((kind, name, labels[0] if labels else "_", each.document))
        elif each.line.endswith("{") or each.line.endswith("}") or kind in classes:
            if name not in _OF_THE_SYSTEM:
                shown.add(kind, name, each.document, None)
        else:
            said = shown.documents.setdefault(kind, {})
            said[name] = each.document
    for kind, name, label, document in functions:
        shown.add(
            kind, _with_label(name, label, [other[:3] for other in functions if other[0] == kind]), document, None
        )
    for name in shown.documents:
        carried_on(shown.documents[name])


def _labels(each: Declared, kind: str, name: str) -> tuple[list[str], str | None]:
    """The labels of the arguments, and the way to an object that the function is: Privatizer(bundle:options:)."""
    parameters, rest = each.parameters()
    labels = [re.split(r"[ :]", part)[0] for part in parameters]
    returned = re.match(r"[\w ]*-> ([\w?]+)", rest)
    written = "".join(f"{label}:" for label in labels)
    if not name:
        return labels, f"{kind}({written})" if MAIN_TYPE.fullmatch(kind) else None
    return labels, f"{kind}.{name}({written})" if returned and MAIN_TYPE.search(returned[1]) else None


def _with_label(name: str, label: str, others: list[tuple[str, str, str]]) -> str:
    """The name of a function. The label belongs to it where it tells two apart: embed(_:) and embed(vector:)."""
    is_one_of_two = any(other == name and its_label != label for _, other, its_label in others)
    return f"{name}{label[0].upper()}{label[1:]}" if is_one_of_two and label != "_" else name
