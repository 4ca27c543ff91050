"""The ε that the released word attains: no more than the proved worst case, which for some mechanisms is loose.

The ε of crowds is attained. That of TEM on codes is computed from its chances. For BRR and Madlib the promise is that
of the noisy code or vector, which nobody sees; what the nearest word tells is less, and has no closed form. For these a
lower bound is certified: for one pair of words that are far apart and any set S of output words,
ε >= ln(Pr[S | w] / Pr[S | w']). Two kinds of sets are tried, each with its own share of the error:

- What is nearer to w than to w' by some margin. Both chances are counted in draws, after the margin was chosen by
  others (Clopper and Pearson 1934).
- w itself. Pr[w | w] is counted; Pr[w | w'] is at most the chance that noise brings w' at least half of the way to w,
  which is computed, since else w' itself would be nearer. So it shows what no number of draws can.

The upper end stays what is proved. Nothing here is needed for a promise.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc
from scipy.stats import binom, gamma

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids, Mechanism
from hushbit.study.mechanisms.core import Brr, HammingTem
from hushbit.study.mechanisms.crowd import Channel, CrowdMechanism
from hushbit.study.mechanisms.distance_tem import DistanceTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.privacy.intervals import binomial_bounds

CONFIDENCE = 0.95
"""The probability with which a certified bound holds."""
DRAWS = 400_000
"""The number of draws of each of the two words: half of them choose a margin, the others are counted."""
_MARGINS = 64
_LARGEST_TABLE = 20_000  # words of which all pairs are looked at on real vectors: a minute
_SOME = 500  # words that are looked at if there are more
_SLICES = 20_000  # slices of the length of noise that are summed


@dataclass(frozen=True)
class Attained:
    """Bounds of the ε of a released word, over all pairs of words."""

    low: float
    high: float
    how: str
    """"exact" if both are equal; "certified" if `low` holds with `CONFIDENCE`, and `high` is what is proved."""

    def __str__(self) -> str:
        """The lower bound as tables show it."""
        return f"{'' if self.how == 'exact' else '≥ '}{self.low:.3g}"


def attained(
    mechanism: Mechanism,
    vectors: Vectors,
    outputs: Ids,
    proved: float,
    generator: np.random.Generator,
    draws: int = DRAWS,
    progress: Progress = no_progress,
) -> Attained:
    """The bounds for any mechanism of a comparison.

    `outputs` are the words that may come out, ascending; `proved` is the worst case that the mechanism promises.
    """
    if isinstance(mechanism, CrowdMechanism):
        return _exact(of_crowds(mechanism.channel))
    if isinstance(mechanism, HammingTem):
        return _exact(of_hamming_tem(mechanism, outputs))
    if isinstance(mechanism, DistanceTem):
        if mechanism.words <= _LARGEST_TABLE:
            return _exact(of_distance_tem(mechanism, np.arange(mechanism.words, dtype=np.uint32)))
        some = np.sort(generator.choice(mechanism.words, _SOME, replace=False)).astype(np.uint32)
        return Attained(min(proved, of_distance_tem(mechanism, some)), proved, "certified")
    if isinstance(mechanism, Brr):
        return Attained(min(proved, of_brr(mechanism, outputs, generator, draws, progress)), proved, "certified")
    if isinstance(mechanism, Madlib):
        return Attained(
            min(proved, of_madlib(mechanism, vectors, outputs, generator, draws, progress)), proved, "certified"
        )
    return Attained(0.0, proved, "certified")


def _exact(epsilon: float) -> Attained:
    return Attained(epsilon, epsilon, "exact")


# ---- Exact, by the chances of all words


def of_crowds(channel: Channel) -> float:
    """The ε of any two known words that are not public, and of unknown ones."""
    most, inside = channel.noise.copy(), np.bincount(channel.members, minlength=len(channel.outputs))
    np.maximum.at(most, channel.members, channel.noise[channel.members] + channel.member_chances)
    least = channel.noise.copy()
    everywhere = np.flatnonzero(inside == len(channel.outputs))  # the least share counts for words that all crowds hold
    for output in everywhere:
        least[output] += channel.member_chances[channel.members == output].min()
    return float(np.log(most / least).max())


def of_hamming_tem(mechanism: HammingTem, outputs: Ids) -> float:
    """The ε of any two known words, each of which has the code of an output word."""
    codes = mechanism.bundle.codes(outputs)
    bits = 8 * codes.shape[1]
    columns = np.ascontiguousarray(codes.view(np.uint64).T)
    weights = mechanism.weights[: bits + 1].astype(np.float64)
    with np.errstate(divide="ignore"):
        logs = np.log(weights)

    def rows() -> Iterator[NDArray[np.float64]]:
        for code in codes.view(np.uint64):
            distances = np.bitwise_count(columns ^ code[:, None]).sum(axis=0, dtype=np.uint16)
            counts = np.bincount(distances, minlength=bits + 1)
            yield logs[distances] - math.log(float(counts @ weights))

    return _largest_ratio(rows(), len(codes))


def of_distance_tem(mechanism: DistanceTem, words: Ids) -> float:
    """The ε of any two of `words`, over all outputs. If they are all words, it is the ε itself."""
    size = mechanism.block_rows

    def rows() -> Iterator[NDArray[np.float64]]:
        for first in range(0, len(words), size):
            with np.errstate(divide="ignore"):
                yield from np.log(mechanism.distribution(words[first : first + size]))

    return _largest_ratio(rows(), mechanism.words)


def _largest_ratio(rows: Iterator[NDArray[np.float64]], outputs: int) -> float:
    """The largest difference within a column of the logs of the chances of all outputs, a row for each word."""
    most, least = np.full(outputs, -np.inf), np.full(outputs, np.inf)
    for row in rows:
        np.maximum(most, row, out=most)
        np.minimum(least, row, out=least)
    return float((most - least).max())


# ---- Certified, by draws of two words


def of_brr(
    mechanism: Brr, outputs: Ids, generator: np.random.Generator, draws: int, progress: Progress = no_progress
) -> float:
    """A lower bound of the ε of BRR, which holds with `CONFIDENCE`."""
    codes = mechanism.bundle.codes(outputs)
    columns = np.ascontiguousarray(codes.view(np.uint64).T)

    def distances(place: int) -> NDArray[np.int64]:
        own = codes.view(np.uint64)[place]
        return np.asarray(np.bitwise_count(columns ^ own[:, None]).sum(axis=0, dtype=np.int64))

    first, second = _far_apart(distances)
    apart = int(distances(first)[second])
    # Noise that brings w' to w flips at least half of the bits in which they differ.
    half_way = float(binom.sf(math.ceil(apart / 2) - 1, apart, float(mechanism.flip_chance)))
    margins = distances(second) - distances(first)
    return _certified(mechanism, outputs, (first, second), margins, half_way, generator, draws, progress)


def of_madlib(
    mechanism: Madlib,
    vectors: Vectors,
    outputs: Ids,
    generator: np.random.Generator,
    draws: int,
    progress: Progress = no_progress,
) -> float:
    """A lower bound of the ε of Madlib, which holds with `CONFIDENCE`."""
    points = vectors[outputs].astype(np.float64)

    def distances(place: int) -> NDArray[np.float64]:
        return np.asarray(np.linalg.norm(points - points[place], axis=1))

    first, second = _far_apart(distances)
    half_way = beyond(float(distances(first)[second]) / 2, mechanism.epsilon, vectors.shape[1])
    margins = distances(second) - distances(first)
    return _certified(mechanism, outputs, (first, second), margins, half_way, generator, draws, progress)


def beyond(distance: float, epsilon: float, dimensions: int) -> float:
    """The chance that Madlib's noise reaches at least `distance`, above 0, in one direction that is given.

    Its length is from a Gamma distribution, its direction uniform. For a length r, the share of directions is that of a
    cap of the sphere, half of I_x((d - 1) / 2, 1 / 2) with x = 1 - (distance / r)². It grows with r, so a sum over
    slices of the length, each taken at its longer end, is at least the chance.
    """
    # The slices begin where the noise is long enough, in steps of its tail: it is the tail that counts.
    start = float(gamma.sf(distance, dimensions, scale=1 / epsilon))
    if start == 0:
        return 0.0
    tails = start * np.geomspace(1, 1e-12, _SLICES)
    lengths = gamma.isf(tails, dimensions, scale=1 / epsilon)
    caps = betainc((dimensions - 1) / 2, 0.5, np.clip(1 - (distance / lengths[1:]) ** 2, 0, 1)) / 2
    return float((-np.diff(tails) * caps).sum() + tails[-1] / 2)


def _far_apart(distances: Callable[[int], NDArray[Any]]) -> tuple[int, int]:
    """Two places far apart: from the first word to the farthest, and on from there while it gets farther."""
    first, reached = 0, -1.0
    while True:
        row = distances(first)
        second = int(row.argmax())
        if row[second] <= reached:
            return first, second
        first, reached = second, float(row[second])


def _certified(
    mechanism: Mechanism,
    outputs: Ids,
    places: tuple[int, int],
    margins: NDArray[Any],
    half_way: float,
    generator: np.random.Generator,
    draws: int,
    progress: Progress,
) -> float:
    """The better of the two bounds. Three chances are bounded by counting, each with a third of the error.

    `margins` say for each output how much nearer it is to the first of the two words than to the second; `half_way` is
    what bounds the chance that the second becomes the first.
    """
    drawn = []
    for place in places:
        typed = np.full(draws, outputs[place], dtype=np.uint32)
        drawn.append(np.searchsorted(outputs, mechanism.replace(typed, generator=generator, progress=progress)))
    one_sided = 1 - (1 - CONFIDENCE) / 3
    half = draws // 2
    (to_choose, counted), (others_to_choose, others_counted) = ((each[:half], each[half:]) for each in drawn)

    def bound(one: NDArray[np.intp], other: NDArray[np.intp], margin: float) -> float:
        low, _ = binomial_bounds(np.count_nonzero(margins[one] >= margin), len(one), one_sided)
        _, high = binomial_bounds(np.count_nonzero(margins[other] >= margin), len(other), one_sided)
        return math.log(float(low) / float(high)) if low > 0 else -math.inf

    tried = np.unique(np.quantile(margins[to_choose], 1 - np.geomspace(1, 1 / half, _MARGINS)))
    margin = max(tried, key=lambda each: bound(to_choose, others_to_choose, float(each)))
    by_margin = bound(counted, others_counted, float(margin))
    low, _ = binomial_bounds(np.count_nonzero(counted == places[0]), len(counted), one_sided)
    by_itself = math.log(float(low) / half_way) if low > 0 and half_way > 0 else -math.inf
    return max(0.0, by_margin, by_itself)
