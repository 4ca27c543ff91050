"""The integer coin: T = ceil(2^64 / (1 + e^epsilon)) exactly, and an epsilon that is never understated.

The reference decides every value in interval arithmetic of 512 bits or more, so an equality below is proven.
"""

import math
import random

import pytest
from mpmath import iv, mpf

from hushbit import _core
from hushbit.errors import InvalidArgumentError
from reference import coin
from reference.bundle_maker import make_bundle

LARGEST = 44.36141955583649  # ln(2^64 - 1), the largest epsilon of a 64-bit coin, rounded down


@pytest.fixture(scope="module")
def bundle() -> _core.Bundle:
    return _core.Bundle.from_bytes(make_bundle({"a": bytes(8), "b": b"\x0f" * 7 + b"\0"}))


def _grid() -> list[float]:
    return [i / 64 for i in range(64 * 48)]


def _spread() -> list[float]:
    chance = random.Random(20210)
    uniform = [chance.uniform(0, 46) for _ in range(1500)]
    over_magnitudes = [2.0 ** chance.uniform(-70, 5.5) for _ in range(1500)]
    return uniform + over_magnitudes


def _powers_of_two() -> list[float]:
    """Values of epsilon where 2^64 / (1 + e^epsilon) is nearest to an integer: just above 2^63 - 2^(62 - k)."""
    powers = [2.0**-k for k in range(-5, 80)]
    return [x for p in powers for x in (math.nextafter(p, 0), p, math.nextafter(p, 1), 3 * p)]


def _near_integers() -> list[float]:
    """Epsilons at which T is about to change: ln(2^64 / t - 1) for small t and for t near 2^63, and their neighbors."""
    small = [math.log((coin.RANGE - t) / t) for t in range(1, 150)]
    large = [math.log1p(2 * t / (coin.RANGE / 2 - t)) for t in range(1, 150)]
    return [x for e in small + large for x in (math.nextafter(e, 0), e, math.nextafter(e, 99))]


def _extreme() -> list[float]:
    return [0.0, -0.0, 5e-324, 1e-310, 2.3e-308, 1e-300, 1e-100, 1e-20, 45.0, 64.0, 709.8, 1e4, 1e18, 1e300, 1.7e308]


EPSILONS = {
    "grid": _grid(),
    "spread": _spread(),
    "powers of two": _powers_of_two(),
    "near integers": _near_integers(),
    "extreme": _extreme(),
}


@pytest.mark.parametrize("epsilons", EPSILONS.values(), ids=EPSILONS.keys())
def test_threshold_is_exact_and_epsilon_an_upper_bound(bundle: _core.Bundle, epsilons: list[float]) -> None:
    for epsilon in epsilons:
        info = _core.Privatizer(bundle, epsilon=epsilon, allow_unchanged=True).info()
        assert info.flip_threshold == coin.flip_threshold(epsilon), epsilon
        truth = coin.exact_epsilon_up(info.flip_threshold)
        assert truth <= info.effective_epsilon <= epsilon, epsilon
        assert info.effective_epsilon <= truth * (1 + 2**-46), epsilon
        assert math.isclose(info.flip_probability, info.flip_threshold / coin.RANGE, rel_tol=2**-52)
        assert info.requested_epsilon == epsilon


def test_reference_agrees_with_the_definition() -> None:
    """The decisions of the reference, checked with a precision and a form of its own: T - 1 < 2^64 / (1 + e^e) <= T."""
    coin.set_precision(2000)
    for epsilon in EPSILONS["spread"][::10] + EPSILONS["powers of two"]:
        threshold = coin.flip_threshold(epsilon)
        odds = 1 + iv.exp(iv.mpf(epsilon))
        assert coin.low(odds * threshold) >= coin.RANGE, epsilon
        assert coin.high(odds * (threshold - 1)) < coin.RANGE, epsilon


def test_reference_rounds_epsilon_up() -> None:
    thresholds = [1, 2, 3, 1 << 40, (1 << 63) - 1, *(coin.flip_threshold(e) for e in EPSILONS["spread"][::10])]
    rounded_up = {threshold: coin.exact_epsilon_up(threshold) for threshold in thresholds if threshold < 1 << 63}
    coin.set_precision(1000)
    for threshold in rounded_up:
        truth = coin.log_odds(threshold)
        rounded = rounded_up[threshold]
        assert mpf(rounded) >= coin.high(truth)
        assert mpf(math.nextafter(rounded, 0)) < coin.low(truth)


def test_clamping_is_told(bundle: _core.Bundle) -> None:
    for epsilon in (0.0, 1.0, 44.0, 44.36, LARGEST):
        info = _core.Privatizer(bundle, epsilon=epsilon, allow_unchanged=True).info()
        assert not info.clamped, epsilon
    for epsilon in (44.362, 45.0, 100.0, 1e300):
        info = _core.Privatizer(bundle, epsilon=epsilon, allow_unchanged=True).info()
        assert info.clamped, epsilon
        assert info.flip_threshold == 1
        assert math.isclose(info.effective_epsilon, LARGEST, rel_tol=1e-14)


@pytest.mark.parametrize("epsilon", [-1e-300, -1.0, math.nan, math.inf, -math.inf])
def test_no_such_epsilon(bundle: _core.Bundle, epsilon: float) -> None:
    with pytest.raises(InvalidArgumentError):
        _core.Privatizer(bundle, epsilon=epsilon)


def test_cost_of_one_token_is_an_upper_bound(bundle: _core.Bundle) -> None:
    """Never below the exact product of exact factors, and not above it by more than rounding."""
    distance = bundle.info().max_distance
    for epsilon in EPSILONS["spread"][::20] + EPSILONS["powers of two"]:
        threshold = coin.flip_threshold(epsilon)
        coin.set_precision(1000)
        between_words = distance * coin.high(coin.log_odds(threshold))
        unknown = coin.high(coin.unknown_word_log_odds(threshold, 64))
        for oov, truth in (("drop", between_words), ("random", max(between_words, unknown))):
            told = _core.Privatizer(bundle, epsilon=epsilon, oov=oov, allow_unchanged=True).info().worst_case_per_token
            assert mpf(told) >= truth * (1 - mpf(2) ** -900), (epsilon, oov)
            assert told <= float(truth) * (1 + 2**-44) + 1e-6, (epsilon, oov)  # millionths
