#!/usr/bin/env python3
"""Checks that all languages show one interface: check_interface.py [ROOT].

native/interface.toml lists concepts with their names, members, fields and defaults. Every language must have all of
them, by these names in its own case, and no others. What a language lacks, has besides or calls otherwise is listed in
the table with the reason. Needs Python alone.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from interface.languages import LANGUAGES, Shown, read

Table = Mapping[str, Any]


def plain(name: str) -> str:
    """A name without its language's case: worst_case, worstCase and WORST_CASE are one."""
    return re.sub(r"[_-]", "", name).lower()


def canonical(written: str) -> object:
    """A default without its language's spelling."""
    text = written.strip("'\"")
    if text in ("None", "null", "nil", "nullptr") or text.startswith("info.default_"):
        return "none"
    if text in ("HUGE_VAL", ".infinity", "Double.POSITIVE_INFINITY", "math.inf") or text == "UINT64_MAX":
        return "no cap"
    if text in ("()", "[]", "emptyList()"):
        return "empty"
    if text.lower() in ("false", "true"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        return plain(re.sub(r"^(HUSHBIT_[A-Z]+_(?=[A-Z])|\w*\.)", "", text))


def check(table: Table, languages: Mapping[str, Shown]) -> Iterator[str]:
    """Everything in which the table and the languages differ."""
    yield from _reasons(table)
    for language in LANGUAGES:
        shown = languages[language]
        yield from _statuses(table["errors"], language, shown)
        yield from _concepts(table["enums"], language, {name: list(found) for name, found in shown.enums.items()})
        yield from _numbers(table["enums"], language, shown)
        yield from _concepts(table["records"], language, shown.records)
        yield from _defaults(table["records"], language, shown)


def _reasons(table: Table) -> Iterator[str]:
    """Every difference that the table allows has a reason."""
    for kind in ("enums", "records"):
        for concept, row in table[kind].items():
            for difference in row.get("differs", []):
                if not str(difference.get("why", "")).strip() or difference.get("in") not in LANGUAGES:
                    yield f"{concept}: a difference needs `in`, a language, and `why`: {difference}"


def _differences(row: Table, language: str) -> Iterator[Table]:
    return (each for each in row.get("differs", []) if each["in"] == language)


def _name(concept: str, row: Table, language: str) -> str | None:
    """What the language calls the concept; None if it has it under no name."""
    for each in _differences(row, language):
        if each.get("absent"):
            return None
        if "name" in each:
            return str(each["name"])
    return concept


def _wanted(row: Table, language: str) -> set[str]:
    """The members or fields that the language must show."""
    wanted = set(row["members"] if isinstance(row["members"], list) else row["members"].keys())
    for each in _differences(row, language):
        renamed = dict(each.get("renames", {}))
        wanted = {renamed.get(name, name) for name in wanted} - set(each.get("lacks", [])) | set(each.get("has", []))
    return {plain(name) for name in wanted}


def _concepts(rows: Table, language: str, found: Mapping[str, Iterable[str]]) -> Iterator[str]:
    shown = {plain(name): (name, members) for name, members in found.items()}
    for concept, row in rows.items():
        name = _name(concept, row, language)
        if name is None:
            continue
        if plain(name) not in shown:
            yield f"{language} has no {name}"
            continue
        written, members = shown.pop(plain(name))
        have, wanted = {plain(_short(member, row, language)): member for member in members}, _wanted(row, language)
        have = {key: member for key, member in have.items() if not _is_plumbing(language, member)}
        for missing in sorted(wanted - set(have)):
            yield f"{language}: {written} has no {missing}"
        for more in sorted(set(have) - wanted):
            yield f"{language}: {written} has {have[more]}, which native/interface.toml does not list"
    also = [name for row in rows.values() for each in _differences(row, language) for name in each.get("also", [])]
    yield from (
        f"{language} has no {name}, which native/interface.toml lists" for name in also if plain(name) not in shown
    )
    for name, (written, _) in shown.items():
        if name not in map(plain, also):
            yield f"{language} has {written}, which native/interface.toml does not list"


def _short(member: str, row: Table, language: str) -> str:
    """C puts the name of an enumeration before its members, Swift `is` before what is true or false."""
    if language == "c":
        return member.removeprefix(str(row.get("prefix", "")))
    if language == "swift":
        return re.sub(r"^is(?=[A-Z])", "", member)
    return member


def _is_plumbing(language: str, member: str) -> bool:
    """Sizes of structs and of what pointers point to, which C alone needs."""
    return language == "c" and (member == "struct_size" or member in ("mask_bytes", "list_bytes", "pass_over_bytes"))


def _numbers(rows: Table, language: str, shown: Shown) -> Iterator[str]:
    for concept, row in rows.items():
        if not isinstance(row["members"], dict):
            continue
        numbers = {plain(member): number for member, number in row["members"].items()}
        names = [
            _name(concept, row, language) or "",
            *(str(each["numbers"]) for each in _differences(row, language) if "numbers" in each),
        ]
        for name, members in shown.enums.items():
            if plain(name) not in map(plain, names):
                continue
            for member, number in members.items():
                wanted = numbers.get(plain(_short(member, row, language)))
                if number is not None and wanted is not None and number != wanted:
                    yield f"{language}: {name} {member} is {number}; it must be {wanted}"


def _defaults(rows: Table, language: str, shown: Shown) -> Iterator[str]:
    for concept, row in rows.items():
        name = _name(concept, row, language)
        if name is None or language == "javascript":  # which leaves them to C: what is not given is not written
            continue
        found = {plain(key): value for key, value in shown.defaults.items()}.get(plain(name or ""), {})
        written = {plain(field): canonical(value) for field, value in found.items()}
        lacking = {plain(field) for each in _differences(row, language) for field in each.get("lacks", [])}
        for field, default in row.get("defaults", {}).items():
            if plain(field) in lacking:
                continue
            same = (default, "none") if default in ("no cap", "empty") else (_wanted_default(default),)
            if written.get(plain(field), "nothing") not in same:
                yield f"{language}: the default of {name}.{field} is {written.get(plain(field))}; it must be {default}"


def _wanted_default(default: object) -> object:
    return plain(default) if isinstance(default, str) and default != "none" else default


def _statuses(rows: Table, language: str, shown: Shown) -> Iterator[str]:
    names = {number: name for name, number in rows["statuses"].items()}
    renamed = {each["status"]: each["name"] for each in rows.get("differs", []) if each["in"] == language}
    for number, name in names.items():
        wanted = renamed.get(name, f"{name}_error" if language == "python" else name)
        written = shown.errors.get(number, "nothing")
        if plain(written) != plain(wanted):
            yield f"{language}: status {number} is {written}; it must be {wanted}"
    for number in sorted(set(shown.errors) - set(names)):
        yield f"{language} has status {number}, {shown.errors[number]}, which native/interface.toml does not list"


def main() -> int:
    """Prints what differs; the exit code is 1 if anything does."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    table = tomllib.loads((root / "native/interface.toml").read_text(encoding="utf-8"))
    found = list(check(table, read(root)))
    for line in found:
        print(line)
    if not found:
        print(
            f"{len(table['enums'])} enumerations, {len(table['records'])} records and "
            f"{len(table['errors']['statuses'])} errors are the same in {len(LANGUAGES)} languages"
        )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
