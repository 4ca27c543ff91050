"""`hushbit corpus` on a full disk, with bundles that were swapped, and on input that is long, nested, broken or mixed.

Errors name file, row and column, never the text; and what was released before them stays, once and paid for.
"""

import errno
import json
import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushbit
import hushbit.corpus
from cli_runner import SURE, Here, assert_no_canary, command
from hushbit.corpus import sources
from hushbit.errors import InvalidArgumentError
from typed import CANARY

WORKERS = 1

MEGABYTE = "cat " * (1 << 18)


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


@pytest.fixture
def corpus(here: Here, bundle: Path, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Privatizes the column `text` to tmp_path/out; what it says holds nothing that was typed."""

    def run(*sources: Path, options: tuple[str, ...] = ()) -> tuple[int, str]:
        fixed = ("--column", "text", "--epsilon", SURE, "--allow-unchanged", "--bundle", bundle, "-o", tmp_path / "out")
        code, out, err = here("corpus", *sources, *fixed, *options)
        assert_no_canary(out, err)
        return code, err.decode()

    return run


def write_parquet(path: Path, texts: list[Any], **columns: Any) -> Path:
    pq.write_table(pa.table({"text": texts, **columns}), path)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def texts_of(folder: Path) -> list[str | None]:
    return [text for path in sorted(folder.glob("part-*")) for text in pq.read_table(path)["text"].to_pylist()]


# ---- A full disk


def test_a_part_that_does_not_fit(bundle: Path, tmp_path: Path) -> None:
    """Files may have 20,000 bytes: the first part fits, the second does not."""
    source = write_parquet(tmp_path / "in.parquet", ["cat", "road", *(f"{CANARY} {i:x}" for i in range(2))])
    pq.write_table(
        pa.table({"text": ["cat", CANARY], "id": ["short", os.urandom(40_000).hex()]}), source, row_group_size=1
    )
    run = command(
        *("corpus", source, "--column", "text", "--keep", "id", "-o", tmp_path / "out", "--bundle", bundle),
        *("--part-rows", "1", "--jobs", "1", "--budget", tmp_path / "ledger"),
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(run, capture_output=True, check=False, preexec_fn=limit)
    assert_no_canary(done.stdout, done.stderr)
    assert done.returncode == 1
    assert f"part-00001.parquet: could not be written: {os.strerror(errno.EFBIG)}".encode() in done.stderr
    before = contents(tmp_path / "out")
    assert list(before) == ["part-00000.parquet"]
    assert not list((tmp_path / "out").glob(".*"))
    assert hushbit.Budget.read(tmp_path / "ledger").tokens_lifetime == 1
    done = subprocess.run(run, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    after = contents(tmp_path / "out")
    assert len(after) == 2
    assert after["part-00000.parquet"] == before["part-00000.parquet"]


@pytest.mark.parametrize("call", ["fsync", "write"])
def test_a_disk_that_is_full_at_any_write(
    corpus: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """The first run fails at its first call, the next at its second, and so on, until one is done.

    A line of the manifest is cut in half by it.
    """
    source = write_parquet(tmp_path / "in.parquet", ["cat road", "sun", "music"])
    ledger = tmp_path / "ledger"
    options = ("--part-rows", "1", "--jobs", "2", "--budget", str(ledger))
    seen: dict[str, bytes] = {}
    really = getattr(os, call)
    for fails_at in range(100):
        calls = iter(range(100))

        def failing(descriptor: int, *data: Any, calls: Iterator[int] = calls, fails_at: int = fails_at) -> Any:
            if next(calls) < fails_at:
                return really(descriptor, *data)
            if data:
                really(descriptor, data[0][: len(data[0]) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(os, call, failing)
            code, err = corpus(source, options=options)
        now = contents(tmp_path / "out")
        assert {name: now[name] for name in seen} == seen
        seen = now
        if code == 0 or "all of it is released already" in err:  # the last line was written, and only not synced
            break
        assert os.strerror(errno.ENOSPC) in err
        assert "out" in err
        tokens = sum(len(text.split()) for text in texts_of(tmp_path / "out") if text)
        assert not now or hushbit.Budget.read(ledger).tokens_lifetime >= tokens
    assert fails_at > 3
    assert texts_of(tmp_path / "out") == ["cat road", "sun", "music"]


# ---- Another bundle on a worker


@pytest.fixture
def swapped(vectors: Path, tmp_path: Path) -> tuple[Path, Callable[[], None]]:
    """A bundle, and what puts another one in its place."""
    path = tmp_path / "words.hushbit"
    path.write_bytes((vectors / "words-256.hushbit").read_bytes())

    def swap() -> None:
        other = tmp_path / "other"
        other.write_bytes((vectors / "words-64.hushbit").read_bytes())
        other.rename(path)

    return path, swap


@pytest.mark.filterwarnings("default")  # of Dask's own
def test_a_worker_with_another_bundle_draws_nothing(
    here: Here, swapped: Any, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, swap = swapped

    def swap_and_find(*arguments: Any) -> Any:
        swap()  # once the command has opened the bundle
        return find(*arguments)

    find = sources.find_corpus
    monkeypatch.setattr(sources, "find_corpus", swap_and_find)
    source = write_parquet(tmp_path / "in.parquet", ["cat", CANARY])
    options = ("--column", "text", "--bundle", path, "-o", tmp_path / "out", "--scheduler", cluster.scheduler_address)
    code, out, err = here("corpus", source, *options)
    assert_no_canary(out, err)
    assert code == 2
    assert b"words.hushbit: the bundle here, " in err
    assert contents(tmp_path / "out") == {}


@pytest.mark.filterwarnings("default")
def test_a_frame_on_a_worker_with_another_bundle(swapped: Any, cluster: Any) -> None:
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    path, swap = swapped
    frame = dd.from_pandas(pd.DataFrame({"text": ["cat", CANARY]}), npartitions=1)
    privatizer = hushbit.open(path).privatizer(epsilon=1, allow_unchanged=True)
    swap()
    with distributed.Client(cluster), pytest.raises(InvalidArgumentError, match="the bundle here, ") as caught:
        hushbit.corpus.privatize(frame, column="text", privatizer=privatizer).compute()
    assert CANARY not in str(caught.value)


# ---- Rows of a megabyte


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_rows_of_a_megabyte(corpus: Any, tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"in{suffix}"
    if suffix == ".parquet":
        write_parquet(source, ["road", MEGABYTE, "sun"])
    elif suffix == ".csv":
        source.write_text(f'text\nroad\n"{MEGABYTE}"\nsun\n')
    else:
        source.write_text("".join(json.dumps({"text": text}) + "\n" for text in ("road", MEGABYTE, "sun")))
    code, err = corpus(source)
    assert code == 0, err
    (part,) = contents(tmp_path / "out").values()
    assert len(part) > (0 if suffix == ".parquet" else len(MEGABYTE))
    if suffix == ".parquet":
        assert texts_of(tmp_path / "out") == ["road", MEGABYTE.strip(), "sun"]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_row_of_a_megabyte_that_fails(corpus: Any, tmp_path: Path, suffix: str) -> None:
    source, long = tmp_path / f"in{suffix}", MEGABYTE + CANARY
    if suffix == ".parquet":
        write_parquet(source, ["road", long])
    elif suffix == ".csv":
        source.write_text(f"text\nroad\n{long}\n")
    else:
        source.write_text(f'{{"text": "road"}}\n{{"text": "{long}"}}\n')
    code, err = corpus(source, options=("--oov", "error"))
    assert code == 1
    assert f"in{suffix}, row 2, column text: " in err
    assert len(err) < 1000
    assert contents(tmp_path / "out") == {}


def test_a_line_without_end(corpus: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushbit.corpus.formats.lines.MAX_LINE", 1 << 20)
    (tmp_path / "in.csv").write_text(f"text\nroad\n{CANARY}{MEGABYTE}{MEGABYTE}")
    code, err = corpus(tmp_path / "in.csv")
    assert code == 1
    assert "in.csv, line 3: is longer than 1 MiB" in err


# ---- Nested, broken, mixed


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", f'{{"text": "cat"}}\n{{"text": {{"{CANARY}": 1}}}}\n', "a.jsonl, line 2, column text: is no text"),
        ("a.jsonl", f'{{"a": {{"text": "{CANARY}"}}}}\n', "a.jsonl: has no column text; it has 1 column"),
        ("a.jsonl", f'[{{"text": "{CANARY}"}}]\n', "a.jsonl, line 1: is not a JSON object on one line"),
        ("a.jsonl", f'{{\n  "text": "{CANARY}"\n}}\n', "a.jsonl, line 1: is not a JSON object on one line"),
        ("a.jsonl", '{"text": "x"}\n{"text": "x", "y": ' + "[" * 100_000, "a.jsonl, line 2: is not a JSON object"),
        ("a.csv", f'id,text\n1,cat\n2,"{CANARY}\n3,cat\n4,cat\n', "a.csv, line 3: a quote in this row is not closed"),
        ("a.csv", f'id,text\n1,"{CANARY}" x\n', "a.csv, line 2: the quotes do not fit"),
        ("a.csv", f'id,text\n1,"a\nb" {CANARY}\n', "a.csv, line 2: the quotes do not fit"),
    ],
)  # fmt: skip
def test_nested_json_and_broken_quotes(corpus: Any, tmp_path: Path, name: str, data: str, message: str) -> None:
    (tmp_path / name).write_text(data, encoding="utf-8")
    code, err = corpus(tmp_path / name)
    assert code == 1
    assert message in err
    assert contents(tmp_path / "out") == {}


def test_nested_columns_of_parquet(corpus: Any, tmp_path: Path) -> None:
    nested = [{"a": ["x", None]}, None]
    source = write_parquet(tmp_path / "in.parquet", ["cat", "road"], tags=nested)
    code, err = corpus(source, options=("--keep", "tags"))
    assert code == 0, err
    (part,) = (tmp_path / "out").iterdir()
    assert pq.read_table(part).to_pydict() == {"text": ["cat", "road"], "tags": nested}
    for typed in ([{"a": CANARY}], [[CANARY]]):
        write_parquet(tmp_path / "nested.parquet", typed)
        code, err = corpus(tmp_path / "nested.parquet")
        assert code == 1
        assert "nested.parquet, column text: is no text but " in err


def test_a_damaged_file_after_a_whole_one(corpus: Any, tmp_path: Path) -> None:
    """The parts before it are out, and stay. Arrow's own message is not passed on."""
    source = tmp_path / "in"
    source.mkdir()
    write_parquet(source / "a.parquet", ["cat", "road"])
    texts = [CANARY + " " + os.urandom(50).hex() for _ in range(200)]
    pq.write_table(pa.table({"text": texts}), source / "b.parquet", compression="zstd", use_dictionary=False)
    data = bytearray((source / "b.parquet").read_bytes())
    data[100:5000] = bytes(4900)
    (source / "b.parquet").write_bytes(data)
    code, err = corpus(source, options=("--jobs", "1"))
    assert code == 1
    assert "b.parquet: is no whole Parquet file" in err
    assert "ZSTD" not in err
    assert texts_of(tmp_path / "out") == ["cat", "road"]


def test_mixed_schemas(corpus: Any, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write_parquet(folder / "a.parquet", ["cat"], id=[1])
    pq.write_table(pa.table({"name": ["x"], "id": [2], "text": ["road"]}), folder / "b.parquet")
    code, err = corpus(folder, options=("--keep", "id"))  # in another order, and with more
    assert code == 0, err
    assert texts_of(tmp_path / "out") == ["cat", "road"]
    pq.write_table(pa.table({"words": [CANARY]}), folder / "c.parquet")
    assert "c.parquet: has no column text; it has 1 column" in corpus(folder)[1]
    write_parquet(folder / "c.parquet", ["cat"], id=["1"])
    assert "c.parquet, column id: is string, but int64 in " in corpus(folder, options=("--keep", "id"))[1]
    (folder / "c.parquet").unlink()
    (folder / "c.csv").write_text(f"text\n{CANARY}\n")
    assert "are of different formats" in corpus(folder)[1]


def test_output_inside_input_through_a_link(corpus: Any, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "inner").mkdir(parents=True)
    write_parquet(folder / "a.parquet", [CANARY])
    (tmp_path / "out").symlink_to(folder / "inner")
    code, err = corpus(folder)
    assert code == 1
    assert "out: is inside " in err
    assert not list((folder / "inner").iterdir())
