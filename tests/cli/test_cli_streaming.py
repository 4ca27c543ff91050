"""`hushbit privatize` as a stream: order, promptness, bounded memory, long lines, and being interrupted."""

import io
import json
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

import hushbit.cli
from cli_runner import SURE, assert_no_traceback, command, lines, run, start
from hushbit._commands import line_pipeline
from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import CommandError
from reference.bundle_maker import make_bundle

WORDS = ("cat", "music", "road", "sun", "electroencephalographically")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of few words with codes far apart, so that a word takes microseconds."""
    codes = {word: bytes([1 << i | 1 << 7 - i] * 8) for i, word in enumerate(WORDS[:4])} | {WORDS[4]: bytes(8)}
    file = tmp_path_factory.mktemp("streaming") / "few.hushbit"
    file.write_bytes(make_bundle(codes, epsilon=0.3))
    return file


# ---- The command


def test_order_with_threads(path: Path) -> None:
    typed = lines(WORDS, 3000)
    for i in range(0, 3000, 100):  # now and then one that takes much longer
        typed[i] = " ".join([WORDS[i % 5]] * 500)
    text = "".join(f"{line}\n" for line in typed).encode()
    for threads in ("1", "8"):
        assert (
            run("privatize", path, "--epsilon", SURE, "--allow-unchanged", "--threads", threads, stdin=text).stdout
            == text
        )


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_lone_line_is_answered_at_once(path: Path, unbuffered: str) -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with start("privatize", path, "--epsilon", SURE, "--allow-unchanged", "--threads", "4", env=environment) as process:
        assert process.stdin
        assert process.stdout
        for word in (b"cat\n", b"music\n", b"\n"):
            process.stdin.write(word)
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 20)[0], "no answer while the input is open"
            assert process.stdout.readline() == word
        process.stdin.write(b"road")  # and a last one without a newline
        process.stdin.close()
        assert process.stdout.read() == b"road\n"
    assert process.returncode == 0


def test_a_line_of_a_megabyte(path: Path) -> None:
    line = " ".join(WORDS * 22_000)
    assert len(line) > 1_000_000
    typed = f"cat\n{line}\nmusic\n".encode()
    assert run("privatize", path, "--epsilon", SURE, "--allow-unchanged", stdin=typed).stdout == typed
    document = json.loads(
        run("privatize", path, "--epsilon", SURE, "--allow-unchanged", "--json", stdin=line.encode()).stdout
    )
    assert document["text"] == line
    assert len(document["tokens"]) == document["cost"]["words"] == 110_000


def sleeps(process: int) -> bool:
    """Whether each thread of a process waits."""
    states = (each.read_text().rpartition(")")[2].split()[0] for each in Path(f"/proc/{process}/task").glob("*/stat"))
    return all(state == "S" for state in states)


def test_reading_stops_while_nobody_takes_the_output(path: Path) -> None:
    with start("privatize", path, "--epsilon", SURE, "--allow-unchanged", "--threads", "2") as process:
        assert process.stdin
        assert process.stdout
        pipe = process.stdin.fileno()
        os.set_blocking(pipe, False)
        accepted, quiet = 0, 0
        while quiet < 3:
            try:
                accepted += os.write(pipe, b"cat\n" * 1000)
                quiet = 0
            except BlockingIOError:  # it has input, and what it wrote waits: if it sleeps, it reads no further
                quiet = quiet + 1 if select.select([process.stdout], [], [], 20)[0] and sleeps(process.pid) else 0
                time.sleep(0.01)
            assert accepted < 2_000_000, "it reads on although its output is not taken"
        os.set_blocking(pipe, True)
        process.stdin.close()
        assert process.stdout.read().count(b"\n") == (accepted + 3) // 4
    assert process.returncode == 0


@pytest.mark.parametrize("typed", [b"cat\n", b"cat\n" + b"cat " * 5_000_000])
def test_interrupt(path: Path, typed: bytes) -> None:
    """The interrupt comes while it waits for input, and while the core is busy with a line for many seconds."""
    with start("privatize", path, "--epsilon", SURE, "--allow-unchanged", "--threads", "2") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(typed)
        if len(typed) > 10:
            process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"cat\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stdout.read() == b""  # it did not wait for the line
        said = process.stderr.read()
    assert_no_traceback(said)
    assert b"lines released 1, words 1" in said


# ---- Streams that are closed or full


def shell(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    line = ["bash", "-c", script, "bash", *command(*arguments)]
    done = subprocess.run(line, capture_output=True, timeout=60, check=False, input=b"cat\n")
    assert_no_traceback(done.stderr)
    return done


@pytest.mark.parametrize("arguments", [("privatize",), ("inspect",), ("verify",)])
def test_output_that_cannot_be_written(path: Path, arguments: tuple[str, ...]) -> None:
    full = shell('"$@" > /dev/full', *arguments, path)
    assert full.returncode == 1
    assert b"cannot write standard output: No space left on device" in full.stderr
    closed = shell('"$@" >&-', *arguments, path)
    assert closed.returncode == 1
    assert b"standard output is closed" in closed.stderr


def test_streams_that_are_closed(path: Path) -> None:
    done = shell('"$@" <&-', "privatize", path)
    assert done.returncode == 1
    assert b"standard input is closed" in done.stderr
    done = shell('"$@" 2>&-', "privatize", path, "--epsilon", SURE, "--allow-unchanged")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"cat\n", b"")
    assert shell('"$@" 2>&-', "privatize", path, "/missing").returncode == 3


def test_a_reader_that_leaves(path: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("cat\n" * 20_000, encoding="utf-8")
    done = shell(
        '"$@" | head -n 1; echo "${PIPESTATUS[0]}"', "privatize", path, text, "--epsilon", SURE, "--allow-unchanged"
    )
    assert done.stdout == b"cat\n141\n"
    assert done.stderr.startswith(b"hushbit: epsilon: ")
    assert done.stderr.count(b"\n") == 1


# ---- Its parts


class Chunks(io.RawIOBase):
    """A file that gives its data in given pieces; None for "nothing yet"."""

    def __init__(self, *chunks: bytes | None) -> None:
        self._chunks = list(chunks)

    def read(self, size: int = -1) -> bytes | None:
        return self._chunks.pop(0) if self._chunks else b""


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([], []),
        ([b"\n"], [b""]),
        ([b"a"], [b"a"]),
        ([b"a\n"], [b"a"]),
        ([b"a\nb"], [b"a", b"b"]),
        ([b"a", b"b", b"\n", b"c\n\n", b"d"], [b"ab", b"c", b"", b"d"]),
        ([b"a\r\nb"], [b"a\r", b"b"]),
    ],
)
def test_read_lines(chunks: list[bytes], expected: list[bytes]) -> None:
    assert list(line_pipeline.read_lines(Chunks(*chunks), "text")) == expected


def test_read_lines_gives_a_line_before_it_reads_on() -> None:
    def no_more(size: int = -1) -> bytes:
        raise AssertionError("read on")

    file = Chunks(b"a\nb\nc")
    found = line_pipeline.read_lines(file, "text")
    assert next(found) == b"a"
    file.read = no_more  # type: ignore[method-assign]
    assert next(found) == b"b"


def test_read_lines_refuses_endless_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_pipeline, "MAX_LINE_BYTES", 1 << 20)
    endless = Chunks(b"short\n", *[b"x" * (1 << 16)] * 100)
    found = line_pipeline.read_lines(endless, "text")
    assert next(found) == b"short"
    with pytest.raises(CommandError, match="text, line 2 is longer than 1 MiB"):
        next(found)
    assert len(endless._chunks) > 80


def test_look_ahead_is_bounded() -> None:
    taken = 0

    def source() -> Generator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b"x" * 10_000

    gate = threading.Event()

    def work(number: int, line: bytes) -> int:
        gate.wait(20)
        return number

    with closing(line_pipeline.in_order(source(), work, threads=2)) as results:
        timer = threading.Timer(0.3, gate.set)
        timer.start()
        assert next(results) == 1
        seen_while_blocked = taken
        assert [next(results) for _ in range(500)] == list(range(2, 502))
        timer.join()
    assert 2 <= seen_while_blocked < 100
    time.sleep(0.05)
    after_closing = taken
    time.sleep(0.05)
    assert taken == after_closing, "it reads on after it was closed"


def test_a_long_line_shows_a_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_pipeline, "_HEARTBEAT_SECONDS", 0.01)
    shown = threading.Event()

    def work(number: int, line: bytes) -> bool:
        return shown.wait(20)

    assert list(line_pipeline.in_order((line for line in [b"a"]), work, 2, waiting=shown.set)) == [True]


def test_errors_come_in_their_turn() -> None:
    def work(number: int, line: bytes) -> bytes:
        if line == b"bad":
            raise ValueError(number)
        time.sleep(0.05)
        return line

    results = line_pipeline.in_order((line for line in [b"a", b"b", b"bad", b"c"]), work, threads=4)
    assert [next(results), next(results)] == [b"a", b"b"]
    with pytest.raises(ValueError, match="3"):
        next(results)


def test_python_is_not_left_the_usual_way_while_a_worker_is_inside_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    monkeypatch.setattr("os._exit", left.append)
    assert hushbit.cli.main(["--version"]) == 0
    assert left == []
    gate = threading.Event()
    worker = threading.Thread(target=gate.wait, name=streams.WORKER_NAME, daemon=True)
    worker.start()
    hushbit.cli.main(["verify", "/missing"])
    gate.set()
    worker.join()
    assert left == [3]


def test_errors_of_the_source_come_last() -> None:
    def source() -> Generator[bytes]:
        yield b"a"
        raise CommandError("cannot read")

    results = line_pipeline.in_order(source(), lambda number, line: line, threads=2)
    assert next(results) == b"a"
    with pytest.raises(CommandError, match="cannot read"):
        next(results)
