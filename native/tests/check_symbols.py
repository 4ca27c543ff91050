"""Checks the core's symbols: check_symbols.py LIBRARY HEADER.

LIBRARY is the core as a static library, a shared library or a DLL. None needs a C++ runtime. A static core adds nothing
to what a shared library that holds it exports. A shared one exports its header's functions exactly. Uses `nm`,
`objdump` for a DLL, and as linker the plain C compiler, which brings no libstdc++.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Mangled names (operator new, std::, RTTI), the exception and static-guard runtime, the unwinder.
CXX_RUNTIME = re.compile(r"^(_Z|__cxa_(?!finalize)|__gxx_|_Unwind_)")


def symbols(*arguments: str) -> set[str]:
    listing = subprocess.run(["nm", "-P", *arguments], check=True, capture_output=True, text=True).stdout
    return {line.split()[0].partition("@")[0] for line in listing.splitlines() if len(line.split()) > 1}


def exports_of_dll(library: str) -> set[str]:
    listing = subprocess.run(["objdump", "-p", library], check=True, capture_output=True, text=True).stdout
    names = listing.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    return {line.split()[-1] for line in names.splitlines() if line.strip()}


def declared_functions(header: Path) -> set[str]:
    """Those of the header, and of the headers beside it that it includes."""
    text = header.read_text()
    included = re.findall(r'^#include "([\w.]+)"', text, re.MULTILINE)
    texts = [text, *((header.parent / name).read_text() for name in included)]
    return {name for part in texts for name in re.findall(r"^HUSHBIT_API [^(]*?(hushbit_\w+)\(", part, re.MULTILINE)}


def exports_of_holder(library: str) -> set[str]:
    """What a shared library with all of a static one in it exports."""
    with tempfile.TemporaryDirectory() as directory:
        shared = str(Path(directory) / "libholder.so")
        command = [os.environ.get("CC", "cc"), "-shared", "-o", shared, "-Wl,--whole-archive", library]
        subprocess.run([*command, "-Wl,--no-whole-archive", "-Wl,-z,defs", "-lm"], check=True)
        return symbols("-D", "--defined-only", shared)


def check_static(library: str, declared: set[str]) -> Iterator[str]:
    defined = symbols("--defined-only", library)
    yield from needs_runtime(symbols("-u", library) - defined)
    yield from (f"declared but not defined: {name}" for name in sorted(declared - defined))
    yield from (f"a library that holds the core exports: {name}" for name in sorted(exports_of_holder(library)))


def check_shared(library: str, declared: set[str]) -> Iterator[str]:
    if library.endswith(".dll"):
        exported = exports_of_dll(library)
    else:
        exported = symbols("-D", "--defined-only", library)
        yield from needs_runtime(symbols("-D", "-u", library))
    yield from (f"exported but not declared: {name}" for name in sorted(exported - declared))
    yield from (f"declared but not exported: {name}" for name in sorted(declared - exported))


def needs_runtime(names: set[str]) -> list[str]:
    return [f"needs the C++ runtime: {name}" for name in sorted(names) if CXX_RUNTIME.match(name)]


def main() -> int:
    library, declared = sys.argv[1], declared_functions(Path(sys.argv[2]))
    check = check_static if library.endswith(".a") else check_shared
    problems = list(check(library, declared))
    print("\n".join(problems) or f"{library}: {len(declared)} functions")
    return 1 if problems or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
