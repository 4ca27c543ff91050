"""Words that are added to embeddings that lack them."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import hushbit
from cli_runner import run_here
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.toolchain.embeddings import Embeddings, Source, extended, read_definitions, read_embeddings

ROOT = Path(__file__).resolve().parents[2]


def toy() -> Embeddings:
    vectors = np.array([[2, 0], [0, 4], [-1, 0]], dtype=np.float32)
    return Embeddings(["photo", "phone", "cat"], vectors, Source("toy", "0" * 64), 3, 0, [])


def definitions(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "new.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_new_word_has_the_mean_direction_and_length(tmp_path: Path) -> None:
    longer = extended(toy(), read_definitions(definitions(tmp_path, "# comment\n\nselfie: photo phone\n")))
    assert longer.words == ["photo", "phone", "cat", "selfie"]
    np.testing.assert_allclose(longer.vectors[3], [3 / np.sqrt(2), 3 / np.sqrt(2)], rtol=1e-6)
    assert [longer.line_of(i) for i in range(4)] == [1, 2, 3, 0]
    assert longer.source.extension_sha256


@pytest.mark.parametrize("line", ["selfie photo", "selfie: ", ": photo", " selfie: photo", "a: photo\na: cat"])
def test_lines_that_define_nothing_are_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"new.txt, line [12]: "):
        read_definitions(definitions(tmp_path, line))


def test_an_empty_file_and_words_that_are_there_or_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="contains no definitions"):
        read_definitions(definitions(tmp_path, "# nothing\n"))
    with pytest.raises(InvalidArgumentError, match="'cat' needs no definition"):
        extended(toy(), read_definitions(definitions(tmp_path, "cat: photo\n")))
    with pytest.raises(InvalidArgumentError, match="'selfie' names 'picture', which the embeddings do not contain"):
        extended(toy(), read_definitions(definitions(tmp_path, "selfie: picture\n")))


def test_export_extends_and_excludes(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    words = [f"{a}{b}{c}" for a in "bcdfg" for b in "aeiou" for c in "lmnrst"]
    rows = [" ".join([word, *(f"{x:.4f}" for x in generator.normal(size=10))]) for word in words]
    (tmp_path / "toy.txt").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    (tmp_path / "rude.txt").write_text("# reason\nbal\n", encoding="utf-8")
    definitions(tmp_path, "selfie: bal\n")
    options = ("--output-words", "100", "--exclude-outputs", "rude.txt", "--extend", "new.txt", "-o", "w.hushbit")
    done: subprocess.CompletedProcess[bytes] = run_here(
        "export", "--embeddings", "toy.txt", "--bits", "64", "--binarizer", "projection", *options, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    bundle = hushbit.open(tmp_path / "w.hushbit")
    outputs = {bundle._native.word(i).decode() for i in bundle._native.output_words().tolist()}
    assert "bal" not in outputs
    assert "selfie" not in outputs
    ids = np.array([bundle._native.find(b"bal"), bundle._native.find(b"selfie")], dtype=np.uint32)
    first, second = bundle._native.stand_ins(ids)
    assert first == second
    assert "extension_sha256" in bundle.meta["source"]
    assert bundle.meta["crowds"]["excluded"] == 1

    sample = (
        "sample",
        "w.hushbit",
        "selfie",
        "--mechanism",
        "tem-euclidean",
        "--epsilon",
        "2",
        "--embeddings",
        "toy.txt",
    )
    done = run_here(*sample, cwd=tmp_path)
    assert done.returncode != 0
    assert b"give by --extend the file that the bundle was exported with" in done.stderr
    done = run_here(*sample, "--extend", "new.txt", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_words_of_the_built_in_bundle_can_be_added() -> None:
    embeddings = read_embeddings("glove-6b-50d")
    added = read_definitions(ROOT / "tools/generate/english_new_words.txt")
    assert len(extended(embeddings, added).words) == len(embeddings.words) + len(added.words)
