"""Bundles of few words: every command that reads one works, or refuses with a reason."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli_runner import Here, commands_of
from hushbit.cli import _parser
from hushbit.cli._shared.files import names_files

SIZES = (1, 2, 3, 20, 63, 200)
DRAWN = (1, 20)  # figures are drawn for these; that takes longer than all that is in them
SOURCE = "--embeddings VECTORS"
LINES = (
    "embed BUNDLE TEXT",
    *("inspect BUNDLE", "inspect BUNDLE --json", "verify BUNDLE", "neighbors BUNDLE w0 -k 50"),
    *(
        "privatize BUNDLE TEXT",
        "privatize BUNDLE TEXT --mechanism tem --epsilon 1 --allow-unchanged",
        "privatize BUNDLE TEXT --json",
    ),
    "privacy BUNDLE --words 50 --draws 20 --epsilon 0 --epsilon 0.5 --epsilon 40 --html OUT.html",
    *("calibrate BUNDLE --unchanged 0.5", "calibrate BUNDLE --unchanged 0.5 --mechanism tem"),
    f"sample BUNDLE w0 --unchanged 0.5 --draws 50 --mechanism brr --mechanism tem --mechanism madlib {SOURCE}",
    *("calibrate BUNDLE --worst-case 5", f"calibrate BUNDLE --match-madlib 5 {SOURCE}"),
    *(f"compare BUNDLE {SOURCE} --words 50 --html OUT.html", f"quality BUNDLE {SOURCE} --plot OUT.png"),
    *("audit BUNDLE --epsilon 0.5 --draws 200", "audit BUNDLE --epsilon 0.5 --draws 200 --mechanism tem"),
    f"audit BUNDLE --epsilon 0.5 --draws 200 --mechanism madlib {SOURCE}",
    f"audit BUNDLE --epsilon 0.5 --draws 200 --mechanism tem-euclidean {SOURCE}",
    f"evaluate REVIEWS --bundle BUNDLE {SOURCE} -o OUT --trials 1 --epochs 1 --jobs 1 --epsilons 5 --mechanisms brr",
)
REASONS = {
    "calibrate": "privacy cannot be matched: all words of the bundle are at distance 0",
    "compare": "privacy cannot be matched: all words of the bundle are at distance 0",
    "evaluate": "privacy cannot be matched: all words of the bundle are at distance 0",
    "quality": "the quality of fewer than 3 output words cannot be measured",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    generator = np.random.default_rng(3)
    for size in SIZES:
        rows = (f"w{i} " + " ".join(f"{x:.4f}" for x in generator.normal(size=12)) for i in range(size))
        (tmp_path / f"{size}.txt").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    reviews = (f"w{i % 3} w{i % 2} w{i % 5},{'ab'[i % 2]}\n" for i in range(60))
    (tmp_path / "reviews.csv").write_text("text,label\n" + "".join(reviews), encoding="utf-8")
    (tmp_path / "text.txt").write_bytes(b"w0 w1 zz w0\nw0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def draw_nothing(figure: object, file: Any, **options: object) -> None:
    file.write("<svg></svg>" if isinstance(file, io.TextIOBase) else b"<svg></svg>")


def test_every_command_that_reads_a_bundle_is_in_the_list() -> None:
    reading = {
        name
        for name, parser in commands_of(_parser())
        for action in parser._actions
        if action.metavar == "BUNDLE" and names_files(action)
    }
    assert reading - {"export"} == {line.split()[0] for line in LINES}


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=[] if size in DRAWN else [pytest.mark.slow]) for size in SIZES]
)
def test_every_command_on_few_words(size: int, folder: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the evaluate extra is not installed")
    if size not in DRAWN:
        monkeypatch.setattr("matplotlib.figure.Figure.savefig", draw_nothing)
    assert here("export", *f"--embeddings {size}.txt --bits 64 --mechanism brr -o {size}.hushbit".split())[0] == 0
    names = {"BUNDLE": f"{size}.hushbit", "VECTORS": f"{size}.txt", "REVIEWS": "reviews.csv", "TEXT": "text.txt"}
    refused = set()
    for line in LINES:
        code, out, err = here(*(names.get(word, word) for word in line.split()))
        command = line.split()[0]
        if code != 0:
            assert (code, out) == (2, b""), line
            assert REASONS[command].encode() in err, line
            refused.add(line)
    allowed = {line for line in LINES if SOURCE in line and line.split()[0] in REASONS}
    assert refused == {1: allowed, 2: {line for line in allowed if "quality" in line}}.get(size, set())


@pytest.mark.parametrize("binarizer", ["itq", "projection", "neighborhood"])
@pytest.mark.parametrize("size", [1, 2, 63])
def test_every_binarizer_on_few_words(size: int, binarizer: str, folder: Path, here: Here) -> None:
    line = f"export --embeddings {size}.txt --bits 64 -o small.hushbit --binarizer {binarizer} --mechanism tem"
    code, _, err = here(*line.split())
    assert code == (2 if binarizer == "neighborhood" else 0)
    assert code == 0 or f"a vocabulary of {size} is too small for the binarizer".encode() in err
