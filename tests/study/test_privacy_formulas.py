"""Every formula of hushbit.study.privacy against mpmath, computed from its definition with many digits."""

import math
from itertools import pairwise

import numpy as np
import pytest
from mpmath import binomial, exp, inf, log, mp, mpf

from hushbit import _core, errors
from hushbit.study.mechanisms import randomized_response, truncated_exponential
from hushbit.study.privacy import (
    accounting,
    control,
    corrections,
    intervals,
    matching,
)
from hushbit.toolchain.bundle.distances import average_distance
from reference.bundle_maker import make_bundle

mp.dps = 60
CLOSE = 1e-12


def close(value: float, exact: object, tolerance: float = CLOSE) -> bool:
    return math.isclose(value, float(exact), rel_tol=tolerance, abs_tol=1e-300)  # type: ignore[arg-type]


# ---- Randomized response ---------------------------------------------------------------------------------------


def exact_losses(epsilon: float, distance: int) -> list[tuple[object, object]]:
    """(loss, chance) from the likelihoods of all numbers of truthful bits."""
    flip = 1 / (1 + exp(mpf(epsilon)))
    return [
        (
            log(((1 - flip) / flip) ** (2 * b - distance)),
            binomial(distance, b) * (1 - flip) ** b * flip ** (distance - b),
        )
        for b in range(distance + 1)
    ]


@pytest.mark.parametrize(("epsilon", "distance"), [(0.05, 1), (0.3, 12), (0.55, 128), (1.0, 217), (4.0, 40)])
def test_hockey_stick(epsilon: float, distance: int) -> None:
    losses, log_chances = randomized_response.loss_distribution(epsilon, distance)
    exact = exact_losses(epsilon, distance)
    for loss, log_chance, (exact_loss, chance) in zip(losses, log_chances, exact, strict=True):
        assert math.isclose(loss, float(exact_loss), abs_tol=1e-9)  # type: ignore[arg-type]
        assert math.isclose(log_chance, float(log(chance)), rel_tol=1e-10, abs_tol=1e-10)
    for share in (0.0, 0.3, 0.8):
        bound = share * epsilon * distance
        delta = sum(chance * max(0, 1 - exp(mpf(bound) - loss)) for loss, chance in exact)
        assert math.isclose(
            randomized_response.delta_of_pair(epsilon, distance, bound), float(delta), rel_tol=1e-9, abs_tol=1e-15
        )
    found = randomized_response.epsilon_of_pair(epsilon, distance, 1e-6)
    assert found <= epsilon * distance
    assert randomized_response.delta_of_pair(epsilon, distance, found) <= 1e-6
    if 0 < found < epsilon * distance:
        assert randomized_response.delta_of_pair(epsilon, distance, found * (1 - 1e-9)) > 1e-6
    assert randomized_response.epsilon_of_pair(epsilon, distance, 0) == epsilon * distance


# ---- TEM -------------------------------------------------------------------------------------------------------


def test_truncation_distance() -> None:
    for epsilon, beta, words in [(0.5, 0.001, 400_000), (3.0, 0.001, 35_278), (0.1, 0.5, 10)]:
        exact = 2 / mpf(epsilon) * log((1 - mpf(beta)) * (words - 1) / mpf(beta))
        assert close(truncated_exponential.truncation_distance(epsilon, beta, words), exact)
    # The theorem gives 2 / 0.5 * ln(0.1 * 4 / 0.9) < 0 here.
    assert truncated_exponential.truncation_distance(0.5, 0.9, 5) == 0
    assert truncated_exponential.truncation_distance(0.5, 0.001, 1) == 0
    assert truncated_exponential.truncation_distance(0, 0.001, 10) == math.inf


def test_bottom_weighs_what_its_words_would_at_gamma() -> None:
    scores = truncated_exponential.bottom_score(0.7, 12.5, np.array([0, 1, 999]))
    assert scores[0] == -inf
    for score, far in zip(scores[1:], (1, 999), strict=True):
        assert close(float(score), -mpf(12.5) + 2 * log(mpf(far)) / mpf(0.7))
        assert math.isclose(math.exp(0.35 * score), far * math.exp(-0.35 * 12.5), rel_tol=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.5, 2.0])
