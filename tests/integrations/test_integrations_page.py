"""docs/integrations.md does what it says, from top to bottom, with the tools that it names."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hushbit
from cli_runner import Here
from corpora import write_reviews

PAGE = Path(__file__).resolve().parents[2] / "docs/integrations.md"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def write_files(folder: Path) -> None:
    """The files that the page names, each of 200 rows of text."""
    write_reviews(folder / "reviews.parquet", hushbit.open("words.hushbit"))
    reviews = pd.read_parquet(folder / "reviews.parquet")
    messages = reviews.rename(columns={"text": "message"})
    messages.to_csv(folder / "log.csv", index=False)
    lines = [f"{number}\t{text or ''}\n" for number, text in zip(reviews["id"], reviews["text"], strict=True)]
    (folder / "log.txt").write_text("".join(line.replace("nan", "") for line in lines))
    objects = [{"body": {"text": text if isinstance(text, str) else None}} for text in reviews["text"]]
    data = "".join(json.dumps(body) + "\n" for body in objects).encode()
    (folder / "lines.jsonl.zst").write_bytes(pa.compress(data, codec="zstd", asbytes=True))


def test_the_page_runs(here: Here, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.hushbit").write_bytes((vectors / "crowds-64.hushbit").read_bytes())
    write_files(tmp_path)
    names: dict[str, Any] = {}
    said = []
    for kind, code in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(code, str(PAGE), "exec"), names)
            continue
        for line in code.splitlines():
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "hushbit"
            code_, _, err = here(*arguments)
            assert code_ == 0, err
            said.append(err.decode())
    assert [bool(re.search("rows 200, of them missing 1", text)) for text in said] == [True] * 4
    assert list(names["private"].columns) == ["text", "label"]
    assert len(names["texts"]) == 3
    assert names["embedded"].dtypes.astype(str).to_dict() == {"text": "UInt32", "label": "int64"}
    assert (str(names["reported"].dtype), names["reported"].isna().sum()) == ("UInt64", 1)
    assert set(pl.read_parquet("of-polars.parquet")["label"]) == {1}
    assert names["connection"].execute("SELECT count(*), count(text) FROM private").fetchone() == (200, 199)
    assert names["released"].shape == (5, 1)
