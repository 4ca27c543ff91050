"""Budgets and memoized noise through Python and the command line; native/tests/budget*_test.cpp has the hard part."""

import copy
import json
import math
import pickle
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import hushbit
from cli_runner import assert_no_canary, run, start
from hushbit import _core_testing, errors
from typed import CANARY

KEY = bytes(range(32))


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "sent.budget"


@pytest.fixture(scope="module")
def bundle_path(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


@pytest.fixture(scope="module")
def bundle(bundle_path: Path) -> hushbit.Bundle:
    return hushbit.open(bundle_path)


def make_newer(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8] = 3
    data[60:] = zlib.crc32(data[:60]).to_bytes(4, "little")
    path.write_bytes(data)


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(data)


def spends(budget: hushbit.Budget) -> bool:
    try:
        budget.spend(1)
    except errors.BudgetExhaustedError:
        return False
    return True


# ---- Python


def test_spending(ledger: Path) -> None:
    budget = hushbit.Budget(ledger, worst_case_per_day=3, tokens_lifetime=10)
    budget.spend(2.5, 4)
    with pytest.raises(errors.BudgetExhaustedError, match=r"the budget of 3 a day has 0\.5 left"):
        budget.spend(0.75)
    budget.spend(0.5, tokens=6)
    with pytest.raises(errors.BudgetExhaustedError, match="10 tokens in all has 0 left"):
        budget.spend(0, 1)
    state = budget.state
    assert isinstance(state.day, date)
    assert (state.worst_case_today, state.worst_case_lifetime) == (3, 3)
    assert (state.tokens_today, state.tokens_lifetime) == (10, 10)
    assert hushbit.Budget.read(ledger) == state
    assert repr(budget) == f"<hushbit.Budget {ledger}, worst_case_per_day 3, tokens_lifetime 10>"
    hushbit.Budget.reset(ledger)
    assert budget.state.worst_case_lifetime == 0


def test_whole_texts_are_counted_apart(ledger: Path) -> None:
    budget = hushbit.Budget(ledger, worst_case_lifetime=9, tokens_per_day=10)
    budget.spend(1, 4)
    assert ledger.read_bytes()[8] == 1  # readers of before take it
    assert "of which" not in run("budget", "show", ledger).stdout.decode()
    budget.spend_texts(6, 3)
    assert ledger.read_bytes()[8] == 2
    state = budget.state
    assert (state.tokens_today, state.texts_today, state.texts_lifetime) == (7, 3, 3)
    assert run("budget", "show", ledger).stdout.decode().count("tokens 7, of which 3 are whole texts") == 2
    for worst_case, texts in ((3, 1), (0, 4)):
        with pytest.raises(errors.BudgetExhaustedError):
            budget.spend_texts(worst_case, texts)
    for texts in (-1, 2**32):
        with pytest.raises(errors.InvalidArgumentError, match="texts is"):
            budget.spend_texts(0, texts)
    assert hushbit.Budget.read(ledger) == state


def test_a_day_begins_and_a_clock_goes_back(ledger: Path) -> None:
    budget = hushbit.Budget(ledger, worst_case_per_day=1)
    days = [date(2040, 1, 1), date(2040, 1, 2), date(2031, 1, 1), date(2040, 1, 3)]
    granted = []
    for day in days:
        _core_testing.set_clock(budget._native, (day - date(1970, 1, 1)).days * 86400 + 5)
        granted.append((spends(budget), spends(budget), budget.state.day))
    assert granted == [
        (True, False, days[0]),
        (True, False, days[1]),
        (False, False, days[1]),
        (True, False, days[3]),
    ]


def test_a_privatizer_spends(bundle: hushbit.Bundle, ledger: Path) -> None:
    budget = hushbit.Budget(ledger, worst_case_lifetime=2000)
    privatizer = bundle.privatizer(epsilon=0.5, budget=budget, allow_unchanged=True)
    assert privatizer.budget is budget
    released = privatizer.privatize("The cat sat on the blorb")
    assert budget.state.worst_case_lifetime == pytest.approx(released.cost.worst_case, abs=2e-6)
    assert budget.state.tokens_lifetime == 6
    with pytest.raises(errors.BudgetExhaustedError) as caught:
        privatizer.privatize(f"{CANARY} " * 100)
    assert_no_canary(str(caught.value).encode())
    assert budget.state.tokens_lifetime == 6
    verbatim = bundle.privatizer(epsilon=0.5, budget=budget, oov="verbatim-unsafe", allow_unchanged=True)
    with pytest.raises(errors.BudgetExhaustedError):
        verbatim.privatize("blorb")
    del privatizer, verbatim
    unlimited = bundle.privatizer(
        epsilon=0.5, budget=hushbit.Budget(ledger), oov="verbatim-unsafe", allow_unchanged=True
    )
    unlimited.privatize("blorb")
    assert budget.state.worst_case_lifetime == math.inf


def test_the_cap_holds_under_threads(bundle: hushbit.Bundle, ledger: Path) -> None:
    one = bundle.privatizer(epsilon=0.5, allow_unchanged=True).info.worst_case_per_token
    capped = hushbit.Budget(ledger, worst_case_lifetime=25.5 * one)
    privatizer = bundle.privatizer(epsilon=0.5, budget=capped, allow_unchanged=True)

    def release(_: int) -> bool:
        try:
            return privatizer.privatize("cat").text != ""
        except errors.BudgetExhaustedError:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(release, range(40))) == 25
    with pytest.raises(errors.BudgetExhaustedError) as caught:
        list(privatizer.privatize_many(["cat", "dog"]))
    assert caught.value.__notes__ == ["in the text at index 0"]


