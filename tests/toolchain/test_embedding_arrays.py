"""Vectors as numpy, safetensors and gensim store them, with the real packages, and words with a prefix.

Folders of spaCy are written here as spaCy writes them; tests/toolchain/with_spacy.py has the real one.
"""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gensim.models import KeyedVectors
from safetensors.numpy import save_file

from cli_runner import Here
from hushbit.errors import InputFileError, InputNotFoundError
from hushbit.toolchain.embeddings import (
    Embeddings,
    VocabularyFilter,
    describe_left_out,
    read_embeddings,
)
from typed import word_of

WORDS = ["the", ",", "'s", "ü"]
ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


def assert_read(path: Path, words: list[str] = WORDS) -> Embeddings:
    embeddings = read_embeddings(str(path))
    assert embeddings.words == words
    np.testing.assert_array_equal(embeddings.vectors, ROWS)
    assert embeddings.place == "row"
    assert read_embeddings(str(path), max_words=2).words == words[:2]
    return embeddings


# ---- numpy


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_npz(tmp_path: Path, save: Any, dtype: Any) -> None:
    save(tmp_path / "a.npz", words=np.array(WORDS), vectors=ROWS.astype(dtype))
    assert_read(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"vectors": ROWS, "more": ROWS[0]}, "1 tables of numbers and 0 lists of words"),
        ({"a": ROWS, "b": ROWS, "words": np.array(WORDS)}, "2 tables of numbers"),
        ({"a": ROWS[:2], "words": np.array(WORDS)}, r"shape \(2, 3\), but there are 4 words"),
        ({"a": ROWS, "words": np.array(WORDS, dtype=object)}, "array of Python objects"),
    ],
)
def test_npz_that_is_not_clear(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(InputFileError, match=message):
        read_embeddings(str(tmp_path / "a.npz"))


# ---- safetensors


@pytest.mark.parametrize("vocabulary", [{word: i for i, word in enumerate(WORDS)}, [[word, -1.5] for word in WORDS]])
def test_safetensors_with_a_tokenizer(tmp_path: Path, vocabulary: object) -> None:
    """A tokenizer as Model2Vec saves it: word pieces and sentence pieces."""
    save_file({"embeddings": ROWS, "weights": ROWS[:, 0].copy()}, tmp_path / "model.safetensors")
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))
    embeddings = assert_read(tmp_path / "model.safetensors")
    assert embeddings.source.words_sha256 is not None


def test_safetensors_with_a_word_list(tmp_path: Path) -> None:
    save_file({"x": ROWS.astype(np.float16)}, tmp_path / "a.safetensors")
    with pytest.raises(InputNotFoundError, match="there is no word list next to it"):
        read_embeddings(str(tmp_path / "a.safetensors"))
    (tmp_path / "a.txt").write_text("\n".join(WORDS), encoding="utf-8")
    assert_read(tmp_path / "a.safetensors")


def test_safetensors_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    (tmp_path / "a.json").write_text(json.dumps(WORDS))
    save_file({"x": ROWS, "y": ROWS}, path)
    with pytest.raises(InputFileError, match="has 2 tables of numbers"):
        read_embeddings(str(path))
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputFileError, match="is damaged"):
        read_embeddings(str(path))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(InputFileError, match="is no tokenizer"):
        read_embeddings(str(path))


# ---- gensim


@pytest.fixture
def saved(tmp_path: Path) -> KeyedVectors:
    vectors = KeyedVectors(3)
    vectors.add_vectors(WORDS, ROWS)
    return vectors


@pytest.mark.parametrize("limit", [10 << 20, 1], ids=["in one file", "with the array beside it"])
def test_gensim(tmp_path: Path, saved: KeyedVectors, limit: int) -> None:
    saved.save(str(tmp_path / "a.kv"), sep_limit=limit)
    assert (tmp_path / "a.kv.vectors.npy").exists() == (limit == 1)
    assert_read(tmp_path / "a.kv")


class Harm:
    """What would write a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


def test_a_pickle_runs_no_code(tmp_path: Path, saved: KeyedVectors) -> None:
    saved.lifecycle_events = Harm(tmp_path / "harm")
    for harmful in (Harm(tmp_path / "harm"), saved, {"a": Harm(tmp_path / "harm")}):
        (tmp_path / "a.kv").write_bytes(pickle.dumps(harmful))
        with pytest.raises(InputFileError, match="a pickle of Python"):
            read_embeddings(str(tmp_path / "a.kv"))
        assert not (tmp_path / "harm").exists()
    pickle.loads((tmp_path / "a.kv").read_bytes())
    assert (tmp_path / "harm").exists()  # so it would have


def test_gensim_that_cannot_be_read(tmp_path: Path, saved: KeyedVectors) -> None:
    saved.save(str(tmp_path / "a.kv"))
    whole = (tmp_path / "a.kv").read_bytes()
    (tmp_path / "a.kv").write_bytes(whole[:-20])
    with pytest.raises(InputFileError, match="a pickle of Python"):
        read_embeddings(str(tmp_path / "a.kv"))
    saved.index_to_key = WORDS[:2]
    saved.save(str(tmp_path / "a.kv"))
    with pytest.raises(InputFileError, match="has 4 vectors, but 2 words"):
        read_embeddings(str(tmp_path / "a.kv"))


# ---- spaCy

KEYS = {
    "the": 7425985699627899538,
    ",": 2593208677638477497,
    "ü": 12942299606800070975,
    "number": 432,
}
"""What spaCy 3.8 calls these words: the third of them, of two bytes, is shorter than a block of the hash."""


def packed(keys: dict[int, int]) -> bytes:
    """Bytes as MessagePack writes a map of small and of large numbers."""
    data = bytes([0x80 | len(keys)])
    for key, row in keys.items():
        data += bytes([0xCF]) + key.to_bytes(8, "big") if key > 0xFFFF else bytes([0xCD]) + key.to_bytes(2, "big")
        data += bytes([row])
    return data


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """Rows in another order than words by the alphabet, a spare row, and a word of spaCy's own."""
    vocab = tmp_path / "pipeline/vocab"
    vocab.mkdir(parents=True)
    (vocab / "key2row").write_bytes(packed({KEYS["the"]: 0, KEYS["number"]: 3, KEYS[","]: 1, KEYS["ü"]: 2}))
    (vocab / "strings.json").write_text(json.dumps(sorted({"the", ",", "ü", "other", "words", "x" * 40})))
    (vocab / "vectors.cfg").write_text(json.dumps({"mode": "default"}))
    with (vocab / "vectors").open("wb") as file:
        np.save(file, np.vstack([ROWS, np.zeros((2, 3), dtype=np.float32)]))
    return vocab.parent


