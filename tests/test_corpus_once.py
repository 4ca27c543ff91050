"""`hushbit corpus` releases no row twice: not through a file's other names, nor when it goes on with a run."""

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from cli_runner import Here
from corpora import Corpus, write_parquet


@pytest.fixture
def corpus(here: Here, tmp_path: Path) -> Corpus:
    return Corpus(here, tmp_path / "out")


# ---- Names


def test_hidden_files_and_folders_are_passed_over(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_parquet(folder / "a.parquet", ["cat"])
    write_parquet(folder / "deep" / "b.parquet", ["road"])
    for hidden in (".ipynb_checkpoints/a.parquet", "_temporary/0/a.parquet", "deep/.cache/x.parquet", ".a.parquet.swp"):
        write_parquet(folder / hidden, ["sun"])
    code, out, err = corpus(folder, options=("--json",))
    assert code == 0, err
    assert corpus.texts == ["cat", "road"]
    assert err.count("passed over") == 1
    assert 'begins with "." or "_": 4' in err
    assert json.loads(out)["tally"]["rows"] == 2


def test_a_hidden_folder_that_is_named_is_read(corpus: Corpus, tmp_path: Path) -> None:
    write_parquet(tmp_path / "_in" / "a.parquet", ["cat"])
    write_parquet(tmp_path / "_in" / "_b.parquet", ["road"])
    code, _, err = corpus(tmp_path / "_in", tmp_path / "_in" / "_b.parquet")
    assert code == 0, err
    assert sorted(map(str, corpus.texts)) == ["cat", "road"]
    assert "passed over" not in err


def test_patterns_pass_over_what_they_do_not_name(corpus: Corpus, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in" / "_temporary" / "a.parquet", ["sun"])
    assert corpus(tmp_path / "in" / "*" / "*.parquet").code == 3
    write_parquet(tmp_path / "in" / "done" / "a.parquet", ["cat"])
    code, _, err = corpus(tmp_path / "in" / "*" / "*.parquet")
    assert code == 0, err
    assert corpus.texts == ["cat"]
    assert 'begins with "." or "_": 1' in err
    shutil.rmtree(corpus.out)
    (tmp_path / "out.manifest").unlink()
    assert corpus(tmp_path / "in" / "_*" / "*.parquet").code == 0
    assert corpus.texts == ["sun"]


def test_a_folder_of_hidden_files_alone(corpus: Corpus, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in" / "_temporary" / "a.parquet", ["sun"])
    code, _, err = corpus(tmp_path / "in")
    assert code == 3
    assert "there is no file in this folder whose name or folder does not begin" in err


@pytest.mark.parametrize("way", ["folder", "relative", "dots", "hard link", "symbolic link", "linked folder"])
def test_a_file_is_read_once(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_parquet(tmp_path / "in" / "a.parquet", ["cat"])
    other: str | Path = tmp_path / "in" / "b.parquet"
    if way == "folder":
        other = tmp_path / "in"
    elif way == "relative":
        other = "in/a.parquet"
    elif way == "dots":
        other = tmp_path / "in" / ".." / "in" / "a.parquet"
    elif way == "hard link":
        os.link(file, other)
    elif way == "symbolic link":
        Path(other).symlink_to(file)
    else:
        (tmp_path / "again").symlink_to(tmp_path / "in")
        other = tmp_path / "again" / "*.parquet"
    code, out, err = corpus(file, other, options=("--json",))
    assert code == 0, err
    assert corpus.texts == ["cat"]
    assert json.loads(out)["tally"]["tokens"] == 1
    assert ("read once: 1" in err) == (way != "folder" and way != "relative")


def test_equal_contents_are_refused_unless_meant(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_parquet(folder / "a.parquet", ["cat"])
    shutil.copy(folder / "a.parquet", folder / "b.parquet")
    code, _, err = corpus(folder)
    assert code == 1
    assert "b.parquet: has the same contents as " in err
    assert not corpus.out.exists()
    assert not (tmp_path / "out.manifest").exists()
    code, _, err = corpus(folder, options=("--allow-equal-files",))
    assert code == 0, err
    assert corpus.texts == ["cat", "cat"]
    code, _, err = corpus(folder)
    assert "has the same contents as" in err


def test_equal_contents_packed_in_two_ways_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    """What is inside counts, not how it is packed."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name, level in (("a.csv.gz", 1), ("b.csv.gz", 9)):
        (folder / name).write_bytes(gzip.compress(b"text\ncat\n" * 50, level))
    code, _, err = corpus(folder)
    assert code == 1
    assert "b.csv.gz: has the same contents as " in err
