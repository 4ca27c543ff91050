"""Files of vectors as people have them: word2vec's binary format, other packings, formats that are not read."""

import bz2
import contextlib
import gzip
import lzma
import pickle
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings import Embeddings, VocabularyFilter, describe_left_out, read_embeddings
from test_embeddings import GLOVE, VECTORS, failure, read, zipped

WORDS = ["the", ",", "'s"]
ROWS = np.array(VECTORS, dtype="<f4")


def binary(words: list[bytes], vectors: np.ndarray, between: bytes = b"\n", header: bytes | None = None) -> bytes:
    """Bytes as word2vec writes them; gensim puts nothing between rows."""
    rows = [word + b" " + row.astype("<f4").tobytes() for word, row in zip(words, vectors, strict=True)]
    header = f"{len(words)} {vectors.shape[1]}\n".encode() if header is None else header
    return header + b"".join(row + between for row in rows)


BINARY = binary([word.encode() for word in WORDS], ROWS)


# ---- What is read


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("word2vec.bin", BINARY),
        ("gensim.bin", binary([b"the", b",", b"'s"], ROWS, between=b"")),
        ("dos.bin", BINARY.replace(b"3 3\n", b"3 3\r\n")),
        ("word2vec.bin.gz", gzip.compress(BINARY)),
        ("word2vec.bin.xz", lzma.compress(BINARY)),
        ("word2vec.zip", zipped(("folder/word2vec.bin", BINARY))),
        ("wrong-extension.txt", BINARY),
        ("glove.txt.bz2", bz2.compress(GLOVE)),
        ("two-streams.txt.bz2", bz2.compress(GLOVE[:9]) + bz2.compress(GLOVE[9:])),
        ("glove.txt.xz", lzma.compress(GLOVE)),
        ("two-streams.txt.xz", lzma.compress(GLOVE[:9]) + lzma.compress(GLOVE[9:])),
        ("word2vec.txt.bz2", bz2.compress(b"3 3\n" + GLOVE)),
        ("fasttext.vec", b"3 3\n" + GLOVE.replace(b"\n", b" \n")),  # fastText ends its lines with a space
        ("fasttext.vec.zip", zipped(("fasttext.vec", b"3 3\n" + GLOVE.replace(b"\n", b" \n")))),
        ("tabs.tsv", GLOVE.replace(b" ", b"\t")),
        ("tabs-word2vec.tsv", (b"3 3\n" + GLOVE).replace(b" ", b"\t")),
        ("tab-after-the-word.txt", b"the\t0.5 -1 2e-3\n,\t1 2 3\n's\t4 5 6\n"),
        ("trailing-tabs.tsv", GLOVE.replace(b" ", b"\t").replace(b"\n", b"\t\n")),
        ("tabs.tsv.gz", gzip.compress(GLOVE.replace(b" ", b"\t"))),
    ],
)
def test_every_format_gives_the_same_words_and_vectors(tmp_path: Path, name: str, data: bytes) -> None:
    embeddings = read(tmp_path, data, name)
    assert embeddings.words == WORDS
    assert embeddings.vectors.dtype == np.float32
    np.testing.assert_array_equal(embeddings.vectors, ROWS)
    assert (embeddings.rows, embeddings.duplicates, embeddings.rejected, embeddings.not_utf8) == (3, 0, [], [])


def test_words_of_fasttext(tmp_path: Path) -> None:
    """Vectors as fastText 0.9 writes them: five digits, the end of a sentence as a word, and words with capitals."""
    data = b"4 2\n</s> 0.0042 -1.2e-05 \nthe -0.11 0.23456 \nThe 1 2 \ncaf\xc3\xa9 -3 0.5 \n"
    embeddings = read(tmp_path, data, "reviews.vec")
    assert embeddings.words == ["</s>", "the", "The", "café"]
    np.testing.assert_allclose(embeddings.vectors[0], [0.0042, -1.2e-05])


def test_a_large_binary_file_in_chunks(tmp_path: Path) -> None:
    """Rows over the borders of chunks and blocks; any byte may stand in a number, spaces and newlines too."""
    generator = np.random.default_rng(4)
    vectors = generator.integers(0, 256, size=(20_000, 4 * 25), dtype=np.uint8).view("<f4")
    vectors = np.where(np.isfinite(vectors), vectors, np.float32(1))
    vectors[7] = np.frombuffer(b" \n \n" * 25, dtype="<f4")
    words = [f"w{i}".encode() for i in range(20_000)]
    for between in (b"", b"\n"):
        embeddings = read(tmp_path, binary(words, vectors, between), "large.bin")
        assert embeddings.words == [word.decode() for word in words]
        np.testing.assert_array_equal(embeddings.vectors, vectors.astype(np.float32))
    first = read(tmp_path, binary(words, vectors)[:3_000_000], "cut.bin", max_words=5)  # needs no more than the first
    assert first.words == ["w0", "w1", "w2", "w3", "w4"]


