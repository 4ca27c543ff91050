"""How `hushbit corpus` reads files: rows and values come as they are written, and errors say exactly what is wrong."""

import codecs
import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli_runner import Here
from corpora import Corpus, write_parquet
from typed import CANARY


@pytest.fixture
def corpus(here: Here, tmp_path: Path) -> Corpus:
    return Corpus(here, tmp_path / "out")


def released(corpus: Corpus) -> str:
    """The text of the only part."""
    (part,) = corpus.parts.values()
    return part.decode()


# ---- CSV, TSV


def test_quotes_in_tsv_are_text(corpus: Corpus, tmp_path: Path) -> None:
    """With quotes that quote, the first would swallow all lines up to the second."""
    (tmp_path / "a.tsv").write_text('id\ttext\n"1\tcat\n2\troad\n3"\t"sun\n4\tmusic "cat"\n')
    code, _, err = corpus(tmp_path / "a.tsv", options=("--keep", "id"))
    assert code == 0, err
    assert "rows 4" in err
    assert released(corpus) == 'id\ttext\n"1\tcat\n2\troad\n3"\tsun\n4\tmusic cat\n'


def test_tsv_with_quotes_that_quote(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text('id\ttext\n"1\t1"\t"cat\nroad"\n')
    code, _, err = corpus(tmp_path / "a.tsv", options=("--keep", "id", "--quoting", "double"))
    assert code == 0, err
    assert released(corpus) == 'id\ttext\r\n"1\t1"\tcat road\r\n'


def test_an_empty_line_of_one_column_of_tsv_is_a_row(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("text\ncat\n\nroad\n")
    code, _, err = corpus(tmp_path / "a.tsv")
    assert code == 0, err
    assert released(corpus) == "text\ncat\n\nroad\n"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", f"id,text\r\n1,{CANARY}\r2,cat\n", "a.csv, line 2: has a carriage return (CR) that no line feed"),
        ("a.csv", f"id,text\r1,{CANARY}\r2,cat\r", "a.csv, line 1: has a carriage return (CR) that no line feed"),
        ("a.tsv", f"id\ttext\n1\tcat\n2\t{CANARY}\r3\tcat\n", "a.tsv, line 3: has a carriage return (CR)"),
        ("a.csv", f'id,text\n1,cat\n2,"{CANARY}\n3,cat\n', "a.csv, line 3: a quote in this row is not closed"),
        ("a.csv", f'id,text\n1,"{CANARY}\n2,"cat"\n', "a.csv, line 2: the quotes do not fit"),
    ],
)
def test_a_lone_return_and_an_open_quote(corpus: Corpus, tmp_path: Path, name: str, data: str, message: str) -> None:
    (tmp_path / name).write_bytes(data.encode())
    code, _, err = corpus(tmp_path / name)
    assert code == 1
    assert message in err
    assert not corpus.parts


def test_other_delimiters_and_no_header(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text('a;"cat; road";1\nb;sun;2\n')
    options = ("--format", "csv", "--delimiter", ";", "--no-header", "--keep", "3")
    code, _, err = corpus(tmp_path / "log.txt", column="2", options=options)
    assert code == 0, err
    assert "columns left out: 1" in err
    assert released(corpus) == "cat road;1\r\nsun;2\r\n"
    assert list(corpus.parts) == ["part-00000.csv"]


@pytest.mark.parametrize(
    "options", [("--delimiter", "ab"), ("--delimiter", '"'), ("--encoding", "hex"), ("--encoding", "x")]
)
def test_options_that_cannot_be(corpus: Corpus, tmp_path: Path, options: tuple[str, str]) -> None:
    assert corpus(tmp_path / "a.csv", options=options).code == 2


def test_options_of_another_format(corpus: Corpus, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "a.parquet", ["cat"])
    code, _, err = corpus(source, options=("--encoding", "latin-1"))
    assert code == 2
    assert "--encoding is not for files of the format parquet" in err
    (tmp_path / "a.jsonl").write_text('{"text": "cat"}\n')
    assert (
        "--no-header is not for files of the format jsonl" in corpus(tmp_path / "a.jsonl", options=("--no-header",)).err
    )


# ---- Encodings, packing


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF8, "utf-8"),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_marks_say_the_encoding(corpus: Corpus, tmp_path: Path, name: str, mark: bytes, encoding: str) -> None:
    text = "text,id\r\ncat road,ü\r\n" if name == "a.csv" else '{"text": "cat road", "id": "ü"}\n'
    (tmp_path / name).write_bytes(mark + text.encode(encoding))
    code, _, err = corpus(tmp_path / name, options=("--keep", "id"))
    assert code == 0, err
    assert released(corpus) == text


