"""`hushbit export` as a user runs it."""

import json
import math
import os
import pty
import resource
import signal
import subprocess
import sys
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest

import hushbit
import hushbit.cli
import hushbit.testing
from cli_runner import assert_no_traceback, command, run, run_here
from hushbit.errors import InvalidArgumentError
from reference.bundle_file import read_bundle

OLD = b"\x89HSB\r\n\x1a\nan older bundle"
WORDS = [f"{a}{b}{c}" for a in "bcdfg" for b in "aeiou" for c in "lmnrst"]
ROWS = ["meta", "words", "codes"]
CROWDS = ["outputs", "standins", "weights", "crowds", "grades"]
EMBEDDING = ["embedding"]


@pytest.fixture
def glove(tmp_path: Path) -> Path:
    """150 words of 10 dimensions, and a few rows of every kind that is left out."""
    generator = np.random.default_rng(0)
    words = [*WORDS, WORDS[0], "bad", "x@y.z", "12345678", "É"]
    rows = [" ".join([word, *(f"{x:.4f}" for x in generator.normal(size=10))]) for word in words]
    rows[len(WORDS) + 1] = "bad nan" + " 1" * 9
    path = tmp_path / "toy.txt"
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def export(*arguments: str | Path, code: int = 0, **options: Any) -> subprocess.CompletedProcess[bytes]:
    done = run("export", *arguments, **options) if options else run_here("export", *arguments)
    assert done.returncode == code, done.stderr
    return done


def test_the_report_counts_everything(glove: Path, tmp_path: Path) -> None:
    output = tmp_path / "words.hushbit"
    done = export("--embeddings", glove, "--bits", "64", "--mechanism", "brr", "--json", "-o", output)
    report = json.loads(done.stdout)
    bundle = hushbit.open(output)
    assert report["words"] == bundle.words == 150
    assert report["left_out"] == {"e-mail address": 1, "long number": 1, "unreachable": 1}
    assert (report["rows"], report["duplicates"]) == (155, 1)
    assert report["rejected_lines"] == [152]
    assert b"rejected 1 row with infinite numbers or NaN, lines 152" in done.stderr
    assert report["hash"] == bundle.info.hash
    assert report["file_bytes"] == output.stat().st_size
    assert [section["name"] for section in report["sections"]] == [
        *ROWS,
        "clusters",
        "order",
        "mih",
        *CROWDS,
        *EMBEDDING,
    ]
    assert math.isclose(report["average_per_token"], report["epsilon"] * report["average_distance"], rel_tol=1e-9)
    assert 0 <= report["worst_case_per_token"] - report["epsilon"] * report["max_distance"] <= 1.1e-6  # in millionths
    assert abs(report["unchanged"] - 0.5) < 0.02
    assert bundle.meta["source"]["name"] == "toy.txt"
    assert str(tmp_path) not in json.dumps(bundle.meta)


def test_the_report_for_people(glove: Path, tmp_path: Path) -> None:
    done = export("--embeddings", glove, "--bits", "64", "--mechanism", "brr", "-o", tmp_path / "words.hushbit")
    text = done.stdout.decode()
    for said in (
        "150 of 155 rows",
        "1 row with a word that occurred before",
        "infinite number or NaN, in line 152",
        "P_avg apart",
        "codes",
    ):
        assert said in text


def test_the_same_export_twice_gives_identical_bytes(glove: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        export("--embeddings", glove, "--bits", "128", "-o", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    export("--embeddings", glove, "--bits", "128", "--seed", "1", "-o", tmp_path / "c")
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


@pytest.mark.parametrize("binarizer", ["autoencoder", "itq"])
def test_the_number_of_processors_does_not_matter(binarizer: str, tmp_path: Path) -> None:
    count = 6000  # enough for BLAS to share the work out
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(count, 50)).astype(np.float32))
    (tmp_path / "v.txt").write_text("".join(f"w{i}\n" for i in range(count)), encoding="utf-8")
    quick = ("--embeddings", tmp_path / "v.npy", "--binarizer", binarizer, "--epsilon", "1", "--index", "none")
    for threads in ("1", "2", "3"):
        environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        export(*quick, "-o", tmp_path / threads, env=environment)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes() == (tmp_path / "3").read_bytes()


