"""tools/docs/show_loop.py goes through the whole loop, with few phones and sentences made for it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hushbit
from hushbit.analysis import Weights

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str | Path, without: str = "") -> str:
    """What the script prints, where some packages, named with commas, cannot be imported."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({without!r}.split(',')))"
    script = ROOT / "tools/docs/show_loop.py"
    program = f"{blocked}; sys.path.insert(0, {str(script.parent)!r}); import show_loop; show_loop.main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_loop(tmp_path: Path) -> None:
    """The script needs numpy and rich alone. Chance gives .5 and .5; in ten runs the least were .92 and .99."""
    others = "matplotlib,pyarrow,pandas,scipy,sklearn,dp_accounting"
    shown = run("--phones", "400", "--made", "-o", tmp_path, without=others)
    assert "400 simulated phones" in shown
    ((accuracy, area),) = re.findall(r"^learned from what was sent +([\d.]+) +([\d.]+)$", shown, re.MULTILINE)
    assert float(accuracy) > 0.7
    assert float(area) > 0.8
    words = re.findall(r"^(\(none\)|\w+) +(-?\d+)   (\d+ to \d+|not told) +(\d+)$", shown, re.MULTILINE)
    assert len(words) == 11
    assert sum(int(true) for *_, true in words) == 400
    assert "no chart was drawn" in shown
    # Nothing stays but the weights: neither what was sent nor what was typed.
    assert [path.name for path in tmp_path.iterdir()] == ["spam.json"]
    embedder = hushbit.open().embedder(epsilon=2)
    assert Weights.read(tmp_path / "spam.json", hash=embedder.info.hash).classes == ("other", "spam")
    assert embedder.classifier(tmp_path / "spam.json").classes == ("other", "spam")
    (embedding,) = re.findall(r'{"index".*?}', shown)
    assert 0 <= json.loads(embedding)["index"] < embedder.info.directions


def test_chart(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    shown = run("--phones", "100", "--made", "-o", tmp_path)
    assert f"chart: {tmp_path / 'loop.svg'}" in shown
    assert "</svg>" in (tmp_path / "loop.svg").read_text(encoding="utf-8")


def test_too_few_phones(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="give more --phones"):
        run("--phones", "4", "--made", "-o", tmp_path)


def test_program_of_the_page() -> None:
    page = (ROOT / "docs/loop.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, tuple[int, str]] = {}
    exec(program, names)
    index, report = names["sent"]
    assert 0 <= index < 16384
    assert set(json.loads(report)) == {"report", "values", "epsilon", "version"}
