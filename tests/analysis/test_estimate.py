"""`hushbit estimate`: the channel is the one that is drawn from, and counts behind released counts come back."""

import csv
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushbit
from cli_runner import Here
from hushbit import _core_testing
from hushbit.analysis.words.estimate import Channel, channel_of, deviations, estimate
from hushbit.analysis.words.intervals import corrected
from hushbit.errors import InvalidArgumentError

UNKNOWN = 2**32 - 1
WORDS = 200_000


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "crowds-64.hushbit")


@pytest.fixture(scope="module")
def privatizer(bundle: hushbit.Bundle) -> hushbit.Privatizer:
    return bundle.privatizer("crowd", 5.0, crowd_size="few")


@pytest.fixture(scope="module")
def channel(privatizer: hushbit.Privatizer) -> Channel:
    return channel_of(privatizer)


def typed_and_released(privatizer: hushbit.Privatizer, channel: Channel) -> tuple[np.ndarray, np.ndarray]:
    """Words of which a tenth are half of the text, by a fixed seed, and what they were released as."""
    generator = np.random.default_rng(3)
    shares = channel.noise * np.where(np.arange(len(channel.ids)) % 10 == 0, 9.0, 1.0)
    words = generator.choice(len(channel.ids), size=WORDS, p=shares / shares.sum())
    out = _core_testing.replace(privatizer._native, channel.ids[words], bytes(32))
    counts = [np.bincount(places, minlength=len(channel.ids)) for places in (words, np.searchsorted(channel.ids, out))]
    return counts[0], counts[1]