@pytest.mark.parametrize(
    ("harm", "error", "advice"),
    [
        (make_newer, errors.UnsupportedBudgetError, "newer version"),
        (damage, errors.CorruptBudgetError, "hushbit budget reset"),
        (lambda path: path.write_bytes(b""), errors.CorruptBudgetError, "hushbit budget reset"),
        (Path.unlink, errors.CorruptBudgetError, "missing"),
    ],
)
def test_harmed_ledgers_refuse(bundle: hushbit.Bundle, ledger: Path, harm: object, error: type, advice: str) -> None:
    budget = hushbit.Budget(ledger)
    privatizer = bundle.privatizer(epsilon=0.5, budget=budget, allow_unchanged=True)
    privatizer.privatize("cat")
    assert callable(harm)
    harm(ledger)
    with pytest.raises(error, match=advice):
        privatizer.privatize("cat")
    with pytest.raises(error):
        budget.spend(0)
    with pytest.raises(error):
        _ = budget.state
    hushbit.Budget.reset(ledger)
    privatizer.privatize("cat")


def test_refusals(bundle: hushbit.Bundle, ledger: Path, tmp_path: Path) -> None:
    for arguments in ({"worst_case_per_day": -1}, {"worst_case_lifetime": math.nan}, {"tokens_per_day": -1},
                      {"tokens_lifetime": 1 << 64}):  # fmt: skip
        with pytest.raises(errors.InvalidArgumentError, match=next(iter(arguments))):
            hushbit.Budget(ledger, **arguments)
    budget = hushbit.Budget(ledger)
    for cost, tokens in ((-1.0, 0), (math.nan, 0), (1.0, -1)):
        with pytest.raises(errors.InvalidArgumentError):
            budget.spend(cost, tokens)
    with pytest.raises(errors.StorageFailedError) as caught:
        hushbit.Budget(tmp_path / "missing" / "ledger")
    assert isinstance(caught.value, OSError)
    with pytest.raises(FileNotFoundError):
        hushbit.Budget.read(tmp_path / "missing")
    with pytest.raises(errors.InvalidArgumentError, match="NUL"):
        hushbit.Budget("a\0b")
    with pytest.raises(TypeError):
        hushbit.Budget(b"bytes")  # type: ignore[arg-type]
    other = tmp_path / "other"
    for content in (b"x" * 1000, b"precious notes"):
        other.write_bytes(content)
        with pytest.raises(errors.InvalidArgumentError, match="not a budget"):
            hushbit.Budget.reset(other)
        assert other.read_bytes() == content
    for copier in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            copier(budget)
    for key in (b"short", bytes(33)):
        with pytest.raises(errors.InvalidArgumentError, match="device_key has"):
            bundle.privatizer(epsilon=1, device_key=key)
    with pytest.raises(TypeError, match="device_key must be bytes"):
        bundle.privatizer(epsilon=1, device_key="x" * 32)  # type: ignore[arg-type]
    for epoch in (-1, 1 << 64):
        with pytest.raises(errors.InvalidArgumentError, match="epoch"):
            bundle.privatizer(epsilon=1, device_key=KEY, epoch=epoch)
    with pytest.raises(errors.InvalidArgumentError, match="meant for brr"):
        bundle.privatizer("tem")


