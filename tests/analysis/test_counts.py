"""Counts from reports: sets and hits by the definition, designs, unbiased counts, intervals that hold, what is told."""

import math

import numpy as np
import pytest
from scipy import stats

import hushbit
from hushbit.analysis.counts.classes import naive_bayes
from hushbit.analysis.counts.design import Design, design_of
from hushbit.analysis.counts.differences import difference
from hushbit.analysis.counts.estimates import consistent, estimate, estimate_groups
from hushbit.analysis.counts.geometry import Space, hits, sets_with
from hushbit.analysis.counts.intervals import least_told, limits, log_tail
from hushbit.analysis.counts.tally import Tally
from hushbit.analysis.counts.values import emoji, listed, new_words_of, words_of
from hushbit.errors import InvalidArgumentError
from reports import draw, points_by_definition, sets_by_definition

SPACES = [(6, 2), (2, 3), (2, 6), (3, 3), (3, 5), (5, 3), (7, 4), (23, 3)]


def zipf(values: int, power: float = 1.0) -> np.ndarray:
    shares: np.ndarray = 1 / np.arange(1, values + 1) ** power
    shares /= shares.sum()
    return shares


def tally_of(design: Design, values: np.ndarray, generator: np.random.Generator, **groups: np.ndarray) -> Tally:
    tally = Tally(design, groups)
    tally.add(draw(design, values, generator))
    return tally


# ---- Sets


@pytest.mark.parametrize(("prime", "dimension"), SPACES)
def test_hits_are_those_of_the_definition(prime: int, dimension: int) -> None:
    space = Space(prime, dimension)
    sets = sets_by_definition(space)
    if dimension > 2:
        points = points_by_definition(prime, dimension)
        assert space.coordinates(np.arange(space.points)).tolist() == [list(point) for point in points]
    assert space.points == len(sets)
    assert (sets.sum(axis=1) == space.on_plane).all()
    assert (sets[0] & sets[1]).sum() == space.on_both
    reports = np.random.default_rng(1).integers(0, space.points, 500)
    for values in sorted({1, 2, prime, prime + 1, space.points // 2, space.points}):
        assert hits(space, reports, values).tolist() == sets[:values, reports].sum(axis=1).tolist()
    chosen = np.array([0, space.points - 1])
    assert sets_with(space, reports, chosen).tolist() == sets[chosen][:, reports].sum(axis=0).tolist()
    assert hits(space, reports[:0], 2).tolist() == [0, 0]


# ---- Designs


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0])
@pytest.mark.parametrize("values", [2, 5, 40, 1025, 16_385, 370_000])
def test_variances_are_near_the_optimum(epsilon: float, values: int) -> None:
    """The variance is within 1.05 of 4 e^ε/(e^ε - 1)^2 for more values than e^ε, and never above that of randomized
    response.
    """
    design = design_of(values, epsilon)
    power = math.exp(epsilon)

    def variance(of: Design) -> float:
        return of.other * (1 - of.other) / (of.own - of.other) ** 2

    chance = (power - 1) / (values + power - 1)
    responses = Design(Space(values - 1, 2), values, epsilon, int(chance * 2**64))
    assert variance(design) <= variance(responses) * (1 + 1e-9)
    if values > power:
        assert variance(design) <= 1.05 * 4 * power / (power - 1) ** 2
    assert design.space.points >= values


def test_chances_by_enumeration() -> None:
    design = design_of(60, 1.5)
    sets = sets_by_definition(design.space)
    chance = design.threshold / 2**64
    law = chance * sets / design.space.on_plane + (1 - chance) / design.space.points
    assert law.max() / law.min() == pytest.approx(math.exp(1.5))
    assert law.max() / law.min() <= math.exp(1.5) * (1 + 1e-12)
    within = law @ sets.T  # (value, set)
    assert np.diag(within) == pytest.approx(design.own)
    assert within[0, 1:] == pytest.approx(design.other)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 3.3, 4.0, 6.0, 8.0, 10.0])
def test_designs_and_lists_are_those_of_devices(epsilon: float) -> None:
    bundle = hushbit.open()
    answers = ["yes", "no", "perhaps"]
    for values, found, none in (
        ("words", words_of(bundle), False),
        ("emoji", emoji(), False),
        ("new-words", new_words_of(bundle), False),
        (answers, listed(answers, none=False), False),
        (answers, listed(answers, none=True), True),
    ):
        info = bundle.reporter(values=values, epsilon=epsilon, none=none).info
        design = design_of(len(found.names), epsilon)
        assert (info.value_count, info.hash[:16]) == (len(found.names), found.hash)
        assert (info.prime, info.dimension) == (design.space.prime, design.space.dimension)
        assert (info.points, info.set_size) == (design.space.points, design.space.on_plane)
        assert abs(info.threshold - design.threshold) <= 2**64 * 1e-9  # devices round down more
    assert emoji(skin_tones=True).hash != emoji().hash


