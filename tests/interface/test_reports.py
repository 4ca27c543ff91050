"""Reports: the core against golden vectors and the reference, budget, memo and log, chi-square on real draws."""

import json
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hushbit
from hushbit import ReporterOptions, testing
from hushbit.errors import (
    BudgetExhaustedError,
    InvalidArgumentError,
    InvalidTextError,
    UnknownWordError,
)
from reference import statistics
from reference.bundle_file import read_bundle
from reference.report import Reports, design_of, in_set, member
from reference.report_texts import TextReports

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
REPORTS = json.loads((VECTORS / "reports.json").read_text())
EMOJI = (VECTORS / "emoji.txt").read_text("utf-8").splitlines()
SEED = bytes(range(32))
few = settings(max_examples=100, deadline=None, derandomize=True)


def reporter_of(case: dict[str, Any]) -> hushbit.Reporter:
    bundle = None if case["bundle"] is None else hushbit.open(VECTORS / case["bundle"])
    key = case["device_key"]
    return hushbit.Reporter(
        bundle,
        ReporterOptions(
            lines(case["list"]) if case["values"] == "list" else case["values"],
            case["epsilon"],
            none=case["none"],
            skin_tones=case["skin_tones"],
            pass_over=lines(case["pass_over"]),
            device_key=None if key is None else bytes.fromhex(key),
            epoch=int(case["epoch"], 16),
        ),
    )


def lines(digits: str) -> list[str]:
    return bytes.fromhex(digits).decode().split("\n")[:-1]


@pytest.mark.parametrize("case", REPORTS["cases"], ids=lambda case: case["name"])
def test_cases_of_the_vectors(case: dict[str, Any]) -> None:
    reporter = reporter_of(case)
    seed = None if case["seed"] is None else bytes.fromhex(case["seed"])
    native = reporter._native
    if "value" in case:
        value = case["value"]
        report = reporter.report_value(value) if seed is None else testing.report_value(reporter, value, seed)
    else:
        text = bytes.fromhex(case["text"] if "text" in case else case["word"]).decode()
        release = reporter.report if "text" in case else reporter.report_word
        seeded = testing.report if "text" in case else testing.report_word
        report = release(text) if seed is None else seeded(reporter, text, seed)
    assert report.report == case["report"]
    assert report.values == case["hash"][:16]
    assert reporter.info.hash == case["hash"] == native.info().hash.hex()
    assert json.loads(report.to_json()) == {
        "report": case["report"],
        "values": case["hash"][:16],
        "epsilon": case["epsilon"],
        "version": 1,
    }


def test_cases_exercise_what_they_should() -> None:
    cases = REPORTS["cases"]
    assert {case["values"] for case in cases} == {"words", "emoji", "list", "new-words"}
    assert sum(case["device_key"] is not None for case in cases) > 40
    assert sum("word" in case for case in cases) > 20
    assert len({case["report"] for case in cases}) > 80
    assert len({case["name"] for case in cases}) == len(cases)
    assert {design["t"] for design in REPORTS["designs"]} >= {2, 3, 4, 5, 8, 12}


# ---- Values ----------------------------------------------------------------------------------------------------


def test_emoji_are_those_of_unicode() -> None:
    """tests/vectors/emoji.txt is written from Unicode's file by tools/generate/emoji_table, the table beside it."""
    toned = hushbit.Reporter(None, ReporterOptions("emoji", skin_tones=True))
    plain = hushbit.Reporter(None, ReporterOptions("emoji"))
    assert list(toned.spellings) == ["", *EMOJI]
    assert list(plain.spellings) == ["", *EMOJI[: plain.info.value_count - 1]]
    assert plain.info.value_count == 1850
    assert plain.info.hash != toned.info.hash


