"""Whether enumerations, records, options with their defaults, and errors are those of the table."""

import re
from collections.abc import Iterable, Iterator, Mapping

from interface.differences import NOT_LISTED, Table, differences, listed, name_in, plain, short, wanted
from interface.shown import Shown

# What comments say of a default: (default: 2), 2 by default, "drop" (the default).
_STATED = re.compile(r'\(default: ([^,)]+)|("[^"]*"|\w[\w.]*)(?: by default| \(the default\))')


def canonical(written: str) -> object:
    """A default without its language's spelling."""
    text = written.strip("'\"")
    if text != written:
        return plain(text)
    if text in ("None", "null", "nil", "nullptr", "undefined") or text.startswith("info.default_"):
        return "none"
    if text in ("HUGE_VAL", ".infinity", "Double.POSITIVE_INFINITY", "math.inf", "Infinity", "infinity", "UINT64_MAX"):
        return "no cap"
    if text in ("()", "[]", "emptyList()"):
        return "empty"
    if text.lower() in ("false", "true"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        return plain(re.sub(r"^\[?(HUSHBIT_[A-Z]+_(?=[A-Z])|\w*\.)", "", text).removesuffix("]"))


def concepts(rows: Table, language: str, found: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Types and their members: what the language lacks, and what it has besides."""
    shown = {plain(name): (name, members) for name, members in found.items()}
    for concept, row in rows.items():
        name = name_in(language, concept, row)
        if name is None:
            continue
        if plain(name) not in shown:
            yield f"{language} has no {name}"
            continue
        written, members = shown.pop(plain(name))
        have = {plain(short(language, member, str(row.get("prefix", "")))): member for member in members}
        have = {key: member for key, member in have.items() if not _is_plumbing(language, member)}
        must = wanted(row, language)
        for missing in sorted(must - set(have)):
            yield f"{language}: {written} has no {missing}"
        for more in sorted(set(have) - must):
            yield f"{language}: {written} has {have[more]}, {NOT_LISTED}"
    also = [name for row in rows.values() for each in differences(row, language) for name in each.get("also", [])]
    yield from (
        f"{language} has no {name}, which native/interface.toml lists" for name in also if plain(name) not in shown
    )
    for name, (written, _) in shown.items():
        if name not in map(plain, also):
            yield f"{language} has {written}, {NOT_LISTED}"


def _is_plumbing(language: str, member: str) -> bool:
    """Sizes of structs and of what pointers point to, which C alone needs."""
    return language == "c" and (member == "struct_size" or member in ("mask_bytes", "list_bytes", "pass_over_bytes"))


def numbers(rows: Table, language: str, shown: Shown) -> Iterator[str]:
    """Members of enumerations with another number than that of C."""
    for concept, row in rows.items():
        if not isinstance(row["members"], dict):
            continue
        known = {plain(member): number for member, number in row["members"].items()}
        names = [
            name_in(language, concept, row) or "",
            *(str(each["numbers"]) for each in differences(row, language) if "numbers" in each),
        ]
        for name, members in shown.enums.items():
            if plain(name) not in map(plain, names):
                continue
            for member, number in members.items():
                must = known.get(plain(short(language, member, str(row.get("prefix", "")))))
                if number is not None and must is not None and number != must:
                    yield f"{language}: {name} {member} is {number}; it must be {must}"


def defaults(rows: Table, language: str, shown: Shown) -> Iterator[str]:
    """Options with another default in code or comments. JavaScript and TypeScript need not have one in code."""
    in_code = {plain(name): found for name, found in shown.defaults.items()}
    said = {plain(name): found for name, found in shown.documents.items()}
    for concept, row in rows.items():
        name = name_in(language, concept, row)
        if name is None:
            continue
        written = {plain(field): canonical(value) for field, value in in_code.get(plain(name), {}).items()}
        stated = {plain(field): _stated(comment) for field, comment in said.get(plain(name), {}).items()}
        for field, default in row.get("defaults", {}).items():
            if plain(field) in listed(row, language, "lacks"):
                continue
            same = (default, "none") if default in ("none", "no cap", "empty") else (_canonical(default),)
            value, comment = written.get(plain(field)), stated.get(plain(field))
            if language in ("javascript", "typescript") and value is None:
                value = comment if comment is not None or "none" not in same else "none"
            if value not in same:
                yield f"{language}: the default of {name}.{field} is {value}; it must be {default}"
            if comment is not None and comment not in same:
                yield f"{language}: a comment says that the default of {name}.{field} is {comment}, not {default}"


def _stated(comment: str) -> object:
    found = _STATED.search(comment)
    return canonical(found[1] or found[2]) if found else None


def _canonical(default: object) -> object:
    return plain(default) if isinstance(default, str) else default


def statuses(rows: Table, language: str, shown: Shown) -> Iterator[str]:
    """Errors with another number or name."""
    names = {number: name for name, number in rows["statuses"].items()}
    renamed = {each["status"]: each["name"] for each in differences(rows, language)}
    for number, name in names.items():
        must = renamed.get(name, f"{name}_error" if language == "python" else name)
        written = shown.errors.get(number, "nothing")
        if plain(written) != plain(must):
            yield f"{language}: status {number} is {written}; it must be {must}"
    for number in sorted(set(shown.errors) - set(names)):
        yield f"{language} has status {number}, {shown.errors[number]}, {NOT_LISTED}"
