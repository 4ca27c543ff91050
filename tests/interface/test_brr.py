"""Randomized response as the core does it: exact output distributions on toy vocabularies, statistics of its noise.

False alarms. A seeded test is a fixed computation, which passes or fails for good. Its level, 1e-6 for each p-value, is
the chance that a correct core would have failed under a random seed. Tests of the operating system's generator run
on fresh noise; their level is 1e-10 for each p-value, so that all of them together raise a false alarm in less than one
of 10^9 runs.
"""

import hashlib
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from hushbit import _core, _core_testing
from reference import coin
from reference.bundle_maker import make_bundle
from reference.enumeration import TieBreak, distributions, first_violation, output_distribution, uniform_ties
from reference.statistics import chi_square, chi_square_p, combined_p, largest_correlation_p
from reference.toys import TOYS, Toy
from typed import number_of, word_of

SEEDED_LEVEL = 1e-6
FRESH_LEVEL = 1e-10
EPSILONS = (0.0, 0.3, 1.0, 2.0, 4.0, 8.0)

Flips = NDArray[np.bool_]


def seed_of(label: str) -> bytes:
    return hashlib.sha256(f"tests of randomized response: {label}".encode()).digest()


def repeated(word: str, count: int) -> bytes:
    return (f"{word} " * count).encode()


# ---- Exact distributions ---------------------------------------------------------------------------------------


