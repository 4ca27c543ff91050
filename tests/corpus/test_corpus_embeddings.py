"""`hushbit corpus --as embedding` and `--as report`: texts of files become whole numbers, each row once."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import hushbit
from cli_runner import Here, assert_no_canary
from hushbit.corpus.columns import RowError, draw
from typed import CANARY

TEXTS = ["the dog", None, "", "not at home", None, "blorb"]


@pytest.fixture
def bundle(vectors: Path) -> Path:
    return vectors / "embed-128.hushbit"


def test_a_column_becomes_indexes(here: Here, bundle: Path, tmp_path: Path) -> None:
    source = tmp_path / "messages.parquet"
    pq.write_table(pa.table({"text": TEXTS * 50, "label": list(range(300))}), source)
    output = tmp_path / "embedded"
    options = ("--column", "text", "--keep", "label", "--bundle", bundle, "--as", "embedding", "--part-rows", "100")
    ledger = tmp_path / "ledger"
    code, out, err = here("corpus", source, "-o", output, *options, "--json", "--budget", ledger)
    assert code == 0, err
    tally = json.loads(out)["tally"]
    assert (tally["rows"], tally["missing"], tally["tokens"]) == (300, 100, 200)
    assert tally["cost"]["epsilon_unit"] == "text"
    assert tally["cost"]["worst_case"] == pytest.approx(400)
    assert tally["largest"] == pytest.approx(2)
    assert hushbit.Budget.read(ledger).tokens_lifetime == 200
    assert hushbit.Budget.read(ledger).texts_lifetime == 200
    assert b"epsilon 2 per text adds up to 400" in err
    table = pa.concat_tables([pq.read_table(path) for path in sorted(output.glob("*.parquet"))])
    assert table.schema.field("text").type == pa.uint32()
    assert table["label"].to_pylist() == list(range(300))
    values = table["text"].to_pylist()
    assert [value is None for value in values] == [text is None for text in TEXTS * 50]
    assert all(0 <= value < 300 for value in values if value is not None)
    code, _, err = here("corpus", source, "-o", output, *options)
    assert code != 0
    assert b"released" in err


def test_csv_too(here: Here, bundle: Path, tmp_path: Path) -> None:
    source = tmp_path / "messages.csv"
    source.write_text("text,label\nthe dog,1\nnot at home,2\n")
    output = tmp_path / "embedded"
    code, _, err = here(
        "corpus", source, "-o", output, "--column", "text", "--bundle", bundle, "--as", "embedding", "--epsilon", "4"
    )
    assert code == 0, err
    table = pc.read_csv(next(output.glob("*.csv")))
    assert table.column_names == ["text"]
    assert all(0 <= value < 300 for value in table["text"].to_pylist())


@pytest.mark.parametrize("option", [("--mechanism", "crowd"), ("--oov", "drop"), ("--crowd-size", "few")])
def test_options_about_words_are_refused(here: Here, bundle: Path, tmp_path: Path, option: tuple[str, str]) -> None:
    source = tmp_path / "messages.csv"
    source.write_text("text\nthe dog\n")
    code, _, err = here(
        "corpus", source, "-o", tmp_path / "out", "--column", "text", "--bundle", bundle, "--as", "embedding", *option
    )
    assert code == 2
    assert f"{option[0]} is about words".encode() in err


def test_a_column_becomes_reports_that_count_reads(here: Here, tmp_path: Path) -> None:
    """A report of four values is another one's with a probability below 1e-6 at an epsilon of 16."""
    source, values = tmp_path / "answers.parquet", tmp_path / "values.txt"
    pq.write_table(pa.table({"answer": ["yes"] * 30 + ["no", None] * 10 + [CANARY] * 5}), source)
    values.write_text("yes\nno\nperhaps\n")
    output = tmp_path / "reported"
    about = ("--values", values, "--none", "--epsilon", "16")
    options = ("--column", "answer", "--as", "report", "--part-rows", "20", *about)
    code, out, err = here("corpus", source, "-o", output, *options, "--json")
    assert code == 0, err
    tally = json.loads(out)["tally"]
    assert (tally["rows"], tally["missing"], tally["tokens"]) == (55, 10, 45)
    assert tally["cost"]["worst_case"] == pytest.approx(16 * 45)
    assert b"reports of 4 values" in err
    assert pq.read_table(output / "part-00000.parquet").schema.field("answer").type == pa.uint64()
    code, out, err = here("count", output, "--column", "answer", *about, "--json")
    assert code == 0, err
    found = {row["name"]: round(row["count"]) for row in json.loads(out)["rows"]}
    assert found == {"yes": 30, "no": 10, "perhaps": 0, "(none)": 5}


def test_a_text_that_is_no_value_ends_the_command(here: Here, tmp_path: Path) -> None:
    source, values = tmp_path / "answers.csv", tmp_path / "values.txt"
    source.write_text(f"answer\nyes\n{CANARY}\n")
    values.write_text("yes\nno\n")
    options = ("--column", "answer", "--as", "report", "--values", values)
    code, out, err = here("corpus", source, "-o", tmp_path / "out", *options)
    assert code == 1
    assert b"row 2, column answer" in err
    assert_no_canary(out, err)
    assert list((tmp_path / "out").iterdir()) == []


def test_values_are_of_reports(here: Here, bundle: Path, tmp_path: Path) -> None:
    source = tmp_path / "messages.csv"
    source.write_text("text\nthe dog\n")
    for form in ("words", "embedding"):
        options = ("--column", "text", "--bundle", bundle, "--as", form, "--values", "emoji")
        code, _, err = here("corpus", source, "-o", tmp_path / "out", *options)
        assert (code, b"only used with --as report" in err) == (2, True)


def test_columns_of_chunks_and_errors(bundle: Path) -> None:
    embedder = hushbit.open(bundle).embedder(device_key=bytes(32))
    column = pa.chunked_array([TEXTS, [], TEXTS[1:]])
    indexes, tally = draw(embedder, column)
    expected = [None if text is None else embedder.embed(text).index for text in [*TEXTS, *TEXTS[1:]]]
    assert indexes.to_pylist() == expected
    assert (tally.rows, tally.missing) == (11, 4)
    broken = pa.array([b"fine", None, b"\xff"], type=pa.binary()).view(pa.string())
    with pytest.raises(RowError) as failure:
        draw(embedder, broken)
    assert failure.value.row == 2
