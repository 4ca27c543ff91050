"""The privacy report of a bundle: figures of its mechanisms over ranges of ε."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from hushbit._bundle import Bundle
from hushbit._options import DEFAULTS, ON_CODES, CrowdSize
from hushbit._plumbing.progress import Progress, no_progress, step_of
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.crowd import CrowdMechanism
from hushbit.study.mechanisms.randomized_response import require_delta
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.names import MECHANISMS, NAME_OF_SIZE, ON_VECTORS
from hushbit.study.privacy.calibration import epsilon_for_unchanged
from hushbit.study.privacy.comparison import Distances
from hushbit.study.privacy.crowd_figures import CrowdFigures, Measured, Nearness, measure_crowds
from hushbit.study.privacy.figures import Figures
from hushbit.study.privacy.guessing import Frequencies, public_frequencies
from hushbit.study.privacy.measure import Measurer, Settings
from hushbit.study.privacy.per_word import rows_of
from hushbit.study.privacy.sample import draw_words, sample_of
from hushbit.study.privacy.targets import Target, epsilon_for_target, words_on_vectors
from hushbit.study.privacy.vector_figures import VectorMeasurer

DEFAULT_MULTIPLES = (0.25, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.6, 2.0, 3.0)
"""Multiples of the ε at which half of the words stay unchanged: from almost any word to the word itself."""
WORD_EPSILONS = (3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
"""Values of ε for crowds."""


@dataclass(frozen=True)
class PrivacyOptions:
    """What to report. Raises InvalidArgumentError for impossible values."""

    mechanisms: tuple[str, ...] = ON_CODES
    """Names of `hushbit._options.MECHANISMS` and `hushbit.study.names.ON_VECTORS`."""
    epsilons: tuple[float, ...] = ()
    """The ε per differing bit, on vectors per unit of Euclidean distance. If empty, they are `DEFAULT_MULTIPLES` of
    each mechanism's own half-way ε."""
    beta: float = DEFAULTS.beta
    words: int = 1000
    """The number of words to sample."""
    word_list: tuple[str, ...] = ()
    """Words to measure instead of a sample, as spelled in the vocabulary."""
    seed: int = 0
    settings: Settings = field(default_factory=Settings)
    crowd_size: CrowdSize | None = None
    """The size of crowds; None for the bundle's default."""
    word_epsilons: tuple[float, ...] = ()
    """The ε per word for crowds. If empty, they are `WORD_EPSILONS` and the bundle's default."""

    def __post_init__(self) -> None:
        if not 0 < self.settings.eta < 1:
            raise InvalidArgumentError(f"eta is {self.settings.eta}; it must lie strictly between 0 and 1")
        if not 0 < self.beta < 1:
            raise InvalidArgumentError(f"beta is {self.beta}; it must lie strictly between 0 and 1")
        require_delta(self.settings.delta)
        if self.words < 1 or self.settings.draws < 1 or self.seed < 0:
            raise InvalidArgumentError("words and draws must be 1 or more, and the seed must be 0 or more")


@dataclass(frozen=True)
class Report:
    """All data that the renderings show."""

    hash: str
    words: int
    bits: int
    average_distance: float
    max_distance: int
    sampled: int
    """The number of measured words."""
    unknown: int
    """Words of the list that are not in the vocabulary."""
    options: PrivacyOptions
    figures: list[Figures]
    """Figures of BRR and TEM, on codes and on vectors, by mechanism, then by ε."""
    crowds: list[CrowdFigures] = field(default_factory=list)
    """Figures of crowds, by ε."""
    counted: bool = False
    """Whether the attacker on crowds knows counted frequencies instead of only the bundle's ranks."""

    distances: Distances | None = None
    """Distances of the real vectors, if a mechanism on them was measured."""
    dimensions: int = 0
    """The number of dimensions of those vectors."""

    @property
    def on_distances(self) -> list[str]:
        """The mechanisms that have `figures`."""
        return [mechanism for mechanism in self.options.mechanisms if self.of(mechanism)]

    def of(self, mechanism: str) -> list[Figures]:
        """The figures of one mechanism, by ε."""
        return [figures for figures in self.figures if figures.mechanism == mechanism]

    def document(self) -> dict[str, Any]:
        """The report as a JSON document, without the values of single words, which are `per_word`. Distances are in
        bits.
        """
        document = asdict(replace(self, figures=[], crowds=[]))
        document["figures"], document["crowds"] = (
            [{name: value for name, value in asdict(found).items() if name != "words"} for found in part]
            for part in (self.figures, self.crowds)
        )
        return document

    def per_word(self, bundle: Bundle) -> Iterator[dict[str, Any]]:
        """A JSON document for each measured word under each mechanism at each ε."""
        for figures in self.figures:
            yield from rows_of(figures.words, bundle, figures.mechanism, figures.epsilon)
        for crowds in self.crowds:
            yield from rows_of(crowds.words, bundle, NAME_OF_SIZE[crowds.crowd], crowds.epsilon)


