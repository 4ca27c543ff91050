"""What is said of crowds against plain computations on toys: channels, attacks, calibration, texts, shuffling.

Chance is seeded, so each test is a fixed computation.
"""

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from cli_runner import run_here
from crowd_toys import SIZES, TOYS, core_rows
from hushbit import _core
from hushbit._options import CrowdSize
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.study.evaluate import likelihood
from hushbit.study.evaluate.plan import Setting, make_mechanism, plan
from hushbit.study.mechanisms import Brr, CrowdMechanism
from hushbit.study.mechanisms.crowd import Channel
from hushbit.study.privacy import crowd_calibration as calibration
from hushbit.study.privacy.accounting import crowd_text_epsilons, hockey_stick
from hushbit.study.privacy.comparison import Distances
from hushbit.study.privacy.crowd_figures import Measured, Nearness, mean_cosine, measure_crowds
from hushbit.study.privacy.guessing import best_guesses, guessed, public_frequencies, read_frequencies

LISTS = "lists"
Rows = NDArray[np.float64]


def bundle_of(name: str = LISTS) -> _core.Bundle:
    return _core.Bundle.from_bytes(TOYS[name])


def exact_rows(crowds: CrowdMechanism) -> Rows:
    """(known words + 1, Y): from rational arithmetic; the last row is that of an unknown token."""
    ids = crowds.bundle.output_words()
    rows = core_rows(crowds._privatizer, crowds.bundle.info().words)
    return np.array([[float(row[y]) for y in ids] for row in rows])


def public_of(crowds: CrowdMechanism) -> NDArray[np.intp]:
    """Ids of the public words."""
    return np.flatnonzero(crowds.is_public(np.arange(crowds.bundle.info().words, dtype=np.uint32)))


def released_rows(crowds: CrowdMechanism) -> Rows:
    """(known words + 1, Y + public words): as `exact_rows`, but a public word is released as typed."""
    rows, public = exact_rows(crowds), public_of(crowds)
    rows[public] = 0
    own = np.zeros((len(rows), len(public)))
    own[public, np.arange(len(public))] = 1
    return np.hstack([rows, own])


def frequencies_of(bundle: _core.Bundle) -> Rows:
    return np.random.default_rng(3).integers(0, 50, bundle.info().words).astype(float)


