"""Names that come from data, in messages: in a file without a line of names, and in odd keys, they are texts."""

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli_runner import Here
from corpora import WORDS, Corpus
from hushbit._plumbing.documents import read_documents
from hushbit._plumbing.names import columns_of, has_no_column, listed, shown
from hushbit.errors import InputFileError

TYPED = "My name is Erika and I have cancer"
WORD = "cancer"
"""What was typed may be one word, which looks like a name."""


def test_a_name_is_one_word_or_its_length() -> None:
    assert [shown(name) for name in ("text", "größe", "a.b-c_1", "7", "12")] == ["text", "größe", "a.b-c_1", "7", "12"]
    for typed in (TYPED, "", "5551234", "a" * 33, "#x", ("a", "b")):
        assert shown(typed) == f"({len(str(typed))} characters)"
    assert listed(["id", TYPED]) == f"id, ({len(TYPED)} characters)"
    assert listed(list("abcdefghij")) == "a, b, c, d, e, f, g, h and 2 more"


def test_names_that_may_be_a_row_are_said_only_if_they_are_usual() -> None:
    assert has_no_column("txet", ["id", WORD, "text"]) == "has no column txet; it has 3 columns, among them: id, text"
    assert has_no_column("MyText", ["my_text"]) == "has no column MyText; it has 1 column, among them: my_text"
    assert columns_of([TYPED, WORD]) == "it has 2 columns"


def assert_nothing_typed(*outputs: str) -> None:
    for output in outputs:
        assert "erika" not in output.lower()
        assert WORD not in output.lower()


@pytest.fixture
def corpus(here: Here, tmp_path: Path) -> Corpus:
    return Corpus(here, tmp_path / "out")


def packed(table: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(table), file)
    return file.getvalue()


FILES = [
    ("a.csv", f"1,{TYPED}\n2,{TYPED}\n".encode()),
    ("a.csv", f"{WORD}\nErika\n".encode()),
    ("a.csv", f'"{WORD}","{WORD}"\n'.encode()),
    ("a.tsv", f"1\t{TYPED}\t{WORD}\n".encode()),
    ("a.jsonl", f'{{"{TYPED}": 1, "{WORD}": 2}}\n'.encode()),
    ("a.jsonl", f'{{"id": 1}}\n{{"{TYPED}": 1}}\n'.encode()),
    ("a.jsonl", f'{{"text": {{"{WORD}": 1}}}}\n'.encode()),
    ("a.parquet", packed({TYPED: ["x"], WORD: ["y"]})),
    ("a.parquet", packed({"text": [{TYPED: 1, WORD: 2}]})),
]


@pytest.mark.parametrize(("name", "data"), FILES, ids=[f"{i}{name[1:]}" for i, (name, _) in enumerate(FILES)])
def test_files_without_the_column(here: Here, corpus: Corpus, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    code, out, err = corpus(tmp_path / name, options=("--keep", "id"))
    assert code == 1
    assert_nothing_typed(out, err)
    options = ("--column", "text", "--bundle", WORDS, "-o", tmp_path / "counts.csv")
    code, released, said = here("estimate", tmp_path / name, *options)
    assert code in (1, 2)
    assert_nothing_typed(released.decode(), said.decode())


@pytest.mark.parametrize("columns", [(None, None), ("text", "label")])
@pytest.mark.parametrize("index", [0, 1, 7])
def test_labeled_files_without_the_columns(tmp_path: Path, index: int, columns: tuple[str | None, str | None]) -> None:
    name, data = FILES[index]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputFileError, match=r"it has . column") as caught:
        read_documents(tmp_path / name, *columns)
    assert_nothing_typed(str(caught.value))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_columns_left_out(corpus: Corpus, tmp_path: Path, name: str) -> None:
    if name == "a.csv":
        data = f"text,name,{TYPED}\ncat,x,y\n".encode()
    elif name == "a.jsonl":
        data = f'{{"text": "cat", "name": 1, "{TYPED}": 2}}\n'.encode()
    else:
        data = packed({"text": ["cat"], "name": ["x"], TYPED: ["y"]})
    (tmp_path / name).write_bytes(data)
    code, _, err = corpus(tmp_path / name)
    assert code == 0, err
    assert f"columns left out: name, ({len(TYPED)} characters)" in err
    assert_nothing_typed(err)