def test_tem_is_calibrated_too(glove: Path, tmp_path: Path) -> None:
    tem = ("--embeddings", glove, "--bits", "64", "--mechanism", "tem", "--json")
    report = json.loads(export(*tem, "-o", tmp_path / "a").stdout)
    assert (report["mechanism"], report["note"]) == ("tem", None)
    assert abs(report["unchanged"] - 0.5) < 0.01
    assert hushbit.open(tmp_path / "a").info.default_epsilon == report["epsilon"] > 0
    export(*tem, "-o", tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("index", "more", "savings"),
    [
        ("none", [], []),
        ("mih", ["mih"], [("the hash", "none")]),
        ("clusters", ["clusters", "order"], [("clusters and order", "none")]),
        ("both", ["clusters", "order", "mih"], [("the hash", "clusters"), ("clusters, order and hash", "none")]),
    ],
)
def test_an_index_and_what_it_weighs(
    glove: Path, tmp_path: Path, index: str, more: list[str], savings: list[tuple[str, str]]
) -> None:
    output = tmp_path / f"{index}.hushbit"
    quick = ("--embeddings", glove, "--bits", "64", "--binarizer", "projection", "--epsilon", "1")
    done = export(*quick, "--index", index, "--json", "-o", output)
    report = json.loads(done.stdout)
    info = hushbit.open(output).info
    names = [*ROWS, *more, *CROWDS, *EMBEDDING]
    assert [section.name for section in info.sections] == [part["name"] for part in report["sections"]] == names
    assert report["mih_flips"] == info.mih_flips
    assert [(saving["parts"], saving["index"]) for saving in report["savings"]] == savings
    for saving in report["savings"]:
        smaller = tmp_path / "smaller.hushbit"
        export(*quick, "--index", saving["index"], "-o", smaller)
        # Table entries and padding, up to 127 bytes a section, come to that.
        assert 0 <= output.stat().st_size - smaller.stat().st_size - saving["bytes"] <= 3 * 127
    inspected = json.loads(run_here("inspect", output, "--json").stdout)
    for part, same in zip(report["sections"], inspected["sections"], strict=True):
        assert all(same[key] == value for key, value in part.items())
    assert inspected["savings"] == report["savings"]
    for arguments in (("inspect", output), ("export", *quick, "--index", index, "-o", output)):
        text = run_here(*arguments).stdout.decode()
        assert all(part["purpose"] in text for part in report["sections"])
        assert all(part["used"] in text for part in report["sections"] if part["name"] in more)
        assert text.count("bytes less") == len(savings)


def test_choosing_words_and_epsilon(glove: Path, tmp_path: Path) -> None:
    (tmp_path / "rude.txt").write_text("bal\nbam\n", encoding="utf-8")
    chosen = ("--max-words", "10", "--exclude-words", tmp_path / "rude.txt", "--exclude-pattern", "^be")
    export("--embeddings", glove, *chosen, "--epsilon", "1.5", "--bits", "512", "-o", tmp_path / "words.hushbit")
    read = read_bundle((tmp_path / "words.hushbit").read_bytes())
    assert read.words == [b"ban", b"bar", b"bas", b"bat"]
    assert hushbit.open(tmp_path / "words.hushbit").info.default_epsilon == 1.5


