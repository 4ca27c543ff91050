"""What the site has beyond the files of docs: pages of the root, references, figures in folders, the playground."""

import ast
import logging
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

sys.path.insert(0, str(Path(__file__).parent))
from c_reference import reference  # found beside this file
from docc import copy_docc
from figure import figure
from javascript_reference import javascript_reference
from phone_reference import phone_reference

ROOT = Path(__file__).resolve().parents[3]
INCLUDE = ROOT / "native/include/hushbit"
ROOT_PAGES = {
    "README.md": "overview.md",
    **{name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")},
}
# Modules whose __all__ is public, docs/stability.md says.
MODULES = ["hushbit", "hushbit.errors", "hushbit.testing", "hushbit.corpus", "hushbit.analysis", "hushbit.hashing"]
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)#:]+)(#[^)]*)?\)")
HOME = Path(__file__).with_name("home.md")
OWN = [Path(__file__).with_name(name) for name in ("site.css", "site.js")]
# What the playground and the site share.
SHARED = [ROOT / "web/playground" / name for name in ("palette.css", "mark.svg")]
# TypeDoc's; tools/docs/build makes it.
JAVASCRIPT = ROOT / "build/docs/javascript.json"
# DocC's pages, if tools/docs/build --docc made them.
DOCC = Path(os.environ["HUSHBIT_DOCC"]) if "HUSHBIT_DOCC" in os.environ else None
TO_DOCC = """# The Swift interface

<a href="docc/documentation/hushbit/index.html">The same by DocC</a>, with a page for each name. It needs a server.
"""
NO_JAVASCRIPT = """# The JavaScript interface

The reference is not in this copy: TypeDoc makes it, which needs npm. The comments of `web/src` say as much.
"""
WEB_CORE = ROOT / "web/src/hushbit.wasm"
NO_PLAYGROUND = """---
search: {exclude: true}
---
# The playground is not in this copy of the site

The playground is a page where anyone can type a sentence and see what others would get. It needs the core in
WebAssembly, and that was not built when this site was. In the source tree, with emscripten and npm:

    web/build --core
    tools/docs/build
"""
# In the pages of the theme: names for what has none, and the keyboard for what scrolls.
ACCESSIBLE = {
    'data-md-component="search" role="dialog"': 'data-md-component="search" role="dialog" aria-label="Search"',
    '<div class="tabbed-labels">': '<div class="tabbed-labels" tabindex="0" role="group" aria-label="Languages">',
}
EMPTY_HEADER = re.compile(r"<th( [^>]*)?></th>")
log = logging.getLogger("mkdocs.hooks")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The version, at the foot of each page; and pages that the navigation does not name, at its end."""
    (version,) = re.findall(r'#define HUSHBIT_VERSION "(.+)"', (INCLUDE / "hushbit.h").read_text(encoding="utf-8"))
    config.copyright = f"Hushbit {version}, Apache-2.0"
    named = re.findall(r"[\w-]+\.md", str(config.nav))
    others = {path.name for path in Path(config.docs_dir).glob("*.md")}.difference(named)
    if others and config.nav is not None:
        config.nav.append({"More": sorted(others)})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is made from other files."""
    for source, target in made_pages():
        files.append(File.generated(config, target, content=source))
    for source, target in pages_of_figures(Path(config.docs_dir)):
        files.append(File.generated(config, target, content=source, inclusion=InclusionLevel.NOT_IN_NAV))
    for path in (*OWN, *SHARED):
        files.append(File.generated(config, f"assets/{path.name}", content=path.read_text(encoding="utf-8")))
    files.append(File("LICENSE", str(ROOT), config.site_dir, use_directory_urls=False))
    return files


def made_pages() -> Iterator[tuple[str, str]]:
    """The text and the place of each that the navigation names."""
    for name, target in ROOT_PAGES.items():
        yield (ROOT / name).read_text(encoding="utf-8"), target
    yield HOME.read_text(encoding="utf-8").replace("FIGURE", figure(ROOT / "docs")), "index.md"
    yield python_reference(), "reference/python.md"
    yield javascript_reference(JAVASCRIPT) if JAVASCRIPT.is_file() else NO_JAVASCRIPT, "reference/javascript.md"
    kotlin = [ROOT / f"android/{module}/src/main/kotlin" for module in ("hushbit", "english")]
    swift = [ROOT / f"ios/Sources/{module}" for module in ("Hushbit", "HushbitEnglish")]
    yield phone_reference(kotlin, ".kt", "kotlin", "The Kotlin interface"), "reference/kotlin.md"
    by_table = phone_reference(swift, ".swift", "swift", "The Swift interface")
    yield by_table.replace("# The Swift interface\n", TO_DOCC, 1) if DOCC else by_table, "reference/swift.md"
    yield reference(INCLUDE), "reference/c.md"
    yield NO_PLAYGROUND, "playground/index.md"  # on_post_build puts the playground in its place


