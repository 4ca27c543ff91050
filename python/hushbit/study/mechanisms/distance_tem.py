"""The truncated exponential mechanism on any metric (Carvalho et al., SDM 2023, Algorithms 2 and 3)."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids, require_ids, require_positive
from hushbit.study.mechanisms.randomness import uniforms
from hushbit.study.mechanisms.truncated_exponential import bottom_score, truncation_distance, worst_case

_BLOCK_NUMBERS = 1 << 24  # distances held at once


class DistanceTem(ABC):
    """ε is per unit of the metric.

    The words within γ of the input have the score -d, all others together the element ⊥ with the score
    -γ + 2·ln|W∖L|/ε; one is drawn with probability proportional to e^(ε·score/2), which is what adding Gumbel noise of
    scale 2/ε and taking the largest does. ⊥ stands for a uniform draw of the others. For comparison, not for release:
    weights and draws are in floating point.
    """

    name: str

    def __init__(self, words: int, epsilon: float, beta: float) -> None:
        self.words = words
        """The number of words, each of which may come out."""
        self.epsilon = require_positive(epsilon)
        self.gamma = truncation_distance(self.epsilon, beta, words)

    def worst_case(self, largest: float) -> float:
        """The local-DP ε of a word; `largest` is the largest distance of any two words."""
        return worst_case(self.epsilon, self.gamma, largest)

    @abstractmethod
    def distances(self, words: Ids) -> NDArray[np.floating]:
        """Distances from each of `words` to every word, (len(words), |W|), in an array of its own."""

    def replace(
        self, words: Ids, *, generator: np.random.Generator | None = None, progress: Progress = no_progress
    ) -> Ids:
        """Draws a replacement for each of `words`, (count,). A word that occurs again is measured once a block."""
        words = require_ids(words, self.words)
        outputs = np.empty(len(words), dtype=np.uint32)
        order = np.argsort(words, kind="stable")
        size = self.block_rows
        for first in range(0, len(words), size):
            places = order[first : first + size]
            different, which = np.unique(words[places], return_inverse=True)
            outputs[places] = self._draw(self.distances(different), which, generator)
            progress(first + len(places), len(words), self.name)
        return outputs

    @property
    def block_rows(self) -> int:
        """The number of words whose distances are looked at together."""
        return max(1, _BLOCK_NUMBERS // self.words)

    def distribution(self, words: Ids) -> NDArray[np.float64]:
        """Pr[M(w)=y] for each of `words` and every y: (len(words), |W|)."""
        return self.chances(self.distances(require_ids(words, self.words)))

    def chances(self, distances: NDArray[np.floating]) -> NDArray[np.float64]:
        """The same from the words' distances to every word, (…, |W|)."""
        near, bottom = self._near_weights(distances), self._bottom_weights(distances)
        far = distances > self.gamma
        weights = near + far * (bottom / np.maximum(far.sum(axis=1), 1))[:, None]
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def _near_weights(self, distances: NDArray[np.floating]) -> NDArray[np.floating]:
        weights = np.exp(distances * np.float32(-self.epsilon / 2))
        weights[distances > self.gamma] = 0
        return np.asarray(weights)

    def _bottom_weights(self, distances: NDArray[np.floating]) -> NDArray[np.float64]:
        """The weight of ⊥ for each row."""
        far = np.count_nonzero(distances > self.gamma, axis=1)
        return np.exp(self.epsilon / 2 * bottom_score(self.epsilon, self.gamma, far))

    def _draw(
        self, distances: NDArray[np.floating], which: NDArray[np.intp], generator: np.random.Generator | None
    ) -> Ids:
        """One word for each row that `which` names."""
        sums = np.cumsum(self._near_weights(distances), axis=1, dtype=np.float64)
        bottom = self._bottom_weights(distances)
        chance = uniforms((len(which), 2), generator)
        outputs = np.empty(len(which), dtype=np.uint32)
        for i, (row, (u, v)) in enumerate(zip(which, chance, strict=True)):
            height = u * (sums[row, -1] + bottom[row])
            if height < sums[row, -1]:
                outputs[i] = np.searchsorted(sums[row], height, side="right")
            else:
                far = np.flatnonzero(distances[row] > self.gamma)
                outputs[i] = far[int(v * len(far))]
        return outputs
