"""Compares BRR, TEM over Hamming distance, Madlib and Euclidean TEM at matched privacy, and crowds beside them."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._bundle import Bundle
from hushbit._options import CROWD_SIZES, DEFAULTS
from hushbit._plumbing.progress import Progress, no_progress, step_of
from hushbit.study.mechanisms.base import Ids, Mechanism, require_positive
from hushbit.study.mechanisms.core import Brr, CoreMechanism, HammingTem
from hushbit.study.mechanisms.crowd import CrowdMechanism
from hushbit.study.mechanisms.distance_tem import DistanceTem
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.metric_tem import Metric, MetricTem, checked_metric
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.names import NAME_OF_SIZE
from hushbit.study.privacy.attained import Attained, attained
from hushbit.study.privacy.figures import Mean, mean_of, share_of
from hushbit.study.privacy.intervals import mean_interval
from hushbit.study.privacy.matching import (
    EXACT_PAIRS,
    SAMPLED_WORDS,
    largest_euclidean_distance,
    matched_epsilon,
    mean_euclidean_distance,
    privacy_ratio,
)
from hushbit.study.privacy.sample import draw_words

_Promise = tuple[float, float | None, float | None, float | None]
"""The ε of a word, ε·P_avg, ε·P_max, and that over Madlib's."""

MADLIB_EPSILONS = (3.0, 4.0, 5.0, 8.0, 10.0, 12.0, 15.0)


@dataclass(frozen=True)
class Distances:
    """P_avg and P_max of the real vectors and of the codes of one vocabulary."""

    vectors_average: float
    vectors_average_interval: tuple[float, float]
    """The 95 % interval if pairs were sampled; else the exact value, twice."""
    vectors_average_exact: bool
    vectors_largest: float
    vectors_largest_exact: bool
    """Whether `vectors_largest` is exact. Otherwise it is an upper bound."""
    codes_average: float
    codes_largest: int

    @classmethod
    def measure(
        cls, bundle: Bundle, vectors: Vectors, generator: np.random.Generator, progress: Progress = no_progress
    ) -> "Distances":
        """Measures the bundle's words. Averages are over output words, because only they have codes."""
        outputs = bundle._native.output_words()
        average = mean_euclidean_distance(vectors[outputs], generator, progress)
        largest, exact = largest_euclidean_distance(vectors, progress)
        info = bundle.info
        return cls(
            average.value, average.interval, average.exact, largest, exact, info.average_distance, info.max_distance
        )

    def match(self, epsilon: float) -> tuple[float, float]:
        """The ε per differing bit that matches an ε of real vectors: by P_avg, and by P_max."""
        require_positive(epsilon)
        return (
            matched_epsilon(epsilon, self.vectors_average, self.codes_average),
            matched_epsilon(epsilon, self.vectors_largest, self.codes_largest),
        )

    def document(self) -> dict[str, Any]:
        """The distances as a JSON document."""
        return asdict(self)


