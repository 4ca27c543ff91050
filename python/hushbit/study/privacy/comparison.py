"""BRR, TEM over Hamming distance, Madlib and Euclidean TEM at matched privacy."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._bundle import Bundle
from hushbit._options import DEFAULTS
from hushbit._progress import Progress, no_progress, step_of
from hushbit.study.mechanisms.base import Ids, Mechanism, require_positive
from hushbit.study.mechanisms.core import Brr, HammingTem
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.privacy.figures import Mean, mean_of, share_of
from hushbit.study.privacy.matching import (
    largest_euclidean_distance,
    matched_epsilon,
    mean_euclidean_distance,
    privacy_ratio,
)

MADLIB_EPSILONS = (3.0, 4.0, 5.0, 8.0, 10.0, 12.0, 15.0)


@dataclass(frozen=True)
class Distances:
    """P_avg and P_max of the real vectors and of the codes of one vocabulary."""

    vectors_average: float
    vectors_average_interval: tuple[float, float]
    """Of 95 % if sampled, else the value twice."""
    vectors_average_exact: bool
    vectors_largest: float
    vectors_largest_exact: bool
    """Else an upper bound."""
    codes_average: float
    codes_largest: int

    @classmethod
    def measure(
        cls, bundle: Bundle, vectors: Vectors, generator: np.random.Generator, progress: Progress = no_progress
    ) -> "Distances":
        """Of the bundle's words."""
        average = mean_euclidean_distance(vectors, generator, progress)
        largest, exact = largest_euclidean_distance(vectors, progress)
        info = bundle.info
        return cls(
            average.value, average.interval, average.exact, largest, exact, info.average_distance, info.max_distance
        )

    def match(self, epsilon: float) -> tuple[float, float]:
        """The ε per differing bit that match an ε of real vectors: by P_avg, and by P_max."""
        require_positive(epsilon)
        return (
            matched_epsilon(epsilon, self.vectors_average, self.codes_average),
            matched_epsilon(epsilon, self.vectors_largest, self.codes_largest),
        )

    def document(self) -> dict[str, Any]:
        """As a JSON document."""
        return asdict(self)


@dataclass(frozen=True)
class Row:
    """One mechanism at one ε."""

    mechanism: str
    epsilon: float
    """Per unit of the mechanism's own distance."""
    average: float
    """ε·P_avg, which is equal for what was matched."""
    largest: float
    """ε·P_max."""
    ratio_by_largest: float
    """ε·P_max over Madlib's: below 1, the worst pair is promised more. By average the ratio is 1."""
    unchanged: Mean
    cosine: Mean | None
    """Of changed words to their originals; None if none changed."""


@dataclass(frozen=True)
class Comparison:
    """The table."""

    distances: Distances
    words: int
    sampled: int
    draws: int
    seed: int
    rows: list[Row]
    """By Madlib's ε, then by mechanism."""

    def document(self) -> dict[str, Any]:
        """As a JSON document."""
        return asdict(self)


def compare(
    bundle: Bundle,
    vectors: Vectors,
    epsilons: tuple[float, ...] = MADLIB_EPSILONS,
    *,
    words: int = 1000,
    draws: int = 1,
    beta: float = DEFAULTS.beta,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Comparison:
    """Compares at each of Madlib's `epsilons`; the other mechanisms get the ε that matches by P_avg."""
    for epsilon in epsilons:  # before the distances, which take a while
        require_positive(epsilon)
    generator = np.random.default_rng(seed)
    distances = Distances.measure(bundle, vectors, generator, progress)
    count = bundle.words
    ids = np.arange(count) if words >= count else np.sort(generator.choice(count, words, replace=False))
    direction = without_common_directions(vectors)
    inputs = np.repeat(ids.astype(np.uint32), draws)
    rows = []
    for step, epsilon in enumerate(epsilons):
        by_average, _ = distances.match(epsilon)
        mechanisms = _mechanisms(bundle, vectors, epsilon, by_average, beta)
        for turn, mechanism in enumerate(mechanisms):
            so_far = step_of(progress, step * len(mechanisms) + turn, len(epsilons) * len(mechanisms), "draw")
            outputs = mechanism.replace(inputs, generator=generator, progress=so_far)
            rows.append(_row(mechanism, distances, epsilon, inputs, outputs, draws, direction))
    return Comparison(distances, count, len(ids), draws, seed, rows)


def without_common_directions(vectors: Vectors) -> NDArray[np.float32]:
    """Unit vectors without the mean and the top d / 50 components, at least one.

    Those are common to most words and make any two of them look similar (Mu and Viswanath, "All-but-the-top", 2018).
    """
    centered = (vectors - vectors.mean(axis=0)).astype(np.float64)
    _, directions = np.linalg.eigh(centered.T @ centered)
    top = directions[:, -max(1, round(vectors.shape[1] / 50)) :]
    rest = centered - centered @ top @ top.T
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-12), dtype=np.float32)


def _mechanisms(bundle: Bundle, vectors: Vectors, epsilon: float, per_bit: float, beta: float) -> list[Mechanism]:
    return [
        Madlib(vectors, epsilon),
        Brr(bundle._native, per_bit),
        EuclideanTem(vectors, epsilon, beta),
        HammingTem(bundle._native, per_bit, beta),
    ]


def _row(
    mechanism: Mechanism,
    distances: Distances,
    madlib_epsilon: float,
    inputs: Ids,
    outputs: Ids,
    draws: int,
    directions: NDArray[np.float32],
) -> Row:
    on_codes = isinstance(mechanism, Brr | HammingTem)
    average = distances.codes_average if on_codes else distances.vectors_average
    largest = distances.codes_largest if on_codes else distances.vectors_largest
    same = (inputs == outputs).reshape(-1, draws).mean(axis=1)
    changed = inputs != outputs
    cosines = np.einsum("ij,ij->i", directions[inputs[changed]], directions[outputs[changed]]).astype(np.float64)
    return Row(
        mechanism=mechanism.name,
        epsilon=mechanism.epsilon,
        average=mechanism.epsilon * average,
        largest=mechanism.epsilon * largest,
        ratio_by_largest=privacy_ratio(mechanism.epsilon, largest, madlib_epsilon, distances.vectors_largest),
        unchanged=share_of(same),
        cosine=mean_of(cosines) if len(cosines) else None,
    )
