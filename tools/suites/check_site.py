#!/usr/bin/env python3
"""Checks the site that tools/docs/build made: check_site.py DIRECTORY. Needs the installed package.

Every page of docs is there, every public name of each language has its place in a reference, links lead to files and
headings of the site, so that they work from a disk, nothing is loaded from elsewhere, and no list or table was left as
plain text.
"""

import importlib
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from types import FunctionType
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["index.html", "overview.html", "CHANGELOG.html", "CONTRIBUTING.html", "playground/index.html"]
MODULES = ["hushbit", "hushbit.errors", "hushbit.testing", "hushbit.corpus", "hushbit.hashing"]
LOADED = {"img": "src", "link": "href", "script": "src"}
UNRENDERED = re.compile(r"^(?:[-*|] |\d+\. |#+ |```)", re.MULTILINE)
# In Kotlin and Swift: a line that begins a type, and one that declares a public member.
TYPE = re.compile(
    r"^ *(?:\w+ )*(?:class|interface|object|struct|enum|protocol|extension)\b(?: (?:class )?(\w+(?:\.\w+)*))?"
)
MEMBER = re.compile(
    r"^ *(?:\w+ )*public (?:[\w()]+ )*(fun|func|val|var|let|init|constructor)\b(?: *<[^>]*>)? ?(?:(\w+)\.)?(\w*)"
)
IMPORT = re.compile(r"""\bfrom "(\.[^"]+)"|new URL\("(\.[^"]+)", import\.meta""")


@dataclass
class Page(HTMLParser):
    """What a page has: ids, links, what it loads, and the text of its paragraphs."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    open: bool = False

    def __post_init__(self) -> None:
        """Reads character references as what they stand for."""
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what leads or loads from here."""
        has = {name: value or "" for name, value in attrs}
        self.ids.update(has[name] for name in ("id", "name") if name in has)
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        if tag in LOADED and LOADED[tag] in has and has.get("rel") != "canonical":
            self.loaded.append(has[LOADED[tag]])
        if tag == "p":
            self.open = True
            self.paragraphs.append("")

    def handle_endtag(self, tag: str) -> None:
        """Ends a paragraph."""
        self.open = self.open and tag != "p"

    def handle_data(self, data: str) -> None:
        """Text counts in paragraphs."""
        if self.open:
            self.paragraphs[-1] += data


