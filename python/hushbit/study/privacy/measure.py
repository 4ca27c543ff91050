"""Figures of BRR and TEM at one ε, for the words of a sample."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.core import Brr, CoreMechanism, HammingTem
from hushbit.study.privacy import monte_carlo
from hushbit.study.privacy.accounting import pure_text_epsilon, text_epsilon
from hushbit.study.privacy.closed_form import TemDistribution
from hushbit.study.privacy.control import control_of
from hushbit.study.privacy.figures import (
    NEAR,
    RELEASES,
    Figures,
    Mean,
    PerWord,
    TextCost,
    mean_of,
    share_of,
    spread_of,
)
from hushbit.study.privacy.per_word import counted, least_and_most_protected
from hushbit.study.privacy.sample import Sample

_TIE_DRAWS = 20
ATTACKED = 200  # words: the success of guessing has no closed form


@dataclass(frozen=True)
class Settings:
    """How to measure."""

    draws: int = 200
    """Draws for each sampled word."""
    eta: float = 0.05
    """The probability that the effective support leaves out."""
    delta: float = 1e-6
    tokens: tuple[int, ...] = (1, 10, 100)
    """Lengths of texts for the cost of a text."""


def pure_texts(worst: float, settings: Settings) -> list[TextCost]:
    """What texts cost if only the pure ε of a word is known."""
    return [
        TextCost(tokens, tokens * worst, pure_text_epsilon(worst, tokens, settings.delta), None)
        for tokens in settings.tokens
    ]


class Measurer:
    """Measures mechanisms on one sample of one bundle. The same generator gives the same figures."""

    def __init__(
        self, bundle: _core.Bundle, sample: Sample, settings: Settings, generator: np.random.Generator
    ) -> None:
        self._bundle = bundle
        self._info = bundle.info()
        self._sample = sample
        self._settings = settings
        self._generator = generator

    def brr(self, epsilon: float, progress: Progress = no_progress) -> Figures:
        """The figures of BRR, from draws of the core."""
        brr, sample = Brr(self._bundle, epsilon), self._sample
        outputs = monte_carlo.drawn(brr, sample.ids, self._settings.draws, self._generator, progress)
        distances = monte_carlo.distances_of(self._bundle, sample, outputs)
        ties = monte_carlo.tie_share(self._bundle, sample, float(brr.flip_chance), _TIE_DRAWS, self._generator)
        return self._figures(
            brr,
            epsilon,
            words=counted(sample.ids, outputs, self._settings.eta),
            similarity=(1 - 2 * distances / sample.bits).mean(axis=1),
            near={k: monte_carlo.near(sample, distances, k) for k in NEAR},
            ties=share_of(ties),
            recovered=self._recovered(sample, outputs),
            texts=self._texts_of_brr(brr),
        )

    def tem(self, epsilon: float, beta: float, progress: Progress = no_progress) -> Figures:
        """The figures of TEM, from its distribution, except `recovered`, which needs draws of the core."""
        tem = HammingTem(self._bundle, epsilon, beta)
        found = TemDistribution(self._sample, tem.weights)
        attacked = _first(self._sample, ATTACKED, self._generator)
        outputs = monte_carlo.drawn(tem, attacked.ids, max(RELEASES), self._generator, progress)
        return self._figures(
            tem,
            epsilon,
            words=found.per_word(self._settings.draws, self._settings.eta),
            similarity=found.similarity(),
            near={k: found.near(k) for k in NEAR},
            ties=None,
            recovered=self._recovered(attacked, outputs),
            # Between two words; an unknown token costs less, see docs/proofs.md.
            texts=pure_texts(tem.info.worst_case_per_token, self._settings),
        )

    def _recovered(self, sample: Sample, outputs: Ids) -> dict[int, Mean]:
        attacks = (
            partial(monte_carlo.guessed_by_plurality, sample.ids),
            lambda part: monte_carlo.guessed_by_majority(self._bundle, sample, part, self._generator),
        )
        return monte_carlo.recovered(outputs, attacks)

    def _figures(
        self,
        mechanism: CoreMechanism,
        epsilon: float,
        *,
        words: PerWord,
        similarity: NDArray[np.float64],
        near: dict[int, NDArray[np.float64]],
        ties: Mean | None,
        recovered: dict[int, Mean],
        texts: list[TextCost],
    ) -> Figures:
        info, brr = mechanism.info, isinstance(mechanism, Brr)
        mean_similarity = 1 - 2 * self._info.average_distance / self._info.bits
        unchanged, distinct, support = map(np.array, (words.unchanged, words.distinct, words.support))
        least, most = least_and_most_protected(words, self._bundle)
        return Figures(
            mechanism=mechanism.name,
            epsilon=epsilon,
            effective_epsilon=mechanism.epsilon,
            flip_probability=info.flip_probability if brr else None,
            gamma=None if brr else info.gamma,
            average=mechanism.epsilon * self._info.average_distance,
            by_distance=mechanism.epsilon * self._info.max_distance,
            worst_case=info.worst_case_per_token,
            unchanged=spread_of(unchanged, share=True),
            distinct=spread_of(distinct),
            support=spread_of(support),
            similarity=mean_of(similarity),
            near={k: share_of(values) for k, values in near.items()},
            ties=ties,
            recovered=recovered,
            control=control_of(float(unchanged.mean()), self._info.output_words, mean_similarity),
            words=words,
            least_protected=least,
            most_protected=most,
            texts=texts,
        )

    def _texts_of_brr(self, brr: Brr) -> list[TextCost]:
        largest, average = self._info.max_distance, int(np.ceil(self._info.average_distance))
        delta = self._settings.delta
        return [
            TextCost(
                tokens,
                tokens * brr.epsilon * largest,
                text_epsilon(brr.epsilon, largest, tokens, delta),
                text_epsilon(brr.epsilon, average, tokens, delta),
            )
            for tokens in self._settings.tokens
        ]


def _first(sample: Sample, count: int, generator: np.random.Generator) -> Sample:
    """Some of the words of a sample."""
    if count >= len(sample.ids):
        return sample
    chosen = np.sort(generator.choice(len(sample.ids), count, replace=False))
    return Sample(sample.ids[chosen], sample.codes[chosen], sample.counts[chosen])
