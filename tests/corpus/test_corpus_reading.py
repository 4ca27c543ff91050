"""How `hushbit corpus` reads files: rows and values come as they are written, and errors say exactly what is wrong."""

import codecs
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs
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
    """The first quote would swallow all lines up to the second if quotes quoted."""
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
    text = "text\r\n" + "cat\r\n" * 5_000
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


# ---- Columns of folders, of nested values, and files elsewhere


def test_columns_in_the_names_of_folders(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_parquet(folder / "year=2024" / "lang=en%2FUS" / "a.parquet", ["cat"], id=[1])
    write_parquet(folder / "year=2025" / "lang=__HIVE_DEFAULT_PARTITION__" / "a.parquet", ["road"], id=[2])
    code, _, err = corpus(folder, options=("--keep", "lang,year"))
    assert code == 0, err
    assert "columns left out: id\n" in err
    table = pq.read_table(sorted(corpus.out.iterdir()))
    assert table.schema.names == ["text", "year", "lang"]
    assert table.to_pydict() == {"text": ["cat", "road"], "year": ["2024", "2025"], "lang": ["en/US", None]}


def test_fields_of_nested_values(corpus: Corpus, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"a": {"text": "cat", "b": {"c": 1.50}}, "a.d": 1},
        {"a": None, "a.d": 2},
        {"a": {"text": None}, "a.d": 3},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = corpus(tmp_path / "a.jsonl", column="a.text", options=("--keep", "a.b.c,a.d"))
    assert code == 0, err
    assert [json.loads(line) for line in released(corpus).splitlines()] == [
        {"a.d": 1, "a.text": "cat", "a.b.c": 1.5},
        {"a.d": 2, "a.text": None},
        {"a.d": 3, "a.text": None},
    ]
    table = pa.Table.from_pylist([{"a": row["a"], "a.d": row["a.d"]} for row in rows])
    pq.write_table(table, tmp_path / "a.parquet")
    other = Corpus(corpus._here, tmp_path / "other")
    code, _, err = other(tmp_path / "a.parquet", column="a.text", options=("--keep", "a.b.c,a.d"))
    assert code == 0, err
    assert pq.read_table(other.out).to_pydict() == {
        "a.d": [1, 2, 3],
        "a.text": ["cat", None, None],
        "a.b.c": [1.5, None, None],
    }
    assert (
        "has no column a.x; it has 2 columns"
        in Corpus(corpus._here, tmp_path / "third")(tmp_path / "a.parquet", column="a.x").err
    )


def test_an_address_of_a_file(corpus: Corpus, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "with space" / "a.parquet", ["cat"])
    code, _, err = corpus(source.as_uri(), source)
    assert code == 0, err
    assert corpus.texts == ["cat"]


@pytest.fixture(scope="module")
def bucket() -> Iterator[tuple[str, Any]]:
    """A bucket of a server that speaks the protocol of S3, and Arrow's view of it."""
    moto = pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(port=0)
    server.start()
    _, port = server.get_host_and_port()
    options = f"endpoint_override=127.0.0.1:{port}&scheme=http&allow_bucket_creation=true"
    filesystem, _ = pa.fs.FileSystem.from_uri(f"s3://key:secret@texts?{options}")
    filesystem.create_dir("texts")
    yield options, filesystem
    server.stop()


@pytest.mark.filterwarnings("default")  # of the server's own
def test_files_of_s3(corpus: Corpus, bucket: tuple[str, Any], tmp_path: Path) -> None:
    options, filesystem = bucket
    pq.write_table(pa.table({"text": ["cat", None]}), "texts/in/a.parquet", filesystem=filesystem)
    pq.write_table(pa.table({"text": ["road"]}), "texts/in/day=1/b.parquet", filesystem=filesystem)
    pq.write_table(pa.table({"text": ["sun"]}), "texts/in/_temporary/c.parquet", filesystem=filesystem)
    address = f"s3://key:secret@texts/in?{options}"
    code, _, err = corpus(address, options=("--part-rows", "1"))
    assert code == 0, err
    assert corpus.texts == ["cat", None, "road"]
    assert 'begins with "." or "_": 1' in err
    manifest = (tmp_path / "out.manifest").read_text()
    assert "s3://texts/in/a.parquet" in manifest
    assert "secret" not in manifest + err
    with filesystem.open_output_stream("texts/packed/a.csv.zst", compression=None) as file:
        file.write(pa.compress(b"text\r\ncat\r\n", codec="zstd", asbytes=True))
    other = Corpus(corpus._here, tmp_path / "other")
    code, _, err = other(f"s3://key:secret@texts/packed/a.csv.zst?{options}")
    assert code == 0, err
    assert list(other.parts) == ["part-00000.csv.zst"]
    code, _, err = other(f"s3://key:secret@texts/nothing?{options}")
    assert code == 3
    assert "s3://texts/nothing: there is no file" in err


def test_a_column_that_is_a_folder_s_name_in_some_files(corpus: Corpus, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in" / "a=1" / "a.parquet", ["cat"])
    write_parquet(tmp_path / "in" / "b.parquet", ["cat"], a=["1"])
    code, _, err = corpus(tmp_path / "in", options=("--keep", "a"))
    assert code == 1
    assert "b.parquet: has a column a, which other files have in the names of their folders" in err
