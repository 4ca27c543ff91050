#!/usr/bin/env python3
"""Builds the source distribution and a wheel from it, and checks what they hold: check_package.py DIRECTORY.

Needs the build requirements of pyproject.toml and cibuildwheel in the running Python's environment.
"""

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

# What a source distribution must hold to build, and to be understood.
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


def check_sources(path: Path) -> None:
    """Everything that must be there is, and nothing that was built."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = [name for name in SOURCES if name not in names]
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


def check_installed(wheel: Path, directory: Path) -> None:
    """The wheel works in an environment of its own, with its run-time dependencies alone."""
    environment = directory / "environment"
    venv.create(environment, with_pip=True, clear=True)
    python = str(environment / "bin" / "python")
    run(python, "-m", "pip", "install", "--quiet", str(wheel))
    version = run(python, "-c", "import hushbit; print(hushbit.__version__)").strip()
    told = run(str(environment / "bin" / "hushbit"), "--version")
    if f"-{version}-" not in wheel.name or not told.startswith(f"hushbit {version},"):
        sys.exit(f"{wheel.name} says it is version {version}, and its command says {told}")


def check_cibuildwheel() -> None:
    """cibuildwheel accepts its configuration, and builds the wheels of WHEELS and no others."""
    for (platform, processor), kinds in WHEELS.items():
        options = ["--print-build-identifiers", "--platform", platform, "--archs", processor]
        identifiers = run(sys.executable, "-m", "cibuildwheel", *options).split()
        wanted = [f"{version}-{kind}" for version in VERSIONS for kind in kinds]
        if sorted(identifiers) != sorted(wanted):
            sys.exit(f"cibuildwheel builds {identifiers} for {platform} and {processor}, not {wanted}")


def main() -> None:
    """Builds, then checks."""
    directory = Path(sys.argv[1])
    shutil.rmtree(directory, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(directory), ".")
    sources = only(directory, "*.tar.gz")
    check_sources(sources)
    with tarfile.open(sources) as archive:
        archive.extractall(directory / "source", filter="data")
    unpacked = only(directory / "source", "*")
    wheel_options = ["--no-build-isolation", "--no-deps", "--wheel-dir", str(directory)]
    # A folder as deep as that of the developer's package: the compiler's cache knows its files by relative paths.
    wheel_options += ["--config-settings", f"build-dir={unpacked.absolute()}/build/python"]
    run(sys.executable, "-m", "pip", "wheel", "--quiet", *wheel_options, str(unpacked))
    wheel = only(directory, "*.whl")
    check_wheel(wheel)
    check_installed(wheel, directory)
    check_cibuildwheel()


if __name__ == "__main__":
    main()
