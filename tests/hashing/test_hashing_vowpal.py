"""Readable models of Vowpal Wabbit, completed, and scored by Vowpal Wabbit."""

import re
from pathlib import Path

import numpy as np
import pytest

from hashed_models import privatize, train_vowpal
from hushbit.errors import InputFileError
from hushbit.hashing import open_model


@pytest.mark.parametrize("options", ["--loss_function logistic --link logistic", "--oaa 3", "--noconstant"])
def test_vowpal_wabbit_scores_with_it(tmp_path: Path, options: str) -> None:
    from vowpalwabbit import Workspace

    from hushbit.hashing.formats.vowpal import open_workspace

    path, private, binary = tmp_path / "m.txt", tmp_path / "p.txt", tmp_path / "p.vw"
    texts, before = train_vowpal(path, options)
    privatize(path, private)
    workspace = open_workspace(private)
    scores = [workspace.predict(f"| {text}") for text in texts]
    workspace.save(str(binary))
    workspace.finish()
    loaded = Workspace(f"-i {binary} -t --quiet")
    again = [loaded.predict(f"| {text}") for text in texts]
    unseen = loaded.predict("| something that nobody trained on")
    loaded.finish()
    np.testing.assert_allclose(scores, before, atol=2e-5)  # readable models have six digits
    np.testing.assert_allclose(again, before, atol=2e-5)
    assert np.isfinite(unseen)


def test_genuine_lines_stay(tmp_path: Path) -> None:
    path, private = tmp_path / "m.txt", tmp_path / "p.txt"
    train_vowpal(path)
    privatize(path, private)
    lines = private.read_text().splitlines()
    assert set(path.read_text().splitlines()) <= set(lines)
    assert sum(re.fullmatch(r"\d+:-?[\d.e-]+", line) is not None for line in lines) == 1 << 12


def test_training_state_is_refused(tmp_path: Path) -> None:
    from vowpalwabbit import Workspace

    path = tmp_path / "m.txt"
    workspace = Workspace(f"-b 10 --quiet --readable_model {path}")
    workspace.learn("1 | a b")
    workspace.finish()
    with pytest.raises(InputFileError, match="--predict_only_model"):
        open_model(path)


@pytest.mark.parametrize("options", ["", "--predict_only_model", "--oaa 3 --predict_only_model"])
def test_lists_of_features_are_refused(tmp_path: Path, options: str) -> None:
    """No word of them is repeated."""
    from vowpalwabbit import Workspace

    path = tmp_path / "m.txt"
    workspace = Workspace(f"-b 10 --quiet --invert_hash {path} {options}")
    workspace.learn("1 |space secretword another:2")
    workspace.finish()
    assert "secretword" in path.read_text()
    with pytest.raises(InputFileError, match="written with --invert_hash") as caught:
        open_model(path)
    assert "secret" not in str(caught.value)


def test_counts_of_hashes_are_refused(tmp_path: Path) -> None:
    """--marginal keeps how often each hash occurred, in the header."""
    from vowpalwabbit import Workspace

    path = tmp_path / "m.txt"
    workspace = Workspace(f"-b 10 --quiet --marginal a --predict_only_model --readable_model {path}")
    workspace.learn("1 |a b c")
    workspace.finish()
    with pytest.raises(InputFileError, match=r"line 11: this line of the header is not known.*--marginal"):
        open_model(path)


HEADER = (
    "Version 9.11.9\nId \nMin label:-1\nMax label:1\nbits:4\nlda:0\n0 ngram:\n0 skip:\noptions: {}\nChecksum: 1\n:0\n"
)


@pytest.mark.parametrize(
    ("options", "weights", "complaint"),
    [
        ("", "3:0.5\n16:1\n", "outside 0 to 15"),
        ("", "3:0.5\n3:1\n", "occur twice"),
        ("", "3:0.5\n4:nan\n", "NaN or infinite"),
        ("", "3:0.5\n4:1 2 3\n", "line 13: expected index:weight"),
        ("", "-3:0.5\n", "line 12: expected index:weight"),
        ("--oaa 3", "3:0.5\n", "classes beyond 3"),
        ("--csoaa 3", "3:0.5\n", "models with --csoaa are not supported"),
        ("--oaa=3 --link=logistic --new_option", "3:0.5\n", "models with --new_option are not supported"),
    ],
)
def test_bad_models(tmp_path: Path, options: str, weights: str, complaint: str) -> None:
    (tmp_path / "m.txt").write_text(HEADER.format(options) + weights)
    with pytest.raises(InputFileError, match=complaint):
        open_model(tmp_path / "m.txt")