def odds(threshold: int) -> Fraction:
    """e^(effective epsilon), exactly."""
    return Fraction(coin.RANGE - threshold, threshold)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_metric_privacy_holds_exactly(toy: Toy, epsilon: float) -> None:
    """Pr[M(w)=y] <= e^(epsilon d(w,w')) Pr[M(w')=y] for every pair and output, in rational arithmetic."""
    threshold = (
        _core.Privatizer(_core.Bundle.from_bytes(toy.bundle()), epsilon=epsilon, allow_unchanged=True)
        .info()
        .flip_threshold
    )
    rows = distributions(toy.codes, toy.bits, threshold)
    assert all(sum(row) == 1 for row in rows)
    assert first_violation(toy.codes, rows, odds(threshold)) is None


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_unknown_words_cost_no_more_than_told(toy: Toy, epsilon: float) -> None:
    """A known and an unknown word: both ratios stay within (2^63 / T)^n, here over the bits that differ."""
    threshold = coin.flip_threshold(epsilon)
    bound = Fraction(coin.RANGE // 2, threshold) ** toy.bits
    unknown = output_distribution(toy.codes, toy.bits, None, Fraction(1, 2))
    assert sum(unknown) == 1
    for row in distributions(toy.codes, toy.bits, threshold):
        for known_chance, unknown_chance in zip(row, unknown, strict=True):
            assert known_chance <= bound * unknown_chance
            assert unknown_chance <= bound * known_chance


def favor_the_input(word: int, tied: list[int]) -> dict[int, Fraction]:
    """The fault that a tie-break must not have: it looks at the word."""
    return {word: Fraction(1)} if word in tied else uniform_ties(word, tied)


def test_exact_check_notices_faults() -> None:
    """A coin 2 % off, or a tie-break that knows the word, breaks the promise of the coin that is claimed."""
    threshold = coin.flip_threshold(1.0)
    by_name = {toy.name: toy for toy in TOYS}
    for name in ("one bit", "all of a cube"):  # where the bound is met with equality
        toy = by_name[name]
        rows = distributions(toy.codes, toy.bits, threshold * 98 // 100)
        assert first_violation(toy.codes, rows, odds(threshold)) is not None, name
    for name in ("triplets", "only twins", "scattered", "many ties"):
        toy = by_name[name]
        rows = distributions(toy.codes, toy.bits, threshold, favor_the_input)
        assert first_violation(toy.codes, rows, odds(threshold)) is not None, name


# How often a sampler gave each word, for a true word's id and a number of tokens.
Sampler = Callable[[int, int], NDArray[np.int64]]

# On these toys, with so many tokens, a coin that is 2 % off is noticed; elsewhere fewer tokens look for gross faults.
SHARP = {"one bit": 400_000, "all of a cube": 400_000}
FEWER = 40_000


def core_sampler(toy: Toy, epsilon: float, unknown: bool = False) -> Sampler:
    """What the core releases, from seeds of its own for each word."""
    privatizer = _core.Privatizer(_core.Bundle.from_bytes(toy.bundle()), epsilon=epsilon, allow_unchanged=True)

    def sample(word: int, count: int) -> NDArray[np.int64]:
        given = "qwertz" if unknown else toy.words[word]
        seed = seed_of(f"{toy.name} {given} {epsilon}")
        released = _core_testing.privatize(privatizer, repeated(given, count), seed).text.decode().split(" ")
        return np.array([released.count(word) for word in toy.words])

    return sample


def faulty_sampler(toy: Toy, percent: int, ties: TieBreak) -> Sampler:
    """Randomized response at epsilon 1 with a coin at `percent` of the right one and a tie-break of its own."""
    chance = np.random.default_rng(5)
    rows = distributions(toy.codes, toy.bits, coin.flip_threshold(1.0) * percent // 100, ties)
    return lambda word, count: chance.multinomial(count, [float(p) for p in rows[word]])


def sampling_p(toy: Toy, epsilon: float, total: int, sample: Sampler) -> float:
    """The p-value of `total` samples, spread over the words of a toy, against the exact distributions."""
    rows = distributions(toy.codes, toy.bits, coin.flip_threshold(epsilon))
    count = total // len(rows)
    return combined_p(chi_square(sample(word, count), expected(row, count)) for word, row in enumerate(rows))


def expected(distribution: list[Fraction], count: int) -> list[float]:
    return [float(chance * count) for chance in distribution]


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_core_samples_the_exact_distribution(toy: Toy) -> None:
    """Level 1e-6 for each epsilon."""
    assert sampling_p(toy, 1.0, SHARP.get(toy.name, FEWER), core_sampler(toy, 1.0)) > SEEDED_LEVEL
    for epsilon in (0.3, 2.0):
        assert sampling_p(toy, epsilon, FEWER, core_sampler(toy, epsilon)) > SEEDED_LEVEL, epsilon


@pytest.mark.parametrize("percent", [98, 102])
@pytest.mark.parametrize("toy", [toy for toy in TOYS if toy.name in SHARP], ids=lambda toy: toy.name)
def test_sampling_check_notices_a_coin_two_percent_off(toy: Toy, percent: int) -> None:
    assert sampling_p(toy, 1.0, SHARP[toy.name], faulty_sampler(toy, percent, uniform_ties)) < SEEDED_LEVEL
    assert sampling_p(toy, 1.0, SHARP[toy.name], faulty_sampler(toy, 100, uniform_ties)) > SEEDED_LEVEL


@pytest.mark.parametrize(
    "toy", [toy for toy in TOYS if toy.bits < 8 and toy.name not in SHARP], ids=lambda toy: toy.name
)
def test_sampling_check_notices_ties_that_know_the_word(toy: Toy) -> None:
    assert sampling_p(toy, 1.0, FEWER, faulty_sampler(toy, 100, favor_the_input)) < SEEDED_LEVEL


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_unknown_words_become_the_word_nearest_to_a_uniform_code(toy: Toy) -> None:
    """Whatever epsilon is. Level 1e-6 each."""
    uniform = expected(output_distribution(toy.codes, toy.bits, None, Fraction(1, 2)), FEWER)
    for epsilon in (0.0, 1.0, 20.0):
        seen = core_sampler(toy, epsilon, unknown=True)(0, FEWER)
        assert chi_square_p(seen, uniform) > SEEDED_LEVEL, epsilon


# ---- Flips -----------------------------------------------------------------------------------------------------

WORDS = {"a": b"\x35\xca" * 32, "b": b"\xca\x35" * 32}


def flips_of(result: _core_testing.SeededResult, code: bytes) -> Flips:
    """bool (tokens, bits): which bits of the code were flipped."""
    changed = result.noisy_codes ^ np.frombuffer(code, dtype=np.uint8)
    return np.unpackbits(changed, axis=1, bitorder="little").astype(bool)


def sample_flips(epsilon: float, bits: int = 64, total: int = 1_000_000, seed: bytes | None = None) -> Flips:
    """Flips of the core, `total` or more, from the seed or from the operating system."""
    words = {word: code[: bits // 8] for word, code in WORDS.items()}
    privatizer = _core.Privatizer(_core.Bundle.from_bytes(make_bundle(words)), epsilon=epsilon, allow_unchanged=True)
    text = repeated("a", -(-total // bits))
    result = _core_testing.privatize(privatizer, text, seed)
    return flips_of(result, words["a"])


def flip_p_values(flips: Flips, epsilon: float) -> dict[str, float]:
    """Are there as many flips as the coin says: in all, at each bit, and in each of the 16 tokens of a group?"""
    p = coin.flip_threshold(epsilon) / coin.RANGE
    count = int(flips.sum())
    by_bit = flips.sum(axis=0)
    whole_groups = flips[: len(flips) // 16 * 16].reshape(-1, 16, flips.shape[1])
    by_place = whole_groups.sum(axis=(0, 2))
    return {
        "in all": chi_square_p([count, flips.size - count], [p * flips.size, (1 - p) * flips.size]),
        "by bit": chi_square_p(
            np.concatenate([by_bit, len(flips) - by_bit]),
            np.repeat([p * len(flips), (1 - p) * len(flips)], flips.shape[1]),
            constraints=flips.shape[1],
        ),
        "by place in the group": chi_square_p(
            np.concatenate([by_place, whole_groups.size // 16 - by_place]),
            np.repeat([p * whole_groups.size / 16, (1 - p) * whole_groups.size / 16], 16),
            constraints=16,
        ),
    }


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("bits", [64, 256])
def test_flip_counts(epsilon: float, bits: int) -> None:
    """10^6 bits from the seeded stream, level 1e-6 each."""
    flips = sample_flips(epsilon, bits, seed=seed_of(f"flips {epsilon} {bits}"))
    assert flips.size >= 1_000_000
    p_values = flip_p_values(flips, epsilon)
    assert min(p_values.values()) > SEEDED_LEVEL, p_values


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_flip_counts_of_the_system_generator(epsilon: float) -> None:
    """10^6 fresh bits, level 1e-10 each: 3 p-values here."""
    p_values = flip_p_values(sample_flips(epsilon), epsilon)
    assert min(p_values.values()) > FRESH_LEVEL, p_values


def test_flip_check_notices_a_coin_two_percent_off() -> None:
    """The core itself, at the epsilon of a coin 2 % off, does not pass for the coin that is claimed."""
    for claimed in (0.3, 1.0, 2.0):
        p = coin.flip_threshold(claimed) / coin.RANGE
        for off in (0.98, 1.02):
            real = float(np.log(1 / (off * p) - 1))
            flips = sample_flips(real, seed=seed_of(f"off {claimed} {off}"))
            assert flip_p_values(flips, claimed)["in all"] < SEEDED_LEVEL, (claimed, off)


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_bits_are_independent(epsilon: float) -> None:
    """No two bits of a code, of a token or of neighbors in the text, are correlated. Level 1e-6 over all pairs."""
    flips = sample_flips(epsilon, seed=seed_of(f"independence {epsilon}"))
    neighbors = np.hstack([flips[:-1], flips[1:]])
    p = coin.flip_threshold(epsilon) / coin.RANGE
    assert largest_correlation_p(flips, p) > SEEDED_LEVEL
    assert largest_correlation_p(neighbors, p) > SEEDED_LEVEL


def test_correlation_check_notices_shared_coins() -> None:
    """Two bits that share their coin in one of 10 tokens."""
    flips = sample_flips(1.0, seed=seed_of("shared coins"))
    p = coin.flip_threshold(1.0) / coin.RANGE
    shared = flips.copy()
    shared[::10, 40] = shared[::10, 11]
    assert largest_correlation_p(shared, p) < SEEDED_LEVEL


def test_every_call_draws_fresh_noise() -> None:
    """Two calls with the same text: 64 * 100 fair coins agree in all with a chance of 2^-6400."""
    bundle = _core.Bundle.from_bytes(make_bundle({word: code[:8] for word, code in WORDS.items()}))
    privatizer = _core.Privatizer(bundle, epsilon=0.0)
    first, second = (_core_testing.privatize(privatizer, repeated("a", 100), None).noisy_codes for _ in range(2))
    assert not np.array_equal(first, second)
    assert len({code.tobytes() for code in np.concatenate([first, second])}) == 200  # fails by chance: 200^2 / 2^65


# ---- Ties ------------------------------------------------------------------------------------------------------


def chosen_twins(count: int, tokens: int, seed: bytes | None) -> tuple[NDArray[np.int64], Flips]:
    """The one of `count` words of one code that came out for each token, and the flips of the noise at epsilon 1."""
    words = [word_of(i) for i in range(count)]
    code = WORDS["a"][:8]
    privatizer = _core.Privatizer(_core.Bundle.from_bytes(make_bundle(dict.fromkeys(words, code))), epsilon=1.0)
    text = repeated(words[0], tokens)
    result = _core_testing.privatize(privatizer, text, seed)
    assert {token.word for token in result.tokens} == {0}
    return np.array([number_of(word) for word in result.text.decode().split(" ")]), flips_of(result, code)


@pytest.mark.parametrize("count", [2, 3, 5, 7, 16, 100, 3000])
def test_ties_are_uniform(count: int) -> None:
    """Words of one code are released equally often, whichever was given. Level 1e-6 each."""
    tokens = max(20_000, 15 * count)
    chosen, _ = chosen_twins(count, tokens, seed_of(f"ties {count}"))
    assert chi_square_p(np.bincount(chosen, minlength=count), np.full(count, tokens / count)) > SEEDED_LEVEL


def test_ties_are_uniform_with_the_system_generator() -> None:
    """Level 1e-10."""
    chosen, _ = chosen_twins(3, 20_000, None)
    assert chi_square_p(np.bincount(chosen, minlength=3), np.full(3, 20_000 / 3)) > FRESH_LEVEL


def test_ties_are_broken_independently_of_the_noise() -> None:
    """The choice among three twins against each of the 64 flips: level 1e-6 over all bits."""
    chosen, flips = chosen_twins(3, 30_000, seed_of("ties and noise"))
    p = coin.flip_threshold(1.0) / coin.RANGE
    p_values = []
    for bit in range(64):
        seen = [np.count_nonzero((chosen == word) & (flips[:, bit] == flip)) for word in range(3) for flip in (0, 1)]
        wanted = [len(chosen) / 3 * share for _ in range(3) for share in (1 - p, p)]
        p_values.append(chi_square_p(seen, wanted))
    assert min(p_values) * 64 > SEEDED_LEVEL


def test_twins_both_occur() -> None:
    """Either twin gives both at an epsilon that leaves hardly any noise: one is missing with a chance of 2^-200."""
    words = {"color": b"\x0f" * 8, "colour": b"\x0f" * 8, "dog": b"\xf0" * 8}
    privatizer = _core.Privatizer(_core.Bundle.from_bytes(make_bundle(words)), epsilon=20.0, allow_unchanged=True)
    for given in ("color", "colour"):
        released = set(privatizer.privatize(repeated(given, 200)).text.decode().split(" "))
        assert released == {"color", "colour"}
