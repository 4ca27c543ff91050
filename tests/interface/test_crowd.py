"""Crowds: the bound on toys in rational arithmetic, frequencies against exact probabilities, faults that are noticed.

False alarms. Every seeded test is a fixed computation; its level, 1e-6 for each p-value, is the chance that a correct
core would have failed under a random seed. The test of the operating system's generator has the level 1e-10.
"""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hushbit
from crowd_toys import SIZES, TOYS, Row, core_rows, rows_of, seed_of, toy, toy_codes, toy_tables
from hushbit import _core, _core_testing
from hushbit.errors import CorruptBundleError, InvalidArgumentError
from reference.bundle_file import read_bundle
from reference.bundle_maker import make_bundle
from reference.coin import RANGE
from reference.crowd import Crowds, CrowdSize, crowds_of, epsilon_of, is_clamped, threshold
from reference.millionths import at_most_as_stated
from reference.statistics import chi_square_p

SEEDED_LEVEL = 1e-6
FRESH_LEVEL = 1e-10
UNKNOWN = 0xFFFFFFFF


def reference_of(name: str, size: CrowdSize, epsilon: float) -> Crowds:
    file = read_bundle(TOYS[name])
    return crowds_of(file.tables, file.codes, size, epsilon)


def odds(limit: int, mass: int, total: int) -> Fraction:
    """e^epsilon of the integers, exactly."""
    return 1 + Fraction(limit * total, (RANGE - limit) * mass)


def first_violation(rows: list[Row], bound: Fraction) -> tuple[int, int, int] | None:
    """The first (a, b, y) with Pr[y | a] > bound Pr[y | b]."""
    for a, row_a in enumerate(rows):
        for b, row_b in enumerate(rows):
            for y, (chance_a, chance_b) in enumerate(zip(row_a, row_b, strict=True)):
                if chance_a > bound * chance_b:
                    return a, b, y
    return None


# ---- The bound -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 4.0, 7.0, 20.0])
@pytest.mark.parametrize("name", TOYS)
def test_local_privacy_holds_exactly(name: str, epsilon: float) -> None:
    """Pr[y | x] <= e^epsilon Pr[y | x'] for every pair, unknown tokens included, by the core's own numbers."""
    bundle = _core.Bundle.from_bytes(TOYS[name])
    for size in SIZES:
        privatizer = _core.Privatizer(bundle, mechanism="crowd", epsilon=epsilon, crowd_size=size, allow_unchanged=True)
        info = privatizer.info()
        rows = core_rows(privatizer, bundle.info().words)
        assert all(sum(row) == 1 for row in rows)
        bound = odds(info.crowd_threshold, info.crowd_mass, info.output_mass)
        assert first_violation(rows, bound) is None
        assert info.effective_epsilon <= epsilon
        exact = epsilon_of(info.crowd_threshold, info.crowd_mass, info.output_mass)
        assert exact <= info.effective_epsilon * (1 + 1e-12) <= max(exact, epsilon) * (1 + 1e-11)
        assert info.effective_epsilon <= min(epsilon, info.worst_case_per_token)
        assert info.worst_case_per_token <= info.effective_epsilon + 1e-6


@pytest.mark.parametrize("epsilon", [0.7, 5.0, 5.5])
@pytest.mark.parametrize("name", TOYS)
def test_crowds_are_those_of_the_reference(name: str, epsilon: float) -> None:
    bundle = _core.Bundle.from_bytes(TOYS[name])
    for size in SIZES:
        crowds = reference_of(name, size, epsilon)
        tables = crowds.tables
        privatizer = _core.Privatizer(bundle, mechanism="crowd", epsilon=epsilon, crowd_size=size, allow_unchanged=True)
        info = privatizer.info()
        assert (info.crowd_mass, info.output_mass, info.crowd_threshold) == (crowds.mass, crowds.total, crowds.limit)
        assert info.mean_crowd == pytest.approx(crowds.mean_size(), rel=1e-12)
        for word, standin in enumerate(tables.standins):
            members = [(tables.outputs[index], share) for index, share in crowds.shares(standin).items()]
            assert [(y, share) for y, share, _ in _core.crowd(privatizer, word).tolist()] == members


def test_the_bound_is_met_with_equality() -> None:
    """Two crowds do not overlap and shares are whole weights: no smaller epsilon would be true."""
    bundle = _core.Bundle.from_bytes(TOYS["no tables"])
    privatizer = _core.Privatizer(bundle, mechanism="crowd", epsilon=3.0, crowd_size="one")
    info = privatizer.info()
    rows = core_rows(privatizer, 30)
    bound = odds(info.crowd_threshold, info.crowd_mass, info.output_mass)
    assert max(a / b for row in rows for other in rows for a, b in zip(row, other, strict=True)) == bound


# ---- Faults ----------------------------------------------------------------------------------------------------


