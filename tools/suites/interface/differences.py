"""How native/interface.toml says in what a language differs from the others."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interface.languages import LANGUAGES

Table = Mapping[str, Any]
NOT_LISTED = "which native/interface.toml does not list"


def plain(name: str) -> str:
    """A name without its language's case: worst_case, worstCase and WORST_CASE are one."""
    return re.sub(r"[_-]", "", name).lower()


def languages_of(difference: Table) -> list[str]:
    """The languages that differ in this."""
    named = difference.get("in", [])
    return [named] if isinstance(named, str) else list(named)


def differences(row: Table, language: str) -> list[Table]:
    """What the language has otherwise."""
    return [each for each in row.get("differs", []) if language in languages_of(each)]


def listed(row: Table, language: str, key: str) -> set[str]:
    """All that the language's differences list under `key`."""
    return {plain(name) for each in differences(row, language) for name in each.get(key, [])}


def name_in(language: str, concept: str, row: Table) -> str | None:
    """What the language calls the concept; None if it has it under no name."""
    for each in differences(row, language):
        if each.get("absent"):
            return None
        if "name" in each:
            return str(each["name"])
    return concept


def wanted(row: Table, language: str, of_all: Table | None = None) -> set[str]:
    """The members, fields or methods that the language must show. `of_all` has differences of all rows of a kind."""
    names = set(row["members"])
    for each in [*differences(row, language), *differences(of_all or {}, language)]:
        renamed = dict(each.get("renames", {}))
        names = {renamed.get(name, name) for name in names} - set(each.get("lacks", [])) | set(each.get("has", []))
    return {plain(name) for name in names}


def short(language: str, member: str, prefix: str = "") -> str:
    """C puts the name of an enumeration before its members and get_ before functions, phones `is` before yes and no."""
    if language == "c":
        return member.removeprefix(prefix).removeprefix("get_")
    if language in ("kotlin", "swift"):
        return re.sub(r"^is(?=[A-Z])", "", member)
    return member


def without_reasons(table: Table) -> Iterator[str]:
    """Every difference that the table allows has a reason."""
    rows = [
        *((concept, row) for kind in ("enums", "records", "methods") for concept, row in table[kind].items()),
        ("errors", table["errors"]),
        ("all_methods", table["all_methods"]),
    ]
    for concept, row in rows:
        for each in row.get("differs", []):
            known = languages_of(each) and set(languages_of(each)) <= set(LANGUAGES)
            if not known or not str(each.get("why", "")).strip():
                yield f"{concept}: a difference needs `in`, a language, and `why`: {each}"