def test_weights_of_the_core(epsilon: float) -> None:
    """The core's integers are the ideal weights but for rounding, and their guarantee is what the formulas say."""
    bundle = _core.Bundle.from_bytes(make_bundle({chr(97 + i): bytes([i] * 16) for i in range(20)}))
    privatizer = _core.Privatizer(bundle, mechanism="tem", epsilon=epsilon, allow_unchanged=True)
    weights, info = _core.weights(privatizer), privatizer.info()
    gamma = truncated_exponential.truncation_distance(epsilon, 0.001, 20)
    assert info.gamma == min(128, math.ceil(gamma) if math.isfinite(gamma) else 128)
    ideal = np.exp(-epsilon / 2 * np.minimum(np.arange(128 + 1), info.gamma))
    np.testing.assert_allclose(weights / weights[0], ideal, rtol=1e-6)
    steps = [log(mpf(int(a)) / int(b)) for a, b in pairwise(weights)]
    assert math.isclose(truncated_exponential.epsilon_of_weights(weights), float(2 * max(steps)), abs_tol=1e-12)
    assert math.isclose(info.effective_epsilon, float(2 * max(steps)), rel_tol=1e-12, abs_tol=1e-15)


def test_shells_are_the_distribution_summed_by_distance() -> None:
    counts = np.array([[1, 0, 3, 2], [2, 1, 0, 3]])
    weights = np.array([40, 20, 10, 10], dtype=np.uint64)
    for row, shells, word in zip(
        counts,
        truncated_exponential.shell_chances(counts, weights),
        truncated_exponential.word_chances(counts, weights),
        strict=True,
    ):
        total = sum(int(c) * int(v) for c, v in zip(row, weights, strict=True))
        for d in range(4):
            assert close(float(shells[d]), mpf(int(row[d]) * int(weights[d])) / total)
            assert close(float(word[d]), mpf(int(weights[d])) / total)


# ---- Corrections -----------------------------------------------------------------------------------------------


def test_published_corrections() -> None:
    assert math.isclose(corrections.dpnr_epsilon(768, 0.05), 38.4, rel_tol=1e-12)
    for dropout in (0.0, 0.1, 0.5, 0.95, 1.0):
        exact = log((1 - mpf(dropout)) * exp(mpf(768) * mpf(0.05)) + mpf(dropout))
        assert math.isclose(
            corrections.dpnr_dropout_epsilon(768, 0.05, dropout), float(exact), rel_tol=1e-12, abs_tol=1e-12
        )
    # Beyond the range of doubles: 768 coordinates at epsilon 1.
    exact = log((1 - mpf(0.3)) * exp(mpf(768)) + mpf(0.3))
    assert close(corrections.dpnr_dropout_epsilon(768, 1.0, 0.3), exact)
    assert corrections.dpnr_dropout_epsilon(768, 1.0, 1.0) == 0
    assert corrections.sign_bit_epsilon(4, 0.1) == 0.1 * 32
    assert corrections.integer_bit_epsilon(1, 0.1) == 0.1
    assert corrections.integer_bit_epsilon(4, 0.1) == 0.1 * 8
    assert corrections.fraction_bit_epsilon(1, 0.1) == 0.05
    assert corrections.fraction_bit_epsilon(5, 0.1) == 0.1 / 32
    rows = corrections.encoding_epsilons(2, 3, 1.0)
    assert rows == [
        ("sign", 8.0), ("integer 2", 2.0), ("integer 1", 1.0), ("fraction 1", 0.5), ("fraction 2", 0.25),
        ("fraction 3", 0.125),
    ]  # fmt: skip


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_local_dp_of_bits_by_enumeration(epsilon: float) -> None:
    """The largest log ratio of every pair of numbers of 1 + 1 + 2 bits and every output; of one bit it is ε."""
    bits = (np.arange(16)[:, None] >> np.arange(4)) & 1
    flip = 1 / (1 + math.exp(epsilon))
    different = np.bitwise_count(np.arange(16)[:, None] ^ np.arange(16)).astype(float)
    log_chance = different * math.log(flip) + (4 - different) * math.log(1 - flip)
    ratios = log_chance[:, None, :] - log_chance[None, :, :]  # (number, other number, output)
    assert math.isclose(ratios.max(), corrections.encoding_local_dp(1, 2, epsilon), rel_tol=1e-12)
    one_bit_apart = (bits[:, None] != bits).sum(axis=2) == 1
    np.testing.assert_allclose(ratios[one_bit_apart].max(axis=1), epsilon, rtol=1e-12)  # whichever bit it is