def test_spacy(pipeline: Path) -> None:
    for folder in (pipeline, pipeline / "vocab"):
        assert_read(folder, ["the", ",", "ü", "number"])
    (pipeline / "vocab/vectors.cfg").unlink()  # as before version 3.2
    assert_read(pipeline, ["the", ",", "ü", "number"])


def test_spacy_words_that_share_a_row(pipeline: Path) -> None:
    (pipeline / "vocab/key2row").write_bytes(packed({KEYS["the"]: 1, KEYS[","]: 0, KEYS["ü"]: 1}))
    embeddings = read_embeddings(str(pipeline))
    assert embeddings.words == [",", "the", "ü"]
    np.testing.assert_array_equal(embeddings.vectors, ROWS[[0, 1, 1]])


def test_spacy_that_cannot_be_read(pipeline: Path, tmp_path: Path) -> None:
    vocab = pipeline / "vocab"
    keys = (vocab / "key2row").read_bytes()
    for name, data, message in (
        ("key2row", keys[:-1], "key2row: is damaged"),
        ("key2row", keys + b"\0", "key2row: is damaged"),
        ("key2row", bytes([0x90]), "key2row: is damaged"),
        ("key2row", packed({}), "names no row"),
        ("key2row", packed({KEYS["the"]: 6}), "rows beyond the 6"),
        ("strings.json", b'["other"]', "spells 1 of the 4 words"),
        ("vectors", b"no array", "not a whole .npy file"),
        ("vectors.cfg", b'{"mode": "floret"}', r"pieces of words \(floret\)"),
        ("vectors.cfg", b"[]", "no description of vectors"),
    ):
        before = (vocab / name).read_bytes()
        (vocab / name).write_bytes(data)
        with pytest.raises(InputFileError, match=message):
            read_embeddings(str(pipeline))
        (vocab / name).write_bytes(before)
    (vocab / "strings.json").unlink()
    with pytest.raises(InputFileError, match=r"not strings\.json, which spells their words"):
        read_embeddings(str(pipeline))
    (tmp_path / "other").mkdir()
    with pytest.raises(InputFileError, match="is a folder without vectors of spaCy"):
        read_embeddings(str(tmp_path / "other"))


# ---- Prefixes


def test_words_with_a_prefix(tmp_path: Path) -> None:
    words = ["/c/fr/chat", "/c/en/cat", "dog", "/c/en/", "/c/en/dog"]
    lines = [f"{word} {i} 1 2" for i, word in enumerate(words)]
    (tmp_path / "a.txt").write_text("\n".join(lines) + "\n")
    embeddings = read_embeddings(str(tmp_path / "a.txt"), prefix="/c/en/")
    assert embeddings.words == ["cat", "", "dog"]
    np.testing.assert_array_equal(embeddings.vectors[:, 0], [1, 3, 4])
    _, left_out = VocabularyFilter().apply(embeddings.words)
    assert describe_left_out(embeddings, left_out) == {
        "without the prefix": "2 rows with a word that does not begin with the prefix",
        "empty": "1 row without a word, in line 4",
    }
    assert read_embeddings(str(tmp_path / "a.txt"), prefix="/c/en/", max_words=1).words == ["cat"]
    with pytest.raises(InputFileError, match="no word begins with /x/"):
        read_embeddings(str(tmp_path / "a.txt"), prefix="/x/")


def test_export_of_words_with_a_prefix(here: Here, tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    rows = [" ".join(map(str, row)) for row in generator.normal(size=(64, 8))]
    lines = [f"/c/en/{word_of(i)} {row}" for i, row in enumerate(rows)]
    (tmp_path / "a.txt").write_text("\n".join(lines) + "\n")
    options = ("--bits", "64", "--strip-prefix", "/c/en/", "-o", tmp_path / "a.hushbit", "--json")
    code, out, err = here("export", "--embeddings", tmp_path / "a.txt", *options)
    assert code == 0, err
    assert json.loads(out)["words"] == 64
    code, _, err = here("export", "--embeddings", tmp_path / "a.txt", "-o", tmp_path / "b.hushbit")
    assert code == 2
    assert b"--strip-prefix /c/en/ takes the English ones without it" in err