def test_the_table_is_what_the_generator_writes() -> None:
    command = [sys.executable, str(ROOT / "tools/generate/emoji_table"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr


def test_words_are_the_output_words() -> None:
    bundle = hushbit.open()
    reporter = bundle.reporter()
    words = [bundle._native.word(int(word)).decode() for word in bundle._native.output_words()]
    assert list(reporter.spellings) == ["", *words]
    assert reporter.info.has_none


def test_lists() -> None:
    without = hushbit.Reporter(None, ReporterOptions(["a", "b", "c"]))
    including = hushbit.Reporter(None, ReporterOptions(["a", "b", "c"], none=True))
    assert (without.spellings, including.spellings) == (("a", "b", "c"), ("", "a", "b", "c"))
    assert (without.info.has_none, including.info.has_none) == (False, True)
    assert without.info.hash != including.info.hash
    assert hushbit.Reporter(None, ReporterOptions(["a", "c", "b"])).info.hash != without.info.hash
    with pytest.raises(UnknownWordError) as refused:
        without.report("my secret")
    assert "secret" not in str(refused.value)
    including.report("my secret")


CROWDS = VECTORS / "crowds-64.hushbit"
REFERENCES = [TextReports(kind, 3.0, read_bundle(CROWDS.read_bytes())) for kind in ("words", "new-words")]


_WORDS = (
    "the The market. river don't zyzzyva QUUX x9 12345 7 \u4f60\u597d \u0645\u0631\u062d\u0628\u0627zz q "
    "a-b-c 7\ufe0f\u20e3 \u2764"
)
PIECES = st.sampled_from([*_WORDS.split(), "e\u0301te\u0301", " ", "\u200d", "\ufe0f", "", *EMOJI[::97], "\U0001f1e9"])


@few
@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_texts_against_the_reference(text: str) -> None:
    for reference in REFERENCES:
        reporter = hushbit.open(CROWDS).reporter(reference.kind, 3.0)
        assert testing.report(reporter, text, SEED).report == reference.report(text, SEED)


@few
@given(st.lists(st.sampled_from([*EMOJI, " ", "x", "7", "\u200d "]), max_size=8).map(" ".join), st.booleans())
def test_emoji_against_the_reference(text: str, skin_tones: bool) -> None:
    reference = TextReports("emoji", 3.0, lines=EMOJI, skin_tones=skin_tones)
    reporter = hushbit.Reporter(None, ReporterOptions("emoji", 3.0, skin_tones=skin_tones))
    assert testing.report(reporter, text, SEED).report == reference.report(text, SEED)


# ---- The mechanism ---------------------------------------------------------------------------------------------


def list_reporter(values: int, epsilon: float) -> hushbit.Reporter:
    return hushbit.Reporter(None, ReporterOptions([str(i) for i in range(values)], epsilon))


@pytest.mark.parametrize(("values", "epsilon"), [(2, 1.0), (5, 6.0), (40, 2.0), (300, 1.0), (1400, 3.0)])
def test_real_draws_against_their_chances(values: int, epsilon: float) -> None:
    """Chi-square of fresh randomness, each with a false-alarm rate of 10^-9."""
    reporter = list_reporter(values, epsilon)
    reports = Reports(epsilon, values)
    for value in (0, values - 1):
        drawn = reporter.report_values(np.full(200_000, value))
        counts = np.bincount(drawn.astype(np.int64), minlength=reports.design.reports)
        expected = [float(chance) * len(drawn) for chance in reports.chances(value)]
        assert statistics.chi_square_p(counts.tolist(), expected) > 1e-9


def test_the_token_of_a_text_is_uniform() -> None:
    """Nearly every report tells the value at the largest epsilon; the false-alarm rate is 10^-9."""
    reporter = hushbit.Reporter(None, ReporterOptions("emoji", 16.0))
    design = design_of(16.0, 1850)
    assert design.t == 2, "a report is a value"
    emoji = EMOJI[100:104]
    drawn = Counter(reporter.report_many(["".join(emoji)] * 40_000).tolist())
    counts = [drawn[1 + 100 + i] for i in range(4)]
    assert sum(counts) > 39_900
    assert statistics.chi_square_p(counts, [sum(counts) / 4] * 4) > 1e-9


def test_info_is_what_the_reference_computes() -> None:
    for values, epsilon in ((3, 0.5), (40, 2.0), (5000, 4.0)):
        info = list_reporter(values, epsilon).info
        reports = Reports(epsilon, values)
        design = reports.design
        assert (info.prime, info.dimension, info.points) == (design.q, design.t, design.reports)
        assert (info.set_size, info.reports, info.threshold) == (design.own, design.reports, reports.limit)
        assert reports.effective_epsilon <= info.effective_epsilon <= epsilon


def test_places_of_a_set_are_its_members() -> None:
    for epsilon, values in ((1.0, 30), (2.0, 300), (0.3, 100)):
        design = design_of(epsilon, values)
        for value in range(0, values, 7):
            places = {member(design, value, place) for place in range(design.own)}
            assert len(places) == design.own
            assert places == {report for report in range(design.reports) if in_set(design, value, report)}


# ---- The interface ---------------------------------------------------------------------------------------------


def test_many_reports() -> None:
    reporter = hushbit.open().reporter("emoji", 1.0)
    texts = ["\U0001f600 hello", "", "nothing"] * 100
    reports = reporter.report_many(texts, threads=3)
    assert reports.dtype == np.uint64
    assert reports.shape == (300,)
    assert reports.max() < reporter.info.reports
    assert len(reporter.report_many([])) == 0
    with pytest.raises(InvalidTextError) as refused:
        reporter.report_many([*texts, "\ud800"], threads=2)
    assert "index 300" in str(refused.value.__notes__)
    seeded = testing.reports(reporter, [0, 1, 1849], SEED)
    assert np.array_equal(seeded, testing.reports(reporter, [0, 1, 1849], SEED))


def test_device_key_budget_and_log(tmp_path: Path) -> None:
    bundle = hushbit.open()
    key = bytes(range(32))
    memoized = bundle.reporter("words", 2.0, device_key=key)
    first = memoized.report("see you at the beach")
    assert all(memoized.report("see you at the beach") == first for _ in range(20))
    others = [bundle.reporter("words", 2.0, device_key=key, epoch=epoch) for epoch in range(20)]
    assert len({other.report("see you at the beach").report for other in others}) > 10
    assert len({memoized.report(f"see you at beach {i}").report for i in range(20)}) > 10

    # A word has another value as a text than as a new word, so the two must not share their coins.
    of_new = [bundle.reporter("new-words", 2.0, device_key=key, epoch=epoch) for epoch in range(20)]
    for spelled in ("weather", "zzqx"):
        pairs = [(one.report(spelled).report, one.report_word(spelled).report) for one in of_new]
        points = of_new[0].info.points
        assert sum(text // points == word // points for text, word in pairs) <= 2  # by chance 1 in 3,072 each

    budget = hushbit.Budget(tmp_path / "budget", worst_case_lifetime=5.0)
    reporter = bundle.reporter("emoji", 2.0, budget=budget, audit_log=tmp_path / "log")
    reporter.report("a")
    reporter.report_value(3)
    assert budget.state.tokens_lifetime == 2
    assert budget.state.worst_case_lifetime == pytest.approx(4.0, abs=1e-5)
    with pytest.raises(BudgetExhaustedError):
        reporter.report("secret")
    logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert len(logged) == 2
    assert logged[0]["mechanism"] == "report"
    assert logged[0]["bundle"] == reporter.info.hash
    assert "secret" not in (tmp_path / "log").read_text()


def test_bad_options() -> None:
    bundle = hushbit.open()
    for epsilon in (0.0, -1.0, 0.009, 17.0, float("nan"), float("inf")):
        with pytest.raises(InvalidArgumentError, match="epsilon"):
            bundle.reporter(epsilon=epsilon)
    for values in (["one"], ["a", "a"], ["a", ""], ["a\nb", "c"], []):
        with pytest.raises(InvalidArgumentError):
            bundle.reporter(values)
    with pytest.raises(InvalidArgumentError, match="values"):
        bundle.reporter("letters")
    with pytest.raises(InvalidArgumentError, match="bundle"):
        hushbit.Reporter(None, ReporterOptions("words"))
    with pytest.raises(TypeError):
        bundle.reporter(pass_over="the")
    reporter = bundle.reporter("new-words")
    with pytest.raises(InvalidArgumentError):
        reporter.report_value(1)
    with pytest.raises(InvalidArgumentError, match="spelling"):
        _ = reporter.spellings
    with pytest.raises(InvalidArgumentError, match="new words"):
        bundle.reporter().report_word("word")
    with pytest.raises(InvalidArgumentError):
        bundle.reporter().report_value(16385)
    with pytest.raises(TypeError):
        reporter.report(b"bytes")  # type: ignore[arg-type]


def test_pickling() -> None:
    for reporter in (hushbit.open().reporter("emoji", 1.5), hushbit.Reporter(None, ReporterOptions(["a", "b"]))):
        copy = pickle.loads(pickle.dumps(reporter))
        assert copy.info == reporter.info
    with pytest.raises(TypeError, match="device key"):
        pickle.dumps(hushbit.open().reporter(device_key=bytes(32)))
