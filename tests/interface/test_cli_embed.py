"""`hushbit embed` as a user runs it."""

import json
from pathlib import Path

import numpy as np
import pytest

import hushbit
from cli_runner import Here

TEXT = "The dog is at home\n\nblorb zork\nwe are not\n"


@pytest.fixture
def bundle(vectors: Path) -> Path:
    return vectors / "embed-128.hushbit"


def test_a_document_for_each_line(here: Here, bundle: Path) -> None:
    here.text_file.write_text(TEXT)
    code, out, err = here("embed", bundle, here.text_file)
    assert code == 0, err
    documents = [json.loads(line) for line in out.splitlines()]
    assert len(documents) == 4
    for document in documents:
        assert set(document) == {"index", "epsilon"}
        assert 0 <= document["index"] < 300
        assert document["epsilon"] == pytest.approx(2)
    assert b"lines released 4, epsilon 2 each, 8 in all" in err
    assert b"dog" not in out + err


def test_the_nearest_words(here: Here, bundle: Path) -> None:
    here.text_file.write_text("the dog\n")
    code, out, err = here("embed", bundle, here.text_file, "--words", "3", "--epsilon", "4")
    assert code == 0, err
    document = json.loads(out)
    opened = hushbit.open(bundle)
    embedder = opened.embedder()
    near = embedder.nearest_words(embedder.directions[document["index"]], 3)
    assert document["words"] == [word.word for word in near]
    assert document["epsilon"] == pytest.approx(4)


def test_a_column_of_indexes(here: Here, bundle: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    key = tmp_path / "key"
    key.write_bytes(bytes(range(32)))
    here.text_file.write_text(TEXT * 500)
    output = tmp_path / "embeddings.parquet"
    code, out, err = here("embed", bundle, here.text_file, "-o", output, "--memoize", key, "--epoch", "3")
    assert (code, out) == (0, b""), err
    table = pq.read_table(output)
    embedder = hushbit.open(bundle).embedder(device_key=key.read_bytes(), epoch=3)
    expected = embedder.embed_indexes(TEXT.splitlines() * 500)
    assert np.array_equal(table["index"].to_numpy(), expected)
    assert table.schema.metadata == {
        b"hushbit_bundle": embedder.info.hash.encode(),
        b"hushbit_epsilon": repr(embedder.epsilon).encode(),
    }


def test_a_budget_ends_the_command(here: Here, bundle: Path, tmp_path: Path) -> None:
    here.text_file.write_text(TEXT)
    ledger = tmp_path / "sent.budget"
    code, out, err = here("embed", bundle, here.text_file, "--budget", ledger, "--budget-lifetime", "5")
    assert code == 6
    assert b"lines released 2, epsilon 2 each, 4 in all" in err  # what went out has its cost said
    assert len(out.splitlines()) == 2
    assert b"line 3" in err
    output = tmp_path / "none.parquet"
    code, _, _ = here("embed", bundle, here.text_file, "--budget", ledger, "--budget-lifetime", "5", "-o", output)
    assert code == 6
    assert not output.exists()


def test_lines_that_are_not_utf8(here: Here, bundle: Path) -> None:
    here.text_file.write_bytes(b"the dog\n\xff\xfe\nat home\n")
    code, out, err = here("embed", bundle, here.text_file)
    assert code == 1
    assert b"line 2, byte 0: the text is not UTF-8" in err
    for policy, lines in (("skip", 2), ("replace", 3)):
        code, out, err = here("embed", bundle, here.text_file, "--invalid-utf8", policy)
        assert code == 0, err
        assert len(out.splitlines()) == lines


def test_a_bundle_without_an_embedding(here: Here, vectors: Path) -> None:
    code, out, err = here("embed", vectors / "words-64.hushbit", "-")
    assert (code, out) == (2, b"")
    assert b"has no embedding" in err
