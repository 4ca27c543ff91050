"""The privacy report: each figure against a plain computation, and the command."""

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from cli_runner import run_here
from hushbit import _core, errors
from hushbit.study.mechanisms import Brr, HammingTem
from hushbit.study.privacy import monte_carlo
from hushbit.study.privacy.closed_form import TemDistribution
from hushbit.study.privacy.measure import Measurer, Settings
from hushbit.study.privacy.page import page
from hushbit.study.privacy.report import PrivacyOptions, make_report
from hushbit.study.privacy.sample import Sample, draw_sample, hamming_distances
from hushbit.study.privacy.table import Table
from reference.enumeration import distributions
from reference.toys import TOYS

SMALL = PrivacyOptions(epsilons=(0.2, 0.6), words=40, settings=Settings(draws=64))


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-64.hushbit")


@pytest.fixture(scope="module")
def sample(bundle: hushbit.Bundle) -> Sample:
    return draw_sample(bundle._native, 50, np.random.default_rng(0))


def all_distances(bundle: hushbit.Bundle, sample: Sample) -> NDArray[np.int64]:
    codes = bundle._native.codes(np.arange(bundle.words, dtype=np.uint32))
    return np.asarray(np.unpackbits(sample.codes[:, None] ^ codes[None], axis=2).sum(axis=2, dtype=np.int64))


# ---- Samples ---------------------------------------------------------------------------------------------------


def test_sample(bundle: hushbit.Bundle, sample: Sample) -> None:
    assert len(np.unique(sample.ids)) == 50
    distances = all_distances(bundle, sample)
    for row, counts in zip(distances, sample.counts, strict=True):
        np.testing.assert_array_equal(np.bincount(row, minlength=65), counts)
    whole = draw_sample(bundle._native, 10_000, np.random.default_rng(0))
    np.testing.assert_array_equal(whole.ids, np.arange(bundle.words))
    np.testing.assert_array_equal(hamming_distances(sample.codes, sample.codes[0]), distances[:, sample.ids[0]])


@pytest.mark.parametrize("k", [1, 10, 100, 10_000])
def test_near_counts_k_words(bundle: hushbit.Bundle, sample: Sample, k: int) -> None:
    """The chances to be among the k nearest sum to k over all words, and nearer words have no smaller ones."""
    near = sample.near(k)
    np.testing.assert_allclose((near * sample.counts).sum(axis=1), min(k, bundle.words))
    held = np.where(sample.counts > 0, near, np.nan)
    for row in held:
        assert (np.diff(row[~np.isnan(row)]) <= 0).all()


# ---- TEM in closed form ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.9])
def test_closed_form(bundle: hushbit.Bundle, sample: Sample, epsilon: float) -> None:
    """Compares with the chance of every single word."""
    tem = HammingTem(bundle._native, epsilon)
    found = TemDistribution(sample, tem.weights)
    distances = all_distances(bundle, sample)
    chances = tem.weights[distances].astype(float)
    chances /= chances.sum(axis=1, keepdims=True)
    own = chances[np.arange(50), sample.ids]
    np.testing.assert_allclose(found.unchanged(), own)
    np.testing.assert_allclose(found.expected_distinct(200), (1 - (1 - chances) ** 200).sum(axis=1))
    np.testing.assert_allclose(found.similarity(), (chances * (1 - distances / 32)).sum(axis=1))
    for eta in (0.05, 0.5):
        sums = np.cumsum(-np.sort(-chances, axis=1), axis=1)
        np.testing.assert_array_equal(found.support(eta), (sums < 1 - eta - 1e-12).sum(axis=1) + 1)
    order = np.sort(distances, axis=1)
    for k in (10, 100):
        by_distance = -np.sort(-chances, axis=1)  # nearer words have no smaller chances
        np.testing.assert_allclose(found.near(k), by_distance[:, :k].sum(axis=1))
        assert (order[:, 0] == 0).all()


# ---- BRR by draws ----------------------------------------------------------------------------------------------


def test_draws_estimate_the_enumerated_shares() -> None:
    toy = next(toy for toy in TOYS if toy.name == "scattered")
    native = _core.Bundle.from_bytes(toy.bundle())
    whole = draw_sample(native, 100, np.random.default_rng(0))
    figures = Measurer(native, whole, Settings(draws=4000), np.random.default_rng(1)).brr(1.0)
    rows = distributions(toy.codes, toy.bits, Brr(native, 1.0).info.flip_threshold)
    exact = np.mean([float(row[i]) for i, row in enumerate(rows)])
    assert abs(figures.unchanged.mean - exact) < 6 * math.sqrt(0.25 / (4000 * 12))
    similarity = np.mean(
        [sum(float(p) * (1 - 2 * (a ^ b).bit_count() / 64) for p, b in zip(row, toy.codes, strict=True))
         for a, row in zip(toy.codes, rows, strict=True)]
    )  # fmt: skip
    assert abs(figures.similarity.mean - similarity) < 0.002


