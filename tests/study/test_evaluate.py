"""`hushbit evaluate` as a user runs it, on made-up reviews."""

import contextlib
import io
import json
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from cli_runner import assert_no_traceback, start
from hushbit.cli import main
from hushbit.cli._shared.progress import ProgressBar
from hushbit.study.commands.evaluate import OUTPUTS
from hushbit.study.evaluate import reading
from hushbit.study.evaluate.classifier import Classifier
from hushbit.study.evaluate.membership import TypedShadows
from hushbit.study.evaluate.results import TIMING_KEY
from hushbit.study.evaluate.run import folder_lock
from hushbit.study.evaluate.summary import mean_over_trials
from toy_reviews import reviews, write_bundle, write_csv, write_vectors

EPSILONS = "0.1,4,30"
LIKELIHOODS = {"brr": "estimated", "tem": "exact", "tem-euclidean": "exact", "madlib": "estimated"}
EPOCHS = "60"  # 100 reviews are two batches: the papers' 20 epochs would be 40 steps


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with vectors.txt, words.hushbit and 200 reviews."""
    folder = tmp_path_factory.mktemp("toy")
    write_bundle(folder / "words.hushbit", write_vectors(folder / "vectors.txt"))
    write_csv(folder / "reviews.csv", reviews(200))
    return folder


def arguments(toy: Path, output: Path, *more: str | Path, data: Path | None = None) -> list[str | Path]:
    inputs: list[str | Path] = ["--bundle", toy / "words.hushbit", "--embeddings", toy / "vectors.txt", "-o", output]
    return ["evaluate", data or toy / "reviews.csv", *inputs, "--epochs", EPOCHS, "--train-share", ".5", *more]


def run(*words: str | Path) -> tuple[int, str, str]:
    """Runs in this process, since importing torch takes seconds: exit code, stdout, stderr."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(map(str, words)))
    out.seek(0)
    return code, out.read(), err.getvalue()


def results(*words: str | Path) -> dict[str, Any]:
    code, output, error = run(*words, "--json")
    assert code == 0, error
    document: dict[str, Any] = json.loads(output)
    return document


def refused(*words: str | Path) -> str:
    code, output, error = run(*words)
    assert code != 0
    assert output == ""
    assert_no_traceback(error.encode())
    return error


def figures(document: dict[str, Any]) -> Any:
    """What must be the same for the same seed: all but measured seconds."""
    done = {key: result for key, result in document["done"].items() if key != "timing"}
    return json.loads(json.dumps(done), object_hook=lambda part: {k: v for k, v in part.items() if k != "seconds"})


@pytest.fixture(scope="module", autouse=True)
def less_reading() -> Iterator[None]:
    """The attack on running text is most of the work: fewer releases, lessons and words, also to choose weights by."""
    documents_of = reading._documents_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_documents_of", lambda lengths, words: documents_of(lengths, min(words, 2000)))
        patch.setattr("hushbit.study.evaluate.reading.RELEASES", (1, 5))
        patch.setattr("hushbit.study.evaluate.reading._WEIGHED_WORDS", 600)
        patch.setattr("hushbit.study.evaluate.trial.DRAWS", 20_000)
        patch.setattr("hushbit.study.evaluate.reader_training._STEPS", 200)
        yield


REAL = pytest.param(("tem-euclidean", "madlib"), marks=pytest.mark.slow)
"""The same on real vectors instead of codes, by the same protocol."""


