"""`hushbit estimate`: the channel is the one that is drawn from, and counts behind released counts come back."""

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushbit
from cli_runner import Here
from hushbit import _core_testing
from hushbit.corpus.estimate import Channel, channel_of, deviations, estimate
from hushbit.errors import InvalidArgumentError

UNKNOWN = 2**32 - 1
WORDS = 200_000


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "crowds-64.hushbit")


@pytest.fixture(scope="module")
def privatizer(bundle: hushbit.Bundle) -> hushbit.Privatizer:
    return bundle.privatizer("crowd", 5.0, crowd="few")


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
    assert found.tokens == WORDS == pytest.approx(estimated.sum())
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
        channel_of(hushbit.open(vectors / "words-256.hushbit").privatizer("brr", 1.0))


def test_the_command(here: Here, bundle: hushbit.Bundle, channel: Channel, tmp_path: Path) -> None:
    names = [bundle.word(int(word)) for word in channel.ids]
    names.sort(key=str.isalpha, reverse=True)  # some have white space inside
    released = [" ".join(names[i % 7] for i in range(j, j + 20)) for j in range(200)] + [None, "", "no-word-of-it"]
    pq.write_table(pa.table({"text": released}), tmp_path / "released.parquet")
    (tmp_path / "groups.csv").write_text(f"group,word\nfew,{names[0]}\nfew,{names[1]}\n", encoding="utf-8")
    fixed = ("estimate", tmp_path / "released.parquet", "--column", "text", "--bundle", bundle.path or "")
    options = ("--epsilon", "3", "--crowd", "few", "--groups", tmp_path / "groups.csv", "-o", tmp_path / "words.csv")
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
