"""Figures of Madlib, by draws, and of TEM on Euclidean distance, from its distribution, for chosen words."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.distance_tem import DistanceTem
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.truncated_exponential import truncation_distance
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.privacy import monte_carlo
from hushbit.study.privacy.calibration import Found
from hushbit.study.privacy.comparison import Distances, without_common_directions
from hushbit.study.privacy.control import control_of
from hushbit.study.privacy.figures import (
    NEAR,
    RELEASES,
    Figures,
    Mean,
    PerWord,
    mean_of,
    share_of,
    spread_of,
)
from hushbit.study.privacy.measure import ATTACKED, Settings, pure_texts
from hushbit.study.privacy.per_word import computed, counted, least_and_most_protected, outcomes


def tem_words(tem: DistanceTem, ids: Ids, draws: int, eta: float) -> PerWord:
    """N_w, S_w and the effective support of each of `ids`, (words,), exactly."""
    unchanged = []

    def chances() -> Iterator[NDArray[np.float64]]:
        for block in _blocks(tem, ids):
            found = tem.distribution(block)
            unchanged.append(found[np.arange(len(block)), block])
            yield found

    distinct, support = outcomes(chances(), draws, eta)
    return computed(ids, np.concatenate(unchanged), distinct, support, draws)


def epsilon_for_worst_case(mechanism: str, words: int, largest: float, worst_case: float, beta: float) -> Found:
    """The largest ε of Madlib or of TEM on vectors whose local-DP ε of a word is at most `worst_case`.

    `largest` is P_max of the vectors. Raises InvalidArgumentError unless `worst_case` is finite and above 0.
    """
    if not 0 < worst_case < math.inf:
        raise InvalidArgumentError(f"the worst case is {worst_case}; it must be a finite number above 0")
    if largest == 0:
        raise InvalidArgumentError("every epsilon keeps to that worst case: all vectors are equal")
    epsilon = worst_case / largest
    # ε·γ does not depend on ε.
    if mechanism == "tem-euclidean" and truncation_distance(1.0, beta, words) <= worst_case:
        return Found(
            epsilon, "every epsilon keeps to that worst case, since TEM's weights span less; this one by P_max"
        )
    return Found(epsilon, "the worst case over P_max of the vectors")


class VectorMeasurer:
    """Measures mechanisms on real vectors, `vectors` by the ids of the bundle, for `ids`: (words,), ascending.

    The same generator gives the same figures.
    """

    def __init__(
        self,
        bundle: _core.Bundle,
        vectors: Vectors,
        distances: Distances,
        ids: Ids,
        settings: Settings,
        generator: np.random.Generator,
    ) -> None:
        self._bundle = bundle
        self._vectors = vectors
        self._distances = distances
        self._ids = ids
        self._settings = settings
        self._generator = generator
        self._directions = without_common_directions(vectors)
        measure = EuclideanTem(vectors, 1.0)
        self._nearest = np.concatenate([_nearest(measure.distances(block)) for block in _blocks(measure, ids)])

    def madlib(self, epsilon: float, progress: Progress = no_progress) -> Figures:
        """The figures of Madlib, from draws."""
        madlib = Madlib(self._vectors, epsilon)
        outputs = monte_carlo.drawn(madlib, self._ids, self._settings.draws, self._generator, progress)
        chosen = self._attacked()
        similarity, near = self._of_outputs(outputs)
        return self._figures(
            "madlib",
            epsilon,
            gamma=None,
            worst_case=epsilon * self._distances.vectors_largest,
            words=counted(self._ids, outputs, self._settings.eta),
            similarity=similarity,
            near=near,
            recovered=self._recovered(self._ids[chosen], outputs[chosen]),
        )

    def tem(self, epsilon: float, beta: float, progress: Progress = no_progress) -> Figures:
        """The figures of TEM, from its distribution, except `recovered`, which takes draws."""
        tem = EuclideanTem(self._vectors, epsilon, beta)
        attacked = self._ids[self._attacked()]
        outputs = monte_carlo.drawn(tem, attacked, max(RELEASES), self._generator, progress)
        similarity, near = self._of_chances(tem)
        return self._figures(
            "tem-euclidean",
            epsilon,
            gamma=tem.gamma,
            worst_case=tem.worst_case(self._distances.vectors_largest),
            words=tem_words(tem, self._ids, self._settings.draws, self._settings.eta),
            similarity=similarity,
            near=near,
            recovered=self._recovered(attacked, outputs),
        )

    def _attacked(self) -> NDArray[np.intp]:
        """Places of words whose repeated releases are attacked."""
        count = len(self._ids)
        return np.sort(self._generator.choice(count, min(count, ATTACKED), replace=False))

    def _of_outputs(self, outputs: Ids) -> tuple[NDArray[np.float64], dict[int, NDArray[np.float64]]]:
        """The mean cosine of outputs and word, and the share of outputs among the k nearest: (words,) each."""
        similarity = [
            (self._directions[row] @ self._directions[word]).mean()
            for word, row in zip(self._ids, outputs, strict=True)
        ]
        near = {k: np.empty(len(outputs)) for k in NEAR}
        for place, row in enumerate(outputs):
            for k, shares in near.items():
                shares[place] = np.isin(row, self._nearest[place, :k]).mean()
        return np.array(similarity, dtype=np.float64), near

    def _of_chances(self, tem: EuclideanTem) -> tuple[NDArray[np.float64], dict[int, NDArray[np.float64]]]:
        """The mean cosine and the share among the k nearest, from the distribution: (words,) each."""
        similarity, near, first = [], {k: [] for k in NEAR}, 0  # type: ignore[var-annotated]
        for block in _blocks(tem, self._ids):
            chances = tem.distribution(block)
            similarity.append(((chances @ self._directions) * self._directions[block]).sum(axis=1))
            nearest = self._nearest[first : first + len(block)]
            for k, shares in near.items():
                shares.append(np.take_along_axis(chances, nearest[:, :k], axis=1).sum(axis=1))
            first += len(block)
        return np.concatenate(similarity), {k: np.concatenate(shares) for k, shares in near.items()}

    def _recovered(self, ids: Ids, outputs: Ids) -> dict[int, Mean]:
        attacks = (
            partial(monte_carlo.guessed_by_plurality, ids),
            partial(monte_carlo.guessed_by_mean, self._vectors, ids),
        )
        return monte_carlo.recovered(outputs, attacks)

    def _figures(
        self,
        mechanism: str,
        epsilon: float,
        *,
        gamma: float | None,
        worst_case: float,
        words: PerWord,
        similarity: NDArray[np.float64],
        near: dict[int, NDArray[np.float64]],
        recovered: dict[int, Mean],
    ) -> Figures:
        unchanged = np.array(words.unchanged)
        # Over all ordered pairs the mean of u·v is the square of the mean's length.
        mean_similarity = float(np.square(self._directions.mean(axis=0, dtype=np.float64)).sum())
        least, most = least_and_most_protected(words, self._bundle)
        return Figures(
            mechanism=mechanism,
            epsilon=epsilon,
            effective_epsilon=epsilon,
            flip_probability=None,
            gamma=gamma,
            average=epsilon * self._distances.vectors_average,
            by_distance=epsilon * self._distances.vectors_largest,
            worst_case=worst_case,
            unchanged=spread_of(unchanged, share=True),
            distinct=spread_of(np.array(words.distinct)),
            support=spread_of(np.array(words.support)),
            similarity=mean_of(similarity),
            near={k: share_of(values) for k, values in near.items()},
            ties=None,
            recovered=recovered,
            control=control_of(float(unchanged.mean()), len(self._vectors), mean_similarity),
            words=words,
            least_protected=least,
            most_protected=most,
            texts=pure_texts(worst_case, self._settings),
        )


def _blocks(tem: DistanceTem, ids: Ids) -> Iterator[Ids]:
    for first in range(0, len(ids), tem.block_rows):
        yield ids[first : first + tem.block_rows]


def _nearest(distances: NDArray[np.float32]) -> NDArray[np.intp]:
    """The ids of the nearest words of each row, the nearest first: (rows, the most that is asked for)."""
    count = min(max(NEAR), distances.shape[1])
    some = np.argpartition(distances, count - 1, axis=1)[:, :count]
    order = np.argsort(np.take_along_axis(distances, some, axis=1), axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1)
