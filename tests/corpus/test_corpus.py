"""`hushbit corpus`: every format and back, what goes along, and what is refused, without a word of what was typed."""

import bz2
import csv
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushbit
from cli_runner import SURE, Here, assert_no_canary
from hushbit.corpus.manifest import manifest_path, open_manifest
from hushbit.errors import InvalidArgumentError
from typed import CANARY

TEXTS = ["cat music", None, "", "road, sun", "cat"]
PRIVATE = ["cat music", None, "", "road sun", "cat"]
IDS = [5, 4, 3, 2, 1]


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


@pytest.fixture
def corpus(here: Here, bundle: Path, tmp_path: Path) -> Callable[..., tuple[int, bytes, bytes]]:
    """Privatizes the column `text` to tmp_path/out at an epsilon that leaves known words as they are."""

    def run(*sources: Path, options: tuple[str, ...] = ()) -> tuple[int, bytes, bytes]:
        fixed = ("--column", "text", "--epsilon", SURE, "--allow-unchanged", "--bundle", bundle, "-o", tmp_path / "out")
        code, out, err = here("corpus", *sources, *fixed, *options)
        assert_no_canary(out, err)
        return code, out, err

    return run


def write_parquet(path: Path, texts: list[Any] = TEXTS, **columns: Any) -> Path:
    table = {"id": IDS[: len(texts)], "text": texts, **columns}
    pq.write_table(pa.table(table), path)
    return path


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*"))


# ---- Formats


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_parquet(corpus: Any, tmp_path: Path, type_: pa.DataType) -> None:
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"id": IDS, "text": pa.array(TEXTS, type_), "name": ["x"] * 5}), source, row_group_size=2)
    code, out, err = corpus(source, options=("--keep", "id", "--json", "--part-rows", "3"))
    assert code == 0, err
    first, second = parts(tmp_path / "out")
    assert pq.read_table(first).num_rows == 3
    released = pa.concat_tables([pq.read_table(first), pq.read_table(second)])
    assert released.to_pydict() == {"id": IDS, "text": PRIVATE}
    summary = json.loads(out)
    assert (summary["parts"], summary["left_out"]) == (2, ["name"])
    tally = summary["tally"]
    assert (tally["rows"], tally["missing"], tally["tokens"]) == (5, 1, 5)
    assert tally["cost"]["worst_case"] == pytest.approx(5 / 2 * tally["largest"])  # a row has at most two tokens
    assert b"columns left out: name" in err