def test_the_channel_is_what_is_drawn_from(privatizer: hushbit.Privatizer, channel: Channel) -> None:
    """Five words and an unknown one, 100,000 draws each, chi-square within 5 deviations: false alarms below 1e-5."""
    outputs = len(channel.ids)
    for place in (0, 1, outputs // 2, outputs - 1, outputs):
        one = np.zeros((outputs + 1, 1))
        one[place] = 1
        expected = channel.released(one)[:, 0]
        assert expected.sum() == pytest.approx(1)
        word = UNKNOWN if place == outputs else channel.ids[place]
        out = _core_testing.replace(
            privatizer._native, np.full(100_000, word, dtype=np.uint32), bytes([place % 256] * 32)
        )
        seen = np.bincount(np.searchsorted(channel.ids, out), minlength=outputs)
        statistic = ((seen - 1e5 * expected) ** 2 / (1e5 * expected)).sum()
        assert statistic < outputs + 5 * np.sqrt(2 * outputs)


def test_explained_is_the_transpose(channel: Channel) -> None:
    generator = np.random.default_rng(1)
    typed, ratios = generator.random((len(channel.ids) + 1, 2)), generator.random((len(channel.ids), 2))
    assert (channel.released(typed) * ratios).sum() == pytest.approx((typed * channel.explained(ratios)).sum())


def test_counts_come_back(privatizer: hushbit.Privatizer, channel: Channel) -> None:
    typed, released = typed_and_released(privatizer, channel)
    groups = {"raised": list(range(0, len(channel.ids), 10)), "others": list(range(1, len(channel.ids), 10))}
    found = estimate(privatizer, released, groups, unknown=False)
    by_name = {word.name: word.typed for word in found.words}
    estimated = np.array([by_name[privatizer.bundle.word(int(word))] for word in channel.ids])
    assert found.tokens == WORDS == pytest.approx(estimated.sum(), rel=0.05)  # corrected word by word
    assert np.abs(estimated - typed).sum() < 0.85 * np.abs(released - typed).sum()
    for group, places in zip(found.groups, groups.values(), strict=True):
        assert abs(group.typed - typed[places].sum()) < abs(group.released - typed[places].sum())
        assert group.low < group.typed < group.high
    assert found.groups[0].told
    assert [word.typed for word in found.words] == sorted(by_name.values(), reverse=True)
    assert estimate(privatizer, released, groups, unknown=False) == found


def test_deviations(channel: Channel) -> None:
    """The Fisher information of one count, where the total stays: by the definition, over a dense channel."""
    words = len(channel.ids)
    typed = np.random.default_rng(2).uniform(1, 100, size=words + 1)
    each = channel.released(np.eye(words + 1))[:, :-1]
    expected = channel.released(typed[:, np.newaxis])
    slopes = each - expected / typed.sum()
    information = (slopes**2 / expected).sum(axis=0)
    np.testing.assert_allclose(deviations(channel, typed), information**-0.5, rtol=1e-9)


def test_intervals_hold_what_was_typed(privatizer: hushbit.Privatizer, channel: Channel) -> None:
    """Every other word was never typed. The draw is from a fixed seed; 95 in 100 are meant, 85 must be."""
    generator = np.random.default_rng(4)
    shares = channel.noise * (np.arange(len(channel.ids)) % 2)
    words = generator.choice(len(channel.ids), size=WORDS // 4, p=shares / shares.sum())
    out = _core_testing.replace(privatizer._native, channel.ids[words], bytes(32))
    typed, released = (
        np.bincount(places, minlength=len(channel.ids)) for places in (words, np.searchsorted(channel.ids, out))
    )
    found = estimate(privatizer, released, {}, unknown=False)
    truth = {privatizer.bundle.word(int(word)): count for word, count in zip(channel.ids, typed, strict=True)}
    held = [word.low <= truth[word.name] <= word.high for word in found.words]
    assert np.mean(held) > 0.85
    assert not any(word.told for word in found.words if truth[word.name] == 0)


def test_nothing_but_noise_tells_nothing(privatizer: hushbit.Privatizer, channel: Channel) -> None:
    out = _core_testing.replace(privatizer._native, np.full(2000, UNKNOWN, dtype=np.uint32), bytes(32))
    found = estimate(privatizer, np.bincount(np.searchsorted(channel.ids, out), minlength=len(channel.ids)), {})
    assert sum(word.told for word in found.words) <= len(found.words) * 0.05
    with pytest.raises(InvalidArgumentError, match="fewer than two"):
        estimate(privatizer, np.zeros(len(channel.ids), dtype=np.int64), {})


def test_other_mechanisms(vectors: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="by crowds, not by brr"):
        channel_of(hushbit.open(vectors / "words-256.hushbit").privatizer("brr", 0.4))


def test_the_command(here: Here, bundle: hushbit.Bundle, channel: Channel, tmp_path: Path) -> None:
    names = [bundle.word(int(word)) for word in channel.ids]
    names.sort(key=str.isalpha, reverse=True)  # some have white space inside
    released = [" ".join(names[i % 7] for i in range(j, j + 20)) for j in range(200)] + [None, "", "no-word-of-it"]
    pq.write_table(pa.table({"text": released}), tmp_path / "released.parquet")
    (tmp_path / "groups.csv").write_text(f"group,word\nfew,{names[0]}\nfew,{names[1]}\n", encoding="utf-8")
    fixed = ("estimate", tmp_path / "released.parquet", "--column", "text", "--bundle", bundle.path or "")
    options = (
        "--epsilon",
        "3",
        "--crowd-size",
        "few",
        "--groups",
        tmp_path / "groups.csv",
        "-o",
        tmp_path / "words.csv",
    )
    code, _, err = here(*fixed, *options)
    assert code == 0, err
    assert b"released words counted 4000" in err
    assert b"were not counted: 1" in err
    with (tmp_path / "words.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == ["group"] + ["word"] * len(names)
    assert sum(int(row["released"]) for row in rows[1:]) == 4000
    (tmp_path / "groups.csv").write_text("group,word\nfew,no word of it\n", encoding="utf-8")
    code, _, err = here(*fixed, *options)
    assert code == 1
    assert b"groups.csv, line 2: the bundle does not know this word" in err


# ---- Intervals


def skewed_counts(channel: Channel, total: int, seed: int) -> np.ndarray:
    """Typed counts of all output words, and of unknown ones: public weights times a random factor for each word."""
    generator = np.random.default_rng(seed)
    shares = np.append(channel.noise * np.exp(1.5 * generator.normal(size=len(channel.ids))), 0.0)
    shares[-1] = shares.sum() / 20
    counts: np.ndarray = generator.multinomial(total, shares / shares.sum())
    return counts


def released_of(privatizer: hushbit.Privatizer, channel: Channel, typed: np.ndarray, seed: int) -> np.ndarray:
    words = np.repeat(np.append(channel.ids, UNKNOWN).astype(np.uint32), typed)
    out = _core_testing.replace(privatizer._native, words, bytes([seed] * 32))
    counts: np.ndarray = np.bincount(np.searchsorted(channel.ids, out), minlength=len(channel.ids))
    return counts


@pytest.mark.parametrize("size", ["one", "few", "many"])
def test_intervals_hold_told_words_and_groups(bundle: hushbit.Bundle, size: Literal["one", "few", "many"]) -> None:
    """Ten draws of other texts at two epsilons: 95 in 100 are meant, 93 must be, of words and of groups that are told.

    The draws are from fixed seeds.
    """
    words, groups = [], []
    for epsilon in (5.0, 7.0):
        privatizer = bundle.privatizer("crowd", epsilon, crowd_size=size, allow_unchanged=True)
        channel = channel_of(privatizer)
        places = {str(first): list(range(first, first + 8)) for first in range(0, len(channel.ids) - 8, 8)}
        for seed in range(5):
            typed = skewed_counts(channel, 30_000, seed)
            found = estimate(privatizer, released_of(privatizer, channel, typed, seed), places)
            truth = {bundle.word(int(word)): int(typed[place]) for place, word in enumerate(channel.ids)}
            words += [word.low <= truth[word.name] <= word.high for word in found.words if word.told]
            groups += [
                group.low <= typed[place].sum() <= group.high
                for group, place in zip(found.groups, places.values(), strict=True)
                if group.told
            ]
    assert len(words) > 50
    assert len(groups) > 20
    assert np.mean(words) >= 0.93
    assert np.mean(groups) >= 0.93


def test_crowds_of_one_word_are_inverted(bundle: hushbit.Bundle) -> None:
    """The correction is that of randomized response where the inverse is exact, whatever the estimate was."""
    privatizer = bundle.privatizer("crowd", 5.0, crowd_size="one")
    channel = channel_of(privatizer)
    typed = skewed_counts(channel, 50_000, 1)
    released = released_of(privatizer, channel, typed, 2).astype(float)
    start = np.append(channel.noise, 0.0) * released.sum()
    off = np.append(np.full(len(channel.ids), 1e6), 0.0)  # no unknown words
    words = [np.array([place]) for place in range(0, len(channel.ids), 5)]
    found = corrected(channel, released, start, off, words)
    inverse = (released - (1 - channel.chance) * channel.noise * released.sum()) / channel.chance
    np.testing.assert_allclose(found.counts, inverse[::5], rtol=1e-3, atol=1)


def test_deviations_are_those_of_draws(bundle: hushbit.Bundle) -> None:
    """The errors of 120 draws, with an estimate that is right: at most what is said, within 4 deviations."""
    privatizer = bundle.privatizer("crowd", 6.0, crowd_size="few")
    channel = channel_of(privatizer)
    typed = skewed_counts(channel, 20_000, 3)
    place = int(typed[:-1].argmax())
    off = np.full(len(typed), 1e3)
    errors, said = [], []
    for seed in range(120):
        released = released_of(privatizer, channel, typed, seed).astype(float)
        found = corrected(channel, released, typed.astype(float), off, [np.array([place])])
        errors.append(found.counts[0] - typed[place])
        said.append(found.deviations[0])
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(len(errors))
    # The rest of what is said is for an estimate that is not right.
    assert 0.5 < np.std(errors) / np.mean(said) < 1 + 4 / np.sqrt(2 * len(errors))
