"""Checks the core: it needs no C++ runtime, and as a shared library it exports its header's functions exactly.

check_symbols.py LIBRARY HEADER, where LIBRARY is the static core or a DLL of it; uses `nm` and, as linker, the plain C
compiler, which brings no libstdc++; `objdump` for a DLL.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Mangled names (operator new, std::, RTTI), the exception and static-guard runtime, the unwinder.
CXX_RUNTIME = re.compile(r"^(_Z|__cxa_|__gxx_|_Unwind_)")


def symbols(*arguments: str) -> set[str]:
    listing = subprocess.run(["nm", "-P", *arguments], check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in listing.splitlines() if len(line.split()) > 1}


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


def link_shared(library: str, output: Path) -> None:
    command = [os.environ.get("CC", "cc"), "-shared", "-o", str(output), "-Wl,--whole-archive", library]
    subprocess.run([*command, "-Wl,--no-whole-archive", "-Wl,-z,defs", "-lm"], check=True)


def main() -> int:
    library, header = sys.argv[1], Path(sys.argv[2])
    needed: set[str] = set()
    if library.endswith(".dll"):
        exported = exports_of_dll(library)
    else:
        needed = symbols("-u", library) - symbols("--defined-only", library)
        with tempfile.TemporaryDirectory() as directory:
            shared = Path(directory) / "libhushbit.so"
            link_shared(library, shared)
            exported = symbols("-D", "--defined-only", str(shared))
    problems = [f"needs the C++ runtime: {name}" for name in sorted(needed) if CXX_RUNTIME.match(name)]
    declared = declared_functions(header)
    problems += [f"exported but not declared: {name}" for name in sorted(exported - declared)]
    problems += [f"declared but not exported: {name}" for name in sorted(declared - exported)]
    libc = "" if library.endswith(".dll") else f"; {len(needed)} symbols of libc needed"
    print("\n".join(problems) or f"{len(exported)} functions exported{libc}")
    return 1 if problems or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
