"""Checks of crowds: the bound for every pair of words from the integers, recomputed releases, and frequencies."""

from bisect import bisect_right
from decimal import Decimal, localcontext
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.audit.check import Check
from hushbit.study.audit.recompute import GROUP, WORD, Stream
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.core import UNKNOWN, Release
from hushbit.study.mechanisms.crowd import Channel, CrowdMechanism

_DIGITS = 60
_BYTES = 24  # bytes for each token: a coin, a place in the crowd, a place among all words
_NAMED = 3  # the faults that a check counts


def check_lambda(crowds: CrowdMechanism) -> Check:
    """Whether the threshold gives at most the claimed ε, and the claimed ε is at most the requested one."""
    info = crowds.info
    limit, mass, total = info.crowd_threshold, info.crowd_mass, info.output_mass
    with localcontext(prec=_DIGITS):
        odds = (Decimal(info.requested_epsilon).exp() - 1) * mass
        largest = min(Decimal(WORD) * odds / (total + odds), Decimal(WORD - 1))
        real = (1 + Decimal(limit) * total / (Decimal(WORD - limit) * mass)).ln()
        rounded_down = limit <= largest
        claimed = real <= Decimal(crowds.epsilon) <= Decimal(info.requested_epsilon)
    fault = "" if rounded_down else ", which is ABOVE what the epsilon allows"
    return Check(
        "lambda",
        rounded_down and claimed,
        f"a word comes from its crowd with {info.crowd_probability:.9f}{fault}; that gives ε {real:.9f}; claimed "
        f"{crowds.epsilon:.9f}",
        "a threshold that is too high by one, and any claim that is too small",
        0.0,
        1.0,
        "whether draws use this threshold, and the shares",
    )


def check_shares(crowds: CrowdMechanism, progress: Progress = no_progress) -> Check:
    """Checks for every crowd, in integers, all conditions for the bound between any two of the bundle's words.

    No share is above its weight, each crowd has the mass m, and the weights sum to M. docs/proofs.md needs no more.
    """
    info, bundle = crowds.info, crowds.bundle
    weights = crowds.output_weights().astype(np.int64)
    outputs = bundle.output_words()
    every = np.zeros(len(weights), dtype=bool)
    every[outputs] = True
    wrong = dict.fromkeys(
        ("shares above their weight", "crowds of another mass", "members that repeat or cannot come out"), 0
    )
    for number, word in enumerate(outputs.tolist(), 1):
        rows = crowds.crowd(word).astype(np.int64)
        ids, shares = rows[:, 0], rows[:, 1]
        wrong["shares above their weight"] += int((shares > weights[ids]).sum() + (shares < 1).sum())
        wrong["crowds of another mass"] += int(shares.sum() != info.crowd_mass)
        wrong["members that repeat or cannot come out"] += len(ids) - len(np.unique(ids[every[ids]]))
        if number % 512 == 0 or number == len(outputs):
            progress(number, len(outputs), "crowds")
    wrong["weights below 1"] = int((weights[outputs] < 1).sum() + (weights[~every] != 0).sum())
    wrong["sums of weights other than claimed"] = int(weights.sum() != info.output_mass)
    faults = [f"{count:,} {what}" for what, count in wrong.items() if count]
    return Check(
        "every pair",
        not faults,
        f"the crowds of {len(outputs):,} output words, each of the mass {info.crowd_mass:,} of {info.output_mass:,}: "
        + ("; ".join(faults[:_NAMED]) if faults else "no share is above its weight, so no pair is above the bound"),
        "one share, mass or weight off by one",
        1.0,
        1.0,
        "whether draws use these shares and weights",
    )


def check_stand_ins(crowds: CrowdMechanism, words: Ids) -> Check:
    """Checks that stand-ins are output words, that output words are their own, and the crowds of some words."""
    bundle = crowds.bundle
    outputs = bundle.output_words()
    stand_ins = bundle.stand_ins(np.arange(bundle.info().words, dtype=np.uint32))
    others = int((~np.isin(stand_ins, outputs)).sum())
    selves = int((stand_ins[outputs] != outputs).sum())
    differ = sum(not np.array_equal(crowds.crowd(word), crowds.crowd(int(stand_ins[word]))) for word in words.tolist())
    faults = [
        f"{count:,} {what}"
        for what, count in (
            ("stand-ins never come out", others),
            ("output words are not their own", selves),
            ("words have another crowd than their stand-in", differ),
        )
        if count
    ]
    return Check(
        "stand-ins",
        not faults,
        f"{len(stand_ins):,} known words: "
        + ("; ".join(faults) if faults else f"each has an output word; {len(words):,} crowds are those of stand-ins"),
        "one word",
        1.0,
        1.0,
        f"crowds of known words that are no output words, other than those of {len(words):,} sampled words",
    )


def chances_of(channel: Channel, words: Ids, known: int) -> NDArray[np.float64]:
    """(len(words), known): the probability that each known word comes out."""
    found = np.zeros((len(words), known))
    found[:, channel.outputs] = channel.distribution(words)
    return found


class Drawing:
    """Recomputes a seeded release without the core's mechanism, by plain sums over shares and weights."""

    def __init__(self, crowds: CrowdMechanism) -> None:
        self._crowds = crowds
        self._stand_ins = crowds.bundle.stand_ins(np.arange(crowds.bundle.info().words, dtype=np.uint32))
        self._outputs = crowds.bundle.output_words()
        self._sums = np.cumsum(crowds.output_weights()[self._outputs].astype(np.int64))

    def release(self, inputs: Ids, seed: bytes) -> Release:
        """One release of known ids and UNKNOWN."""
        stream = Stream(seed)
        outputs: list[int] = []
        for first in range(0, len(inputs), GROUP):
            group = inputs[first : first + GROUP].tolist()
            drawn = [np.frombuffer(stream.take(_BYTES), dtype="<u8").tolist() for _ in group]
            outputs += [self._draw(word, numbers, stream) for word, numbers in zip(group, drawn, strict=True)]
        return Release(inputs, np.array(outputs, dtype=np.uint32), np.empty((0, 0), dtype=np.uint8))

    def _draw(self, word: int, numbers: list[int], stream: Stream) -> int:
        info = self._crowds.info
        coin, in_crowd, in_all = numbers
        place = stream.index(info.crowd_mass, in_crowd)
        mass = stream.index(info.output_mass, in_all)
        if word == UNKNOWN or coin >= info.crowd_threshold:
            return int(self._outputs[np.searchsorted(self._sums, mass, side="right")])
        rows = self._crowds.crowd(int(self._stand_ins[word]))
        return int(rows[bisect_right(list(accumulate(rows[:, 1].tolist())), place), 0])


def sampled_words(bundle: _core.Bundle, count: int, generator: np.random.Generator) -> Ids:
    """Output words and others, half of each if there are both."""
    outputs = bundle.output_words()
    others = np.setdiff1d(np.arange(bundle.info().words, dtype=np.uint32), outputs, assume_unique=True)
    few = min(len(others), count // 2)
    chosen = generator.choice(outputs, min(len(outputs), count - few), replace=False)
    return np.sort(np.concatenate([chosen, generator.choice(others, few, replace=False)])).astype(np.uint32)
