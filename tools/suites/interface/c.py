"""What the headers of C show."""

import re
from pathlib import Path

from interface.shown import Shown, carried_on, in_one_line, text_of


def read_c(root: Path) -> Shown:
    """All headers but testing.h, and the defaults that the functions *_options_init give."""
    headers = sorted((root / "native/include/hushbit").glob("*.h"))
    commented = "\n".join(path.read_text(encoding="utf-8") for path in headers if path.name != "testing.h")
    text = re.sub(r"//[^\n]*", "", commented)
    shown = Shown()
    for name, body in re.findall(r"typedef enum hushbit_(\w+) \{([^}]*)\}", text):
        shown.enums[name] = {member: int(number) for member, number in re.findall(r"HUSHBIT_(\w+) = (\d+)", body)}
    for name, body in re.findall(r"typedef struct hushbit_(\w+) \{([^}]*)\}", text):
        shown.records[name] = [each for line in body.split(";") for each in _declared(line)]
    for name, body in re.findall(r"typedef struct hushbit_(\w+) \{\n(.*?)\n\} hushbit_\1;", commented, re.DOTALL):
        shown.documents[name] = _documents(body)
    shown.errors = {number: name for name, number in shown.enums.pop("status").items() if number}
    _read_defaults(root, shown)
    _read_functions(commented, shown)
    return shown


def _declared(line: str) -> list[str]:
    """The names that `line` declares: "double a, b" has two."""
    return re.findall(r"(\w+)(?:\[\d+\])?\s*(?:,|$)", re.sub(r"\s+", " ", line).strip())


def _documents(body: str) -> dict[str, str]:
    """What comments say of the fields: before them, or behind them and on the lines below, further to the right."""
    said: dict[str, str] = {}
    names: list[str] = []
    before = ""
    for line in body.splitlines():
        code, _, comment = line.partition("//")
        if not code.strip():
            if code == "  ":
                before = f"{before} {comment.strip()}".strip()
            else:
                said |= {name: f"{said[name]} {comment.strip()}" for name in names}
            continue
        names = _declared(code.strip().rstrip(";"))
        said |= {name: f"{before} {comment.strip()}".strip() for name in names}
        before = ""
    said = carried_on(said)
    for name in [name for name in said if name.endswith("_bytes") and name.removesuffix("_bytes") in said]:
        said[name.removesuffix("_bytes")] += f" {said[name]}"  # the size of what a pointer points to
    return said


def _read_defaults(root: Path, shown: Shown) -> None:
    source = text_of(root, "native/src/api/c_api*.cpp")
    made = re.findall(r"hushbit_(\w+) \w+\([^)]*\) \{(.*?)\n\}", source, re.DOTALL)
    made += re.findall(r"hushbit_(\w+) k\w+ = \{(.*?)\};", source, re.DOTALL)
    for name, body in made:
        found = re.findall(r"\.(\w+) = ([^,}]+?)(?=,\s|\}|$)", body)
        if name in shown.records and found:
            shown.defaults[name] = {key: value.strip() for key, value in found}
    mask = re.search(r'kMask\[\] = "([^"]*)"', source)
    if mask and "privatizer_options" in shown.defaults:
        shown.defaults["privatizer_options"]["mask"] = f'"{mask[1]}"'


def _read_functions(text: str, shown: Shown) -> None:
    """A function belongs to the type that its name begins with, or whose handle it takes first, or to the library.

    The functions *_options_init and *_limits_init give defaults, which are compared as such.
    """
    types = re.findall(r"^typedef struct hushbit_(\w+) hushbit_\1;", text, re.MULTILINE)
    pattern = r"((?:^//[^\n]*\n)*)^HUSHBIT_API ([^;]*?)\bhushbit_(\w+)\(([^;]*)\);"
    found = [(name, in_one_line(said), taken) for said, _, name, taken in re.findall(pattern, text, re.MULTILINE)]
    said = carried_on({name: document for name, document, _ in found})
    for name, _, taken in found:
        if re.search(r"_(?:options|limits)_init$", name):
            continue
        made = re.search(rf"hushbit_({'|'.join(types)})\*\*", taken)
        first = re.match(r"(?:const )?hushbit_(\w+)\*", taken)
        of_name = next((each for each in types if name.startswith(f"{each}_")), None)
        kind = of_name or (first[1] if first and first[1] in types else "library")
        short = name.removeprefix(f"{of_name}_") if of_name else name
        shown.add(kind, short, said[name], f"hushbit_{name}" if made else None)
