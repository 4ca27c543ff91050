"""`hushbit report`: what it writes, that it counts up with `hushbit count`, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest

import hushbit
from cli_runner import assert_no_canary, run
from typed import CANARY


def written(*arguments: str | Path, stdin: bytes = b"") -> list[str]:
    done = run("report", *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


def test_a_report_for_each_line(tmp_path: Path) -> None:
    reporter = hushbit.open().reporter("emoji", 1.0)
    text = "hello \U0001f600\r\n\nno\n".encode()
    reports = [json.loads(line) for line in written("--values", "emoji", "--epsilon", "1", stdin=text)]
    assert len(reports) == 3
    for report in reports:
        assert report.keys() == {"report", "values", "epsilon", "version"}
        assert 0 <= report["report"] < reporter.info.reports
        assert (report["values"], report["epsilon"], report["version"]) == (reporter.info.hash[:16], 1.0, 1)
    file = tmp_path / "text"
    file.write_bytes(text)
    assert [int(line) >= 0 for line in written("--plain", file)] == [True] * 3


def test_at_a_large_epsilon_values_come_back(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text("yes\r\nno\r\nmaybe\r\n", newline="")
    text = "\n".join(["\ufeffyes"] + ["yes"] * 499 + ["maybe"] * 300 + ["no"] * 200).encode()
    found = np.array([int(line) for line in written("--values", answers, "--epsilon", "16", "--plain", stdin=text)])
    assert np.bincount(found, minlength=3).tolist() == pytest.approx([500, 200, 300], abs=3)
    none = written("--values", answers, "--none", "--epsilon", "16", "--plain", stdin=b"other\n" * 50)
    assert none.count("0") >= 49


@pytest.mark.parametrize("content", [b"yes\nno\n", b"\xef\xbb\xbfyes\r\nno\r\n", b"yes\r\nno"])
def test_what_is_counted_is_what_was_reported(tmp_path: Path, content: bytes) -> None:
    answers, reports = tmp_path / "answers.txt", tmp_path / "reports.jsonl"
    answers.write_bytes(content)
    reports.write_text(
        "\n".join(written("--values", answers, "--epsilon", "3", stdin=b"yes\n" * 3000 + b"no\n" * 1000)) + "\n"
    )
    done = run("count", reports, "--values", answers, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["yes"]["count"] == pytest.approx(3000, abs=200)
    assert rows["no"]["count"] == pytest.approx(1000, abs=200)


def test_what_is_refused(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text("yes\nno\n")
    done = run("report", "--values", answers, stdin=f"yes\n{CANARY}\nno\n".encode())
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 1)
    assert b"line 2 is none of the values" in done.stderr
    assert_no_canary(done.stdout, done.stderr)
    done = run("report", stdin=b"fine\n\xff\n")
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 1)
    assert b"line 2, byte 0: the text is not UTF-8" in done.stderr
    assert run("report", "--epsilon", "20").returncode == 2
    assert run("report", "--values", tmp_path / "nothing").returncode == 3
    answers.write_text("yes\nyes\n")
    assert b"answers, line 2: is the value of line 1 again" in run("report", "--values", answers).stderr
    answers.write_text("yes\n\nno\n")
    assert b"answers, line 2: is empty" in run("report", "--values", answers).stderr


def test_budget_and_key(tmp_path: Path) -> None:
    ledger, key = tmp_path / "ledger", tmp_path / "key"
    done = run("report", "--budget", ledger, "--budget-lifetime", "5", stdin=b"one\ntwo\nthree\n")
    assert (done.returncode, done.stdout.count(b"\n")) == (6, 2)
    assert run("key", key).returncode == 0
    first, second = (written("--memoize", key, stdin=b"see you\nsee you\n") for _ in range(2))
    assert first == second
    assert first[0] == first[1]
