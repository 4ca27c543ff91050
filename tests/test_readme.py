"""README.md does what it says: its commands and programs run."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

# What sets up an environment is another suite's to run, or has been run to get here.
SETUP = re.compile(r"tools/demo$|python3 -m venv |pip install '\.\[glove\]'$")
# All 400,000 words take a while and show nothing more.
FEWER_WORDS = " --max-words 20000"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    return [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which README's commands were run, in order."""
    directory = tmp_path_factory.mktemp("readme")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in commands():
        if SETUP.match(command):
            continue
        command += FEWER_WORDS if "glove-6b-50d" in command else ""
        done = subprocess.run(
            ["bash", "-ec", command], cwd=directory, env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert done.stdout or re.search(r" export | verify |>", command), f"{command} printed nothing"
    return directory


def test_commands_run(workplace: Path) -> None:
    assert (workplace / "words.hushbit").is_file()
    assert len([command for command in commands() if not SETUP.match(command)]) >= 8


def test_python_runs(workplace: Path) -> None:
    (program,) = blocks("python")
    done = subprocess.run([sys.executable, "-c", program], cwd=workplace, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "PrivacyCost(" in done.stdout
    assert not done.stderr


def test_c_compiles(tmp_path: Path) -> None:
    (program,) = blocks("c")
    source = tmp_path / "readme.c"
    source.write_text(program, encoding="utf-8")
    compiler = shutil.which(os.environ.get("CC", "cc"))
    assert compiler, "no C compiler"
    options = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    subprocess.run([compiler, *options, f"-I{ROOT / 'native/include'}", str(source)], check=True, timeout=60)


def test_setup_is_what_it_says() -> None:
    assert os.access(ROOT / "tools/demo", os.X_OK)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert any("glove" in requirement for requirement in extras["glove"])
