"""The shuffling accountant: never below what enumeration finds, and the sum that it stands for."""

import json
import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import stats

from cli_runner import Here
from hushbit.errors import InvalidArgumentError
from hushbit.study.privacy.shuffling import MOST_PEOPLE, Reduction, Release, shuffled, shuffled_total, variations

Rows = np.ndarray


def mechanism(generator: np.random.Generator, extreme: bool) -> Rows:
    """Three values, two to four outputs; extreme: only two likelihoods an output."""
    outputs, epsilon = int(generator.integers(2, 5)), generator.uniform(0.2, 3)
    shape = (3, outputs)
    powers = generator.choice([0, epsilon], shape) if extreme else generator.uniform(0, epsilon, shape)
    rows = generator.dirichlet(np.ones(outputs)) * np.exp(powers)
    normal: Rows = rows / rows.sum(axis=1, keepdims=True)
    return normal


def mixed(rows: Rows) -> dict[tuple[int, ...], float]:
    """The law of how often each output occurs, of a release by each row."""
    law = {(0,) * rows.shape[1]: 1.0}
    for row in rows:
        more: dict[tuple[int, ...], float] = {}
        for counts, chance in law.items():
            for output, likelihood in enumerate(row):
                key = (*counts[:output], counts[output] + 1, *counts[output + 1 :])
                more[key] = more.get(key, 0.0) + chance * float(likelihood)
        law = more
    return law


def exact(rows: Rows, people: int, epsilon: float) -> float:
    """The largest hockey-stick divergence over what the others may have."""
    found = 0.0
    for others in combinations_with_replacement(range(len(rows)), people - 1):
        first, second = (mixed(rows[[value, *others]]) for value in (0, 1))
        found = max(found, sum(max(0.0, chance - math.exp(epsilon) * second[key]) for key, chance in first.items()))
    return found


def test_never_below_enumeration() -> None:
    """The bound holds by the exact total variation, by the largest one of any two values, and by none at all."""
    generator = np.random.default_rng(1)
    tightest = 0.0
    for trial in range(16):
        rows = mechanism(generator, trial % 2 == 0)
        people = int(generator.integers(2, 5))
        local = math.log((rows[:, np.newaxis] / rows).max())
        between = np.maximum(rows[:, np.newaxis] - rows, 0).sum(axis=2)
        if between[0, 1] < 1e-6:
            continue
        for epsilon in (0.0, local / 4, local / 2):
            truth = exact(rows, people, epsilon)
            for release in (Release(local, between[0, 1], True), Release(local, between.max()), Release(local, 1.0)):
                bound = max(reduction.delta(people, epsilon, 1e-15) for reduction in variations(release))
                assert truth <= bound + 1e-12
                if release.constant and bound > 1e-9:
                    tightest = max(tightest, truth / bound)
    assert tightest > 0.99


@pytest.mark.parametrize("people", [1, 2, 13])
def test_sums_are_those_of_the_reduction(people: int) -> None:
    """The sums are over all counts of the three parts, by their definition."""
    ratio, (own, common), (clone, blank) = 4.0, (0.4, 0.5), (0.1, 0.125)
    parts = {"first": (own, own / ratio, common), "second": (own / ratio, own, common)}
    chances = np.array([clone, clone, blank, 1 - 2 * clone - blank])
    epsilon, found = 0.3, 0.0
    counts = [(a, b, c) for a in range(people + 1) for b in range(people + 1 - a) for c in range(people + 1 - a - b)]
    for count in counts:
        laws = []
        for person in parts.values():
            law = 0.0
            for part in range(3):
                others = np.array([*count, 0])
                others[part] -= 1
                others[3] = people - 1 - others[:3].sum()
                if (others >= 0).all():
                    law += person[part] * float(stats.multinomial.pmf(others, people - 1, chances))
            laws.append(law)
        found += max(0.0, laws[0] - math.exp(epsilon) * laws[1])
    bound = Reduction(ratio, (own, common), (clone, blank)).delta(people, epsilon, 1e-15)
    assert found <= bound <= found * (1 + 2e-6) + 1e-12


@pytest.mark.slow
def test_figures_of_others() -> None:
    """Feldman, McMillan and Talwar's sums, δ 1e-8: local 4 and 100,000 people .151; local 6 .448; local 2 .044."""
    for local, most, least in ((2.0, 0.045, 0.043), (4.0, 0.152, 0.150), (6.0, 0.45, 0.44)):
        found = shuffled(Release(local, 0.5, True), 100_000, 1e-8)
        assert least < found.clones <= most
        assert found.epsilon == found.variation < 0.85 * found.clones


def test_more_people_and_a_larger_delta() -> None:
    release = Release(2.0, 0.4, True)
    found = shuffled(release, 10_000, 1e-6)
    assert shuffled(release, 40_000, 1e-6).epsilon < found.epsilon
    assert shuffled(release, 10_000, 1e-4).epsilon < found.epsilon
    assert shuffled(release, 3, 1e-6).epsilon == 2.0  # no crowd to hide in
    assert shuffled(Release(0.0, 0.0), 10, 1e-6).epsilon == 0
    # The distributions of scipy fail from 2^31 people on: the smallest epsilon would be 0.
    assert shuffled(Release(4.0, 0.494, True), MOST_PEOPLE, 1e-9).epsilon > 25 * MOST_PEOPLE**-0.5
    refused = ((0.0, 10, 1.0), (1.0, 10, 1.0), (1e-6, 0, 1.0), (1e-6, 10, 76.0), (1e-6, MOST_PEOPLE + 1, 1.0))
    for delta, people, local in refused:
        with pytest.raises(InvalidArgumentError):
            shuffled(Release(local, 1.0), people, delta)


def test_totals() -> None:
    """The total is between one release and the plain sum, and well below it for many releases."""
    release = Release(1.0, 0.3, True)
    one = shuffled(release, 3_000, 1e-6).epsilon
    total = shuffled_total(release, 3_000, 1e-6, 30)
    assert one < total < 30 * one
    assert total < 10 * one
    assert shuffled_total(release, 3_000, 1e-6, 1) >= one * 0.98


def test_the_command(here: Here) -> None:
    fixed = ("privacy", "--delta", "1e-6", "--release", "report", "--epsilon", "1")
    code, out, err = here(*fixed, "--people", "10000", "--json")
    assert code == 0, err
    (row,) = json.loads(out)["releases"]
    assert row["central"] == min(row["clones"], row["variation_ratio"]) < 0.1
    assert 0.2 < row["variation"] < 0.3
    code, out, err = here(*fixed, "--days", "365", "--per-day", "2", "--json")
    assert code == 0, err
    (row,) = json.loads(out)["releases"]
    assert row["releases"] == 730
    assert row["sum"] == pytest.approx(730)
    assert 200 < row["tight"] < 730
    code, out, err = here(*fixed, "--days", "7", "--people", "10000")
    assert code == 0, err
    assert "central total" in out.decode()
    for options, why in (
        (("--release", "word"), b"goes with --people or --days"),
        (("--people", "10", "--per-day", "2"), b"goes with --days"),
        (("--people", "10", "--html", "page.html"), b"goes without --people"),
    ):
        code, _, err = here("privacy", *options)
        assert code == 2
        assert why in err