def make_report(
    bundle: Bundle,
    options: PrivacyOptions,
    progress: Progress = no_progress,
    frequencies: Frequencies | None = None,
    vectors: Vectors | None = None,
) -> Report:
    """Measures. The same bundle and options give the same report.

    `frequencies` of words are known to the attacker on crowds; None for the frequencies that follow from the bundle.
    `vectors` are for mechanisms on them.
    """
    ids = _words(bundle, options)
    distances, figures = _on_distances(bundle, options, ids, vectors, progress)
    info = bundle.info
    return Report(
        hash=info.hash,
        words=info.words,
        bits=info.bits,
        average_distance=info.average_distance,
        max_distance=info.max_distance,
        sampled=len(ids),
        unknown=sum(word not in bundle for word in set(options.word_list)),
        options=options,
        figures=figures,
        crowds=_crowds(bundle, options, ids, frequencies, progress) if "crowd" in options.mechanisms else [],
        counted=frequencies is not None,
        distances=distances,
        dimensions=0 if vectors is None else vectors.shape[1],
    )


_Measure = Callable[[float, Progress], Figures]


def _on_distances(
    bundle: Bundle, options: PrivacyOptions, ids: Ids, vectors: Vectors | None, progress: Progress
) -> tuple[Distances | None, list[Figures]]:
    """The distances and figures of all mechanisms other than crowds."""
    mechanisms = [mechanism for mechanism in options.mechanisms if mechanism in MECHANISMS]
    sample = sample_of(bundle._native, ids, progress) if set(mechanisms) & set(ON_CODES) else None
    distances = None
    if set(mechanisms) & set(ON_VECTORS):
        if vectors is None:
            raise InvalidArgumentError("Madlib and TEM on real vectors need the vectors that the bundle was made of")
        distances = Distances.measure(bundle, vectors, np.random.default_rng(options.seed), progress)
    figures: list[Figures] = []
    for mechanism in mechanisms:
        # A separate stream, so that leaving out one mechanism does not change the other.
        generator = np.random.default_rng([options.seed, MECHANISMS.index(mechanism)])
        measure: _Measure
        if mechanism in ON_CODES:
            assert sample is not None  # noqa: S101 - there is a mechanism on codes
            on_codes = Measurer(bundle._native, sample, options.settings, generator)
            measure = on_codes.brr if mechanism == "brr" else partial(_tem, on_codes, options.beta)
        else:
            assert vectors is not None  # noqa: S101 - checked above
            assert distances is not None  # noqa: S101 - measured above
            on_vectors = VectorMeasurer(bundle._native, vectors, distances, ids, options.settings, generator)
            measure = on_vectors.madlib if mechanism == "madlib" else partial(_tem, on_vectors, options.beta)
        epsilons = _epsilons(bundle, mechanism, options, vectors, progress)
        figures += [measure(epsilon, step_of(progress, i, len(epsilons))) for i, epsilon in enumerate(epsilons)]
    return distances, figures


def _tem(measurer: Measurer | VectorMeasurer, beta: float, epsilon: float, progress: Progress) -> Figures:
    return measurer.tem(epsilon, beta, progress)


def _crowds(
    bundle: Bundle, options: PrivacyOptions, words: Ids, frequencies: Frequencies | None, progress: Progress
) -> list[CrowdFigures]:
    native, settings = bundle._native, options.settings
    epsilons = set(options.word_epsilons or WORD_EPSILONS)
    if not options.word_epsilons and bundle.info.default_mechanism == "crowd":
        epsilons.add(bundle.info.default_epsilon)
    nearness = Nearness(native)
    known = public_frequencies(native) if frequencies is None else frequencies
    what = Measured(words, known, settings.draws, settings.eta, settings.delta, settings.tokens)
    figures = []
    for step, epsilon in enumerate(sorted(epsilons), 1):
        figures.append(measure_crowds(CrowdMechanism(native, epsilon, options.crowd_size), nearness, what))
        progress(step, len(epsilons), "crowds")
    return figures


def _words(bundle: Bundle, options: PrivacyOptions) -> Ids:
    """The words of the list, or a sample of the output words, ascending."""
    if not options.word_list:
        return draw_words(bundle._native, options.words, np.random.default_rng(options.seed))
    ids = sorted({found for word in options.word_list if (found := bundle.find(word)) is not None})
    if not ids:
        raise InvalidArgumentError(
            f"none of the {len(options.word_list)} words of the list is in the vocabulary: words are matched exactly "
            "as spelled there, mostly in lower case"
        )
    return np.array(ids, dtype=np.uint32)


def _epsilons(
    bundle: Bundle, mechanism: str, options: PrivacyOptions, vectors: Vectors | None, progress: Progress
) -> list[float]:
    if options.epsilons:
        return sorted(set(options.epsilons))
    if vectors is not None and mechanism in ON_VECTORS:
        measured = words_on_vectors(bundle._native, mechanism, vectors, seed=options.seed, beta=options.beta)
        half = epsilon_for_target(measured, Target("unchanged", 0.5), reachable=True, progress=progress).epsilon
    else:
        half = epsilon_for_unchanged(
            bundle._native, mechanism, 0.5, seed=options.seed, beta=options.beta, reachable=True, progress=progress
        ).epsilon
    return [float(f"{multiple * half:.4g}") for multiple in DEFAULT_MULTIPLES]
