"""The privacy report of a bundle: figures of its mechanisms over a range of ε."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from hushbit._bundle import Bundle
from hushbit._progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.privacy.calibration import epsilon_for_unchanged
from hushbit.privacy.figures import Figures
from hushbit.privacy.measure import Measurer, Settings
from hushbit.privacy.randomized_response import require_delta
from hushbit.privacy.sample import draw_sample

MECHANISMS = ("brr", "tem")
DEFAULT_MULTIPLES = (0.25, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.6, 2.0, 3.0)
"""Of the ε at which half of the words stay themselves: the whole way from almost any word to the word itself."""


@dataclass(frozen=True)
class Options:
    """What to report. Raises InvalidArgumentError for what cannot be."""

    mechanisms: tuple[str, ...] = MECHANISMS
    epsilons: tuple[float, ...] = ()
    """Per differing bit; none for `DEFAULT_MULTIPLES` of each mechanism's own half-way ε."""
    beta: float = 0.001
    words: int = 1000
    """To sample."""
    seed: int = 0
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        if not 0 < self.settings.eta < 1:
            raise InvalidArgumentError(f"eta is {self.settings.eta}; it must lie strictly between 0 and 1")
        require_delta(self.settings.delta)
        if self.words < 1 or self.settings.draws < 1 or self.seed < 0:
            raise InvalidArgumentError("words and draws must be 1 or more, the seed 0 or more")


@dataclass(frozen=True)
class Report:
    """Everything the renderings show."""

    hash: str
    words: int
    bits: int
    average_distance: float
    max_distance: int
    sampled: int
    options: Options
    figures: list[Figures]
    """By mechanism, then by ε."""

    def of(self, mechanism: str) -> list[Figures]:
        """The figures of one mechanism, by ε."""
        return [figures for figures in self.figures if figures.mechanism == mechanism]

    def document(self) -> dict[str, Any]:
        """As a JSON document. Distances are in bits."""
        return asdict(self)


def make_report(bundle: Bundle, options: Options, progress: Progress = no_progress) -> Report:
    """Measures. The same bundle and options give the same report."""
    native = bundle._native
    sample = draw_sample(native, options.words, np.random.default_rng(options.seed), progress)
    figures: list[Figures] = []
    for mechanism in options.mechanisms:
        # A stream of its own, so that leaving out a mechanism does not change the other.
        generator = np.random.default_rng([options.seed, MECHANISMS.index(mechanism)])
        measurer = Measurer(native, sample, options.settings, generator)
        for epsilon in _epsilons(bundle, mechanism, options, progress):
            if mechanism == "brr":
                figures.append(measurer.brr(epsilon, progress))
            else:
                figures.append(measurer.tem(epsilon, options.beta, progress))
    info = bundle.info
    return Report(
        info.hash, info.words, info.bits, info.average_distance, info.max_distance, len(sample.ids), options, figures
    )


def _epsilons(bundle: Bundle, mechanism: str, options: Options, progress: Progress) -> list[float]:
    if options.epsilons:
        return sorted(set(options.epsilons))
    half = epsilon_for_unchanged(
        bundle._native, mechanism, 0.5, seed=options.seed, beta=options.beta, reachable=True, progress=progress
    ).epsilon
    return [float(f"{multiple * half:.4g}") for multiple in DEFAULT_MULTIPLES]
