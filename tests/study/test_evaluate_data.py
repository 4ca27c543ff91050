"""`hushbit.study.evaluate`: reading labeled text, splitting it, words as ids."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushbit
from hushbit._plumbing.documents import read_documents
from hushbit.errors import InputFileError, InputNotFoundError, InvalidArgumentError
from hushbit.study.evaluate.corpus import Corpus, tokenize
from hushbit.study.evaluate.split import check_sizes, split
from toy_reviews import write_csv

ROWS = [('A fine film,\nsaid "he".', "1"), ("Dull.<br /><br />Long", "0"), ("Ünïcode €", "1")]


def write_parquet(path: Path, texts: list[str | None], labels: list[int | None]) -> Path:
    pq.write_table(pa.table({"review": pa.array(texts, pa.string()), "sentiment": pa.array(labels, pa.int32())}), path)
    return path


# ---- Formats


def test_csv_and_parquet_say_the_same(tmp_path: Path) -> None:
    a = read_documents(write_csv(tmp_path / "a.csv", ROWS, ("Text", "Label")))
    b = read_documents(write_parquet(tmp_path / "b.parquet", [t for t, _ in ROWS], [int(n) for _, n in ROWS]))
    for found in (a, b):
        assert found.texts == ['A fine film,\nsaid "he".', "Dull.  Long", "Ünïcode €"]
        assert found.classes == ["0", "1"]
        np.testing.assert_array_equal(found.labels, [1, 0, 1])
        assert found.in_test is None
    assert (a.name, b.name) == ("a.csv", "b.parquet")
    assert a.sha256 != b.sha256


def test_folder(tmp_path: Path) -> None:
    for part in ("train", "test"):
        for label in ("neg", "pos"):
            folder = tmp_path / part / label
            folder.mkdir(parents=True)
            (folder / "0_1.txt").write_text(f"{part} {label} <br />", encoding="utf-8")
    found = read_documents(tmp_path)
    assert found.texts == ["train neg  ", "train pos  ", "test neg  ", "test pos  "]
    assert found.in_test is not None
    np.testing.assert_array_equal(found.in_test, [False, False, True, True])
    np.testing.assert_array_equal(found.labels, [0, 1, 0, 1])
    (tmp_path / "test/pos/0_1.txt").write_text("other", encoding="utf-8")
    assert read_documents(tmp_path).sha256 != found.sha256
    (tmp_path / "test/pos/0_1.txt").unlink()
    with pytest.raises(InputFileError, match="no texts in test/pos"):
        read_documents(tmp_path)


def test_what_a_folder_holds_besides_reviews(tmp_path: Path) -> None:
    """What macOS adds to archives, unlabeled reviews, and files that only look like reviews."""
    for part in ("train", "test"):
        for label in ("neg", "pos"):
            (tmp_path / part / label).mkdir(parents=True)
            (tmp_path / part / label / "1_7.txt").write_text(f"{part} {label}", encoding="utf-8")
    clean = read_documents(tmp_path)
    for file in ("train/pos/._1_7.txt", "test/neg/.DS_Store", "test/pos/.hidden.txt", "train/unsup/0_0.txt"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(b"\x00\x05\x16\x07\xff")
    for file in ("__MACOSX/train/pos/._1_7.txt", "train/pos/__MACOSX/1_7.txt", "train/neg/folder.txt/1_7.txt"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_bytes(b"\xff")
    found = read_documents(tmp_path)
    assert found.texts == clean.texts
    assert found.sha256 == clean.sha256
    for review in (tmp_path / "train/pos").glob("1*"):
        review.unlink()
    with pytest.raises(InputFileError, match="no texts in train/pos"):  # the hidden one is none
        read_documents(tmp_path)


def test_named_columns(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [("x", "1", "u"), ("y", "0", "v")], ("text", "label", "review"))
    with pytest.raises(InputFileError, match=r"could mean text or review: .*--text-column"):
        read_documents(path)
    assert read_documents(path, "review").texts == ["u", "v"]
    assert read_documents(path, "review", "text").classes == ["x", "y"]
    with pytest.raises(InputFileError, match="no column stars; it has 3 columns, among them: text, label, review"):
        read_documents(path, "review", "stars")


# ---- Bad input


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("x", "1"), ("y", "")], "document 2 is without a label"),
        ([("x", "1"), (" ", "0"), ("", "1")], r"2 documents \(2, 3\) are without text"),
        ([("x", "1"), ("y", "1")], "only the label 1"),
        ([], "there is no document"),
        ([("x", "1"), ("y",)], "line 3 has 1 fields"),
    ],
)
def test_bad_csv(tmp_path: Path, rows: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(InputFileError, match=message):
        read_documents(write_csv(tmp_path / "a.csv", rows))


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="document 2 is without a label"):
        read_documents(write_parquet(tmp_path / "a.parquet", ["x", "y"], [1, None]))
    with pytest.raises(InputFileError, match="document 1 is without text"):
        read_documents(write_parquet(tmp_path / "b.parquet", [None, "y"], [1, 0]))
    with pytest.raises(InputNotFoundError, match="no such file"):
        read_documents(tmp_path / "nothing.csv")
    (tmp_path / "c.csv").write_bytes(b"text,label\n\xff\xfe,1\n")
    with pytest.raises(InputFileError, match="neither Parquet nor CSV"):
        read_documents(tmp_path / "c.csv")
    (tmp_path / "d.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InputFileError, match="is no whole Parquet file"):
        read_documents(tmp_path / "d.parquet")
    (tmp_path / "e.csv").write_bytes(b"")
    with pytest.raises(InputFileError, match="no column called text"):
        read_documents(tmp_path / "e.csv")


def test_too_few_documents() -> None:
    labels = np.array([0] * 40 + [1] * 15)
    check_sizes(labels, None, ["bad", "good"])
    with pytest.raises(InvalidArgumentError, match=r"15 documents of the class good, too few to split: .* held out"):
        check_sizes(labels, None, ["bad", "good"], 0.8)
    in_test = np.arange(64) < 3
    with pytest.raises(InvalidArgumentError, match=r"32 documents of the class bad, .* the part called test"):
        check_sizes(np.repeat([0, 1], 32), in_test, ["bad", "good"])
    for share, halves, most in ((0.0, None, "1"), (1.0, None, "1"), (0.5, np.arange(55) < 20, r"0\.5, since half")):
        with pytest.raises(InvalidArgumentError, match=f"must be above 0 and below {most}"):
            check_sizes(labels, halves, ["bad", "good"], share)


# ---- Splits and ids


@pytest.mark.parametrize("own", [False, True])
def test_split(own: bool) -> None:
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1], [200, 400]))
    in_test = np.arange(600) % 2 == 0 if own else None
    found = split(labels, in_test, np.random.default_rng(1))
    parts = [found.train, found.held_out, found.test, found.shadow]
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(600))
    if in_test is not None:  # TR1 and TR2 of one half, TE1 and TE2 of the other
        np.testing.assert_array_equal(np.sort(np.concatenate(parts[:2])), np.flatnonzero(~in_test))
        assert abs(len(found.train) - len(found.held_out)) <= 2
    else:
        assert [len(part) for part in parts] == [150, 150, 150, 150]
        assert [labels[part].mean().round(2) for part in parts] == [0.67] * 4
        larger = split(labels, in_test, np.random.default_rng(1), 0.5)
        assert sorted(map(len, vars(larger).values())) == [99, 100, 101, 300]
    other = split(labels, in_test, np.random.default_rng(2))
    assert set(other.shadow) != set(found.shadow)


def test_selecting_documents() -> None:
    corpus = Corpus(np.arange(10, dtype=np.uint32), np.array([0, 3, 3, 7, 10]))
    chosen = corpus.select(np.array([3, 1, 0]))
    np.testing.assert_array_equal(chosen.ids, [7, 8, 9, 0, 1, 2])
    np.testing.assert_array_equal(chosen.starts, [0, 3, 3, 6])
    assert len(chosen) == 3
    assert len(corpus.select(np.array([], dtype=np.int64))) == 0


def word_bytes(bundle: hushbit.Bundle, word: int) -> bytes:
    return bundle.word(word).encode()


def test_tokenize(vectors: Path) -> None:
    bundle = hushbit.open(vectors / "words-64.hushbit")
    reachable = [i for i in range(200) if bundle._native.tokenize(word_bytes(bundle, i))[0].word == i]
    a, b = (bundle.word(i) for i in reachable[-2:])
    corpus, coverage = tokenize(bundle._native, [f"{a}, {b} zzxqj!", "zzxqj", f"{b}"])
    known = [bundle.find(a), bundle.find(b), bundle.find(b)]
    np.testing.assert_array_equal(corpus.ids, known)
    np.testing.assert_array_equal(corpus.starts, [0, 2, 2, 3])
    assert (coverage.words, coverage.unknown, coverage.without_words) == (3, 2, 1)
    assert coverage.unknown_share == 0.4


def test_errors_hold_no_text(tmp_path: Path) -> None:
    secret = "my doctor says it is serious"
    nameless = write_csv(tmp_path / "a.csv", [("fine", "1")], (secret, "0"))
    for columns in ((None, None), ("stars", None), (None, "stars")):
        with pytest.raises(InputFileError, match="it has 2 columns") as raised:
            read_documents(nameless, *columns)
        assert secret not in str(raised.value)
    swapped = write_csv(tmp_path / "b.csv", [("1", secret), ("0", secret)], ("text", "label"))
    with pytest.raises(InputFileError, match=r"only the label \(28 characters\)") as raised:
        read_documents(swapped)
    assert secret not in str(raised.value)
    with pytest.raises(InvalidArgumentError, match=r"1 documents of the class \(28 characters\)"):
        check_sizes(np.array([0] * 40 + [1]), None, ["good", secret])