def faulty_rows(fault: str) -> tuple[list[Row], Fraction]:
    """The rows of a toy with a fault planted, and what was claimed for it."""
    crowds = reference_of("lists", "many", 4.0)
    shares = [crowds.shares(standin) for standin in crowds.tables.standins]
    limit, weights = crowds.limit, list(crowds.weights)
    claimed = odds(limit, crowds.mass, crowds.total)
    victim = crowds.tables.outputs[0]
    full = next(y for y in shares[victim] if shares[victim][y] == weights[y])
    other = next(y for y in shares[victim] if y != full)
    if fault == "lambda rounded up":
        limit += 1
    elif fault == "a share beyond its weight":
        shares[victim] = shares[victim] | {full: shares[victim][full] + 1, other: shares[victim][other] - 1}
    elif fault == "masses that differ by one":
        shares[victim] = shares[victim] | {other: shares[victim][other] - 1}
    return rows_of(limit, shares, weights), claimed


@pytest.mark.parametrize("fault", ["lambda rounded up", "a share beyond its weight", "masses that differ by one"])
def test_the_exact_check_notices_faults(fault: str) -> None:
    rows, claimed = faulty_rows("none")
    assert first_violation(rows, claimed) is None
    rows, claimed = faulty_rows(fault)
    assert first_violation(rows, claimed) is not None


@pytest.mark.parametrize("epsilon", [1e-9, 0.3, 1.0, math.log(3), 4.0, 5.5, 7.25, 20.0, 44.0, 60.0])
@pytest.mark.parametrize(
    ("mass", "total"), [(1, 2), (1, 16384), (82, 16384), (2050, 2_073_900), (3, 3), (1, 2**32 - 1)]
)
def test_lambda_is_rounded_down(mass: int, total: int, epsilon: float) -> None:
    """L gives at most the epsilon asked for, L + 1 would give more."""
    limit = threshold(at_most_as_stated(epsilon), mass, total)
    assert epsilon_of(limit, mass, total) <= math.nextafter(epsilon, math.inf)
    if limit < RANGE - 1:
        assert epsilon_of(limit + 1, mass, total) > epsilon
    if total < 40_000:
        words = [f"{i:05d}" for i in range(total)]
        if mass == 1 and total <= 3:
            data = make_bundle({word: i.to_bytes(8, "little") for i, word in enumerate(words)})
            privatizer = _core.Privatizer(
                _core.Bundle.from_bytes(data),
                mechanism="crowd",
                epsilon=epsilon,
                crowd_size="one",
                allow_unchanged=True,
            )
            assert privatizer.info().crowd_threshold == limit
            assert privatizer.info().clamped is is_clamped(epsilon, mass, total)


# ---- Frequencies -----------------------------------------------------------------------------------------------


def frequency_p(
    privatizer: _core.Privatizer, word: int, expected: Row, label: str | None, draws: int = 60_000
) -> float:
    seed = None if label is None else seed_of(label)
    outputs = _core_testing.replace(privatizer, np.full(draws, word, dtype=np.uint32), seed)
    seen = np.bincount(outputs, minlength=len(expected))
    return chi_square_p(seen, [float(chance * draws) for chance in expected])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", TOYS)
def test_frequencies(name: str, size: CrowdSize) -> None:
    """What is drawn follows the reference's exact probabilities, of words and of unknown tokens."""
    bundle = _core.Bundle.from_bytes(TOYS[name])
    crowds = reference_of(name, size, 4.0)
    tables = crowds.tables
    words = len(tables.standins)
    weights = [0] * words
    for index, id in enumerate(tables.outputs):
        weights[id] = crowds.weights[index]
    shares = [{tables.outputs[i]: share for i, share in crowds.shares(standin).items()} for standin in tables.standins]
    rows = rows_of(crowds.limit, shares, weights)
    if sum(weight > 0 for weight in weights) == 1:
        privatizer = _core.Privatizer(bundle, mechanism="crowd", epsilon=4.0, crowd_size=size, allow_unchanged=True)
        assert set(_core_testing.replace(privatizer, np.arange(words, dtype=np.uint32)).tolist()) == set(tables.outputs)
        return
    privatizer = _core.Privatizer(bundle, mechanism="crowd", epsilon=4.0, crowd_size=size, allow_unchanged=True)
    for word in (0, words // 2, words - 1, UNKNOWN):
        expected = rows[-1] if word == UNKNOWN else rows[word]
        assert frequency_p(privatizer, word, expected, f"{name} {size} {word}") > SEEDED_LEVEL


def test_frequencies_of_the_operating_system() -> None:
    privatizer = _core.Privatizer(
        _core.Bundle.from_bytes(TOYS["lists"]), mechanism="crowd", epsilon=4.0, crowd_size="many"
    )
    rows = core_rows(privatizer, 40)
    assert frequency_p(privatizer, 7, rows[7], None) > FRESH_LEVEL
    assert frequency_p(privatizer, UNKNOWN, rows[-1], None) > FRESH_LEVEL


def test_frequencies_notice_faults() -> None:
    """Another stand-in, and stand-ins read from the list of output words, are told from the right ones."""
    crowds = reference_of("lists", "many", 4.0)
    tables = crowds.tables
    privatizer = _core.Privatizer(
        _core.Bundle.from_bytes(TOYS["lists"]), mechanism="crowd", epsilon=4.0, crowd_size="many"
    )
    rows = core_rows(privatizer, 40)
    word = next(id for id in range(40) if id not in tables.outputs and id < len(tables.outputs))
    wrong = tables.outputs[word]  # `outputs` in place of `standins`
    assert tables.outputs[tables.standins[word]] != wrong
    assert frequency_p(privatizer, word, rows[word], "right") > SEEDED_LEVEL
    assert frequency_p(privatizer, word, rows[wrong], "wrong table") < SEEDED_LEVEL
    bent = list(rows[word])
    moved = bent[tables.outputs[0]] / 20
    bent[tables.outputs[0]] -= moved
    bent[tables.outputs[1]] += moved
    assert frequency_p(privatizer, word, bent, "bent", draws=2_000_000) < SEEDED_LEVEL


# ---- Text ------------------------------------------------------------------------------------------------------


@pytest.fixture
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "crowds-64.hushbit")