@pytest.mark.parametrize(
    ("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
@pytest.mark.parametrize("separator", [",", "\t"])
def test_csv(corpus: Any, tmp_path: Path, separator: str, ending: str, pack: Callable[[bytes], bytes]) -> None:
    suffix = (".csv" if separator == "," else ".tsv") + ending
    rows = [["0 1", "cat\nmusic", "ü"], ["007", "", "b\"'"], ["", "road" + separator + "sun", " x "]]
    lines = [separator.join('"{}"'.format(cell.replace('"', '""')) for cell in row) for row in rows]
    typed = "\ufeff" + separator.join(["id", "text", "name"]) + "\r\n" + "\r\n".join(lines)
    (tmp_path / f"in{suffix}").write_bytes(pack(typed.encode()))
    code, _, err = corpus(tmp_path / f"in{suffix}", options=("--keep", "name,id", "--quoting", "double"))
    assert code == 0, err
    (part,) = parts(tmp_path / "out")
    assert part.name == f"part-00000{suffix}"
    opened: Any = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(part.suffix, open)
    with opened(part, "rt", encoding="utf-8", newline="") as file:
        released = list(csv.reader(file, delimiter=separator))
    assert released == [
        ["id", "text", "name"],
        ["0 1", "cat music", "ü"],
        ["007", "", "b\"'"],
        ["", "road sun", " x "],
    ]


def test_json_lines(corpus: Any, tmp_path: Path) -> None:
    rows = [
        {"id": 1.50, "text": "cat", "tags": {"a": [1, "ü"]}},
        {"text": None, "id": None},
        {"id": 12345678901234567890, "name": CANARY},
        {"id": "\ud800", "text": "road"},
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    code, _, err = corpus(tmp_path / "in.jsonl", options=("--keep", "id,tags"))
    assert code == 0, err
    (part,) = parts(tmp_path / "out")
    released = [json.loads(line) for line in part.read_text(encoding="utf-8").splitlines()]
    assert released == [
        {"id": 1.5, "text": "cat", "tags": {"a": [1, "ü"]}},
        {"id": None, "text": None},
        {"id": 12345678901234567890, "text": None},
        {"id": "\ud800", "text": "road"},
    ]


def test_folders_and_patterns(corpus: Any, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    write_parquet(folder / "b.parquet", ["cat"])
    write_parquet(folder / "deep" / "a.parquet", ["road"])
    (folder / "_SUCCESS").touch()
    assert corpus(folder, folder / "*.parquet")[0] == 0
    assert [pq.read_table(part)["text"].to_pylist() for part in parts(tmp_path / "out")] == [["cat"], ["road"]]


@pytest.mark.slow
def test_rows_of_a_megabyte_come_in_parts_of_their_own(corpus: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("hushbit.corpus.sources.PART_BYTES", 3 << 20)
    monkeypatch.setattr("hushbit.corpus.formats.rows.CHUNK_BYTES", 1 << 20)
    long = "cat " * (1 << 18)
    write_parquet(tmp_path / "in.parquet", ["road " * i + long for i in range(5)])
    code, _, err = corpus(tmp_path / "in.parquet")
    assert code == 0, err
    released = [pq.read_table(part)["text"].to_pylist() for part in parts(tmp_path / "out")]
    assert [len(texts) for texts in released] == [3, 2]
    assert released[0][1] == "road " + long.strip()


# ---- Once


def test_a_second_run_refuses(corpus: Any, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet")
    assert corpus(source)[0] == 0
    code, _, err = corpus(source)
    assert code == 2
    assert b"all of it is released already" in err
    assert oct((tmp_path / "out.manifest").stat().st_mode & 0o777) == "0o600"


def test_a_budget_ends_it_between_parts_and_it_goes_on(corpus: Any, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", ["cat cat", "cat cat", "cat cat", "cat cat"])
    options = ("--part-rows", "1", "--jobs", "1", "--budget", str(tmp_path / "ledger"), "--tokens-lifetime")
    code, _, err = corpus(source, options=(*options, "5"))
    assert code == 6, err
    assert b"parts released 2, rows 2" in err
    before = {part.name: part.read_bytes() for part in parts(tmp_path / "out")}
    assert list(before) == ["part-00000.parquet", "part-00001.parquet"]
    assert hushbit.Budget.read(tmp_path / "ledger").tokens_lifetime == 4
    code, _, err = corpus(source, options=(*options, "100"))
    assert code == 0, err
    assert b"parts released by an earlier run 2" in err
    assert len(parts(tmp_path / "out")) == 4
    assert {name: (tmp_path / "out" / name).read_bytes() for name in before} == before
    assert hushbit.Budget.read(tmp_path / "ledger").tokens_lifetime == 8


def test_an_interrupted_run_goes_on_with_the_same_only(corpus: Any, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", ["cat", "cat blorb"])
    options = ("--part-rows", "1", "--jobs", "1", "--oov", "error")
    code, _, err = corpus(source, options=options)
    assert code == 1
    assert b"in.parquet, row 2, column text: " in err
    code, _, err = corpus(source, options=(*options[:4], "--oov", "drop"))
    assert code == 2
    assert b"another choice of: options" in err
    write_parquet(source, ["cat", "cat"])
    code, _, err = corpus(source, options=options)
    assert code == 2
    assert b"another choice of: input" in err


def test_a_file_that_a_crash_left_without_its_last_line_is_released(corpus: Any, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", ["cat", "road", "cat blorb"])
    options = ("--part-rows", "1", "--jobs", "1", "--oov", "error")
    corpus(source, options=options)
    manifest, out = tmp_path / "out.manifest", tmp_path / "out"
    lines = manifest.read_bytes().splitlines(keepends=True)
    assert [next(iter(json.loads(line))) for line in lines] == ["version", "part", "released", "part", "released"]
    manifest.write_bytes(b"".join(lines[:-1]) + b'{"relea')  # the crash came then
    (out / ".part-00002.parquet.x.tmp").write_bytes(b"drawn")
    before = {part.name: part.read_bytes() for part in parts(out)}
    _, _, err = corpus(source, options=options)
    assert b"parts released by an earlier run 2" in err
    assert {part.name: part.read_bytes() for part in parts(out)} == before
    assert not list(out.glob(".*"))
    (out / "part-00001.parquet").unlink()  # taken away, and not drawn again
    corpus(source, options=options)
    assert [part.name for part in parts(out)] == ["part-00000.parquet"]


def test_two_runs_at_once(corpus: Any, tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    source = write_parquet(tmp_path / "in.parquet")
    with (tmp_path / "out.manifest").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, _, err = corpus(source)
    assert code == 2
    assert b"another run is at work" in err


# ---- What is wrong


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", f"id,text\n1,{CANARY}\n2,{CANARY},3\n", "a.csv, line 3: the row has 3 cells, the header 2"),
        ("a.csv", f'id,text\n1,"cat" {CANARY}\n', "a.csv, line 2: the quotes do not fit"),
        ("a.csv", f'id,text\n1,"{CANARY}\n2,cat\n', "a.csv, line 2: a quote in this row is not closed"),
        ("a.csv", "id,words\n", "a.csv: has no column text; it has 2 columns, among them: id"),
        ("a.csv", "text,text\n", "two columns have one name"),
        ("a.csv", "", "a.csv: the file is empty"),
        ("a.csv.gz", "text\ncat\n", ""),
        ("a.txt", "cat", "a.txt: is of no known format"),
        ("a.jsonl", f'{{"text": "cat"}}\n{{"text": ["{CANARY}"]}}\n', "a.jsonl, line 2, column text: is no text"),
        ("a.jsonl", f'{{"text": "cat"}}\n{{"text": {CANARY}}}\n', "a.jsonl, line 2: is not a JSON object"),
        ("a.jsonl", '{"text": "cat"}\n{"text": "x", "y": NaN}\n', "a.jsonl, line 2: has NaN or Infinity"),
        ("a.jsonl", '{"text": "' + CANARY + '\\ud800"}\n', "a.jsonl, line 1, column text: is no text"),
        ("a.jsonl", "[" * 100_000, "a.jsonl, line 1: is not a JSON object"),
        ("a.parquet", f"PAR1 {CANARY}", "a.parquet: is no whole Parquet file"),
    ],
)  # fmt: skip
def test_bad_files(corpus: Any, tmp_path: Path, name: str, data: str, message: str) -> None:
    (tmp_path / name).write_text(data, encoding="utf-8")
    code, _, err = corpus(tmp_path / name)
    assert message.encode() in err
    assert (code == 0) == (message == "")  # compressed or not is told by the bytes, not the name
    assert parts(tmp_path / "out") == [] or code == 0


def test_bad_utf8(corpus: Any, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"text\ncat\nca\xfft\n")
    assert b"a.csv, line 3: is not UTF-8 at its byte 3" in corpus(tmp_path / "a.csv")[2]


def test_bad_columns_and_schemas(corpus: Any, tmp_path: Path) -> None:
    first = write_parquet(tmp_path / "a.parquet")
    second = tmp_path / "b.parquet"
    pq.write_table(pa.table({"text": ["cat"], "id": ["1"]}), second)
    assert b"b.parquet, column id: is string, but int64 in" in corpus(first, second, options=("--keep", "id"))[2]
    pq.write_table(pa.table({"text": [1, 2]}), second)
    assert b"b.parquet, column text: is no text but int64" in corpus(second)[2]
    (tmp_path / "c.csv").write_text("text\n", encoding="utf-8")
    assert b"are of different formats" in corpus(first, tmp_path / "c.csv")[2]
    code, _, err = corpus(tmp_path / "none*.csv")
    assert code == 3
    assert b"no such file, folder or pattern" in err


def test_output_apart_from_input(here: Here, bundle: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write_parquet(folder / "a.parquet")
    options = ("--column", "text", "--bundle", bundle, "--epsilon", "1", "--allow-unchanged")
    for source, output, message in (
        (folder, folder / "out", b"is inside"),
        (folder, folder, b"which is to be read, is in it"),
        (folder / "a.parquet", folder, b"which is to be read, is in it"),
    ):
        code, _, err = here("corpus", source, "-o", output, *options)
        assert code == 1
        assert message in err
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other").touch()
    code, _, err = here("corpus", folder, "-o", tmp_path / "full", *options)
    assert b"is there and not empty" in err
    assert not (tmp_path / "full.manifest").exists()


def test_an_open_manifest_is_not_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows would refuse that."""
    monkeypatch.setattr(Path, "unlink", lambda path: pytest.fail(f"{path.name} is deleted"))
    output = tmp_path / "full"
    output.mkdir()
    (output / "other").touch()
    for _ in range(2):
        with pytest.raises(InvalidArgumentError, match="is there and not empty"), open_manifest(output, {}):
            pass
        manifest_path(output).touch()  # as a run that was stopped at once leaves it