def pages_of_figures(docs: Path) -> Iterator[tuple[str, str]]:
    """Pages of folders to which pages link as a whole."""
    for folder in sorted({path.parent for path in docs.rglob("*.json")} - {docs}):
        drawn = sorted([*folder.glob("*.svg"), *folder.glob("*.png")])
        figures = "\n".join(f"![{path.stem}]({path.name})" for path in drawn)
        data = "\n".join(f"- [{path.name}]({path.name})" for path in sorted(folder.glob("*.json")))
        yield f"# Figures: {folder.name}\n\n{data}\n\n{figures}\n", f"{folder.relative_to(docs).as_posix()}/index.md"


def python_reference() -> str:
    """A page that names everything public; mkdocstrings writes what stands in the docstrings."""
    parts = ["# The Python interface"]
    for module in MODULES:
        parts.append(f"## `{module}` {{ #module-{module.replace('.', '-')} }}\n\n::: {module}\n    options:")
        parts.append("        {members: false, show_root_heading: false, show_root_toc_entry: false}")
        parts.extend(f"\n::: {module}.{name}" for name in public_names(module) if f"{module}.{name}" not in MODULES)
    return "\n".join(parts) + "\n"


def public_names(module: str) -> list[str]:
    """Those of its __all__; without one, its classes."""
    path = ROOT / "python" / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    body = ast.parse(file.read_text(encoding="utf-8")).body
    for statement in body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return [name for name in ast.literal_eval(statement.value) if not name.startswith("_")]
    return [statement.name for statement in body if isinstance(statement, ast.ClassDef)]


def labels(nav: Any) -> dict[str, str]:
    """What the navigation calls each page, by its file."""
    found: dict[str, str] = {}
    for entry in nav if isinstance(nav, list) else []:
        for label, place in entry.items() if isinstance(entry, dict) else []:
            found |= {place: label} if isinstance(place, str) else labels(place)
    return found


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Links as they are in the tree lead to the same in the site; those to sources, which it lacks, become text.

    A link whose text is the name of a file says what the navigation calls the page.
    """
    of_root = page.file.src_uri in ROOT_PAGES.values()
    docs = Path(config.docs_dir)
    named = labels(config.nav)

    def moved(link: re.Match[str]) -> str:
        text, place, anchor = link[1], link[2], link[3] or ""
        place = place.removeprefix("docs/") if of_root else place
        target = (docs / page.file.src_uri).parent.joinpath(place).resolve()
        if not target.is_relative_to(docs) and target.exists():
            return text[1:-1]
        if text[1:-1].removeprefix("docs/") == target.name and target.name in named:
            text = f"[“{named[target.name]}”]"
        return f"{text}({place.rstrip('/')}/index.md)" if target.is_dir() else f"{text}({place}{anchor})"

    return LINK.sub(moved, markdown)


def on_post_page(output: str, page: Any, config: MkDocsConfig) -> str:  # noqa: ARG001
    """What people who listen, or who use a keyboard, need beyond what the theme has."""
    for before, after in ACCESSIBLE.items():
        output = output.replace(before, after)
    return EMPTY_HEADER.sub(r"<td\1></td>", output)


def on_post_build(config: MkDocsConfig) -> None:
    """What was built before: DocC's pages, and the playground with the core and the words."""
    site = Path(config.site_dir)
    if DOCC:
        copy_docc(DOCC, site / "reference/docc")
    if not WEB_CORE.is_file():
        log.info("The playground is NOT in the site: web/src/hushbit.wasm was not built. Run web/build --core first.")
        return
    shutil.copytree(ROOT / "web/playground", site / "playground", dirs_exist_ok=True)
    shutil.copytree(ROOT / "web/src", site / "src", dirs_exist_ok=True)
