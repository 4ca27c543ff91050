"""`hushbit corpus` releases no row twice: not through a file's other names, nor when it goes on with a run."""

import gzip
import json
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import hushbit
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


# ---- Borders of parts


def interrupted(corpus: Corpus, tmp_path: Path) -> Path:
    """A run whose parts 1 and 2 of six, of two rows each, are out, and part 0 is not."""
    source = write_parquet(tmp_path / "in.parquet", [*["cat"] * 6, "cat blorb", *["cat"] * 5])
    code, _, err = corpus(source, options=("--part-rows", "2", "--jobs", "1", "--oov", "error"))
    assert code == 1, err
    manifest = tmp_path / "out.manifest"
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    assert [line["part"] for line in lines if "part" in line] == [0, 1, 2]
    kept = [line for line in lines if line.get("released") != 0]
    manifest.write_text("".join(json.dumps(line) + "\n" for line in kept))
    (corpus.out / "part-00000.parquet").unlink()
    return source


def test_a_manifest_says_which_rows_and_versions(corpus: Corpus, tmp_path: Path) -> None:
    interrupted(corpus, tmp_path)
    first, part, *_ = [json.loads(line) for line in (tmp_path / "out.manifest").read_text().splitlines()]
    assert first["versions"] == {"hushbit": hushbit.__version__, "pyarrow": pa.__version__}
    assert {name: part[name] for name in ("part", "input", "first_row", "rows")} == {
        "part": 0,
        "input": 0,
        "first_row": 1,
        "rows": 2,
    }


@pytest.mark.parametrize("shift", [{"first_row": 4}, {"rows": 3}, {"input": 1}, {"part": 11}])
def test_other_borders_are_refused_before_a_draw(corpus: Corpus, tmp_path: Path, shift: dict[str, int]) -> None:
    """The manifest's part 2 had other rows than part 2 has now; part 0 would come before it."""
    source = interrupted(corpus, tmp_path)
    manifest = tmp_path / "out.manifest"
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    for line in lines:
        if line.get("part") == 2:
            line.update(shift)
        if line.get("released") == 2 and "part" in shift:
            line["released"] = shift["part"]
    lines[0]["versions"] = {"hushbit": "0.0.9", "pyarrow": "1.2.3"}
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = manifest.read_bytes()
    code, _, err = corpus(source, options=("--part-rows", "2", "--oov", "error"))
    assert code == 2
    assert f"part {shift.get('part', 2)} was rows" in err
    assert "when it was drawn (by hushbit 0.0.9, pyarrow 1.2.3)" in err
    assert list(corpus.parts) == ["part-00001.parquet", "part-00002.parquet"]
    assert manifest.read_bytes() == before


def test_parts_of_other_sizes_in_bytes_are_refused(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version of Arrow has chunks of other sizes."""
    monkeypatch.setattr("hushbit.corpus.sources.PART_BYTES", 1)
    monkeypatch.setattr("hushbit.corpus.formats.rows.CHUNK_ROWS", 3)
    source = write_parquet(tmp_path / "in.parquet", [*["cat"] * 8, "cat blorb"])
    code, _, err = corpus(source, options=("--jobs", "1", "--oov", "error"))
    assert code == 1
    assert corpus.texts == ["cat"] * 6
    monkeypatch.setattr("hushbit.corpus.formats.rows.CHUNK_ROWS", 4)
    code, _, err = corpus(source, options=("--jobs", "1", "--oov", "error"))
    assert code == 2
    assert "part 0 was rows 1 to 3 of file 1 when it was drawn" in err
    assert "and is rows 1 to 4 of file 1 now" in err
    assert corpus.texts == ["cat"] * 6


def test_other_versions_with_the_same_borders_go_on(corpus: Corpus, tmp_path: Path) -> None:
    source = interrupted(corpus, tmp_path)
    manifest = tmp_path / "out.manifest"
    manifest.write_text(manifest.read_text().replace(f'"{pa.__version__}"', '"1.2.3"', 1))
    corpus(source, options=("--part-rows", "2", "--jobs", "1", "--oov", "error"))
    assert list(corpus.parts) == [f"part-0000{i}.parquet" for i in range(3)]
    found = [json.loads(line).get("versions", {}).get("pyarrow") for line in manifest.read_text().splitlines()]
    assert [version for version in found if version] == ["1.2.3", pa.__version__]


@pytest.mark.parametrize("line", ['{"released": 7}', '{"part": 1}', "[]", '{"part": "0", "file": "x"}', "{"])
def test_a_damaged_manifest_is_refused(corpus: Corpus, tmp_path: Path, line: str) -> None:
    source = interrupted(corpus, tmp_path)
    with (tmp_path / "out.manifest").open("a") as file:
        file.write(line + "\n")
    code, _, err = corpus(source, options=("--part-rows", "2", "--oov", "error"))
    assert code == 1
    assert "out.manifest: is damaged" in err


def test_nothing_drawn_is_nothing_begun(corpus: Corpus, tmp_path: Path) -> None:
    """A run that fails before its first part can be run again with other options."""
    source = write_parquet(tmp_path / "in.parquet", ["blorb"])
    assert corpus(source, options=("--oov", "error")).code == 1
    assert (tmp_path / "out.manifest").exists()
    code, _, err = corpus(source, options=("--oov", "drop"))
    assert code == 0, err
    assert corpus.texts == [""]
