"""The Swift reference as DocC makes it, so that it works in any folder of any server."""

import shutil
from pathlib import Path

BASE = "/BASE/"  # what make_docc in tools/suites/swift.sh names as the place of the pages
SETS_BASE = f'var baseUrl = "{BASE}"'
# DocC's pages ask for their content by the address without the name of the file.
FINDS_BASE = (
    'var baseUrl = new URL("{up}", location.href).pathname;'
    'if (location.pathname.endsWith("/index.html")) history.replaceState(null, "", location.pathname.slice(0, -10))'
)


def copy_docc(source: Path, target: Path) -> None:
    """Copies what DocC made; each page finds the others by its own address."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    for page in target.rglob("index.html"):
        up = "../" * len(page.relative_to(target).parts[:-1]) or "./"
        text = page.read_text(encoding="utf-8")
        if text.count(SETS_BASE) != 1:
            raise ValueError(f"{page} says {text.count(SETS_BASE)} times where it is: this DocC writes other pages")
        text = text.replace(SETS_BASE, FINDS_BASE.format(up=up)).replace(f'"{BASE}', f'"{up}')
        page.write_text(text, encoding="utf-8")
