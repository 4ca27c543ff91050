"""What went wrong is said in words of the user, and what to do about it: for mistakes that newcomers make."""

import errno
import io
import os
import subprocess
import sys
import tarfile
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import hushbit
from cli_runner import Here
from hushbit import errors
from hushbit._plumbing.atomic import WriteFailedError, write_atomically
from hushbit._plumbing.files import hint_of_encoding
from hushbit.corpus.cluster import drawing_on
from hushbit.corpus.errors import ClusterError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bundle() -> hushbit.Bundle:
    return hushbit.open()


# ---- Python


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"epsilon": "6"}, "epsilon must be a number, not str"),
        ({"epsilon": [6]}, "epsilon must be a number, not list"),
        ({"beta": "0.1"}, "beta must be a number, not str"),
        ({"epoch": "1"}, "epoch must be a whole number, not str"),
        ({"epoch": 1.5}, "epoch must be a whole number, not float"),
        ({"budget": "sent.budget"}, "budget must be a hushbit.Budget, not str"),
    ],
)
def test_options_of_a_wrong_type_are_named(bundle: hushbit.Bundle, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError) as failure:
        bundle.privatizer(**options)
    assert str(failure.value) == said


def test_crowds_are_not_for_other_mechanisms(bundle: hushbit.Bundle) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="only used by the mechanism crowd, not by brr"):
        bundle.privatizer("brr", 0.5, crowd_size="few")
    assert bundle.privatizer(crowd_size="few").info.crowd_size == "few"


def test_the_source_tree_is_told_from_an_installation() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import hushbit"], cwd=ROOT / "python", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "this is hushbit in its source tree, where its core is not built: install it" in done.stderr


@pytest.mark.parametrize(("before", "kept"), [(None, "nothing was written"), (b"old", "the existing file was not")])
def test_a_full_disk(before: bytes | None, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "new"
    if before is not None:
        path.write_bytes(before)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteFailedError, match=f"No space left on device; {kept}"):
        write_atomically(path, b"data")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([] if before is None else [before])


# ---- The command


def test_a_wrong_option_is_said_in_two_lines(here: Here) -> None:
    code, out, err = here("privatize", "--epsilon", "much")
    assert (code, out) == (2, b"")
    assert err.decode().splitlines() == [
        "hushbit privatize: error: argument --epsilon: 'much' is not a finite number, 0 or more",
        "(see hushbit privatize --help)",
    ]


def test_words_are_looked_up_in_the_built_in_bundle(here: Here) -> None:
    code, out, _ = here("neighbors", "weather", "-k", "3")
    assert (code, len(out.splitlines())) == (0, 3)
    assert here("neighbors", str(hushbit.open()._path), "weather", "-k", "3")[1] == out
    code, out, _ = here("sample", "weather", "rain", "--mechanism", "crowd-few", "--epsilon", "6")
    assert code == 0
    assert b"What 'weather' becomes" in out
    assert b"What 'rain' becomes" in out


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("meet me\n".encode("utf-16"), "it seems to be UTF-16, convert it, as in: iconv -f UTF-16 -t UTF-8"),
        (b"m\0\xffe\0\n", "it seems to be UTF-16"),
        (b"caf\xe9\n", "if it is in Windows-1252 or Latin-1, convert it, as in: iconv -f WINDOWS-1252 -t UTF-8"),
        (b"\x1f\x8b\x08\x00\xff\xff", "it is compressed or packed: unpack it first"),
    ],
)
def test_text_that_is_not_utf_8(here: Here, tmp_path: Path, typed: bytes, advice: str) -> None:
    (tmp_path / "letters.txt").write_bytes(typed)
    code, out, err = here("privatize", tmp_path / "letters.txt")
    assert (code, out) == (1, b"")
    assert f"the text is not UTF-8; {advice}" in err.decode()
    assert hint_of_encoding(typed).startswith(advice)


def test_packed_embeddings_are_named(here: Here, tmp_path: Path) -> None:
    rows = b"cat 1 2\ndog 2 3\n"
    packed = tmp_path / "vectors.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        member = tarfile.TarInfo("vectors.txt")
        member.size = len(rows)
        archive.addfile(member, io.BytesIO(rows))
    code, _, err = here("export", "--embeddings", packed, "-o", tmp_path / "words.hushbit")
    assert code == 1
    assert "a tar archive, which is not supported: unpack it" in err.decode()


@pytest.mark.parametrize("output", [".", "..", "/"])
def test_a_corpus_goes_to_a_folder_of_its_own(here: Here, tmp_path: Path, output: str) -> None:
    (tmp_path / "texts.csv").write_text("text\ncat\n")
    code, _, err = here("corpus", tmp_path / "texts.csv", "--column", "text", "-o", output)
    assert code == 2
    assert "name a new folder to write" in err.decode()


# ---- A cluster


class Cluster:
    """A client that is lost in one way or another."""

    def __init__(self, lost: Exception) -> None:
        self._lost = lost

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return {"one": 1}

    def submit(self, *_: object, **__: object) -> "Cluster":
        return self

    def result(self) -> None:
        raise self._lost


@pytest.mark.parametrize("lost", [CancelledError(), ConnectionError(), RuntimeError("Client is closed")])
def test_a_cluster_that_is_lost(bundle: hushbit.Bundle, lost: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distributed.Client", lambda *_, **__: Cluster(lost))
    with drawing_on("tcp://there:8786", bundle.privatizer()) as (draw, threads):
        assert threads == 1
        with pytest.raises(ClusterError, match="tcp://there:8786: the cluster was lost; run again"):
            draw(pa.chunked_array([["cat"]]))


def test_a_cluster_that_is_not_there(bundle: hushbit.Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> None:
        raise OSError("timed out")

    monkeypatch.setattr("distributed.Client", nowhere)
    with (
        pytest.raises(ClusterError, match="there:1: no scheduler of Dask answers there"),
        drawing_on("there:1", bundle.privatizer()),
    ):
        pass
