"""What people type at the `hushbit` command by mistake or because their files have odd names."""

import os
import pty
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import hushbit
import hushbit.cli
from cli_runner import SURE, assert_no_canary, assert_no_traceback, command, run, start
from hushbit._commands import line_pipeline
from hushbit.cli._shared.failure import CommandError
from typed import CANARY

IN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(scope="module")
def path(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


def shell(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    line = ["bash", "-o", "pipefail", "-c", script, "bash", *command(*arguments)]
    done = subprocess.run(line, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    assert_no_traceback(done.stderr)
    return done


# ---- Names of files


@pytest.mark.parametrize("name", [b"\xff.hushbit", b"-b", b"--", "\u00fc \U0001f600".encode()])
def test_a_bundle_may_have_any_name(name: bytes, path: Path, tmp_path: Path) -> None:
    shutil.copy(os.fsencode(path), os.path.join(os.fsencode(tmp_path), name))  # noqa: PTH118 - paths of bytes
    argument = os.fsdecode(name)
    for environment in ({}, IN_C):
        options: dict[str, Any] = {"cwd": tmp_path, "env": os.environ | environment}
        done = run("verify", "--", argument, **options)
        assert (done.returncode, done.stdout) == (0, f"ok {hushbit.open(path).info.hash}\n".encode()), done.stderr
        done = run("privatize", "--epsilon", SURE, "--allow-unchanged", "--", argument, "-", stdin=b"cat", **options)
        assert (done.returncode, done.stdout) == (0, b"cat\n"), done.stderr


def test_errors_survive_names_that_are_not_utf8(tmp_path: Path) -> None:
    missing = os.fsdecode(b"missing\xff")
    done = run("inspect", missing, cwd=tmp_path)
    assert done.returncode == 3
    assert b"missing\\udcff: No such file" in done.stderr
    (tmp_path / missing).touch()
    assert run("inspect", missing, cwd=tmp_path).returncode == 4


@pytest.mark.parametrize("name", ["cut", "bundle", "the"])
def test_the_file_is_named_whatever_its_name(name: str, path: Path, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(path.read_bytes()[:-1])
    done = run("inspect", name, cwd=tmp_path)
    assert done.stderr.startswith(f"hushbit: error: {name}: the bundle has ".encode())


def test_words_that_look_like_options(path: Path, tmp_path: Path) -> None:
    (tmp_path / "toy.txt").write_text("-- 1 2\n-k 3 4\n--json 5 6\n", encoding="utf-8")
    output = tmp_path / "odd.hushbit"
    assert run("export", "--embeddings", tmp_path / "toy.txt", "--bits", "64", "-o", output).returncode == 0
    for word in ("--", "-k", "--json"):
        done = run("neighbors", output, "-k", "1", "--", word)
        assert (done.returncode, done.stdout) == (0, f"0\t{word}\n".encode()), done.stderr
    done = run("neighbors", output, "--", "-k", "1")
    assert (done.returncode, b"too many arguments" in done.stderr) == (2, True)


# ---- Text where something else belongs


@pytest.mark.parametrize(
    "arguments",
    [
        ["BUNDLE", f"my {CANARY} text"],
        [f"my {CANARY} text"],
        ["BUNDLE", f"--text={CANARY}"],
        ["BUNDLE", "-", f"--text={CANARY}"],
        ["BUNDLE", "-", CANARY],
        ["--", "BUNDLE", "-", f"-{CANARY}"],
    ],
)
def test_a_text_as_an_argument_is_not_repeated(
    arguments: list[str], path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code = hushbit.cli.main(["privatize", *(str(path) if word == "BUNDLE" else word for word in arguments)])
    out, err = capfdbinary.readouterr()
    assert code in (2, 3)
    assert err
    assert_no_canary(out, err)


def test_where_text_is_read_from_is_said(path: Path) -> None:
    done = run("privatize", path, "some text")
    assert done.returncode == 3
    assert b"FILE: No such file or directory; text itself is read from standard input" in done.stderr


# ---- Encodings


def test_words_are_utf8_in_every_locale(path: Path, tmp_path: Path) -> None:
    (tmp_path / "toy.txt").write_text("caf\u00e9 1 2\nna\u00efve 3 4\n", encoding="utf-8")
    output = tmp_path / "toy.hushbit"
    chosen = ("--bits", "64", "--exclude-pattern", "\u00ef")
    environment = os.environ | IN_C
    assert run("export", "--embeddings", tmp_path / "toy.txt", *chosen, "-o", output, env=environment).returncode == 0
    done = run("neighbors", output, "caf\u00e9", env=environment)
    assert (done.returncode, done.stdout) == (0, "0\tcaf\u00e9\n".encode())
    masked = run("privatize", output, "--oov", "mask", "--mask", "\u00e9", stdin=b"zzz", env=environment)
    assert masked.stdout == "\u00e9\n".encode()


@pytest.mark.parametrize("arguments", [["neighbors", "BUNDLE", "\udcff"], ["privatize", "BUNDLE", "--mask", "\udcff"]])
def test_arguments_that_are_not_utf8(arguments: list[str], path: Path) -> None:
    done = run(*(path if word == "BUNDLE" else word for word in arguments))
    assert done.returncode == 2
    assert b"not UTF-8" in done.stderr


# ---- Threads and streams


def test_too_many_threads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for count in ("257", "9" * 30):
        done = run("privatize", path, "--threads", count)
        assert (done.returncode, b"more than 256 threads" in done.stderr) == (2, True)

    def refuse(self: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    with pytest.raises(CommandError, match="cannot start 3 threads: try fewer"):
        next(line_pipeline.in_order((line for line in [b"a"]), lambda number, line: line, threads=3))


def test_an_interrupt_inside_an_import(path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    class Interrupting:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def run(arguments: object) -> int:
        type("Class", (), {"attribute": Interrupting()})  # which Python 3.11 makes a RuntimeError of
        return 0

    monkeypatch.setattr("hushbit._commands.verify.run", run)
    assert hushbit.cli.main(["verify", str(path)]) == 130
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["privatize", "--help"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_that_cannot_be_written(arguments: list[str], unbuffered: str) -> None:
    full = shell(f'PYTHONUNBUFFERED={unbuffered} "$@" > /dev/full', *arguments)
    assert full.returncode == 1
    assert b"cannot write standard output: No space left on device" in full.stderr
    gone = shell(f'PYTHONUNBUFFERED={unbuffered} "$@" | exec true', *arguments)
    assert (gone.returncode in (0, 141), gone.stderr) == (True, b"")


def test_usage_is_never_data(path: Path) -> None:
    done = shell('"$@" 2>&-', "privatize", path, "--frobnicate")
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_terminal_is_told_that_it_is_read(path: Path) -> None:
    terminal, stdin = pty.openpty()
    with start("privatize", path, "--epsilon", SURE, "--allow-unchanged", stdin=stdin) as process:
        os.close(stdin)
        assert process.stdout
        assert process.stderr
        os.write(terminal, b"cat\n\x04")
        assert process.stdout.read() == b"cat\n"
        assert b"text is read from this terminal, line by line, until Ctrl-D" in process.stderr.read()
    os.close(terminal)
    assert process.returncode == 0