def test_reports_of_devices_are_counted() -> None:
    """Drawn by the core: the counts of three values within 5 deviations, false alarms below 1e-5."""
    reporter = hushbit.open().reporter(values="words", epsilon=4.0)
    typed = np.repeat([0, 77, 16_384], [2000, 5000, 3000])
    tally = Tally(design_of(16_385, 4.0))
    tally.add(reporter.report_values(typed).astype(np.int64))
    found = estimate(tally, words_of(hushbit.open()).names)
    for value, count in ((0, 2000), (77, 5000), (16_384, 3000)):
        assert found.told[value]
        assert abs(found.counts[value] - count) < 5 * found.deviations[value]


def test_impossible_designs() -> None:
    with pytest.raises(InvalidArgumentError, match="2 to 16,777,216 values, not of 1"):
        design_of(1, 1.0)
    with pytest.raises(InvalidArgumentError, match="not 0"):
        design_of(2, 0.0)


# ---- Counts


@pytest.mark.parametrize(("values", "epsilon"), [(5, 1.0), (40, 2.0), (300, 2.0)])
def test_counts_are_unbiased(values: int, epsilon: float) -> None:
    """The mean of 40 counts of each value, within 5 of its deviations: false alarms below 1e-3 for all values
    together.
    """
    generator = np.random.default_rng(7)
    design = design_of(values, epsilon)
    typed = generator.choice(values, 2000, p=zipf(values))
    names = [str(value) for value in range(values)]
    found = [estimate(tally_of(design, typed, generator), names) for _ in range(40)]
    mean = np.mean([one.counts for one in found], axis=0)
    deviation = np.mean([one.deviations for one in found], axis=0) / math.sqrt(40)
    assert (np.abs(mean - np.bincount(typed, minlength=values)) < 5 * deviation).all()
    assert found[0].order()[0] == found[0].counts.argmax()
    assert found[0].consistent.sum() == pytest.approx(2000)


def test_consistent_counts_are_the_nearest_ones() -> None:
    """The conditions of Karush, Kuhn and Tucker: all that are above 0 moved alike, the others by less."""
    counts = np.random.default_rng(2).normal(1, 10, 50)
    moved = consistent(counts, 100.0)
    assert moved.min() == 0
    assert moved.sum() == pytest.approx(100)
    shifts = (counts - moved)[moved > 0]
    assert np.ptp(shifts) < 1e-9
    assert (counts[moved == 0] <= shifts[0]).all()


def test_sums_of_parts_are_those_of_the_whole() -> None:
    generator = np.random.default_rng(3)
    design = design_of(300, 2.0)
    reports = generator.integers(0, design.space.points, 5000)
    group = {"some": np.array([1, 5, 9])}
    whole, first, second = Tally(design, group), Tally(design, group), Tally(design, group)
    whole.add(reports)
    first.add(reports[:1234])
    second.add(reports[1234:])
    both = first + second
    assert both.reports == whole.reports
    assert both.hits.tolist() == whole.hits.tolist()
    assert both.squares.tolist() == whole.squares.tolist()
    with pytest.raises(InvalidArgumentError, match="not of one list"):
        _ = first + Tally(design_of(300, 3.0), group)
    with pytest.raises(InvalidArgumentError, match="no report"):
        estimate(Tally(design), [""] * 300)


# ---- Intervals


def test_log_tails() -> None:
    points = np.linspace(-8, 60, 3001)
    assert log_tail(points) == pytest.approx(stats.norm.logsf(points), rel=1e-3, abs=1e-5)


@pytest.mark.parametrize(("reports", "other"), [(50, 0.2), (1000, 0.0025), (10**6, 0.33), (10**8, 0.02)])
@pytest.mark.parametrize("values", [5, 16_385])
def test_at_most_one_false_value_is_told(reports: int, other: float, values: int) -> None:
    least = least_told(reports, other, values)
    chance = stats.binom.sf(least - 1, reports, other)
    most = 1 / max(values, 100)
    assert chance <= most
    assert (
        least > reports or stats.binom.sf(least - 2, reports, other) > most / 2
    )  # and it is no more strict than it must