@pytest.fixture(scope="module", params=[("brr", "tem"), REAL], ids="-".join)
def smoke(toy: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """The whole run: two mechanisms at three ε, one trial. It takes most of this file's time."""
    output = toy / "-".join(request.param)
    pairs = [(text[: len(text) // 2], text) for text, _ in reviews(100)]
    more: list[str | Path] = ["--pairs", write_csv(toy / "pairs.csv", pairs), "--seed", "5"]
    more += ["--mechanisms", ",".join(request.param)]
    code, table, error = run(*arguments(toy, output, "--trials", "1", "--epsilons", EPSILONS, *more))
    assert code == 0, error
    document: dict[str, Any] = json.loads((output / "results.json").read_bytes())
    return document | {"table": table, "folder": output, "mechanisms": request.param}


# ---- Directions


def test_utility(smoke: dict[str, Any]) -> None:
    done = smoke["done"]
    assert done["trial 0 clean"]["accuracy"] > 0.8
    for mechanism in smoke["mechanisms"]:
        low, middle, high = (done[f"trial 0 {mechanism} {epsilon}"] for epsilon in ("0.1", "4", "30"))
        assert low["unchanged"] < middle["unchanged"] < high["unchanged"]
        assert low["unchanged"] < 0.1
        assert high["unchanged"] > 0.9
        assert low["accuracy"] < high["accuracy"] - 0.2
        assert high["accuracy"] > 0.8
        assert abs(high["control_accuracy"] - high["accuracy"]) < 0.2


def test_membership(smoke: dict[str, Any]) -> None:
    """An attacker who knows the clean text learns nothing at a small ε. An interval misses 0.5 in 1 of 20 seeds."""
    for mechanism in smoke["mechanisms"]:
        for asked in smoke["done"][f"trial 0 {mechanism} 0.1"]["membership"].values():
            assert asked["clean"]["low"] < 0.5 < asked["clean"]["high"]
    clean = smoke["done"]["trial 0 clean"]["membership"]
    assert clean["typed"] == clean["released"]
    assert clean["typed"]["clean"] == clean["typed"]["privatized"]
    # The papers' shadow model never sees released text: its outputs for members are those of any setting.
    noisy = smoke["done"][f"trial 0 {smoke['mechanisms'][0]} 0.1"]["membership"]
    assert noisy["typed"]["clean"] != noisy["released"]["clean"]


def test_the_shadow_of_typed_text_is_trained_once() -> None:
    asked: list[int] = []

    def train(trial: int) -> Classifier:
        asked.append(trial)
        return Classifier(torch.zeros(1, 1), torch.zeros(1, 1), torch.zeros(1))

    shadows = TypedShadows(train)
    assert shadows.of(0) is shadows.of(0)
    assert shadows.of(1) is not shadows.of(0)
    assert asked == [0, 1]


def test_attained_is_at_most_what_is_proved(smoke: dict[str, Any]) -> None:
    """More is attained at a larger ε. The bounds of BRR and Madlib are wrong in 1 of 20 seeds, by their confidence."""
    settings = {(each["mechanism"], each["madlib_epsilon"]): each["word_epsilon"] for each in smoke["settings"]}
    for mechanism in smoke["mechanisms"]:
        low, high = (smoke["done"][f"attained {mechanism} {epsilon}"] for epsilon in ("0.1", "30"))
        assert 0 <= low["low"] < high["low"]
        for epsilon, found in ((0.1, low), (30.0, high)):
            assert found["low"] <= found["high"] <= settings[mechanism, epsilon] + 1e-9
        assert high["how"] == ("exact" if mechanism.startswith("tem") else "certified")
    assert "attained" in smoke["table"]
    assert "ε of a text" in smoke["table"]


def test_inversion(smoke: dict[str, Any]) -> None:
    for mechanism in smoke["mechanisms"]:
        low, middle, high = (smoke["done"][f"inversion {mechanism} {epsilon}"] for epsilon in ("0.1", "4", "30"))
        for attack in low["attacks"]:
            for guesses in ("top1", "top10"):
                shares = [found["attacks"][attack]["1"][guesses]["mean"] for found in (low, middle, high)]
                assert shares[0] < shares[1] < shares[2]
            repeats = [middle["attacks"][attack][k]["top1"]["mean"] for k in ("1", "4", "16")]
            assert repeats == sorted(repeats)  # what is said again is easier to guess
        bayes, prior = low["attacks"]["bayes"]["1"]["top10"], low["prior"]["top10"]
        assert prior - 0.06 < bayes["mean"]  # 4 standard deviations of 1000 words
        assert all(found["bound"]["1"]["top1"] > found["attacks"]["bayes"]["1"]["top1"]["low"]
                   for found in (low, middle, high))  # fmt: skip
    for mechanism in smoke["mechanisms"]:
        assert smoke["done"][f"inversion {mechanism} 4"]["likelihood"] == LIKELIHOODS[mechanism]


def test_reading(smoke: dict[str, Any]) -> None:
    """The toy's words stand in any order, but for their classes: context helps a little, and never harms."""
    for mechanism in smoke["mechanisms"]:
        low, middle, high = (smoke["done"][f"reading {mechanism} {epsilon}"] for epsilon in ("0.1", "4", "30"))
        for knowing in ("nothing", "frequencies", "context"):
            shares = [found["attacks"][knowing]["1"]["all"]["top1"]["mean"] for found in (low, middle, high)]
            assert shares[0] < shares[1] < shares[2]
            once, again = (middle["attacks"][knowing][k]["all"]["top10"]["mean"] for k in ("1", "5"))
            assert once < again
        for one in (low["attacks"], middle["attacks"], high["attacks"]):
            assert one["context"]["1"]["all"]["top1"]["mean"] > one["frequencies"]["1"]["all"]["top1"]["mean"] - 0.02
        exact = mechanism == "tem"  # for TEM on vectors, too, it is estimated
        assert smoke["done"][f"reading {mechanism} 4"]["likelihood"] == ("exact" if exact else "estimated")


def test_other_classifiers(smoke: dict[str, Any]) -> None:
    for name in ("bag_accuracy", "frozen_accuracy"):
        lows, highs = (
            [smoke["done"][f"trial 0 {mechanism} {epsilon}"][name] for mechanism in smoke["mechanisms"]]
            for epsilon in ("0.1", "30")
        )
        assert sum(lows) / len(lows) < min(highs) - 0.2  # one model of noise may be right by chance
        assert min(highs) > 0.75


def test_pairs(smoke: dict[str, Any]) -> None:
    names = (f"{smoke['mechanisms'][0]} 0.1", f"{smoke['mechanisms'][0]} 30", "clean")
    for way in ("vectors", "tf-idf"):
        low, high, clean = (smoke["done"][f"pairs {name}"][way]["top1"] for name in names)
        assert low < 0.1
        assert high > 0.8
        assert clean > 0.8
    assert "Matching pairs" in smoke["table"]


def test_time_and_size(smoke: dict[str, Any]) -> None:
    timing = smoke["done"]["timing"]
    assert [row["name"] for row in timing["rows"]] == ["brr", "tem", "madlib exact", "madlib annoy"]
    for row in timing["rows"]:
        assert 0 < row["word_seconds"] < 0.1
        assert row["bytes"]["total"] == row["bytes"]["vocabulary"] + row["bytes"]["index"]
    sizes = [row["bytes"]["total"] for row in timing["rows"]]
    assert sizes[0] == sizes[1] < sizes[2] < sizes[3]
    assert 0.3 < timing["annoy"]["recall"] <= 1


# ---- What is written


def test_outputs(toy: Path, smoke: dict[str, Any]) -> None:
    folder = smoke["folder"]
    names = ["utility", "control", "membership-clean", "membership-privatized", "inversion", "repeats"]
    names += ["reading", "frontier", "time", "size"]
    expected = {"results.json", "report.html", *(f"{name}.{kind}" for name in names for kind in ("png", "svg"))}
    assert {path.name for path in folder.iterdir()} == expected
    assert expected == set(OUTPUTS)  # which may not be inputs
    assert (folder / "utility.png").read_bytes().startswith(b"\x89PNG")
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!#)|<script|@import|url\((?!#)', html)
    for title in ("Utility", "Membership inference", "Inversion of one release", "Time and size"):
        assert title in html
        assert title in smoke["table"]
    assert html.count("<svg") == len(names)
    for path in ("results.json", "report.html"):
        assert str(toy) not in (folder / path).read_text(encoding="utf-8")
    assert all("seed" in result for key, result in smoke["done"].items() if key != "timing")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_table(toy: Path, smoke: dict[str, Any], tmp_path: Path) -> None:
    """The figures are the same with another number of jobs, and in another order."""
    pairs: list[str | Path] = ["--pairs", toy / "pairs.csv"]
    more = [
        "--trials",
        "1",
        "--epsilons",
        "4",
        "--mechanisms",
        ",".join(smoke["mechanisms"][::-1]),
        "--seed",
        "5",
        "--jobs",
        "1",
    ]
    document = results(*arguments(toy, tmp_path / "out", *more, "--skip", "timing", *pairs))
    again = figures(document)
    before = figures(smoke)
    pieces = ("trial 0", "inversion", "reading", "pairs", "attained")
    expected = {f"{piece} {name} 4" for piece in pieces for name in smoke["mechanisms"]}
    assert set(again) == {"trial 0 clean", "pairs clean", *expected}
    assert TIMING_KEY not in document["done"]
    for key, result in again.items():
        assert result == before[key]


@pytest.mark.slow
def test_a_killed_run_goes_on(toy: Path, tmp_path: Path) -> None:
    words = arguments(
        toy, tmp_path / "killed", "--trials", "2", "--epsilons", "4", "--mechanisms", "tem", "--jobs", "1"
    )
    whole = results(*arguments(toy, tmp_path / "whole", *words[-8:]))
    path = tmp_path / "killed" / "results.json"
    with start(*words) as process:
        deadline = time.monotonic() + 600
        while not (path.exists() and len(json.loads(path.read_bytes())["done"]) >= 2):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    kept = json.loads(path.read_bytes())["done"]
    assert 2 <= len(kept) < len(whole["done"])
    went_on = results(*words)
    assert figures(went_on) == figures(whole)
    for key, result in kept.items():  # not done again: even the seconds are those of the first run
        assert went_on["done"][key] == result


def test_an_interrupt_ends_it(toy: Path, tmp_path: Path) -> None:
    deadline = time.monotonic() + 600
    with start(*arguments(toy, tmp_path / "out", "--epochs", "100000")) as process:
        while not (tmp_path / "out" / "results.json").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert_no_traceback(stderr)


# ---- Bad input


def test_bad_data(toy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = reviews(200)
    for name, changed, message in (
        ("unlabeled", [(rows[0][0], ""), *rows[1:]], "document 1 is without a label"),
        ("one class", [(text, "good") for text, _ in rows], "only the label good"),
        ("empty", [*rows, (" ", "bad")], "document 201 is without text"),
        ("few", rows[:10], "too few to split"),
        ("foreign", [("xqzz", label) for _, label in rows], "no word of the data is in the bundle's vocabulary"),
    ):
        data = write_csv(tmp_path / f"{name}.csv", changed)
        assert message in refused(*arguments(toy, out, data=data))
    assert "no such file" in refused(*arguments(toy, out, data=tmp_path / "missing.csv"))
    assert not (out / "results.json").exists()


def test_bad_arguments(toy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    other = tmp_path / "other.txt"
    other.write_text((toy / "vectors.txt").read_text().replace("0.1", "0.2"))
    bundle: list[str | Path] = ["evaluate", toy / "reviews.csv", "--bundle", toy / "words.hushbit"]
    assert "made of other embeddings" in refused(*bundle, "--embeddings", other, "-o", out)
    assert "--embeddings" in refused(*bundle, "-o", out)
    assert "no such file" in refused(*bundle, "--embeddings", tmp_path / "missing.txt", "-o", out)
    assert "there is no mechanism laplace" in refused(*arguments(toy, out, "--mechanisms", "brr,laplace"))
    assert "membership cannot be skipped" in refused(*arguments(toy, out, "--skip", "membership"))
    assert "epsilon is 0.0; it must be" in refused(*arguments(toy, out, "--epsilons", "0,1"))
    assert "not a finite number" in refused(*arguments(toy, out, "--epsilons", "1,x"))
    assert not (out / "results.json").exists()


def test_results_of_another_run_are_left_alone(toy: Path, smoke: dict[str, Any], tmp_path: Path) -> None:
    before = (smoke["folder"] / "results.json").read_bytes()
    same: list[str | Path] = ["--mechanisms", ",".join(smoke["mechanisms"])]
    assert "comes from a run with other pairs, seed:" in refused(*arguments(toy, smoke["folder"], *same, "--seed", "6"))
    assert (smoke["folder"] / "results.json").read_bytes() == before
    for text in ("{", "[]", '{"format": 1}', '{"format": 9, "protocol": {}, "done": {}}'):
        (tmp_path / "results.json").write_text(text)
        assert re.search("is not a (result|document) of", refused(*arguments(toy, tmp_path)))


def test_two_runs_do_not_share_a_folder(toy: Path, tmp_path: Path) -> None:
    with folder_lock(tmp_path):
        assert "another run writes to it" in refused(*arguments(toy, tmp_path))
    with folder_lock(tmp_path):
        pass
    assert not (tmp_path / "results.json").exists()


def test_a_missing_package_is_named(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "annoy", None)
    message = refused(*arguments(toy, tmp_path / "out"))
    assert "this needs the package annoy: pip install '.[evaluate]' in the source tree" in message


# ---- Intervals


def test_interval_over_trials() -> None:
    """Student's for 3 values: 4.3027 standard errors."""
    found = mean_over_trials([0.5, 0.6, 0.7], 0.0)  # Student's, of trials without a document in common
    assert found.mean == pytest.approx(0.6)
    assert found.high - found.mean == pytest.approx(4.3027 * 0.1 / 3**0.5, rel=1e-4)
    assert mean_over_trials([0.5], 1.0).high == float("inf")


# ---- Progress


def test_progress_says_how_long_it_will_take(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pace since the step began counts: what an earlier run did does not."""
    now = [0.0]
    monkeypatch.setattr("hushbit.cli._shared.progress.time.monotonic", lambda: now[0])
    with ProgressBar() as progress:
        for done, seconds in ((10, 0), (11, 60), (12, 120), (20, 600)):
            now[0] = seconds
            progress(done, 20, "evaluate")
    assert capsys.readouterr().err.splitlines() == [
        "hushbit: evaluate 55 %, about 9 min left",
        "hushbit: evaluate 60 %, about 8 min left",
        "hushbit: evaluate 100 %",
    ]