def test_binary_rows_that_are_left_out(tmp_path: Path) -> None:
    """word2vec cuts words of 100 bytes off within a character."""
    words = [b"a", "müßig".encode()[:2], b"b", b"a", b"c"]
    vectors = np.array([[1, 2], [3, 4], [np.nan, 1], [5, 6], [7, 8]])
    embeddings = read(tmp_path, binary(words, vectors), "v.bin")
    assert embeddings.words == ["a", "c"]
    assert embeddings.vectors.tolist() == [[1, 2], [7, 8]]
    assert (embeddings.not_utf8, embeddings.rejected, embeddings.duplicates, embeddings.rows) == ([2], [3], 1, 5)
    assert [embeddings.line_of(0), embeddings.line_of(1)] == [1, 5]
    with pytest.raises(InputFileError, match=r"no row is left of 1: .* 1 a word that is not UTF-8"):
        read(tmp_path, binary([b"\xff"], np.zeros((1, 2))), "v.bin")


# ---- A header is true


def test_with_a_header_the_last_numbers_are_the_vector(tmp_path: Path) -> None:
    """Words may end in numbers, even most of them."""
    numbers = " ".join(f"0.{i}" for i in range(10))
    for count, share in ((300, 2), (300, 10), (3, 1)):
        words = [f"item {i}" if i % share == 0 else f"item{i}" for i in range(count)]
        words[1] = "item 1 2 3"
        rows = "".join(f"{word} {numbers}\n" for word in words)
        embeddings = read(tmp_path, f"{count} 10\n{rows}".encode())
        assert embeddings.words == words
        assert embeddings.dimensions == 10
        tabs = read(tmp_path, f"{count}\t10\n{rows}".replace(f" {numbers}", "\t" + numbers.replace(" ", "\t")).encode())
        assert tabs.words == words


