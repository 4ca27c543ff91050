"""docs/corpora.md does what it says, from top to bottom, and the notebook is the page."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import hushbit
from cli_runner import Here
from corpora import write_reviews

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/corpora.md"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def test_the_page_runs(here: Here, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.hushbit").write_bytes((vectors / "crowds-64.hushbit").read_bytes())
    write_reviews(tmp_path / "reviews.parquet", hushbit.open("words.hushbit"))
    names: dict[str, object] = {}
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert [kind for kind, _ in blocks].count("console") == 2
    for kind, code in blocks:
        if kind == "python":
            exec(compile(code, str(PAGE), "exec"), names)
            continue
        for line in code.splitlines():
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "hushbit"
            code_, _, err = here(*arguments)
            assert code_ == 0, err
    assert names["score"] > 0.8  # type: ignore[operator]
    batch = pd.DataFrame({"text": ["cat", None], "label": [1, 2]})
    for release in ("privatize", "embed", "report"):
        released = names["Released"](names[release])(batch)  # type: ignore[operator]
        assert released["text"].isna().tolist() == [False, True]
        assert released["label"].tolist() == [1, 2]


def test_the_notebook_is_the_page() -> None:
    script = ROOT / "tools/docs/notebook"
    done = subprocess.run([sys.executable, script, PAGE], capture_output=True, text=True, check=True)
    assert done.stdout == (ROOT / "docs/corpora.ipynb").read_text(encoding="utf-8")