def test_a_single_word_is_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("word 1 2 3\n", encoding="utf-8")
    chosen = ("--bits", "64", "--mechanism", "brr")
    done = export("--embeddings", tmp_path / "one.txt", *chosen, "--json", "-o", tmp_path / "one.hushbit")
    report = json.loads(done.stdout)
    assert (report["epsilon"], report["unchanged"], report["max_distance"]) == (0, 1, 0)
    assert report["note"] is not None
    hushbit.open(tmp_path / "one.hushbit").verify()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--embeddings", "missing.txt"], 3, "missing.txt: no such file"),
        (["--embeddings", "toy.txt", "--exclude-words", "missing.txt"], 3, "missing.txt: no such file"),
        (["--embeddings", "toy.txt", "--exclude-pattern", "("], 2, "not a regular expression"),
        (["--embeddings", "toy.txt", "--exclude-pattern", "."], 2, "no word is left"),
        (["--embeddings", "toy.txt", "--binarizer", "none"], 2, "there is no binarizer"),
        (["--embeddings", "toy.txt", "--set", "learning_rate=1e9"], 1, "lower the learning rate, now 1e+09"),
        (["--embeddings", "toy.txt", "--set", "epochs"], 2, "write NAME=VALUE"),
        (["--embeddings", "toy.txt", "--set", "speed=1"], 2, "has no parameter 'speed'"),
        (["--embeddings", "toy.txt", "--components", "10"], 2, "10 components cannot be removed"),
        (["--embeddings", "toy.txt", "--encoder", "."], 1, "not a regular file"),
        (["--embeddings", "toy.txt", "--bits", "100"], 2, "--bits"),
        (["--embeddings", "toy.txt", "--epsilon", "nan"], 2, "--epsilon"),
        (["--embeddings", "toy.txt", "--seed", "-1"], 2, "--seed"),
        (["--embeddings", "toy.txt", "--max-words", "0"], 2, "--max-words"),
        (["--embeddings", "toy.txt", "--unknown"], 2, "--unknown"),
        ([], 2, "--embeddings"),
        (["--embeddings", "short.txt"], 1, "short.txt, line 2"),
        (["--embeddings", "empty.txt"], 1, "empty.txt: the file is empty"),
        (["--embeddings", "toy.txt", "-o", "no/such/folder"], 1, "no folder"),
        (["--embeddings", "toy.txt", "-o", "."], 1, "not a regular file"),
        (["--embeddings", "toy.txt", "-o", "folder/"], 2, "name a file, not a folder"),
        (["--embeddings", "toy.txt", "-o", ""], 2, "name a file, not a folder"),
        (["--embeddings", "toy.txt", "--encoder", "./old.hushbit"], 2, "are one file"),
    ],
)
def test_bad_input_is_named_and_nothing_is_lost(
    glove: Path, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "short.txt").write_bytes(b"a 1 2\nb 1\nc 3 4\n")
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "old.hushbit").write_bytes(OLD)
    before = sorted(tmp_path.iterdir())
    done = export("-o", "old.hushbit", *arguments, code=code, cwd=tmp_path)
    assert said in done.stderr.decode()
    assert done.stdout == b""
    assert (tmp_path / "old.hushbit").read_bytes() == OLD
    assert sorted(tmp_path.iterdir()) == before


def test_a_name_that_is_not_utf8(glove: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"toy\xff.txt")
    odd.write_bytes(glove.read_bytes())
    output = tmp_path / os.fsdecode(b"words\xff.hushbit")
    export("--embeddings", odd, "--bits", "64", "-o", output)
    assert hushbit.open(output).meta["source"]["name"] == "toy\ufffd.txt"


def test_nothing_but_words_on_stderr_for_a_huge_epsilon(glove: Path, tmp_path: Path) -> None:
    chosen = ("--embeddings", glove, "--bits", "64", "--mechanism", "brr", "--epsilon", "1e308")
    refused = export(*chosen, "-o", tmp_path / "words.hushbit", code=2)
    assert b"leaves 100% of the words as they were typed" in refused.stderr
    assert b"give --allow-unchanged" in refused.stderr
    done = export(*chosen, "--allow-unchanged", "-o", tmp_path / "words.hushbit")
    assert b"100.0% of the words stay unchanged" in done.stdout
    assert all(line.startswith(b"hushbit: ") for line in done.stderr.splitlines())