def test_info_and_defaults(bundle: hushbit.Bundle) -> None:
    info = bundle.info
    assert (info.default_mechanism, info.default_crowd_size, info.default_epsilon_unit) == ("crowd", "many", "word")
    assert 0 < info.public_words < info.words - info.output_words
    privatizer = bundle.privatizer()
    told = privatizer.info
    assert (told.mechanism, told.crowd_size, told.epsilon_unit) == ("crowd", "many", "word")
    assert told.requested_epsilon == info.default_epsilon >= told.effective_epsilon > info.default_epsilon - 1e-9
    assert told.crowd_probability == told.crowd_threshold / RANGE
    assert "per word" in repr(privatizer)
    assert bundle.privatizer("brr", allow_unchanged=True).info.requested_epsilon == info.default_epsilon_brr
    assert bundle.privatizer("tem", allow_unchanged=True).info.requested_epsilon == info.default_epsilon_tem
    assert len(bundle.neighbors("dog", info.output_words)) == info.output_words
    with pytest.raises(InvalidArgumentError, match="output words"):
        bundle.neighbors("dog", info.output_words + 1)


def test_a_bundle_without_a_default_for_crowds_asks_for_an_epsilon(vectors: Path) -> None:
    plain = hushbit.open(vectors / "words-64.hushbit")
    with pytest.raises(InvalidArgumentError, match="give an epsilon for crowd"):
        plain.privatizer("crowd")
    info = plain.privatizer("crowd", 6.0).info
    assert (info.crowd_size, info.output_words, info.public_words) == ("many", plain.words, 0)
    with pytest.raises(InvalidArgumentError, match="must be one of: one, few, many"):
        plain.privatizer("crowd", 6.0, crowd_size="two")  # type: ignore[arg-type]


def test_costs_say_their_unit(bundle: hushbit.Bundle) -> None:
    released = bundle.privatizer().privatize("The DOG is at the house, blorb!")
    cost = released.cost
    assert (cost.epsilon_unit, cost.public_words, cost.unknown) == ("word", 4, 1)
    assert cost.worst_case == cost.average == pytest.approx((cost.words + 1) * cost.epsilon, rel=1e-12)
    assert released.text.split()[0] == "the", "public words are spelled as in the vocabulary"
    other = bundle.privatizer("brr", cost.epsilon, allow_unchanged=True).privatize("dog").cost
    with pytest.raises(InvalidArgumentError, match="per word and"):
        cost + other


def test_words_of_one_stand_in_are_drawn_alike(bundle: hushbit.Bundle) -> None:
    file = read_bundle(make_bundle(toy_codes(40), tables=toy_tables(40, 23, "lists")))
    native = _core.Bundle.from_bytes(TOYS["lists"])
    privatizer = _core.Privatizer(native, mechanism="crowd", epsilon=4.0)
    shared = Counter(file.tables.standins).most_common(1)[0][0]
    words = [word for word, standin in enumerate(file.tables.standins) if standin == shared]
    assert len(words) > 1
    draws = [
        _core_testing.replace(privatizer, np.full(300, word, dtype=np.uint32), seed_of("alike")).tolist()
        for word in words
    ]
    assert all(drawn == draws[0] for drawn in draws)


def test_bundles_that_lie_are_refused() -> None:
    tables = toy_tables(40, 23, "lists")
    assert tables.lists is not None
    longer = [*tables.lists[0], tables.lists[0][0]]
    shorter = tables.lists[0][:2]
    for lists in ([longer, *tables.lists[1:]], [shorter, *tables.lists[1:]]):
        native = _core.Bundle.from_bytes(toy(40, replace(tables, lists=lists)))
        with pytest.raises(CorruptBundleError):
            native.verify()
        with pytest.raises(CorruptBundleError):
            _core.Privatizer(native, mechanism="crowd", epsilon=4.0, crowd_size="many")