def test_a_header_that_is_not_true_is_named(tmp_path: Path) -> None:
    said = failure(tmp_path, b"2 3\na 1 2\nb 3 4\n")
    assert "line 1: the header says 3 numbers per row, but the rows that follow end in no more than 2 numbers" in said
    said = failure(tmp_path, b"2 3\nsome prose\nand more\n")
    assert "line 1: the header says 3 numbers per row, but the rows that follow end in no number, as in line 2" in said
    assert "line 3: 1 number at the end of the row, expected 2" in failure(tmp_path, b"2 2\na 1 2\nb 3\n")
    embeddings = read(tmp_path, b"2 1\na 1 2\nb 3 4\n")  # words with a space, for all a reader can know
    kept, left_out = VocabularyFilter().apply(embeddings.words)
    assert kept == []
    assert describe_left_out(embeddings, left_out) == {
        "white space": "2 rows with white space in the word, which no token has, such as line 2"
    }


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (BINARY[:-6], "the header in line 1 says 3 rows, but the file ends in row 3"),
        (BINARY.replace(b"3 3\n", b"4 3\n"), "the header in line 1 says 4 rows, but the file ends in row 4"),
        (BINARY.replace(b"3 3\n", b"2 3\n"), "more bytes follow the 2 rows of the header"),
        (BINARY + b"x", "more bytes follow the 3 rows"),
        (b"2 3\n" + b"a " + bytes(12) + b"b" * 200_000, "row 2: no word ends within 65536 bytes"),
        (b"999999999999 300\na " + bytes(1200), "says 999999999999 rows, but the file ends in row 2"),
        (b"5 999999999999\na " + bytes(1200), "the header says 999999999999 numbers per row"),
        (b"999999999999999999 262144\na " + bytes(1200), "the file ends in row 1"),
        (b"9999999999999999999 2\na " + bytes(8), "more rows or numbers than any file can hold"),
        (b"-1 2\na " + bytes(8), "the header says -1 rows"),
        (b"1 0\na " + bytes(8), "rows of 0 numbers"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_hostile_binary_files(tmp_path: Path, data: bytes, said: str, packed: bool) -> None:
    """They are refused, and what a header promises is not allocated."""
    tracemalloc.start()
    assert said in failure(tmp_path, gzip.compress(data) if packed else data, "v.bin")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 32 << 20


def test_random_bytes_after_a_header_end_in_a_clean_error_or_in_vectors(tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    for _ in range(200):
        rows, dimensions = generator.integers(1, 5, size=2)
        body = generator.integers(0, 256, size=int(generator.integers(0, 80)), dtype=np.uint8).tobytes()
        with contextlib.suppress(InputFileError):
            read(tmp_path, f"{rows} {dimensions}\n".encode() + body, "v.bin")


# ---- What is not read, and every rejection in words


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ((793712314).to_bytes(4, "little") + bytes(60), r"a model of fastText \(\.bin\).*use the \.vec file"),
        (GLOVE.decode().encode("utf-16"), "text in UTF-16.*iconv -f UTF-16 -t UTF-8"),
        (b"\xfe\xff" + GLOVE.decode().encode("utf-16-be"), "text in UTF-16"),
        (GLOVE.decode().encode("utf-32"), "text in UTF-32"),
        (GLOVE.decode().encode("utf-16-le"), "line 1: contains a byte 0.*iconv -f UTF-16"),
        (b"3 3\n".decode().encode("utf-16-le") + BINARY, "line 1: contains a byte 0"),
        (b"\x28\xb5\x2f\xfd" + bytes(50), "compressed with zstd.*zstd -d"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(50), "a 7z archive"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file.*save the vectors in word2vec's"),
        (b"PAR1" + bytes(50), "a Parquet file"),
        (b"SQLite format 3\0", "an SQLite database"),
        *((pickle.dumps({"a": 1}, protocol), "a pickle of Python") for protocol in (2, 3, 4, 5)),
        (gzip.compress(gzip.compress(GLOVE)), "packed twice"),
        (gzip.compress(lzma.compress(GLOVE)), "packed twice"),
        (gzip.compress(GLOVE.decode().encode("utf-16")), "text in UTF-16"),
        (zipped(("v.npy", b"\x93NUMPY" + bytes(80))), "an array of numpy in a packed file"),
        (bz2.compress(GLOVE * 50)[:-20], "cannot be decompressed"),
        (bz2.compress(GLOVE)[:20] + b"\xff" * 30, "cannot be (unpacked|read)"),
        (lzma.compress(GLOVE * 50)[:-20], "cannot be decompressed"),
        (lzma.compress(GLOVE)[:20] + b"\xff" * 90, "cannot be decompressed"),
    ],
)
def test_what_a_file_is_and_what_to_do(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(InputFileError, match=rf"v\.bin.*{said}"):
        read(tmp_path, data, "v.bin")


def test_every_reason_says_in_words_what_it_means(tmp_path: Path) -> None:
    rows = [b"ok 1 2", b"a\x01b 1 2", b"c\x7fd 1 2", b"e f 1 2", b" 1 2", b"x" * 256 + b" 1 2", b"a@b 1 2", b"a@b 3 4"]
    rows += [b"12345678 1 2", b"nan nan 1", b"rude 1 2", b"no-1 1 2"]
    embeddings = read(tmp_path, b"12 2\n" + b"\n".join(rows))
    kept, left_out = VocabularyFilter(["rude"], "^no").apply(embeddings.words)
    assert [embeddings.words[i] for i in kept] == ["ok"]
    assert describe_left_out(embeddings, left_out) == {
        "duplicate": "1 row with a word that occurred before, in line 9",
        "infinite or NaN": "1 row with an infinite number or NaN, in line 11",
        "unseen character": "2 rows with a control or format character in the word, such as line 3",
        "e-mail address": "1 row with a word like an e-mail address, in line 8",
        "empty": "1 row without a word, in line 6",
        "excluded pattern": "1 row with a word that matches the excluded pattern, in line 13",
        "excluded word": "1 row with a word from the list of excluded words, in line 12",
        "long number": "1 row with a word of 4 or more digits, in line 10",
        "too long": "1 row with a word of more than 255 bytes, in line 7",
        "white space": "1 row with white space in the word, which no token has, in line 5",
    }


def test_an_array_counts_rows(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([[1, 2], [np.inf, 4], [5, 6]]))
    (tmp_path / "v.txt").write_bytes(b"a\nb\nc d\n")
    embeddings: Embeddings = read_embeddings(str(tmp_path / "v.npy"))
    assert describe_left_out(embeddings, VocabularyFilter().apply(embeddings.words)[1]) == {
        "infinite or NaN": "1 row with an infinite number or NaN, in row 2",
        "white space": "1 row with white space in the word, which no token has, in row 3",
    }