@dataclass(frozen=True)
class MetricDistances:
    """P_avg and P_max of a metric that the user gave."""

    average: float
    """The mean over all ordered pairs of output words, including pairs of a word with itself."""
    average_interval: tuple[float, float]
    """The 95 % interval if pairs were sampled; else the exact value, twice."""
    average_exact: bool
    largest: float
    largest_exact: bool
    """Whether `largest` is exact. Otherwise it is an upper bound, from the triangle inequality through a third word."""

    @classmethod
    def measure(
        cls, bundle: Bundle, metric: Metric | NDArray[np.floating], generator: np.random.Generator
    ) -> "MetricDistances":
        """Measures the bundle's words. Raises InvalidArgumentError if the function turns out not to be a metric."""
        function = checked_metric(metric, bundle.words, generator)
        outputs, everything = bundle._native.output_words(), np.arange(bundle.words, dtype=np.uint32)
        exact = bundle.words**2 <= EXACT_PAIRS
        count = min(SAMPLED_WORDS, len(outputs))
        rows = everything if exact else np.sort(generator.choice(outputs, count, replace=False))
        size = max(1, (1 << 23) // bundle.words)
        means, largest, radius = [], 0.0, np.inf
        for first in range(0, len(rows), size):
            block = np.asarray(function(rows[first : first + size], everything), dtype=np.float64)
            means.append(block[:, outputs].mean(axis=1))
            largest = max(largest, float(block.max()))
            radius = min(radius, float(np.partition(block, -2, axis=1)[:, -2:].sum(axis=1).min())) if not exact else 0.0
        of_outputs = np.concatenate(means)[outputs] if exact else np.concatenate(means)
        average = float(of_outputs.mean())
        interval = (average, average) if exact else mean_interval(of_outputs)
        return cls(average, interval, exact, largest if exact else radius, exact)


@dataclass(frozen=True)
class Row:
    """One mechanism at one ε."""

    mechanism: str
    epsilon: float
    """The ε per unit of the mechanism's own distance; for crowds, per word."""
    word_epsilon: float
    """The local-DP ε of a word: the worst case over all pairs of words."""
    average: float | None
    """ε·P_avg, which is equal for matched mechanisms. None for crowds."""
    largest: float | None
    """ε·P_max."""
    ratio_by_largest: float | None
    """ε·P_max divided by Madlib's. Below 1, the promise for the worst pair is stronger than Madlib's."""
    unchanged: Mean
    cosine: Mean | None
    """The cosine between changed words and their originals; None if no word changed."""
    attained: Attained | None = None
    """What the released word attains of `word_epsilon`; None if it was not asked for."""


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison."""

    distances: Distances
    words: int
    sampled: int
    draws: int
    seed: int
    rows: list[Row]
    """Sorted by Madlib's ε, then by mechanism; crowds follow, by their ε."""
    own_metric: MetricDistances | None = None
    """The distances of the metric that the user gave for TEM, if any."""

    def document(self) -> dict[str, Any]:
        """The comparison as a JSON document."""
        return asdict(self)


def compare(
    bundle: Bundle,
    vectors: Vectors,
    epsilons: tuple[float, ...] = MADLIB_EPSILONS,
    *,
    word_epsilons: tuple[float, ...] = (),
    words: int = 1000,
    draws: int = 1,
    beta: float = DEFAULTS.beta,
    seed: int = 0,
    metric: Metric | NDArray[np.floating] | None = None,
    bound: bool = False,
    progress: Progress = no_progress,
) -> Comparison:
    """Compares the mechanisms at each of Madlib's `epsilons`. The others get the ε that matches it by P_avg.

    Crowds of all sizes get `word_epsilons`. Words are sampled from those that all mechanisms can release. `metric` adds
    TEM on a metric of the user, a function of word ids: see `MetricTem`, which refuses a function that is not a metric.
    `bound` asks for what the released word attains of its ε, which takes longer than all else.
    """
    for epsilon in (*epsilons, *word_epsilons):  # before the distances, which take a while
        require_positive(epsilon)
    generator = np.random.default_rng(seed)
    distances = Distances.measure(bundle, vectors, generator, progress)
    own = None if metric is None else MetricDistances.measure(bundle, metric, np.random.default_rng(seed))
    ids = draw_words(bundle._native, words, generator)
    direction = without_common_directions(vectors)
    inputs = np.repeat(ids, draws)
    rows = []
    for step, epsilon in enumerate(epsilons):
        by_average, _ = distances.match(epsilon)
        mechanisms = _mechanisms(bundle, vectors, epsilon, by_average, beta)
        if metric is not None and own is not None:
            matched = matched_epsilon(epsilon, distances.vectors_average, own.average)
            mechanisms.append(MetricTem(metric, len(vectors), matched, beta, seed=seed))
        for turn, mechanism in enumerate(mechanisms):
            so_far = step_of(progress, step * len(mechanisms) + turn, len(epsilons) * len(mechanisms), "draw")
            outputs = mechanism.replace(inputs, generator=generator, progress=so_far)
            row = _row(mechanism, distances, epsilon, inputs, outputs, draws, direction, own)
            rows.append(_bounded(row, mechanism, bundle, vectors, seed, so_far) if bound else row)
    for epsilon in word_epsilons:
        for size in CROWD_SIZES:
            crowds = CrowdMechanism(bundle._native, epsilon, size)
            outputs = crowds.replace(inputs, generator=generator, progress=progress)
            row = _row(crowds, distances, None, inputs, outputs, draws, direction)
            rows.append(_bounded(row, crowds, bundle, vectors, seed, progress) if bound else row)
    return Comparison(distances, bundle.words, len(ids), draws, seed, rows, own)


def without_common_directions(vectors: Vectors) -> NDArray[np.float32]:
    """Unit vectors, after the mean and the top d / 50 principal components (at least one) are removed.

    These are common to most words and make all words look similar (Mu and Viswanath, "All-but-the-top", 2018).
    """
    centered = (vectors - vectors.mean(axis=0)).astype(np.float64)
    _, directions = np.linalg.eigh(centered.T @ centered)
    top = directions[:, -max(1, round(vectors.shape[1] / 50)) :]
    rest = centered - centered @ top @ top.T
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-12), dtype=np.float32)


