#!/usr/bin/env python3
"""Makes the source distribution, and checks what it and a wheel hold: check_package.py WHEEL DIRECTORY.

The wheel was built from the tree. The source distribution holds the same files, byte for byte, so that the same wheel
comes of it; suite slim builds it on a bare system. Needs the build requirements of pyproject.toml and cibuildwheel in
the running Python's environment.
"""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

# What a wheel is built from: folders and files of the tree.
BUILT_FROM = ["pyproject.toml", "CMakeLists.txt", "LICENSE", "native/include", "native/src", "python"]
# What a source distribution must hold to be understood, too.
SOURCES = [
    "pyproject.toml",
    "CMakeLists.txt",
    "LICENSE",
    "README.md",
    "python/README.md",
    "CHANGELOG.md",
    "native/include/hushbit/hushbit.h",
    "native/include/hushbit/types.h",
    "native/include/hushbit/reports.h",
    "native/src/api/c_api.cpp",
    "python/src/module.cpp",
    "python/hushbit/__init__.py",
    "docs/bundle-format.md",
]
WHEEL_FILES = [
    "hushbit/__init__.py",
    "hushbit/_core.pyi",
    "hushbit/_core_testing.pyi",
    "hushbit/py.typed",
    "hushbit/cli/__init__.py",
    "hushbit/_commands/privatize.py",
    "hushbit/data/english.hushbit",
    "hushbit/data/LICENSE-PDDL.txt",
]
NATIVE_MODULES = ["_core", "_core_testing"]
WHEEL_SUFFIXES = {".py", ".pyi", ".so", ".pyd", ".txt", ".md", ".hushbit", ".typed", ""}
# What cibuildwheel builds for each of VERSIONS, by platform and processor.
WHEELS = {
    ("linux", "x86_64"): ["manylinux_x86_64", "musllinux_x86_64"],
    ("linux", "aarch64"): ["manylinux_aarch64", "musllinux_aarch64"],
    ("macos", "x86_64"): ["macosx_x86_64"],
    ("macos", "arm64"): ["macosx_arm64"],
    ("windows", "AMD64"): ["win_amd64"],
}
VERSIONS = ["cp311", "cp312", "cp313", "cp314"]


def run(*command: str) -> str:
    """The command's output; its failure ends the check."""
    print("$", *command, flush=True)
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def only(directory: Path, pattern: str) -> Path:
    """The one file there that matches."""
    (path,) = directory.glob(pattern)
    return path


def tree() -> set[str]:
    """The files of the tree that a wheel is built from."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *BUILT_FROM)
    return {name for name in listed.splitlines() if Path(name).is_file()}


def check_sources(path: Path) -> None:
    """Everything that must be there is, as in the tree, and nothing that was built."""
    with tarfile.open(path) as archive:
        contents = {
            member.name.partition("/")[2]: archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in archive.getmembers()
            if member.isfile()
        }
    names = set(contents)
    wanted = {*SOURCES, *tree()}
    missing = sorted(name for name in wanted if contents.get(name) != Path(name).read_bytes())
    built = [name for name in names if name.startswith(("build/", ".venv")) or name.endswith(".so")]
    if missing or built:
        sys.exit(f"{path.name} lacks {missing} and should not hold {built}")


def check_wheel(path: Path) -> None:
    """The package, its types and its native modules, and nothing else."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    native = [Path(name).name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))]
    missing = [name for name in WHEEL_FILES if name not in names]
    strange = [n for n in names if not n.startswith("hushbit/") or Path(n).suffix not in WHEEL_SUFFIXES]
    if missing or strange or sorted(native) != NATIVE_MODULES:
        sys.exit(f"{path.name} lacks {missing}, should not hold {strange}, and has the native modules {native}")


def check_cibuildwheel() -> None:
    """cibuildwheel accepts its configuration, and builds the wheels of WHEELS and no others."""
    for (platform, processor), kinds in WHEELS.items():
        options = ["--print-build-identifiers", "--platform", platform, "--archs", processor]
        identifiers = run(sys.executable, "-m", "cibuildwheel", *options).split()
        wanted = [f"{version}-{kind}" for version in VERSIONS for kind in kinds]
        if sorted(identifiers) != sorted(wanted):
            sys.exit(f"cibuildwheel builds {identifiers} for {platform} and {processor}, not {wanted}")


def main() -> None:
    """Makes the source distribution, then checks."""
    wheel, directory = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(directory, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(directory), ".")
    check_sources(only(directory, "*.tar.gz"))
    check_wheel(wheel)
    check_cibuildwheel()


if __name__ == "__main__":
    main()