# ---- Matching, control, accounting, intervals ------------------------------------------------------------------


def test_matching() -> None:
    assert close(matching.matched_epsilon(8.0, 6.8, 127.9), mpf(8.0) * mpf(6.8) / mpf(127.9))
    assert close(matching.privacy_ratio(2.0, 3.0, 0.5, 4.0), mpf(3))
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(300, 7)).astype(np.float32)
    plain = np.linalg.norm(vectors[:, None].astype(float) - vectors[None], axis=2)
    average = matching.mean_euclidean_distance(vectors, generator)
    assert average.exact
    assert math.isclose(average.value, plain.mean(), rel_tol=1e-5)
    largest, exact = matching.largest_euclidean_distance(vectors)
    assert exact
    assert math.isclose(largest, plain.max(), rel_tol=1e-5)
    with pytest.raises(errors.InvalidArgumentError, match="distance 0"):
        matching.matched_epsilon(1.0, 2.0, 0.0)


def test_sampled_mean_distance_has_an_honest_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2)
    vectors = generator.normal(size=(3000, 5)).astype(np.float32)
    whole = matching.mean_euclidean_distance(vectors, generator)
    monkeypatch.setattr(matching, "EXACT_PAIRS", 1000)
    sampled = matching.mean_euclidean_distance(vectors, generator)
    assert not sampled.exact
    assert sampled.interval[0] < whole.value < sampled.interval[1]


def test_average_distance_of_codes_is_the_closed_form() -> None:
    """2·c·(N - c) / N² summed over bits, against all ordered pairs."""
    codes = np.random.default_rng(3).integers(256, size=(50, 8), dtype=np.uint8)
    pairs = np.unpackbits(codes[:, None] ^ codes[None], axis=2).sum()
    assert close(average_distance(codes), mpf(int(pairs)) / 2500)


def test_control() -> None:
    assert close(control.keep_or_uniform_epsilon(0.3, 1000), log(mpf(0.3) * 999 / (1 - mpf(0.3))), 1e-10)
    assert control.keep_or_uniform_epsilon(1.0, 10) == math.inf
    assert close(control.keep_or_uniform_near(0.3, 1000, 10), mpf(0.3) + (1 - mpf(0.3)) * 9 / 999)
    similarities = np.array([[1.0, 0.2, 0.4], [0.2, 1.0, 0.1], [0.4, 0.1, 1.0]])
    expected = 0.3 + 0.7 * (0.2 + 0.4 + 0.2 + 0.1 + 0.4 + 0.1) / 6
    assert math.isclose(control.keep_or_uniform_similarity(0.3, 3, similarities.mean()), expected)


def test_accounting_of_one_token_is_the_hockey_stick() -> None:
    """Never below the exact ε', and above it by no more than the grid of the losses."""
    for epsilon, distance in [(0.3, 12), (0.55, 128), (0.55, 217)]:
        exact = randomized_response.epsilon_of_pair(epsilon, distance, 1e-6)
        found = accounting.text_epsilon(epsilon, distance, 1, 1e-6)
        assert exact * (1 - 1e-9) <= found <= exact + epsilon / 25


def test_accounting_of_two_tokens_is_one_of_twice_the_distance() -> None:
    """The losses of independent bits add up, whatever word they belong to."""
    exact = randomized_response.epsilon_of_pair(0.4, 60, 1e-6)
    found = accounting.text_epsilon(0.4, 20, 3, 1e-6)
    assert exact * (1 - 1e-9) <= found <= exact + 3 * 0.4 / 25
    assert accounting.text_epsilon(0.4, 20, 3, 0) == pytest.approx(24)
    assert accounting.pure_text_epsilon(0.1, 400, 1e-6) < 40
    assert accounting.pure_text_epsilon(0.1, 400, 1e-6) >= randomized_response.epsilon_of_pair(0.1, 400, 1e-6) * 0.999