def test_counting_of_draws(bundle: hushbit.Bundle) -> None:
    outputs = np.array([[3, 3, 3, 1], [5, 6, 7, 8], [2, 2, 9, 9]], dtype=np.uint32)
    few = Sample(
        np.array([3, 5, 4], dtype=np.uint32),
        bundle._native.codes(np.array([3, 5, 4], dtype=np.uint32)),
        np.zeros((3, 65), dtype=np.uint32),
    )
    np.testing.assert_allclose(monte_carlo.unchanged(few.ids, outputs), [0.75, 0.25, 0])
    np.testing.assert_allclose(monte_carlo.distinct(outputs), [2, 4, 2])
    np.testing.assert_allclose(monte_carlo.support(outputs, 0.25), [1, 3, 2])
    np.testing.assert_allclose(monte_carlo.support(outputs, 0.05), [2, 4, 2])
    np.testing.assert_allclose(monte_carlo.guessed_by_plurality(few.ids, outputs), [1, 0.25, 0])
    distances = monte_carlo.distances_of(bundle._native, few, outputs)
    for row, word, code in zip(distances, outputs, few.codes, strict=True):
        np.testing.assert_array_equal(row, [hamming_distances(code, bundle.code(bundle.word(int(w)))) for w in word])


def test_majority_finds_the_word(bundle: hushbit.Bundle, sample: Sample) -> None:
    """Outputs that are the word itself most of the time give it away, whatever the others are."""
    generator = np.random.default_rng(2)
    outputs = generator.integers(bundle.words, size=(50, 9), dtype=np.uint32)
    outputs[:, :6] = sample.ids[:, None]
    guessed = monte_carlo.guessed_by_majority(bundle._native, sample, outputs, generator)
    shared = sample.counts[:, 0]
    np.testing.assert_allclose(guessed, 1 / shared)


def test_ties_are_seen() -> None:
    """Two words that share a code tie always; a single word never."""
    for codes, share in (([b"\0" * 8, b"\0" * 8], 1.0), ([b"\0" * 8], 0.0)):
        from reference.bundle_maker import make_bundle

        native = _core.Bundle.from_bytes(make_bundle({chr(97 + i): code for i, code in enumerate(codes)}))
        whole = draw_sample(native, 5, np.random.default_rng(0))
        ties = monte_carlo.tie_share(native, whole, 0.3, 10, np.random.default_rng(0))
        np.testing.assert_array_equal(ties, share)


# ---- The report ------------------------------------------------------------------------------------------------


def test_report_is_deterministic(bundle: hushbit.Bundle) -> None:
    first, again = make_report(bundle, SMALL), make_report(bundle, SMALL)
    assert first == again
    alone = make_report(bundle, PrivacyOptions(("tem",), SMALL.epsilons, words=40, settings=SMALL.settings))
    assert alone.figures == first.of("tem")
    other = make_report(bundle, PrivacyOptions(epsilons=SMALL.epsilons, words=40, seed=1, settings=SMALL.settings))
    assert other.figures != first.figures


def test_report_figures(bundle: hushbit.Bundle) -> None:
    report = make_report(bundle, SMALL)
    assert [(f.mechanism, f.epsilon) for f in report.figures] == [
        ("brr", 0.2),
        ("brr", 0.6),
        ("tem", 0.2),
        ("tem", 0.6),
    ]
    for figures in report.figures:
        info = _core.Privatizer(
            bundle._native, mechanism=figures.mechanism, epsilon=figures.epsilon, allow_unchanged=True
        ).info()
        assert figures.effective_epsilon == info.effective_epsilon
        assert figures.worst_case == info.worst_case_per_token
        assert figures.average == info.effective_epsilon * bundle.info.average_distance
        assert figures.unchanged.low <= figures.unchanged.mean <= figures.unchanged.high
        assert figures.unchanged.p5 <= figures.unchanged.p50 <= figures.unchanged.p95
        assert figures.near[10].mean <= figures.near[100].mean
        assert figures.least_protected[0][1] >= figures.most_protected[0][1]
        assert all(word in bundle for word, *_ in figures.least_protected)
        assert [text.tokens for text in figures.texts] == [1, 10, 100]
        assert all(text.tight <= text.plain for text in figures.texts)
    brr, tem = report.of("brr"), report.of("tem")
    assert brr[0].unchanged.mean < brr[1].unchanged.mean
    assert tem[0].unchanged.mean < tem[1].unchanged.mean
    assert brr[0].ties is not None
    assert tem[0].ties is None
    assert list(brr[0].recovered) == [8, 16, 64]


def test_default_epsilons_span_the_way_from_noise_to_none(bundle: hushbit.Bundle) -> None:
    report = make_report(bundle, PrivacyOptions(words=40, settings=Settings(draws=20)))
    for mechanism in ("brr", "tem"):
        shares = [figures.unchanged.mean for figures in report.of(mechanism)]
        assert len(shares) == 10
        assert shares[0] < 0.1
        assert abs(shares[4] - 0.5) < 0.15
        assert shares[-1] > 0.9