def test_the_lack_of_a_package_is_said_before_the_work(
    glove: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.setattr("hushbit.toolchain.bundle.build_bundle", lambda *_: pytest.fail("it worked already"))
    outputs = ["-o", str(tmp_path / "words.hushbit"), "--encoder", str(tmp_path / "encoder.onnx")]
    assert hushbit.cli.main(["export", "--embeddings", str(glove), *outputs]) == 1
    assert "this needs the package onnx: pip install" in capfd.readouterr().err


def test_a_folder_that_is_gone(glove: Path, tmp_path: Path) -> None:
    line = ["bash", "-c", 'mkdir gone; cd gone; rmdir ../gone; exec "$@"', "bash"]
    line += command("export", "--embeddings", glove, "-o", "words.hushbit")
    done = subprocess.run(line, capture_output=True, cwd=tmp_path, timeout=60, check=False)
    assert_no_traceback(done.stderr)
    assert (done.returncode, b"the current folder no longer exists" in done.stderr) == (1, True)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that even root cannot read")
def test_an_unreadable_file(tmp_path: Path) -> None:
    done = export("--embeddings", "/proc/self/mem", "-o", tmp_path / "words.hushbit", code=1)
    assert b"/proc/self/mem: cannot be read: Input/output error" in done.stderr


def test_a_full_disk_leaves_the_old_bundle(glove: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "words.hushbit").write_bytes(OLD)

    def only_a_thousand_bytes_a_file() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = export(
        *("--embeddings", glove, "-o", folder / "words.hushbit"), code=1, preexec_fn=only_a_thousand_bytes_a_file
    )
    assert b"could not be written" in done.stderr
    assert (folder / "words.hushbit").read_bytes() == OLD
    assert len(list(folder.iterdir())) == 1


@pytest.mark.slow
def test_an_interrupt_leaves_the_old_bundle(tmp_path: Path) -> None:
    # So many random codes that comparing all pairs takes longer than the second after which progress is shown.
    count = 120_000
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(count, 64)).astype(np.float32))
    words = ("".join(letters) for letters in product(ascii_lowercase, repeat=4))
    (tmp_path / "v.txt").write_text("".join(f"{word}\n" for word in islice(words, count)), encoding="utf-8")
    output = tmp_path / "words.hushbit"
    output.write_bytes(OLD)
    before = sorted(tmp_path.iterdir())
    terminal, stderr = pty.openpty()
    chosen = ("--bits", "512", "--binarizer", "projection", "--output-words", "all")
    arguments = command("export", "--embeddings", tmp_path / "v.npy", *chosen, "-o", output)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=stderr) as process:
        os.close(stderr)
        shown = b""
        while b"largest distance" not in shown:
            shown += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        try:
            while data := os.read(terminal, 4096):
                shown += data
        except OSError:  # how Linux says that the other end of a terminal is closed
            pass
        assert process.wait(timeout=60) == 130, shown
    os.close(terminal)
    assert_no_traceback(shown)
    assert output.read_bytes() == OLD
    assert sorted(tmp_path.iterdir()) == before


def test_embeddings_have_the_dimensions_that_are_asked_for(glove: Path, tmp_path: Path) -> None:
    quick = ("--embeddings", glove, "--bits", "64", "--binarizer", "projection", "--epsilon", "1")
    for dimensions in (0, 8):
        output = tmp_path / f"{dimensions}.hushbit"
        export(*quick, "--embedding-dimensions", str(dimensions), "-o", output)
        bundle = hushbit.open(output)
        bundle.verify()
        assert bundle.info.format_version == ("1.2" if dimensions else "1.1")
        if dimensions:
            assert bundle.embedder().info.dimensions == dimensions
            assert bundle.embedder().vectors(["", bundle.word(3)])[1].any()
        else:
            with pytest.raises(InvalidArgumentError, match="has no embedding"):
                bundle.embedder()