def _mechanisms(bundle: Bundle, vectors: Vectors, epsilon: float, per_bit: float, beta: float) -> list[Mechanism]:
    return [
        Madlib(vectors, epsilon, outputs=bundle._native.output_words()),
        Brr(bundle._native, per_bit),
        EuclideanTem(vectors, epsilon, beta),
        HammingTem(bundle._native, per_bit, beta),
    ]


def _row(
    mechanism: Mechanism,
    distances: Distances,
    madlib_epsilon: float | None,
    inputs: Ids,
    outputs: Ids,
    draws: int,
    directions: NDArray[np.float32],
    own: MetricDistances | None = None,
) -> Row:
    if isinstance(mechanism, CrowdMechanism):
        name = NAME_OF_SIZE[mechanism.size]
        promise: _Promise = (mechanism.epsilon, None, None, None)
    else:
        assert madlib_epsilon is not None  # noqa: S101 - all but crowds are matched
        name, promise = mechanism.name, _promise(mechanism, distances, madlib_epsilon, own)
    same = (inputs == outputs).reshape(-1, draws).mean(axis=1)
    changed = inputs != outputs
    cosines = np.einsum("ij,ij->i", directions[inputs[changed]], directions[outputs[changed]]).astype(np.float64)
    return Row(
        name,
        mechanism.epsilon,
        *promise,
        unchanged=share_of(same),
        cosine=mean_of(cosines) if len(cosines) else None,
    )


def _bounded(row: Row, mechanism: Mechanism, bundle: Bundle, vectors: Vectors, seed: int, progress: Progress) -> Row:
    """The row with what is attained, which has draws of its own, so that the other figures are the same without it."""
    everything = isinstance(mechanism, DistanceTem)  # it releases any word
    outputs = np.arange(bundle.words, dtype=np.uint32) if everything else bundle._native.output_words()
    generator = np.random.default_rng([seed, 1])
    return replace(row, attained=attained(mechanism, vectors, outputs, row.word_epsilon, generator, progress=progress))


def _promise(
    mechanism: Mechanism, distances: Distances, madlib_epsilon: float, own: MetricDistances | None
) -> _Promise:
    """The promise of a mechanism on a distance."""
    average, largest = distances.vectors_average, distances.vectors_largest
    if isinstance(mechanism, Brr | HammingTem):
        average, largest = distances.codes_average, distances.codes_largest
    elif own is not None and isinstance(mechanism, MetricTem):
        average, largest = own.average, own.largest
    if isinstance(mechanism, CoreMechanism):
        worst = mechanism.info.worst_case_per_token
    elif isinstance(mechanism, DistanceTem):
        worst = mechanism.worst_case(largest)
    else:
        worst = mechanism.epsilon * largest
    ratio = privacy_ratio(mechanism.epsilon, largest, madlib_epsilon, distances.vectors_largest)
    return worst, mechanism.epsilon * average, mechanism.epsilon * largest, ratio