def read(path: Path) -> Page:
    """A page, parsed."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def missing_pages(site: Path) -> list[str]:
    """Pages that the site must have and lacks."""
    wanted = PAGES + [f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")]
    return [f"no page {name}" for name in wanted if not (site / name).is_file()]


def public_names() -> list[str]:
    """What a program may use, by the name at which the reference has it."""
    names = []
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        public = getattr(module, "__all__", [name for name in vars(module) if name.endswith("Error")])
        for name in public:
            value = getattr(module, name)
            if name.startswith("_") or inspect.ismodule(value):
                continue
            names.append(f"{module_name}.{name}")
            if inspect.isclass(value) and not issubclass(value, Exception):
                names += [f"{module_name}.{name}.{member}" for member in vars(value) if is_method(value, member)]
    return names


def is_method(owner: type, name: str) -> bool:
    """Whether a name is a public method or property that the class itself has, written out."""
    written = (FunctionType, classmethod, staticmethod, property, cached_property)
    return not name.startswith("_") and isinstance(inspect.getattr_static(owner, name), written)


def missing_names(site: Path) -> list[str]:
    """What the references lack."""
    headers = (ROOT / "native/include/hushbit").glob("*.h")
    functions = [name for path in headers for name in re.findall(r"^HUSHBIT_API [^(]*?(\w+)\(", path.read_text(), re.M)]
    wanted = {"python": public_names(), "c": functions, **names_of_phones()}
    found = []
    if (ROOT / "build/docs/javascript.json").is_file():
        exported = (ROOT / "web/src/index.js").read_text(encoding="utf-8")
        listed = ", ".join(re.findall(r"^export \{ (.*) \}", exported, re.M))
        types = re.findall(r"^ \* @typedef \{.*\} (\w+)$", exported, re.M)
        wanted["javascript"] = [*listed.split(", "), *types, "HushbitShare", "Privatizer.privatize", "Bundle.embedder"]
    for language, names in wanted.items():
        page = read(site / "reference" / f"{language}.html")
        found += [] if len(names) > 20 else [f"only {len(names)} names of {language} were looked for"]
        found += [f"the reference of {language} lacks {name}" for name in names if name not in page.ids]
    return found


def names_of_phones() -> dict[str, list[str]]:
    """What is public in Kotlin and in Swift, by the anchor at which the reference has it: an overload has a number."""
    places = {
        "kotlin": ("kt", "android/hushbit/src/main/kotlin", "android/english/src/main/kotlin"),
        "swift": ("swift", "ios/Sources/Hushbit", "ios/Sources/HushbitEnglish"),
    }
    found = {"kotlin": ["FieldPolicy.Decision.ALLOWED"], "swift": ["HushbitError.storageFailed", "Values.emoji"]}
    for language, (ending, *folders) in places.items():
        seen: Counter[str] = Counter()
        for path in [path for folder in folders for path in (ROOT / folder).rglob(f"*.{ending}")]:
            seen.update(declared(path.read_text(encoding="utf-8").splitlines()))
        found[language] += seen
        found[language] += [f"{name}-{i}" for name, count in seen.items() for i in range(2, count + 1)]
    return found


def declared(lines: list[str]) -> Iterator[str]:
    """The public types of a file and what they have, told by indents, which formatters make sure of."""
    opened: list[tuple[int, str]] = []  # the types around a line, each with its indent
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line.strip() or line.lstrip().startswith((")", "}", "*", "/", "#", "@")):
            continue
        while opened and opened[-1][0] >= indent:
            opened.pop()
        owner = ".".join(name for _, name in opened if name)
        if found := TYPE.match(line):
            opened.append((indent, found[1] or ""))
            if "public " in found[0] and found[1]:
                yield f"{owner}.{found[1]}".lstrip(".")
        elif (found := MEMBER.match(line)) and not line.endswith(","):
            is_direct = indent == (opened[-1][0] + 4 if opened else 0)
            if is_direct and (owner or found[2]):
                yield f"{owner or found[2]}.{found[3] or found[1]}"


def broken_links(site: Path) -> list[str]:
    """Links and loads that lead nowhere, or out of the site where they must not."""
    pages = {path: read(path) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site)
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                found += [f"{where} loads {link}"] if link in page.loaded else []
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if parts.path.startswith("/"):
                target = site / parts.path.lstrip("/")
            if not target.is_file():
                found.append(f"{where} leads to {link}, which is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                found.append(f"{where} leads to {link}, whose heading is not there")
        found += [f"{where} shows as text: {text[:60]}" for text in page.paragraphs if UNRENDERED.search(text)]
    return found if len(pages) > 25 else [*found, f"there are only {len(pages)} pages"]


def missing_parts_of_playground(site: Path) -> list[str]:
    """The playground has all that its modules ask for where the core was built; otherwise its page says so."""
    if not (ROOT / "web/src/hushbit.wasm").is_file():
        said = "not in this copy" in (site / "playground/index.html").read_text(encoding="utf-8")
        return [] if said else ["the page of the playground does not say that it is missing"]
    found = []
    modules = [*(site / "playground").glob("*.js"), *(site / "src").glob("*.js")]
    for module in modules:
        for wanted in (a or b for a, b in IMPORT.findall(module.read_text(encoding="utf-8"))):
            if not (module.parent / wanted).resolve().is_file():
                found.append(f"{module.relative_to(site)} asks for {wanted}, which is not there")
    return found if len(modules) > 10 else ["the playground lacks its modules"]


def main() -> int:
    """Prints every problem; 1 if there is one."""
    site = Path(sys.argv[1]).resolve()
    problems = missing_pages(site) or missing_names(site) + broken_links(site) + missing_parts_of_playground(site)
    print("\n".join(problems) or f"{len(list(site.rglob('*.html')))} pages, {len(public_names())} names of Python")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