def test_audit_log(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    privatizer = bundle.privatizer("tem", 0.5, device_key=KEY, audit_log=log, allow_unchanged=True)
    costs = [privatizer.privatize(text).cost for text in (f"The cat, {CANARY}!", "")]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["words"] for line in lines] == [2, 0]
    assert lines[0]["worst_case"] == pytest.approx(costs[0].worst_case, rel=1e-8)
    assert (lines[0]["mechanism"], lines[0]["memoized"], lines[0]["unknown"]) == ("tem", True, 1)
    assert lines[0]["bundle"] == bundle.info.hash
    assert abs(date.fromisoformat(lines[0]["day"]) - datetime.now(UTC).date()) <= timedelta(days=1)
    assert (lines[0]["unit"], lines[0]["public_words"]) == ("bit", 0)
    assert set(lines[0]) == {"day", "bundle", "mechanism", "memoized", "unit", "epsilon", "average", "worst_case",
                             "words", "unknown", "dropped", "verbatim", "public_words"}  # fmt: skip
    assert_no_canary(log.read_bytes())
    with pytest.raises(errors.StorageFailedError):
        bundle.privatizer(epsilon=1, audit_log=tmp_path, allow_unchanged=True)


# ---- Command line


def test_privatize_with_a_budget(bundle_path: Path, ledger: Path) -> None:
    text = b"the cat sat\nthe dog\n\nthe horse and the cat and the dog\nthe end\n"
    arguments = ("privatize", bundle_path, "--epsilon", "0.4", "--budget", ledger)
    done = run(*arguments, "--tokens-per-day", "9", stdin=text)
    assert done.returncode == 6
    assert done.stdout.count(b"\n") == 3
    assert b"line 4: the budget of 9 tokens a day has 4 left, and this has 8; nothing of this line was" in done.stderr
    assert b"tokens 5 on that day, 5 in all" in done.stderr
    done = run(*arguments, "--tokens-lifetime", "100", "--threads", "4", stdin=text)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 5)
    shown = json.loads(run("budget", "show", ledger, "--json").stdout)
    assert (shown["tokens_today"], shown["tokens_lifetime"]) == (5 + 15, 5 + 15)
    done = run(*arguments, "--budget-lifetime", str(shown["worst_case_lifetime"] + 1), stdin=b"cat\n")
    assert (done.returncode, done.stdout) == (6, b"")
    done = run(*arguments, "--budget-per-day", "0", "--json", stdin=b"cat\n")
    assert (done.returncode, done.stdout) == (6, b"")


def test_a_line_is_not_spent_before_it_is_read(bundle_path: Path, ledger: Path) -> None:
    with start("privatize", bundle_path, "--epsilon", "0.4", "--budget", ledger) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"the cat\n")
        process.stdin.flush()
        assert process.stdout.readline() != b""
        assert hushbit.Budget.read(ledger).tokens_lifetime == 2
        process.stdin.close()
        assert process.wait(30) == 0


def test_budget_show_and_reset(bundle_path: Path, ledger: Path, tmp_path: Path) -> None:
    missing = run("budget", "show", ledger)
    assert (missing.returncode, missing.stdout) == (3, b"")
    assert not ledger.exists()
    hushbit.Budget(ledger).spend(1.5, 3)
    today = hushbit.Budget.read(ledger).day
    assert run("budget", "show", ledger).stdout.decode().splitlines() == [
        f"{today}  worst case 1.5, tokens 3",
        "in all      worst case 1.5, tokens 3",
    ]
    damage(ledger)
    shown, refused = run("budget", "show", ledger), run("privatize", bundle_path, "--budget", ledger, stdin=b"cat\n")
    for done in (shown, refused):
        assert (done.returncode, done.stdout) == (4, b"")
        assert b"hushbit budget reset" in done.stderr
    assert run("budget", "reset", ledger).returncode == 0
    assert json.loads(run("budget", "show", "--json", ledger).stdout)["worst_case_lifetime"] == 0
    make_newer(ledger)
    done = run("budget", "show", ledger)
    assert (done.returncode, b"newer version" in done.stderr) == (1, True)
    hushbit.Budget.reset(ledger)
    hushbit.Budget(ledger).spend(math.inf)
    assert json.loads(run("budget", "show", "--json", ledger).stdout)["worst_case_today"] == "Infinity"
    assert run("budget", "reset", bundle_path).returncode == 2


