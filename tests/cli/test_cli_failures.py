"""How the `hushbit` command fails: with which exit code and message, and with nothing of what was typed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hushbit
from cli_runner import SURE, Here, assert_no_canary, run
from typed import CANARY


@pytest.fixture(scope="module")
def path(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("", 2, "required: COMMAND"),
        ("frobnicate", 2, "invalid choice"),
        ("--frobnicate", 2, "required: COMMAND"),
        ("privatize BUNDLE --epsilon -1 TEXT", 2, "'-1' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon nan TEXT", 2, "'nan' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon inf TEXT", 2, "'inf' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon 1e999 TEXT", 2, "'1e999' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon many TEXT", 2, "'many' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon", 2, "expected one argument"),
        ("privatize BUNDLE --oov verbatim TEXT", 2, "invalid choice"),
        ("privatize BUNDLE --punctuation keep TEXT", 2, "invalid choice"),
        ("privatize BUNDLE --threads 0 TEXT", 2, "'0' is not a whole number, 1 or more"),
        ("privatize BUNDLE --threads 1.5 TEXT", 2, "'1.5' is not a whole number, 1 or more"),
        ("privatize BUNDLE --mask x TEXT", 2, "only used with --oov mask"),
        ("privatize BUNDLE --oov mask --mask= TEXT", 2, "1 to 64 bytes"),
        (f"privatize BUNDLE --oov mask --mask {'x' * 65} TEXT", 2, "1 to 64 bytes"),
        ("privatize BUNDLE --oov mask --mask a\nb TEXT", 2, "printable"),
        ("privatize BUNDLE --eps 1 TEXT", 2, "unknown option: --eps"),
        (f"privatize BUNDLE TEXT {CANARY}", 2, "too many arguments"),
        ("privatize BUNDLE MISSING", 3, "No such file or directory"),
        ("privatize BUNDLE DIRECTORY", 1, "Is a directory"),
        ("privatize MISSING TEXT", 3, "No such file or directory"),
        ("privatize DIRECTORY TEXT", 1, "Is a directory"),
        ("privatize EMPTY TEXT", 4, "EMPTY"),
        ("privatize TRUNCATED TEXT", 4, "TRUNCATED"),
        ("privatize TEXT TEXT", 4, "not a Hushbit bundle"),
        ("inspect MISSING", 3, "No such file or directory"),
        ("inspect DIRECTORY", 1, "Is a directory"),
        ("inspect EMPTY", 4, "EMPTY"),
        ("inspect BUNDLE --yaml", 2, "unknown option: --yaml"),
        ("verify MISSING", 3, "No such file or directory"),
        ("verify TRUNCATED", 4, "TRUNCATED"),
        ("verify NEWER", 1, "NEWER"),
        ("neighbors", 2, "required: WORD"),
        ("neighbors BUNDLE Cat", 1, "'Cat' is not in the vocabulary"),
        ("neighbors BUNDLE cat -k 0", 2, "'0' is not a whole number, 1 or more"),
        ("neighbors BUNDLE cat -k ten", 2, "'ten' is not a whole number, 1 or more"),
        ("neighbors MISSING cat", 3, "No such file or directory"),
    ],
)
def test_failures(arguments: str, code: int, message: str, path: Path, tmp_path: Path, here: Here) -> None:
    names = {name: str(tmp_path / name) for name in ("TEXT", "MISSING", "EMPTY", "TRUNCATED", "NEWER")}
    names |= {"BUNDLE": str(path), "DIRECTORY": str(tmp_path)}
    Path(names["TEXT"]).write_text("the cat\n" * 20, encoding="utf-8")
    Path(names["EMPTY"]).touch()
    Path(names["TRUNCATED"]).write_bytes(path.read_bytes()[:-1])
    Path(names["NEWER"]).write_bytes(newer(path.read_bytes()))
    got, out, err = here(*[names.get(word, word) for word in arguments.split(" ") if word])
    assert (got, out) == (code, b"")
    assert message in err.decode()
    assert_no_canary(err)


def newer(data: bytes) -> bytes:
    """The bundle as version 2.0 of the format, with a checksum that fits."""
    import zlib

    header = data[:12] + (2).to_bytes(2, "little") + data[14:124]
    return header + zlib.crc32(header).to_bytes(4, "little") + data[128:]


def test_an_unreadable_text_is_said(path: Path, tmp_path: Path) -> None:
    unreadable = tmp_path / "text.txt"
    unreadable.touch(mode=0)
    if os.geteuid() == 0:  # who may read everything but this
        unreadable = Path("/proc/self/mem")
    done = run("privatize", path, unreadable)
    assert done.returncode == 1
    assert str(unreadable).encode() in done.stderr


@pytest.mark.parametrize(
    ("typed", "line", "byte"),
    [
        (f"cat\nthe caf\xe9 {CANARY}\n".encode("latin-1"), 2, 7),
        (b"\xff\xfec\0a\0t\0", 1, 0),  # UTF-16
        (b"cat \xed\xa0\x80", 1, 4),  # a surrogate
        (b"\n\ncat \xf0\x9f\x98\n", 3, 4),  # cut short
        (b"cat\n" * 1000 + b"\xc0\x80", 1001, 0),  # overlong
    ],
)
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_invalid_utf8_is_placed(path: Path, here: Here, typed: bytes, line: int, byte: int, options: list[str]) -> None:
    code, out, err = here.privatize(path, "--epsilon", SURE, "--allow-unchanged", *options, typed=typed)
    assert code == 1
    assert f"{here.text_file}, line {line}, byte {byte}: the text is not UTF-8".encode() in err
    assert out.count(b"\n") == line - 1  # every line before it came out
    assert_no_canary(out, err)


INVALID = b"the cat\ncat \xff\xfe music\n\nqqx\xe9xqq cat\nmusic \xe2\x82"


@pytest.mark.parametrize("threads", ["1", "3"])
def test_invalid_utf8_can_be_replaced(path: Path, here: Here, threads: str) -> None:
    options = (
        "--epsilon",
        SURE,
        "--allow-unchanged",
        "--oov",
        "mask",
        "--threads",
        threads,
        "--invalid-utf8",
        "replace",
    )
    code, out, err = here.privatize(path, *options, typed=INVALID)
    assert (code, out) == (0, b"the cat\ncat music\n\n[unk] [unk] cat\nmusic\n")  # U+FFFD is no word, nor part of one
    assert b"lines in which bytes that are not UTF-8 became U+FFFD: 3" in err
    assert b"lines released 5" in err
    code, out, err = here.privatize(path, *options, "--json", typed=b"cat \xff \xc3\xa9 cat")
    document = json.loads(out)
    assert code == 0
    typed = "cat \ufffd \u00e9 cat"  # which the ranges are of
    assert [typed.encode()[t["byte_begin"] : t["byte_end"]].decode() for t in document["tokens"]] == typed.split(" ")
    assert b"became U+FFFD: 1" in err


def test_lines_that_are_not_utf8_can_be_left_out(path: Path, here: Here, tmp_path: Path) -> None:
    options = ("--epsilon", SURE, "--allow-unchanged", "--invalid-utf8", "skip")
    code, out, err = here.privatize(path, *options, typed=INVALID)
    assert (code, out) == (0, b"the cat\n\n")
    assert b"lines left out since they are not UTF-8: 3" in err
    assert b"lines released 2" in err
    ledger = tmp_path / "sent.budget"
    code, out, err = here.privatize(path, *options, "--json", "--budget", str(ledger), typed=INVALID)
    assert (code, out.count(b"\n")) == (0, 2)
    assert hushbit.Budget.read(ledger).tokens_lifetime == 2  # what was left out is not spent
    assert b"lines left out since they are not UTF-8: 3" in err
    assert here.privatize(path, *options, typed=b"\xff\n\xfe")[:2] == (0, b"")
    assert b"not UTF-8" not in here.privatize(path, *options, typed="caf\u00e9 \ufffd".encode())[2]


def test_by_default_nothing_after_a_line_that_is_not_utf8_is_released(path: Path, here: Here) -> None:
    for options in ((), ("--invalid-utf8", "error")):
        code, out, err = here.privatize(path, "--epsilon", SURE, "--allow-unchanged", *options, typed=INVALID)
        assert (code, out) == (1, b"the cat\n")
        assert b"line 2, byte 4: the text is not UTF-8; if it is in Windows-1252 or Latin-1, convert it" in err
        assert b"; nothing of this line was released" in err


def test_a_refused_word_is_placed(path: Path, here: Here) -> None:
    typed = f"cat\ncafé {CANARY}\ncat\n".encode()
    code, out, err = here.privatize(path, "--oov", "error", "--epsilon", SURE, "--allow-unchanged", typed=typed)
    assert (code, out) == (1, b"cat\n")
    assert f"{here.text_file}, line 2, byte 6: a token is not in the vocabulary".encode() in err
    assert b"lines released 1, words 1" in err  # what went out has its cost said
    assert_no_canary(err)


def test_stdin_is_called_so(path: Path) -> None:
    done = run("privatize", path, "--epsilon", SURE, "--allow-unchanged", stdin=b"\xff")
    assert done.returncode == 1
    assert b"error: standard input, line 1, byte 0: " in done.stderr


@pytest.mark.parametrize(
    "options", [["--oov", "random"], ["--oov", "drop"], ["--oov", "mask"], ["--punctuation", "privatize"], ["--json"]]
)
def test_nothing_typed_leaks(path: Path, here: Here, options: list[str]) -> None:
    typed = f"{CANARY} {CANARY.lower()}, {CANARY.upper()}'s\ncat-{CANARY}\n".encode() * 20
    code, out, err = here.privatize(path, *options, typed=typed)
    assert code == 0
    assert_no_canary(out, err)


def test_privatize_does_not_import_what_it_does_not_need(path: Path) -> None:
    program = "import sys, hushbit.cli; hushbit.cli.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    line = [sys.executable, "-c", program, "privatize", str(path), "--epsilon", "0.3", __file__]
    modules = set(subprocess.run(line, capture_output=True, check=True, text=True).stderr.split())
    assert "hushbit._commands.line_pipeline" in modules
    assert not modules & {"numpy", "rich", "faiss", "torch"}