@pytest.mark.parametrize(
    ("values", "epsilon", "reports", "runs"),
    [
        (16_385, 6.0, 600_000, 12),
        (16_385, 1.0, 10**6, 60),
        (200, 2.0, 3000, 200),
        (5, 1.0, 400, 250),
        (3, 3.0, 40, 250),
    ],
)
def test_intervals_hold(values: int, epsilon: float, reports: int, runs: int) -> None:
    """People are drawn from many; shares follow Zipf's law, and every third value is nobody's. 95 in 100 are meant. Of
    at least 400 told values fewer than 92.5 in 100 hold with a chance below 1e-2. Of the values that nobody has at most
    1 is told a run on average; 2 in the mean of 12 runs or more have a chance below 1e-2, and the seed is fixed.
    """
    generator = np.random.default_rng(11)
    design = design_of(values, epsilon)
    shares = zipf(values)
    shares[1::3] = 0
    shares /= shares.sum()
    least = least_told(reports, design.other, values)
    held_told, held_all, false = [], [], 0
    for _ in range(runs):
        found = generator.binomial(reports, design.other + (design.own - design.other) * shares)
        low, high = limits(found, reports, design.own, design.other, least, 0.95)
        held = (low <= shares) & (shares <= high)
        told = found >= least
        held_told.append(held[told])
        held_all.append(held.mean())
        false += int((told & (shares == 0)).sum())
    assert len(np.concatenate(held_told)) >= 400
    assert np.concatenate(held_told).mean() > 0.925
    assert np.mean(held_all) > 0.945
    assert false / runs < 2


def test_intervals_around_the_edge() -> None:
    """A value that is only just told may be hardly above 0; one far beyond has the usual interval."""
    design = design_of(16_385, 4.0)
    least = least_told(10**6, design.other, 16_385)
    low, high = limits(np.array([least, 3 * least]), 10**6, design.own, design.other, least, 0.95)
    assert low[0] == pytest.approx(0, abs=1e-9)
    chance = 3 * least / 10**6
    half = 1.96 * math.sqrt(chance * (1 - chance) / 10**6) / (design.own - design.other)
    assert high[1] - low[1] == pytest.approx(2 * half, rel=0.01)


def test_groups() -> None:
    """Intervals of groups whose values are in a row, or anywhere: at least 60 of 70 hold. 95 in 100 are meant; fewer
    hold with a chance below 1e-3."""
    generator = np.random.default_rng(5)
    design = design_of(200, 2.0)
    groups = {"row": np.arange(15), "some": generator.choice(200, 30, replace=False), "one": np.array([3])}
    typed = generator.choice(200, 3000, p=zipf(200))
    truth = [np.isin(typed, members).sum() for members in groups.values()]
    held = []
    for _ in range(70):
        tally = tally_of(design, typed, generator, **groups)
        found = estimate_groups(tally)
        held.append((found.low <= truth) & (truth <= found.high))
        values = estimate(tally, [str(value) for value in range(200)])
        assert found.counts[0] == pytest.approx(values.counts[:15].sum())
        assert found.deviations[2] == pytest.approx(values.deviations[3], rel=0.1)
    assert (np.sum(held, axis=0) >= 60).all()
    assert found.told[0]


# ---- Differences and classes


def test_differences() -> None:
    """Every tenth value doubled. Intervals: 90 in 100 at least of 300 values in 10 runs; at most 1 false change a
    run.
    """
    generator = np.random.default_rng(6)
    design = design_of(300, 3.0)
    before = zipf(300, 0.5)
    after = before * np.where(np.arange(300) % 10 == 0, 2, 1)
    after /= after.sum()
    after[150:] = before[150:]  # so that there are values that stay as they are
    after /= after.sum()
    held, false = [], 0
    for _ in range(10):
        tallies = []
        for shares, reports in ((before, 30_000), (after, 50_000)):
            tally = Tally(design)
            tally.reports = reports
            tally.hits = generator.binomial(reports, design.other + (design.own - design.other) * shares)
            tallies.append(tally)
        found = difference(tallies[0], tallies[1], [str(value) for value in range(300)])
        change = after - before
        held.append(((found.low <= change) & (change <= found.high)).mean())
        false += int((found.told & (np.abs(change) < 1e-4)).sum())
        assert found.told[0]
        assert found.change[0] == pytest.approx(change[0], abs=0.02)
    assert np.mean(held) > 0.93
    assert false <= 10
    with pytest.raises(InvalidArgumentError, match="one list and one epsilon"):
        difference(tallies[0], Tally(design_of(300, 2.0)), [""] * 300)


def test_naive_bayes() -> None:
    """Two classes, each with words of its own; what is learned sorts clean texts of 5 words."""
    generator = np.random.default_rng(8)
    design = design_of(100, 2.0)
    shares = {"left": zipf(100), "right": zipf(100)[::-1]}
    tallies = {
        label: tally_of(design, generator.choice(100, 8000, p=of_class), generator)
        for label, of_class in shares.items()
    }
    model = naive_bayes(tallies)
    texts = np.array([generator.multinomial(5, of_class) for of_class in shares.values() for _ in range(200)])
    predicted = np.array(model.predict(texts))
    assert (predicted[:200] == "left").mean() > 0.85
    assert (predicted[200:] == "right").mean() > 0.85
    noise = {label: tally_of(design, generator.integers(0, 100, 400), generator) for label in shares}
    assert np.abs(naive_bayes(noise).weights).mean() < np.abs(model.weights).mean()
    with pytest.raises(InvalidArgumentError, match="two or more"):
        naive_bayes({"left": tallies["left"]})
