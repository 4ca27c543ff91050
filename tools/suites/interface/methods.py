"""Whether methods, the ways to open and create, and the ranges that comments state are those of the table."""

from collections.abc import Iterator

from interface.differences import NOT_LISTED, Table, differences, listed, name_in, plain, short, wanted
from interface.languages import LANGUAGES
from interface.shown import Shown


def methods(table: Table, language: str, shown: Shown) -> Iterator[str]:
    """Public methods and properties of types: what the language lacks, and what it has besides."""
    found = {plain(name): members for name, members in shown.methods.items()}
    known: set[str] = set()
    for concept, row in table["methods"].items():
        name = name_in(language, concept, row) or concept
        yield from _members(language, name, found, wanted(row, language, table["all_methods"]))
        known.add(plain(name))
        for each in differences(row, language):
            for other, members in each.get("also", {}).items():
                yield from _members(language, other, found, {plain(member) for member in members})
                known.add(plain(other))
    for name, members in shown.methods.items():
        if plain(name) not in known and members:
            yield f"{language}: {name} has {', '.join(members)}, {NOT_LISTED}"


def _members(language: str, name: str, found: dict[str, dict[str, str]], must: set[str]) -> Iterator[str]:
    have = {plain(short(language, member)): member for member in found.get(plain(name), {})}
    for missing in sorted(must - set(have)):
        yield f"{language}: {name} has no method {missing}"
    for more in sorted(set(have) - must):
        yield f"{language}: {name} has the method {have[more]}, {NOT_LISTED}"


def ways(table: Table, language: str, shown: Shown) -> Iterator[str]:
    """The ways to objects of the main types. A language without one of them has a reason."""
    known: set[str] = set()
    for kind, rows in table["ways"].items():
        for concept, row in rows.items():
            named = row.get(language, [])
            written = {named} if isinstance(named, str) else set(named)
            reason = str(row.get("lacks", {}).get(language, "")).strip()
            if bool(written) == bool(reason):
                yield f"{language}: {kind}.{concept} needs a way, or the reason in `lacks` why there is none"
            yield from (f"{language} has no way {way} to {kind}.{concept}" for way in sorted(written - shown.ways))
            known |= written
    yield from (f"{language} has the way {way} to an object, {NOT_LISTED}" for way in sorted(shown.ways - known))


def ranges(table: Table, language: str, shown: Shown) -> Iterator[str]:
    """Comments on options and methods that do not state the range of the table."""
    documents = {"records": shown.documents, "methods": shown.methods}
    for kind, of_kind in documents.items():
        said = {plain(name): found for name, found in of_kind.items()}
        for concept, row in table[kind].items():
            name = name_in(language, concept, row)
            if name is None:
                continue
            have = {plain(short(language, member)): text for member, text in said.get(plain(name), {}).items()}
            need_not = listed(row, language, "unstated") | listed(row, language, "lacks")
            for member, phrase in row.get("ranges", {}).items():
                renamed = {
                    key: new for each in differences(row, language) for key, new in each.get("renames", {}).items()
                }
                text = have.get(plain(renamed.get(member, member)))
                if text is None and (kind == "methods" or plain(member) in need_not):
                    continue  # a method that is missing is said elsewhere
                if plain(member) not in need_not and phrase not in (text or "").lower():
                    yield f'{language}: the comment on {name}.{member} does not say "{phrase}"'


def unknown_ranges(table: Table) -> Iterator[str]:
    """Ranges of options that no concept has, and words of the table that are no language."""
    for kind in ("records", "methods"):
        for concept, row in table[kind].items():
            members = {*row["members"], *(name for each in row.get("differs", []) for name in each.get("has", []))}
            for member in {*row.get("ranges", {}), *row.get("defaults", {})} - members:
                yield f"{concept} has no {member}, of which the table has a range or default"
    for kind, rows in table["ways"].items():
        for concept, row in rows.items():
            for word in {*row, *row.get("lacks", {})} - {*LANGUAGES, "lacks"}:
                yield f"{kind}.{concept}: {word} is no language"
