"""`hushbit corpus --as embedding`: a column of files becomes indexes of embeddings, each row once."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import hushbit
from cli_runner import Here
from hushbit.corpus.columns import RowError, draw

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


@pytest.mark.parametrize("option", [("--mechanism", "crowd"), ("--oov", "drop"), ("--crowd", "few")])
def test_options_about_words_are_refused(here: Here, bundle: Path, tmp_path: Path, option: tuple[str, str]) -> None:
    source = tmp_path / "messages.csv"
    source.write_text("text\nthe dog\n")
    code, _, err = here(
        "corpus", source, "-o", tmp_path / "out", "--column", "text", "--bundle", bundle, "--as", "embedding", *option
    )
    assert code == 2
    assert f"{option[0]} is about words".encode() in err


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
