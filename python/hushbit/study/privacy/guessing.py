"""The guesses of an attacker who knows word frequencies and sees one release of a crowd: exact, without sampling."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.study.mechanisms.crowd import Channel, CrowdMechanism

FREQUENT = 200
"""The number of most frequent words, mostly function words, that are left out in some figures."""

_MANDELBROT = 2.7  # flattens the head of Zipf's law as in English

Frequencies = NDArray[np.float64]
"""(N,): how often each known word is typed, in any unit."""


@dataclass(frozen=True)
class Guessed:
    """The success probability of the Bayes-optimal first guess from one release, over words by frequency."""

    everything: float
    """The success over all words."""
    beyond: float | None
    """The success over words that are not among the most frequent ones; None if there are none."""
    beyond_told: float | None
    """The same for an attacker who knows that the word is not among them."""
    prior: float
    """The success over all words of an attacker who sees nothing."""
    prior_beyond: float | None
    """The success of an attacker who sees nothing, but knows that the word is not among the most frequent ones."""
    frequent: int
    """The number of words that count as the most frequent ones."""


def guessed(channel: Channel, frequencies: Frequencies, frequent: int = FREQUENT) -> Guessed:
    """Success over words with `frequencies`, which the attacker knows too. A public word is always guessed."""
    known = require_frequencies(frequencies)
    rare = known.copy()
    rare[np.argsort(-known, kind="stable")[:frequent]] = 0
    words, chances = best_guesses(channel, np.where(channel.public, 0, known))
    everything = float((chances.sum() + known[channel.public].sum()) / known.sum())
    prior = float(known.max() / known.sum())
    if rare.sum() == 0:
        return Guessed(everything, None, None, prior, None, frequent)
    given = rare[channel.public].sum()
    right = np.where(rare[words] > 0, chances, 0).sum() + given
    _, told = best_guesses(channel, np.where(channel.public, 0, rare))
    return Guessed(
        everything,
        float(right / rare.sum()),
        float((told.sum() + given) / rare.sum()),
        prior,
        float(rare.max() / rare.sum()),
        frequent,
    )


def best_guesses(channel: Channel, frequencies: Frequencies) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The most likely known word for each output, and its frequency times the output's probability: two arrays (Y,)."""
    outputs = len(channel.outputs)
    # Only the most frequent of the words with the same stand-in can be the best guess.
    order = np.argsort(frequencies, kind="stable")
    word_of, weight_of = np.zeros(outputs, dtype=np.intp), np.zeros(outputs)
    word_of[channel.stand_ins[order]], weight_of[channel.stand_ins[order]] = order, frequencies[order]
    # Outside of all crowds it is the most frequent word. No crowd that contains the output gives a worse guess.
    top = int(weight_of.argmax())
    best, row_of = weight_of[top] * channel.noise, np.full(outputs, top)
    rows, columns = np.repeat(np.arange(outputs), np.diff(channel.starts)), channel.members
    joint = weight_of[rows] * (channel.member_chances + channel.noise[columns])
    order = np.argsort(joint, kind="stable")
    in_crowd, row_in_crowd = np.full(outputs, -1.0), np.zeros(outputs, dtype=np.intp)
    in_crowd[columns[order]], row_in_crowd[columns[order]] = joint[order], rows[order]
    better = in_crowd > best
    return word_of[np.where(better, row_in_crowd, row_of)], np.where(better, in_crowd, best)


def require_frequencies(frequencies: Frequencies) -> Frequencies:
    """Raises InvalidArgumentError unless all are finite and not negative, and at least one is positive."""
    found = np.asarray(frequencies, dtype=np.float64)
    if not (np.isfinite(found).all() and (found >= 0).all() and found.sum() > 0):
        raise InvalidArgumentError("frequencies of words must be finite, 0 or more, and not all 0")
    return found


def public_frequencies(bundle: _core.Bundle) -> Frequencies:
    """Frequencies by the Zipf-Mandelbrot law from the ranks of output words, which follow from their weights.

    They are 0 for all other words. Words of equal weight are equally frequent.
    """
    weights = CrowdMechanism(bundle, 1.0, "many").output_weights().astype(np.int64)
    _, place, times = np.unique(-weights, return_inverse=True, return_counts=True)
    ranks = np.cumsum(times) - (times - 1) / 2  # words with the same weight have the mean of their ranks
    return np.where(weights > 0, 1 / (ranks[place] + _MANDELBROT), 0.0)


def read_frequencies(bundle: _core.Bundle, path: Path) -> tuple[Frequencies, int]:
    """Reads frequencies from a UTF-8 file with a word, white space and a count in each line.

    Returns also the number of words that the bundle lacks. Raises InputFileError with the line number, but not its
    contents.
    """
    found = np.zeros(bundle.info().words)
    unknown = 0
    with reading(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            word, _, count = line.strip().replace(b"\t", b" ").rpartition(b" ")
            if not word or not count.isdigit():
                raise InputFileError(f"{path}: line {number} is not a word and a count")
            known = bundle.find(word.strip())
            if known is None:
                unknown += 1
            else:
                found[known] += int(count)
    if found.sum() == 0:
        raise InputFileError(f"{path}: there is no word of the vocabulary with a count above 0")
    return found, unknown