def test_memoize(bundle_path: Path, tmp_path: Path) -> None:
    key = tmp_path / "device.key"
    arguments = ("privatize", bundle_path, "--epsilon", "0.1", "--memoize", key)
    done = run(*arguments, stdin=b"cat\n")
    assert done.returncode == 3
    assert f"hushbit key {key}".encode() in done.stderr
    assert run("key", key).returncode == 0
    assert (len(key.read_bytes()), key.stat().st_mode & 0o777) == (32, 0o600)
    made = key.read_bytes()
    assert run("key", key).returncode == 1
    assert key.read_bytes() == made
    text = ("the cat and the dog and the horse " + CANARY + "\n").encode() * 3
    outputs = [run(*arguments, *more, stdin=text) for more in ([], [], ["--epoch", "0"], ["--epoch", "1"])]
    assert {done.returncode for done in outputs} == {0}
    assert outputs[0].stdout == outputs[1].stdout == outputs[2].stdout != outputs[3].stdout
    assert len(set(outputs[0].stdout.splitlines())) == 1
    assert b"memoized" in outputs[0].stderr
    key.write_bytes(b"x" * 31)
    done = run(*arguments, stdin=text)
    assert (done.returncode, b"not a key file" in done.stderr) == (2, True)


def test_tem_on_the_command_line(bundle_path: Path, tmp_path: Path) -> None:
    done = run("privatize", bundle_path, "--mechanism", "tem", stdin=b"cat\n")
    assert (done.returncode, b"default epsilon is meant for brr" in done.stderr) == (2, True)
    done = run(
        "privatize",
        bundle_path,
        "--mechanism",
        "tem",
        "--epsilon",
        "40",
        "--allow-unchanged",
        "--beta",
        "0.01",
        stdin=b"the cat\n",
    )
    assert (done.returncode, done.stdout) == (0, b"the cat\n")
    words = tmp_path / "glove.txt"
    words.write_text("".join(f"word{i} {i % 7} {i % 5} {i % 3} {i}\n" for i in range(200)))
    exported = tmp_path / "tem.hushbit"
    export = ("export", "--embeddings", words, "-o", exported, "--bits", "64", "--mechanism", "tem")
    report = json.loads(run(*export, "--json").stdout)  # without an epsilon, one is found
    assert (report["mechanism"], report["epsilon"] > 0) == ("tem", True)
    report = json.loads(run(*export, "--epsilon", "0.5", "--json").stdout)
    assert (report["mechanism"], report["epsilon"]) == ("tem", 0.5)
    assert 0 < report["unchanged"] < 1
    bundle = hushbit.open(exported)
    assert bundle.info.default_mechanism == bundle.privatizer().mechanism == "tem"
    assert report["worst_case_per_token"] == bundle.privatizer(oov="drop").info.worst_case_per_token
    shown = run("inspect", exported).stdout.decode()
    assert f"farther than {bundle.privatizer().info.gamma} bits" in shown
    assert run("privatize", exported, stdin=b"word1\n").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--epoch", "1"], "--memoize"),
        (["--budget-per-day", "1"], "--budget"),
        (["--tokens-lifetime", "1"], "--budget"),
        (["--beta", "0.1"], "--mechanism tem"),
        (["--beta", "1"], "between 0 and 1"),
        (["--budget", "x", "--budget-per-day", "nan"], "0 or more"),
        (["--budget", "x", "--tokens-per-day", "-1"], "0 or more"),
        (["--mechanism", "laplace"], "invalid choice"),
    ],
)
def test_usage(bundle_path: Path, tmp_path: Path, arguments: list[str], what: str) -> None:
    done = run("privatize", bundle_path, *arguments, stdin=b"cat\n", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert what.encode() in done.stderr
    assert list(tmp_path.iterdir()) == []
