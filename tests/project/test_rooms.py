"""tools/suites/check_rooms.py finds what is planted in a copy of the core and the package, and nothing without it."""

import importlib.util
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("check_rooms", ROOT / "tools/suites/check_rooms.py")
assert SPEC is not None
assert SPEC.loader is not None
rooms = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(rooms)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("native/include", "native/src", "python/hushbit"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "data"))
    return tmp_path


def add(path: Path, line: str) -> None:
    path.write_text(f"{path.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")


def test_nothing_is_wrong(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rooms.check_core(copy) + rooms.check_python(copy) == []
    maps = capsys.readouterr().out
    assert "  text                   > bundle " in maps
    assert "  hashing                > plumbing " in maps


@pytest.mark.parametrize(
    ("file", "included"),
    [
        ("base/bits.h", "api/handles.h"),
        ("search/kernels/kernels.h", "search/scan/tiles.h"),
        ("search/candidates.h", "search/kernels/kernels.h"),
        ("text/tokenizer.cpp", "mechanism/coin.h"),
    ],
)
def test_an_include_that_leads_up(copy: Path, file: str, included: str) -> None:
    add(copy / "native/src" / file, f'#include "{included}"')
    (problem,) = rooms.check_core(copy)
    assert f"native/src/{file} (" in problem
    assert f"includes native/src/{included} (" in problem


@pytest.mark.parametrize("included", ["handles.h", "../base/bits.h", "base/none.h"])
def test_an_include_that_is_not_named_from_the_root(copy: Path, included: str) -> None:
    add(copy / "native/src/api/c_api.cpp", f'#include "{included}"')
    (problem,) = rooms.check_core(copy)
    assert f"native/src/api/c_api.cpp includes {included}:" in problem


@pytest.mark.parametrize(
    ("file", "line", "imported"),
    [
        ("_plumbing/atomic.py", "def f(): from hushbit import _bundle", "_bundle.py"),
        ("_commands/privatize.py", "def f(): from hushbit.study import names", "study/names.py"),
        ("toolchain/commands/export.py", "from hushbit.study import names", "study/names.py"),
        ("toolchain/bundle/mih.py", "from hushbit.cli._shared import streams", "cli/_shared/streams.py"),
        ("cli/_shared/tables.py", "from hushbit.study import names", "study/names.py"),
        ("hashing/attacks/attack.py", "import hushbit", "__init__.py"),
        ("hashing/attacks/attack.py", "from ... import testing", "testing.py"),
        ("_bundle.py", "def f(): import hushbit.toolchain.bundle.words", "toolchain/bundle/words.py"),
        ("toolchain/quality/plot.py", "from hushbit.study import privacy", "study/privacy/__init__.py"),
    ],
)
def test_an_import_that_leads_up(copy: Path, file: str, line: str, imported: str) -> None:
    add(copy / "python/hushbit" / file, line)
    (problem,) = rooms.check_python(copy)
    assert f"python/hushbit/{file} (" in problem
    assert f"imports python/hushbit/{imported} (" in problem


def test_a_circle_of_packages(copy: Path) -> None:
    add(copy / "python/hushbit/study/mechanisms/base.py", "def f(): from hushbit.study.privacy import comparison")
    problems = "\n".join(rooms.check_python(copy))
    assert "circle" in problems
    assert "study/mechanisms/base.py imports python/hushbit/study/privacy/comparison.py" in problems


def test_a_circle_of_files_by_an_import_within_a_function(copy: Path) -> None:
    add(copy / "python/hushbit/_privatizer.py", "def f():\n    from hushbit._bundle import open as open_bundle")
    (problem,) = rooms.check_python(copy)
    assert problem.startswith("a circle of files: ")
    assert "_bundle.py imports python/hushbit/_privatizer.py" in problem
    assert "_privatizer.py imports python/hushbit/_bundle.py" in problem


def test_an_import_for_types_alone_makes_no_circle(copy: Path) -> None:
    add(copy / "python/hushbit/_text.py", "if TYPE_CHECKING:\n    from hushbit._bundle import Bundle")
    assert rooms.check_python(copy) == []


def test_a_module_without_a_room(copy: Path) -> None:
    add_module = copy / "python/hushbit/_stray.py"
    add_module.write_text("", encoding="utf-8")
    (problem,) = rooms.check_python(copy)
    assert problem.startswith("python/hushbit/_stray.py is in no room")
