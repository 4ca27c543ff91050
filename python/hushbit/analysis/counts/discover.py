"""Finds new words: extends beginnings length by length, and keeps those that are told at each.

That is the prefix extending method (Wang, Li and Jha 2018; TreeHist in Bassily et al. 2017). Reports of different
lengths are of different people, so what is tried at a length depends on earlier ones only. So a bound on the chance of
each try there, over the number of tries, bounds how many false words are found.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.analysis.counts.beginnings import BUCKETS, END, LENGTHS, NewWords, beginning, buckets_of, scores_of
from hushbit.analysis.counts.intervals import Floats, least_told
from hushbit.errors import InvalidArgumentError

FALSE = 0.05
"""How many false words are found at most, on average."""
MOST_TRIES = 2_000_000
"""The largest number of tries of one length; more would take minutes."""

_BLOCK = 1 << 16
_SURE = 0.95
_LETTERS = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No"}
_SIGNS = "'-_.@#&"
_SURROGATES = range(0xD800, 0xE000)
_NEIGHBORS = 7  # code points that differ in so many last bits are of one script, most often


@dataclass(frozen=True)
class Word:
    """A word that was found. share: of the reports, unbiased. low, high: its interval, 95 in 100 hold."""

    word: str
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Discovery:
    """words: the most frequent first. reports: how many were counted. told: how many beginnings were told at each
    length. left_out: lengths at which rare letters were not tried, since there were too many beginnings. least: the
    share from which a word is found with a chance of .95 or more.
    """

    words: list[Word]
    reports: int
    told: dict[int, int]
    left_out: list[int]
    least: float

    def explanation(self) -> str:
        """What would be found, and of how many reports."""
        needed = math.ceil(self.reports * (self.least / 0.01) ** 2)
        return (
            f"of {self.reports:,} reports, a word is found if it is in {100 * self.least:.2g} % of them or more; to "
            f"find one that is in 1 % of them takes about {float(f'{needed:.2g}'):,.0f} reports, and one in 0.1 % a "
            "hundred times as many"
        )


def discover(
    heard: NewWords, letters: Sequence[str], false: float = FALSE, progress: Progress = no_progress
) -> Discovery:
    """Finds words. letters: those that words may go on with, the most frequent first (`letters_of`); a word may begin
    with any letter, and then go on with letters near that, too. false: how many false words are found at most, on
    average.

    Raises InvalidArgumentError if a length has no report.
    """
    if not heard.reports.sum(axis=1).all():
        raise InvalidArgumentError(
            f"of {heard.reports.sum():,} reports none is about one of the {len(LENGTHS)} lengths of words: many more "
            "people must report"
        )
    kept: list[str] = [""]
    found: list[tuple[str, int]] = []
    told: dict[int, int] = {}
    left_out: list[int] = []
    for place, length in enumerate(LENGTHS):
        progress(place, len(LENGTHS), "finding words")
        tries = every_letter()
        if place:
            tries, complete = extensions(kept, _with_neighbors(letters, kept), length - LENGTHS[place - 1])
            left_out += [] if complete else [length]
        passed = Level.of(heard, place).told(tries, false / len(LENGTHS))
        told[length] = len(passed)
        found += [(text.removesuffix(END), place) for text in passed if text.endswith(END) or length == LENGTHS[-1]]
        kept = [text for text in passed if not text.endswith(END)]
    progress(len(LENGTHS), len(LENGTHS), "finding words")
    words = sorted(_counted(heard, found), key=lambda word: -word.share)
    return Discovery(words, int(heard.reports.sum()), told, left_out, least_share(heard, false))


# ---- A length


@dataclass(frozen=True)
class Level:
    """The reports of one length. reports: (hashes,). hits: (hashes, 1 + buckets). own, other: the chances of a hit."""

    reports: NDArray[np.int64]
    hits: NDArray[np.int64]
    own: float
    other: float

    @classmethod
    def of(cls, heard: NewWords, place: int) -> Level:
        """The length at a place of LENGTHS."""
        return cls(heard.reports[place], heard.hits[place], heard.design.own, heard.design.other)

    @property
    def usual(self) -> float:
        """The mean score of a beginning that nobody has: others fall into its buckets."""
        return float(self.hits[:, 1:].mean(axis=1).sum())

    def told(self, tries: Sequence[str], false: float) -> list[str]:
        """The beginnings that are told, with `false` of those that nobody has on average, the most frequent first."""
        if not tries:
            return []
        total = int(self.reports.sum())
        least = least_told(total, self.usual / total, math.ceil(len(tries) / false))
        places, scores = [], []
        for first in range(0, len(tries), _BLOCK):
            some = scores_of(self.hits, buckets_of(tries[first : first + _BLOCK]))
            high = np.flatnonzero(some >= least)
            places += (first + high).tolist()
            scores += some[high].tolist()
        return self._apart([tries[place] for place in places], np.array(scores), least)

    def _apart(self, tries: list[str], scores: Floats, least: int) -> list[str]:
        """Takes the most frequent first, and what it adds to the buckets of others from their scores."""
        buckets = buckets_of(tries) if tries else np.zeros((0, 1), dtype=np.uint16)
        rest, told = scores.copy(), []
        while len(rest) and rest.max() >= least:
            first = int(rest.argmax())
            told.append(tries[first])
            rest -= (rest[first] - self.usual) * self.shared(buckets, buckets[first]) / self.reports.sum()
            rest[first] = -np.inf
        return told

    def shared(self, buckets: NDArray[np.uint16], other: NDArray[np.uint16]) -> Floats:
        """The number of reports by whose hash two beginnings are in one bucket, less what is so by chance."""
        same: Floats = (buckets == other) @ self.reports.astype(np.float64) - float(self.reports.sum()) / BUCKETS
        return same


def _counted(heard: NewWords, found: Iterable[tuple[str, int]]) -> Iterable[Word]:
    """The shares of words: by the lengths after the one at which each was found, which had no part in finding it."""
    by_place: dict[int, list[str]] = {}
    for word, place in found:
        by_place.setdefault(min(place + 1, len(LENGTHS) - 1), []).append(word)
    everything = [word for words in by_place.values() for word in words]
    for place, words in by_place.items():
        shares, precision = np.zeros(len(everything)), np.zeros(len(everything))
        for at in range(place, len(LENGTHS)):
            level = Level.of(heard, at)
            estimated, variance = _shares(level, [beginning(word, LENGTHS[at]) for word in everything])
            shares += estimated / variance
            precision += 1 / variance
        half = NormalDist().inv_cdf(0.975) / np.sqrt(precision)
        for word in words:
            where = everything.index(word)
            share = shares[where] / precision[where]
            yield Word(word, float(share), float(max(0.0, share - half[where])), float(min(1.0, share + half[where])))


def _shares(level: Level, beginnings: list[str]) -> tuple[Floats, Floats]:
    """The shares of beginnings of a length and their variances, each without what the others add to its buckets."""
    total = int(level.reports.sum())
    distinct = {text: place for place, text in enumerate(dict.fromkeys(beginnings))}
    where = [distinct[text] for text in beginnings]
    buckets = buckets_of(list(distinct))
    scores = scores_of(level.hits, buckets)
    shared = np.array([level.shared(buckets, one) for one in buckets])
    gain = level.own - level.other
    shares = np.linalg.solve(shared * gain, scores - level.usual).astype(np.float64)
    chances = scores / total
    variances: Floats = chances * (1 - chances) / total / gain**2
    return shares[where], variances[where]


def least_share(heard: NewWords, false: float = FALSE) -> float:
    """The share from which a word is found with a chance of .95 or more, if some thousand beginnings are tried a
    length.
    """
    shares = []
    for place in range(len(LENGTHS)):
        level = Level.of(heard, place)
        total = int(level.reports.sum())
        chance = level.usual / total
        least = least_told(total, chance, math.ceil(100_000 * len(LENGTHS) / false))
        power = NormalDist().inv_cdf(1 - (1 - _SURE) / len(LENGTHS))
        beyond = least - total * chance + power * math.sqrt(least * (1 - chance))
        shares.append(beyond / total / (level.own - level.other))
    return min(1.0, max(shares))


# ---- What is tried


def every_letter() -> list[str]:
    """Every letter, mark and digit of Unicode, and signs that words have."""
    points = (chr(point) for point in range(0x110000) if point not in _SURROGATES)
    return [char for char in points if unicodedata.category(char) in _LETTERS or char in _SIGNS]


def extensions(kept: Sequence[str], letters: Sequence[str], more: int) -> tuple[list[str], bool]:
    """Everything that words with these beginnings may begin with after `more` letters, or end before; and whether no
    letter had to be left out.
    """
    if not kept:
        return [], True
    count = len(letters)
    while count > 1 and len(kept) * sum(count**length for length in range(more + 1)) > MOST_TRIES:
        count -= 1
    tails = [
        "".join(tail) + ("" if length == more else END)
        for length in range(more + 1)
        for tail in product(letters[:count], repeat=length)
    ]
    return [start + tail for start in kept for tail in tails], count == len(letters)


def _with_neighbors(letters: Sequence[str], kept: Iterable[str]) -> list[str]:
    """The letters, and those of the scripts of beginnings that have none of them."""
    known = set(letters)
    others = {ord(char) >> _NEIGHBORS for text in kept for char in text if char not in known}
    near = (chr(point) for block in sorted(others) for point in range(block << _NEIGHBORS, block + 1 << _NEIGHBORS))
    return [*letters, *(char for char in near if char not in known and unicodedata.category(char) in _LETTERS)]


def letters_of(words: Iterable[str]) -> list[str]:
    """The letters of words, the most frequent first, without those that are rarer than 1 in 100,000."""
    counts: dict[str, int] = {}
    for word in words:
        for char in word:
            counts[char] = counts.get(char, 0) + 1
    least = sum(counts.values()) / 100_000
    kept = (char for char, count in counts.items() if count >= least and not char.isspace())
    return sorted(kept, key=lambda char: (-counts[char], char))