# ---- The channel -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 6.0])
@pytest.mark.parametrize("name", TOYS)
def test_channels_are_those_of_the_integers(name: str, epsilon: float) -> None:
    bundle = bundle_of(name)
    everything = np.arange(bundle.info().words, dtype=np.uint32)
    for size in SIZES:
        crowds = CrowdMechanism(bundle, epsilon, size)
        channel, rows = crowds.channel, exact_rows(crowds)
        np.testing.assert_allclose(channel.distribution(everything), rows[:-1], rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(channel.of_pairs(everything, np.arange(rows.shape[1])), rows[:-1], rtol=1e-12)
        own = np.array([rows[x, y] if channel.outputs[y] == x else 0.0 for x, y in enumerate(channel.stand_ins)])
        own[public_of(crowds)] = 1
        np.testing.assert_allclose(channel.unchanged(), own, rtol=1e-12, atol=1e-15)
        ratios = rows[:, None] / rows[None]
        assert ratios.max() <= math.exp(crowds.epsilon) * (1 + 1e-9)


def test_exact_likelihoods_of_crowds() -> None:
    crowds = CrowdMechanism(bundle_of(), 4.0, "many")
    rows, ids = exact_rows(crowds), crowds.bundle.output_words()
    candidates = np.array([5, 1, 30], dtype=np.uint32)
    seen = crowds.replace(np.arange(40, dtype=np.uint32), generator=np.random.default_rng(0))
    found = np.exp(likelihood.of_crowds(crowds.channel, candidates, seen))
    np.testing.assert_allclose(found, rows[candidates][:, np.searchsorted(ids, seen)], rtol=1e-5)


# ---- Figures and attacks ---------------------------------------------------------------------------------------


def brute_force(rows: Rows, frequencies: Rows) -> tuple[NDArray[np.intp], Rows]:
    """The best guess for each output, and its joint weight."""
    joint = frequencies[:, None] * rows[:-1]
    return joint.argmax(axis=0), joint.max(axis=0)


@pytest.mark.parametrize("name", TOYS)
def test_the_best_guess(name: str) -> None:
    bundle = bundle_of(name)
    for size, epsilon in product(SIZES, (0.0, 3.0, 6.0)):
        crowds = CrowdMechanism(bundle, epsilon, size)
        known = frequencies_of(bundle) + 1e-3 * np.arange(bundle.info().words)
        words, weights = best_guesses(crowds.channel, known)
        right, best = brute_force(exact_rows(crowds), known)
        np.testing.assert_allclose(weights, best, rtol=1e-12)
        np.testing.assert_array_equal(words, right)


def test_success_of_the_attacker() -> None:
    bundle = bundle_of()
    crowds, known = CrowdMechanism(bundle, 4.0, "few"), frequencies_of(bundle) + 1e-3 * np.arange(40)
    rows = released_rows(crowds)
    assert len(public_of(crowds)) > 0
    top = np.argsort(-known, kind="stable")[:5]
    rare = known.copy()
    rare[top] = 0
    words, best = brute_force(rows, known)
    found = guessed(crowds.channel, known, 5)
    assert found.everything == pytest.approx(best.sum() / known.sum())
    assert found.beyond == pytest.approx(best[~np.isin(words, top)].sum() / rare.sum())
    assert found.beyond_told == pytest.approx(brute_force(rows, rare)[1].sum() / rare.sum())
    assert found.prior == pytest.approx(known.max() / known.sum())
    nobody = guessed(crowds.channel, known, 40)
    assert nobody.beyond is nobody.beyond_told is None
    with pytest.raises(InvalidArgumentError, match="not all 0"):
        guessed(crowds.channel, np.zeros(40))


def test_figures() -> None:
    bundle = bundle_of()
    crowds, known = CrowdMechanism(bundle, 4.0, "many"), frequencies_of(bundle)
    rows, public = released_rows(crowds)[:-1], public_of(crowds)
    words = np.array([0, 7, 12, 39, public[0]], dtype=np.uint32)
    found = measure_crowds(crowds, Nearness(bundle), Measured(words, known, 20, 0.1, 1e-6, (1, 2)))
    assert found.distinct.mean == pytest.approx((1 - (1 - rows[words]) ** 20).sum(axis=1).mean())
    support = [int(np.argmax(np.cumsum(np.sort(row)[::-1]) >= 0.9)) + 1 for row in rows[words]]
    assert found.support.mean == pytest.approx(np.mean(support))
    assert found.coin == pytest.approx(crowds.info.crowd_probability)
    wide = CrowdMechanism(bundle, 1.0, "many")
    ids = bundle.output_words()
    near = np.array([rows[x, np.searchsorted(ids, wide.crowd(x)[:10, 0])].sum() for x in range(40)])
    near[public] = 1
    assert found.near[10].mean == pytest.approx(near[words].mean())
    assert found.typed_near[10] == pytest.approx(known @ near / known.sum())
    assert found.typed_unchanged == pytest.approx(known @ crowds.channel.unchanged() / known.sum())


def test_mean_cosine() -> None:
    crowds = CrowdMechanism(bundle_of(), 3.0, "many")
    known, vectors = frequencies_of(crowds.bundle), np.random.default_rng(1).normal(size=(40, 6)).astype(np.float32)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    released = np.concatenate([crowds.bundle.output_words(), public_of(crowds)])
    wanted = (known[:, None] * released_rows(crowds)[:-1] * (units @ units[released].T)).sum() / known.sum()
    assert mean_cosine(crowds.channel, vectors, known) == pytest.approx(wanted, rel=1e-5)


def test_public_frequencies_fall_with_rank() -> None:
    bundle = bundle_of()
    weights = CrowdMechanism(bundle, 1.0, "many").output_weights()
    found = public_frequencies(bundle)
    assert ((found > 0) == (weights > 0)).all()
    for a, b in product(range(40), repeat=2):
        assert (found[a] > found[b]) == (weights[a] > weights[b])


def test_counted_frequencies(tmp_path: Path) -> None:
    bundle, path = bundle_of(), tmp_path / "counts.txt"
    path.write_text("w03 5\nw00\t2\n\nnowhere 9\n")
    found, unknown = read_frequencies(bundle, path)
    assert (found[3], found[0], found.sum(), unknown) == (5, 2, 7, 1)
    for text in ("w03\n", "secret five\n", "nowhere 1\n"):
        path.write_text(text)
        with pytest.raises(InputFileError) as error:
            read_frequencies(bundle, path)
        assert "secret" not in str(error.value)


# ---- Calibration -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_calibration_reaches_the_share_and_little_more(size: CrowdSize) -> None:
    bundle = bundle_of("weights")  # one grade, so that shares grow with ε throughout
    known = public_frequencies(bundle)
    typed = known / known.sum()

    def unchanged(epsilon: float) -> float:
        return float(typed @ CrowdMechanism(bundle, epsilon, size).channel.unchanged())

    wanted = (unchanged(0.5) + unchanged(6.0)) / 2
    found = calibration.crowd_epsilon_for_unchanged(bundle, size, wanted, known)
    assert found.unchanged == pytest.approx(unchanged(found.epsilon))
    assert unchanged(found.epsilon - 2e-4) < wanted <= unchanged(found.epsilon)
    near = calibration.crowd_epsilon_for_near(bundle, size, 0.5, 5, known).near
    assert near is not None
    assert 0.5 <= near < 0.51
    assert calibration.crowd_epsilon_for_worst_case(bundle, size, 5.0).epsilon <= 5.0


def test_what_no_epsilon_reaches() -> None:
    bundle = bundle_of()
    with pytest.raises(InvalidArgumentError, match="no epsilon up to"):
        calibration.crowd_epsilon_for_unchanged(bundle, "many", 0.999, public_frequencies(bundle))
    with pytest.raises(InvalidArgumentError, match="strictly between"):
        calibration.crowd_epsilon_for_near(bundle, "many", 1.0, 5, public_frequencies(bundle))
    with pytest.raises(InvalidArgumentError, match="above 0"):
        calibration.crowd_epsilon_for_worst_case(bundle, "many", 0.0)


# ---- Texts -----------------------------------------------------------------------------------------------------


def stick(upper: Rows, lower: Rows, bound: float) -> float:
    return float(np.maximum(0, upper - math.exp(bound) * lower).sum())


@pytest.mark.parametrize("size", SIZES)
def test_texts_cost_no_less_than_any_pair_of_them(size: CrowdSize) -> None:
    """Every pair of texts of two tokens, known or not, at the ε' that is said."""
    crowds = CrowdMechanism(bundle_of("two words" if size == "one" else LISTS), 3.0, size)
    rows = exact_rows(crowds)
    bounds = np.linspace(0, 3.0, 7)
    found = hockey_stick(crowds.channel, bounds)
    for x, y in product(range(len(rows)), repeat=2):
        for bound, most in zip(bounds, found, strict=True):
            assert stick(rows[x], rows[y], bound) <= most + 1e-12
    one, two = crowd_text_epsilons(crowds.channel, crowds.epsilon, (1, 2), 0.05)
    assert 0 < one <= 3.0
    assert 0 < two <= 6.0
    ends = rows[[0, 1, len(rows) - 1]]
    texts = [np.outer(a, b).reshape(-1) for a, b in product(ends, repeat=2)]
    assert max(stick(a, b, two) for a, b in product(texts, repeat=2)) <= 0.05 + 1e-12
    assert crowd_text_epsilons(crowds.channel, crowds.epsilon, (4,), 0.0) == [4 * crowds.epsilon]


def test_one_level_crowds_without_common_members_are_tight() -> None:
    """Randomized response over many words: δ(ε') = λ + (1 - λ)/Y·(1 - e^ε')."""
    crowds = CrowdMechanism(bundle_of("no tables"), 5.0, "one")
    chance, words = crowds.channel.coin, len(crowds.channel.outputs)
    for bound in (0.0, 1.0, 4.0):
        wanted = chance - (1 - chance) / words * math.expm1(bound)
        assert hockey_stick(crowds.channel, np.array([bound]))[0] == pytest.approx(wanted)
        rows = exact_rows(crowds)
        assert stick(rows[0], rows[1], bound) == pytest.approx(wanted)


# ---- Evaluation ------------------------------------------------------------------------------------------------


def test_plans_of_crowds(vectors: Path) -> None:
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    distances = Distances(2.0, (2.0, 2.0), True, 5.0, True, bundle.info.average_distance, bundle.info.max_distance)
    names = ("brr", "madlib", "crowd-few", "randomized-response")
    found = plan(bundle, distances, names, (4.0,), (5.0, 6.0))
    assert [setting.mechanism for setting in found] == [*names[:2], *names[2:] * 2]
    assert found[1] == Setting("madlib", 4.0, 4.0, 20.0)
    assert found[2].madlib_epsilon is None
    assert [setting.word_epsilon for setting in found[2:]] == pytest.approx([5.0, 5.0, 6.0, 6.0])
    made = make_mechanism(bundle, np.zeros((bundle.words, 2), dtype=np.float32), found[3])
    assert isinstance(made, CrowdMechanism)
    assert made.size == "one"


def test_plans_by_the_largest_distance(vectors: Path) -> None:
    """ε·P_max of the codes is that of the vectors; the same mechanism is made of it."""
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    distances = Distances(2.0, (2.0, 2.0), True, 5.0, True, bundle.info.average_distance, bundle.info.max_distance)
    brr, largest, tem = plan(bundle, distances, ("brr", "brr-pmax", "tem-pmax"), (4.0,))
    assert brr.epsilon * bundle.info.average_distance == pytest.approx(4 * 2.0)
    assert largest.epsilon * bundle.info.max_distance == pytest.approx(4 * 5.0)
    assert largest.epsilon == tem.epsilon
    assert (largest.named_epsilon, largest.base) == (4.0, "brr")
    nothing = np.zeros((bundle.words, 2), dtype=np.float32)
    made = make_mechanism(bundle, nothing, largest)
    assert isinstance(made, Brr)
    assert made.epsilon == pytest.approx(largest.epsilon)


# ---- Commands --------------------------------------------------------------------------------------------------


def printed(*arguments: str | Path) -> Any:
    done = run_here(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_commands(vectors: Path, tmp_path: Path) -> None:
    bundle = vectors / "crowds-64.hushbit"
    counts = tmp_path / "counts.txt"
    native = _core.Bundle.open(str(bundle))
    counts.write_text("".join(f"{native.word(i).decode()} {i + 1}\n" for i in range(5)))
    report = printed("privacy", bundle, "--mechanism", "crowd", "--epsilon", "5", "--words", "10")
    assert [figures["epsilon"] for figures in report["crowds"]][:1] == [5.0]
    assert 0 < report["crowds"][0]["guessed"]["everything"] < 1
    counted = printed(
        "privacy", bundle, "--mechanism", "crowd", "--epsilon", "5", "--crowd-size", "few", "--frequencies", counts
    )
    assert counted["counted"] is True
    wish = printed("calibrate", bundle, "--mechanism", "crowd", "--near", "0.4", "--nearest", "5")
    assert wish["epsilon_unit"] == "word"
    assert wish["near"] >= 0.4
    audit = printed("audit", bundle, "--mechanism", "crowd", "--epsilon", "5", "--tokens", "50", "--draws", "100")
    assert audit["passed"]
    assert run_here("calibrate", bundle, "--mechanism", "brr", "--near", "0.5").returncode == 2
    assert run_here("calibrate", bundle, "--mechanism", "crowd", "--match-madlib", "5").returncode == 2


def test_channels_keep_the_order_of_crowds() -> None:
    crowds = CrowdMechanism(bundle_of(), 2.0, "many")
    channel: Channel = crowds.channel
    channel.distribution(np.arange(40, dtype=np.uint32))
    Nearness(crowds.bundle).chance(channel, 3)
    for index, word in enumerate(channel.outputs.tolist()):
        row = channel.shares.indices[channel.shares.indptr[index] : channel.shares.indptr[index + 1]]
        assert channel.outputs[row].tolist() == crowds.crowd(word)[:, 0].tolist()
