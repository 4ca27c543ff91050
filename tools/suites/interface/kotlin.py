"""What the sources of Kotlin show."""

import re
from pathlib import Path

from interface.shown import MAIN_TYPE, Shown, carried_on, declarations, in_one_line, text_of, without_comments

_TYPE = re.compile(r" *public (?:\w+ )*?(?:class|interface|object)\b *(?P<name>\w*)")


def read_kotlin(root: Path) -> Shown:
    """Public classes whose properties are in the constructor, enumerations, functions, and exceptions of statuses."""
    commented = text_of(root, "android/hushbit/src/main/kotlin/dev/hushbit/*.kt")
    text = without_comments(commented)
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
    for comment, name in re.findall(
        r"/\*\*((?:(?!\*/).)*)\*/\n(?:@\w+\n)?public (?:data )?class (\w+)", commented, re.DOTALL
    ):
        said = re.findall(r"@property (\w+) (.*?)(?=@\w|$)", in_one_line(comment))
        shown.documents[name] = carried_on({each: text.strip() for each, text in said})
    _read_members(commented, shown)
    return shown


def _read_members(text: str, shown: Shown) -> None:
    """Public functions and properties; those of a companion belong to its class, extensions to what they extend."""
    for each in declarations(text, _TYPE):
        around = [name for name in each.around if name]
        made = re.match(r" *public class (\w+)( (?:private|internal) constructor)?", each.line)
        if made and MAIN_TYPE.fullmatch(made[1]) and not made[2]:
            shown.ways.add(made[1])
        found = re.match(
            r" *(?:public|override) (?:\w+ )*?(?:fun|val|var) (?:<.*> )?(?:(?P<of>\w+)\.)?(?P<name>\w+)", each.line
        )
        if not found or each.line.endswith(","):
            continue  # those that end with a comma are properties in a constructor: fields of a record
        if "override" in each.line and found["name"] != "close":
            continue
        kind = found["of"] or ".".join(around) or "module"
        way = None
        if "fun " in each.line:
            parameters, rest = each.parameters()
            returned = re.match(r": ([\w<>?.]+)", rest)
            if returned and MAIN_TYPE.search(returned[1]):
                names = [re.split(r"\s*:", part)[0] for part in parameters]
                way = f"{kind}.{found['name']}({', '.join(names)})"
        shown.add(kind, found["name"], each.document, way)
