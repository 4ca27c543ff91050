"""Repetition: an attacker averages what was released of the same words again and again.

Seeds and keys are fixed, so the figures are the same in every run.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
import hushbit.testing

KEY = bytes(range(32))
# Single releases are guessed right less than half of the time.
EPSILONS: dict[Literal["brr", "tem"], float] = {"brr": 0.3, "tem": 0.1}
MANY = 60


class Attacker:
    """Knows the bundle, sees releases of the same text, and guesses its words: the majority of each bit of what stands
    for a word over the releases, then the nearest word.
    """

    def __init__(self, bundle: hushbit.Bundle) -> None:
        names = [bundle.word(id) for id in range(len(bundle))]
        plain = [name for name in names if name.isascii() and name.isalpha() and name.islower() and len(name) > 2]
        self.words = plain[::7]
        self._ids = {name: id for id, name in enumerate(names)}
        self._bits = np.unpackbits(np.stack([bundle.code(name) for name in names]), axis=1).astype(np.int32)
        self._truth = np.array([self._ids[word] for word in self.words])

    def success(self, releases: list[str]) -> float:
        """The share of words that it guesses right."""
        ids = np.array([[self._ids[word] for word in text.split(" ")] for text in releases])
        assert ids.shape == (len(releases), len(self.words))
        majority = 2 * self._bits[ids].sum(axis=0) >= len(releases)
        guesses: NDArray[np.int64] = (majority[:, None, :] != self._bits[None]).sum(axis=2).argmin(axis=1)
        return float((guesses == self._truth).mean())


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-256.hushbit")


@pytest.fixture(scope="module")
def attacker(bundle: hushbit.Bundle) -> Attacker:
    return Attacker(bundle)


def releases_of(count: int, release: Callable[[int], hushbit.PrivatizedText]) -> list[str]:
    return [release(number).text for number in range(count)]


def fresh_releases(privatizer: hushbit.Privatizer, text: str) -> list[str]:
    seeds = [hashlib.sha256(f"release {number}".encode()).digest() for number in range(MANY)]
    return releases_of(MANY, lambda number: hushbit.testing.privatize(privatizer, text, seeds[number]))


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
def test_fresh_noise_averages_out(bundle: hushbit.Bundle, attacker: Attacker, mechanism: Literal["brr", "tem"]) -> None:
    privatizer = bundle.privatizer(mechanism, EPSILONS[mechanism])
    releases = fresh_releases(privatizer, " ".join(attacker.words))
    few, more, many = (attacker.success(releases[:count]) for count in (1, 10, MANY))
    assert few < 0.5
    assert few < more <= many
    assert many > 0.95
    assert not privatizer.info.memoized


def test_documented_figures(bundle: hushbit.Bundle, attacker: Attacker) -> None:
    """The table of docs/repetition-and-budget.md is what comes out here."""
    page = (Path(__file__).parents[2] / "docs/repetition-and-budget.md").read_text(encoding="utf-8")
    text = " ".join(attacker.words)
    for mechanism, epsilon in EPSILONS.items():
        privatizer = bundle.privatizer(mechanism, epsilon)
        worst = privatizer.privatize(text).cost.worst_case
        costs = f"{worst / len(attacker.words):.1f} | {worst:,.1f}"
        fresh = fresh_releases(privatizer, text)
        memoized = [bundle.privatizer(mechanism, epsilon, device_key=KEY).privatize(text).text] * MANY
        for noise, releases in (("fresh", fresh), ("memoized", memoized)):
            shares = (f"{attacker.success(releases[:count]):.0%}".replace("%", " %") for count in (1, 10, MANY))
            row = f"| {mechanism.upper()}, ε = {epsilon}, {noise} noise | {costs} | {' | '.join(shares)} |"
            assert row in page, row
    assert f"({len(attacker.words)} words of the test vocabulary, {bundle.bits} bits;" in page


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
def test_memoized_noise_does_not(bundle: hushbit.Bundle, attacker: Attacker, mechanism: Literal["brr", "tem"]) -> None:
    privatizer = bundle.privatizer(mechanism, EPSILONS[mechanism], device_key=KEY)
    text = " ".join(attacker.words)
    releases = releases_of(MANY, lambda _: privatizer.privatize(text))
    first = attacker.success(releases[:1])
    assert 0.1 < first < 0.5
    assert [attacker.success(releases[:count]) for count in (2, 10, MANY)] == [first] * 3
    # The order of the words, their company, another privatizer, another process: nothing of it draws again.
    again = bundle.privatizer(mechanism, EPSILONS[mechanism], device_key=KEY)
    assert again.privatize(" ".join(reversed(attacker.words))).text.split(" ")[::-1] == releases[0].split(" ")
    assert privatizer.info.memoized


def test_what_draws_again_costs_again(bundle: hushbit.Bundle, attacker: Attacker) -> None:
    """A new epoch is a new release, and so is another epsilon: documented, and shown here."""
    text = " ".join(attacker.words)

    def in_epoch(epoch: int) -> hushbit.PrivatizedText:
        return bundle.privatizer("brr", EPSILONS["brr"], device_key=KEY, epoch=epoch).privatize(text)

    def at_epsilon(number: int) -> hushbit.PrivatizedText:
        return bundle.privatizer("brr", EPSILONS["brr"] + number * 1e-6, device_key=KEY).privatize(text)

    for release in (in_epoch, at_epsilon):
        releases = releases_of(MANY, release)
        assert attacker.success(releases[:1]) < 0.5
        assert attacker.success(releases) > 0.95


def test_devices_do_not_share_noise(bundle: hushbit.Bundle, attacker: Attacker) -> None:
    text = " ".join(attacker.words)
    privatizers = [bundle.privatizer("brr", 0.3, device_key=bytes([n] * 32)) for n in range(2)]
    ours, theirs = (privatizer.privatize(text).text.split(" ") for privatizer in privatizers)
    # Two independent releases agree where a word is likely to stay itself; equal noise would agree everywhere.
    assert sum(a == b for a, b in zip(ours, theirs, strict=True)) < len(ours) / 2


def test_texts_with_another_pattern_of_equal_words_can_be_told_apart(bundle: hushbit.Bundle) -> None:
    """No cost is about such a pair (docs/proofs.md): one release of one of them is enough."""

    def comes_out_twice(text: str, epoch: int) -> bool:
        privatizer = bundle.privatizer("brr", 0.1, device_key=KEY, epoch=epoch)
        first, second = privatizer.privatize(text).text.split(" ")
        return first == second

    assert all(comes_out_twice("cat cat", epoch) for epoch in range(MANY))
    assert sum(comes_out_twice("cat dog", epoch) for epoch in range(MANY)) < MANY / 10


def test_repeats_are_visible_as_repeats(bundle: hushbit.Bundle) -> None:
    """The price of memoized noise."""
    released = (
        bundle.privatizer("brr", 0.1, device_key=KEY).privatize("cat qwertz cat Qwertz CAT qwertz").text.split(" ")
    )
    assert released[0] == released[2] == released[4]
    assert released[1] == released[3] == released[5]