@pytest.mark.parametrize("distance", [127, 128, 129, 217])
def test_accounting_of_long_texts(distance: int) -> None:
    """Near the normal limit: the losses of 100 tokens are those of one of 100 times the distance."""
    exact = randomized_response.epsilon_of_pair(0.298, 100 * distance, 1e-6)
    found = accounting.text_epsilon(0.298, distance, 100, 1e-6)
    assert exact * (1 - 1e-6) <= found <= exact + 100 * 0.298 / 25


def test_intervals() -> None:
    lower, upper = intervals.binomial_bounds([0, 3, 10], 10, 0.95)
    assert (lower[0], upper[2]) == (0, 1)
    for hits, bound in ((3, lower[1]), (10, lower[2])):  # Pr[X >= hits] = 0.05 at the bound
        p = mpf(float(bound))
        tail = sum(binomial(10, k) * p**k * (1 - p) ** (10 - k) for k in range(hits, 11))
        assert close(float(tail), mpf("0.05"), 1e-9)
    p = mpf(float(upper[1]))
    assert close(float(sum(binomial(10, k) * p**k * (1 - p) ** (10 - k) for k in range(4))), mpf("0.05"), 1e-9)
    low, high = intervals.mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    assert math.isclose((high - low) / 2, 1.959963984540054 * math.sqrt(5 / 3) / 2)


def test_interval_of_shares() -> None:
    """The interval of values of 0 and 1 is Wilson's, where the score test is just significant."""
    for hits, count in ((0, 500), (3, 50), (50, 50), (20, 40)):
        values = np.zeros(count)
        values[:hits] = 1
        share = hits / count
        for bound in intervals.share_interval(values):
            if 0 < bound < 1:
                score = (share - bound) ** 2 * count / (bound * (1 - bound))
                assert math.isclose(score, 1.959963984540054**2, rel_tol=0.06)  # the variance is of count - 1 values
    low, high = intervals.share_interval(np.zeros(500))
    assert low == 0
    assert 0.005 < high < 0.01
    # Sums of chances are off by rounding: shares of 1 that are, are an interval of shares of 1 all the same.
    for off in (1e-16, 2.3e-16, 1e-14):
        almost = 1 + off * np.resize([-1.0, 1.0, 1.0], 500)
        np.testing.assert_allclose(intervals.share_interval(almost), intervals.share_interval(np.ones(500)), atol=1e-9)


def test_interval_of_shares_covers() -> None:
    """362 of 400 intervals of 95 % cover, or more: fewer would have a chance below 1e-4 if the level were right."""
    generator = np.random.default_rng(8)
    covered = 0
    for _ in range(400):
        shares = generator.beta(0.1, 4, size=60)
        low, high = intervals.share_interval(generator.binomial(20, shares) / 20)
        covered += low <= 0.1 / 4.1 <= high
    assert covered >= 362


# ---- Bad input -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (randomized_response.loss_distribution, (-1.0, 3)),
        (randomized_response.loss_distribution, (math.nan, 3)),
        (randomized_response.epsilon_of_pair, (1.0, 3, 1.0)),
        (randomized_response.epsilon_of_pair, (1.0, 3, -0.1)),
        (truncated_exponential.truncation_distance, (1.0, 0.0, 5)),
        (truncated_exponential.truncation_distance, (1.0, 1.0, 5)),
        (truncated_exponential.truncation_distance, (math.inf, 0.5, 5)),
        (corrections.dpnr_epsilon, (0, 1.0)),
        (corrections.dpnr_epsilon, (5, -1.0)),
        (corrections.dpnr_dropout_epsilon, (5, 1.0, 1.5)),
        (corrections.sign_bit_epsilon, (-1, 1.0)),
        (corrections.encoding_local_dp, (-1, 1, 1.0)),
        (corrections.integer_bit_epsilon, (0, 1.0)),
        (control.keep_or_uniform_epsilon, (1.5, 10)),
        (accounting.text_epsilon, (1.0, 5, 0, 1e-6)),
        (accounting.text_epsilon, (1.0, 5, 1_000_001, 1e-6)),
        (accounting.text_epsilon, (1.0, 5, 1, 2.0)),
    ],
)
def test_out_of_range(function: object, arguments: tuple[float, ...]) -> None:
    with pytest.raises(errors.InvalidArgumentError):
        function(*arguments)  # type: ignore[operator]
