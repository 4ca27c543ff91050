"""README.md and the pages that it sends newcomers to do what they say: their commands and programs run."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hushbit
import hushbit.cli
from cli_runner import commands_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/commands.md", "docs/choosing.md", "docs/crowd.md", "docs/repetition-and-budget.md"]

# What sets up an environment is another suite's to run, or has been run to get here.
SETUP = re.compile(r"tools/demo$|python3 -m venv |pip install \.$")
# All 400,000 words take a while and show nothing more.
FEWER_WORDS = " --max-words 20000"


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[str]:
    lines = [line for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    return [line[2:] for line in lines if not SETUP.match(line[2:])]


@pytest.mark.parametrize("page", PAGES)
def test_commands_run(page: str, tmp_path: Path) -> None:
    """The commands run in one directory, in order."""
    if page == "docs/repetition-and-budget.md":  # it begins with a bundle and a text
        shutil.copy(str(hushbit.open().path), tmp_path / "words.hushbit")
        (tmp_path / "letters.txt").write_text("first line\nsecond line\n")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in commands(page):
        command += FEWER_WORDS if "glove-6b-50d" in command else ""
        done = subprocess.run(
            ["bash", "-ec", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert done.stdout or re.search(r" export | verify | key |>", command), f"{command} printed nothing"


def test_there_are_commands() -> None:
    """Those that the test above runs: blocks that are written in another way would be passed over."""
    assert [len(commands(page)) for page in PAGES] == [4, 11, 4, 3, 4]


def test_python_runs(tmp_path: Path) -> None:
    (program,) = blocks("README.md", "python")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    index, cost = done.stdout.splitlines()
    assert 0 <= int(index) < 16_384
    shown = re.search(r"^```\n.*\n(.*)\n```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert shown is not None
    assert cost == shown[1]
    assert not done.stderr


def test_python_of_the_page_of_python_runs(tmp_path: Path) -> None:
    """The programs run from top to bottom, as the page says."""
    program = "\n".join(blocks("docs/python.md", "python"))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    embedding, report, _, cost = done.stdout.splitlines()
    assert 0 <= int(embedding.split()[0]) < 16_384
    assert report.startswith('{"report": ')
    assert float(cost) == 54
    assert not done.stderr


def test_c_compiles(tmp_path: Path) -> None:
    source = tmp_path / "page.c"
    source.write_text("\n".join(blocks("docs/c.md", "c")), encoding="utf-8")
    compiler = shutil.which(os.environ.get("CC", "cc"))
    assert compiler, "no C compiler"
    options = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    subprocess.run([compiler, *options, f"-I{ROOT / 'native/include'}", str(source)], check=True, timeout=60)


def test_the_page_of_commands_names_all() -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert [name for name, _ in commands_of(hushbit.cli._parser()) if f"`hushbit {name} " not in page] == []
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    users = set(extras) - {"test", "dev", "docs"}
    assert [extra for extra in users if f"`{extra}`" not in page.partition("## Extras")[2]] == []


def test_setup_is_what_it_says() -> None:
    assert os.access(ROOT / "tools/demo", os.X_OK)
    assert os.access(ROOT / "tools/docs/build", os.X_OK)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert any("glove" in requirement for requirement in extras["glove"])