def test_an_encoding_that_is_named(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("text,id\r\ncat,ü\r\n".encode("latin-1"))
    code, _, err = corpus(tmp_path / "a.csv", options=("--keep", "id"))
    assert code == 1
    assert "a.csv, line 2: is not UTF-8 at its byte 5; --encoding latin-1, cp1252 or another reads it" in err
    code, _, err = corpus(tmp_path / "a.csv", options=("--keep", "id", "--encoding", "latin-1"))
    assert code == 0, err
    assert released(corpus) == "text,id\r\ncat,ü\r\n"


@pytest.mark.parametrize(("policy", "expected"), [("replace", ["cat", "ro\ufffdd", "sun"]), ("skip", ["cat", "sun"])])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
def test_bytes_that_are_no_text(corpus: Corpus, tmp_path: Path, name: str, policy: str, expected: list[str]) -> None:
    lines = [b"cat", b"ro\xffd", b"sun"]
    rows = [b'{"text": "cat", "id": "%s"}' % line for line in lines]
    separator = b"\t" if name == "a.tsv" else b","
    if name != "a.jsonl":
        rows = [b"text" + separator + b"id", *(b"cat" + separator + line for line in lines)]
    (tmp_path / name).write_bytes(b"\n".join(rows) + b"\n")
    code, _, err = corpus(tmp_path / name, options=("--keep", "id", "--invalid-utf8", policy))
    assert code == 0, err
    body = released(corpus).splitlines()
    if name == "a.jsonl":
        assert [json.loads(line)["id"] for line in body] == expected
    else:
        assert [line.split(separator.decode())[1] for line in body[1:]] == expected
    assert ("rows left out, since they are not valid in their encoding: 1" in err) == (policy == "skip")


def test_zstandard(corpus: Corpus, tmp_path: Path) -> None:
    text = "text\r\n" + "cat\r\n" * 100_000
    half = len(text) // 2
    packed = b"".join(pa.compress(data.encode(), codec="zstd", asbytes=True) for data in (text[:half], text[half:]))
    (tmp_path / "a.csv.zst").write_bytes(packed)
    code, _, err = corpus(tmp_path / "a.csv.zst")
    assert code == 0, err
    (name,) = corpus.parts
    assert name == "part-00000.csv.zst"
    with pa.input_stream(str(corpus.out / name), compression="zstd") as file:
        assert file.read().decode() == text
    (tmp_path / "b.csv.zst").write_bytes(packed[:-20])
    code, _, err = Corpus(corpus._here, tmp_path / "other")(tmp_path / "b.csv.zst")
    assert code == 1
    assert "b.csv.zst: cannot be decompressed: it is cut off or damaged" in err


def test_json_lines_by_other_names(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b'{"text": "cat"}\n'))
    assert corpus(tmp_path / "a.json.gz").code == 0
    assert list(corpus.parts) == ["part-00000.jsonl.gz"]
    (tmp_path / "b.json").write_text('[{"text": "cat"}]')
    assert "turned into lines" in corpus(tmp_path / "b.json").err


# ---- JSON lines


def test_kept_values_stay_as_they_are_written(corpus: Corpus, tmp_path: Path) -> None:
    """Numbers too large, too long or too exact for a double among them."""
    values = [
        *("1e999", "-0.0", "1E+2", "1234567890.12345678901", "9" * 5000, '"\\u00fc\\ud800"', "[1.0,  2]", "null"),
        *('{"a": 1.50, "a": [{}]}', '"\\"}"', "true", '"ü"'),
    ]
    lines = [f'{{"id": 1 , "text":"cat" ,"kept" : {value} }}\n' for value in values]
    (tmp_path / "a.jsonl").write_text("".join(lines) + '{"text": "cat"}\n', encoding="utf-8")
    code, _, err = corpus(tmp_path / "a.jsonl", options=("--keep", "kept"))
    assert code == 0, err
    assert released(corpus).splitlines() == [*(f'{{"text": "cat", "kept": {v}}}' for v in values), '{"text": "cat"}']


def test_columns_of_any_object(corpus: Corpus, tmp_path: Path) -> None:
    rows = [{"id": 1}, {"text": "cat", "id": 2, "Erika": 1}, {"kept": 3, "text": "road", "id": 3}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = corpus(tmp_path / "a.jsonl", options=("--keep", "kept"))
    assert code == 0, err
    assert [json.loads(line) for line in released(corpus).splitlines()] == [
        {"text": None},
        {"text": "cat"},
        {"kept": 3, "text": "road"},
    ]
    assert "columns left out: id and 1 that some rows lack" in err


# ---- Types and files without rows


@pytest.mark.parametrize(
    "types",
    [
        (pa.string(), pa.large_string()),
        (pa.null(), pa.string()),
        (pa.dictionary(pa.int8(), pa.string()), pa.string_view()),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_types_that_are_both_text_are_one(
    corpus: Corpus, tmp_path: Path, types: tuple[pa.DataType, pa.DataType], turned: bool
) -> None:
    for name, type_ in zip("ba" if turned else "ab", types, strict=True):
        texts = [None] if pa.types.is_null(type_) else ["cat"]
        kept = [None] if pa.types.is_null(type_) else [name]
        table = pa.table({"text": pa.array(texts, type_), "kept": pa.array(kept, type_)})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    code, _, err = corpus(tmp_path / "*.parquet", options=("--keep", "kept"))
    assert code == 0, err
    found = pq.read_table(corpus.out)
    assert sorted(found["text"].to_pylist(), key=str) == sorted(
        [None if t == pa.null() else "cat" for t in types], key=str
    )
    assert len(found["kept"].drop_null()) == sum(not pa.types.is_null(t) for t in types)


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.tsv"])
def test_a_file_without_rows(corpus: Corpus, tmp_path: Path, name: str) -> None:
    if name == "a.parquet":
        pq.write_table(pa.table({"text": pa.array([], pa.string()), "id": pa.array([], pa.int8())}), tmp_path / name)
    else:
        (tmp_path / name).write_text("text\tid\n" if name == "a.tsv" else "text,id\n")
    code, out, err = corpus(tmp_path / name, options=("--keep", "id", "--json"))
    assert code == 0, err
    assert "parts released 1, rows 0" in err
    assert "there are no rows" in err
    assert json.loads(out)["tally"]["rows"] == 0
    (part,) = corpus.parts.values()
    if name == "a.parquet":
        assert pq.read_table(corpus.out).schema.names == ["text", "id"]
        assert pq.read_table(corpus.out).num_rows == 0
    else:
        assert part.decode().split() in (["text,id"], ["text", "id"])
    assert "all of it is released already" in corpus(tmp_path / name, options=("--keep", "id")).err