def test_page_escapes_and_loads_nothing() -> None:
    table = Table("<title>", ["<a>"], [["<script>alert(1)</script>"]], "<note>")
    text = page("<p>", "<lead>", [table], [("<plot>", "<svg></svg>")])
    assert "<script" not in text
    assert text.count("&lt;") >= 6
    assert not re.search(r"(src|href)=", text)


# ---- The command -----------------------------------------------------------------------------------------------

FEW = ("--words", "20", "--draws", "16", "--epsilon", "0.3", "--epsilon", "0.9")


def test_command(vectors: Path, tmp_path: Path) -> None:
    path = vectors / "words-64.hushbit"
    done = run_here("privacy", path, *FEW, "--html", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    for said in ("P_avg", "P_max", "unchanged N_w", "effective support", "the control", "again and again", "1 token"):
        assert said in text
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.count("<svg") == 8  # costs, nearness, and of each mechanism two histograms and repetition
    assert not re.search(r'(src|href)="(?!#)', html)  # a figure may refer to itself
    again = run_here("privacy", path, *FEW, "--html", tmp_path / "again.html")
    assert again.stdout == done.stdout
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == html


def test_command_json(vectors: Path) -> None:
    done = run_here("privacy", vectors / "words-64.hushbit", *FEW, "--mechanism", "tem", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [figures["epsilon"] for figures in document["figures"]] == [0.3, 0.9]
    assert document["words"] == 749
    assert document["figures"][0]["flip_probability"] is None


def test_word_list(vectors: Path, tmp_path: Path) -> None:
    bundle = hushbit.open(vectors / "words-64.hushbit")
    words = [bundle.word(id) for id in (3, 500, 20)]
    (tmp_path / "list.txt").write_text("\n".join([*words, words[0], "Qzx-unknown"]) + "\n", encoding="utf-8")
    done = run_here("privacy", vectors / "words-64.hushbit", *FEW, "--word-list", tmp_path / "list.txt", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["sampled"], document["unknown"]) == (3, 1)
    assert {word for word, *_ in document["figures"][0]["least_protected"]} == set(words)
    done = run_here("privacy", vectors / "words-64.hushbit", *FEW, "--word-list", tmp_path / "list.txt")
    assert "3 words of the list, 1 are unknown" in done.stdout.decode()
    for content, said in (("Qzx-unknown\n", "none of the 1 words"), ("\n\n", "no word")):
        (tmp_path / "list.txt").write_text(content, encoding="utf-8")
        done = run_here("privacy", vectors / "words-64.hushbit", "--word-list", tmp_path / "list.txt")
        assert done.returncode == 2
        assert said in done.stderr.decode()


def test_one_word_bundle(vectors: Path) -> None:
    done = run_here("privacy", vectors / "single-512.hushbit", "--words", "20", "--draws", "16", "--json")
    assert done.returncode == 0, done.stderr
    assert {figures["unchanged"]["mean"] for figures in json.loads(done.stdout)["figures"]} == {1.0}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--epsilon", "-1"], 2, "not a finite number"),
        (["--epsilon", "nan"], 2, "not a finite number"),
        (["--beta", "0"], 2, "beta"),
        (["--beta", "1"], 2, "beta"),
        (["--eta", "0"], 2, "eta"),
        (["--eta", "1.5"], 2, "eta"),
        (["--delta", "1"], 2, "delta"),
        (["--delta", "-0.1"], 2, "delta"),
        (["--words", "0"], 2, "--words"),
        (["--seed", "-1"], 2, "seed"),
        (["--mechanism", "madlib"], 2, "need each other"),
        (["--mechanism", "brr", "--embeddings", "x"], 2, "need each other"),
        (["--per-word", "no/such/folder.jsonl"], 1, "no folder"),
        (["--html", "no/such/folder.html"], 1, "no folder"),
    ],
)
def test_bad_input(vectors: Path, arguments: list[str], code: int, said: str) -> None:
    done = run_here("privacy", vectors / "words-64.hushbit", "--words", "5", "--draws", "4", *arguments)
    assert done.returncode == code, done.stderr
    assert said in done.stderr.decode()
    assert not done.stdout


def test_progress_over_all_epsilons_never_goes_back(vectors: Path) -> None:
    told: dict[str, list[float]] = {}
    options = PrivacyOptions(epsilons=(0.1, 0.5, 2.0), words=5, settings=Settings(draws=4))
    make_report(
        hushbit.open(vectors / "words-64.hushbit"),
        options,
        lambda done, total, label: told.setdefault(label, []).append(done / total),
    )
    for label in ("brr", "tem"):
        assert told[label] == sorted(told[label])
        assert told[label][-1] == 1


def test_missing_bundle(tmp_path: Path) -> None:
    assert run_here("privacy", tmp_path / "none.hushbit").returncode == 3


def test_options_refuse_nonsense() -> None:
    nonsense: tuple[dict[str, Any], ...] = (
        {"words": 0},
        {"seed": -1},
        {"beta": 1.5},
        {"settings": Settings(draws=0)},
        {"settings": Settings(eta=1)},
    )
    for wrong in nonsense:
        with pytest.raises(errors.InvalidArgumentError):
            PrivacyOptions(**wrong)
