"""What a word becomes: its most common outputs and their chances (as Feyisetan et al. 2020 show for some words)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle
from hushbit._options import DEFAULTS
from hushbit._plumbing.progress import Progress, no_progress, step_of
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.base import Mechanism
from hushbit.study.mechanisms.core import Brr, HammingTem
from hushbit.study.mechanisms.crowd import CrowdMechanism
from hushbit.study.mechanisms.distance_tem import DistanceTem
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.truncated_exponential import word_chances
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.names import ALL, CROWDS, ON_VECTORS
from hushbit.study.privacy.intervals import CONFIDENCE, binomial_bounds
from hushbit.study.privacy.sample import hamming_distances
from hushbit.study.privacy.targets import (
    Measured,
    Target,
    epsilon_for_target,
    words_of_crowds,
    words_on_codes,
    words_on_vectors,
)
from hushbit.toolchain.defaults import EXPORTED_EPSILON


@dataclass(frozen=True)
class Output:
    """One word that may come out."""

    word: str
    chance: float
    low: float
    """The lower end of the 95 % interval of this chance alone (Clopper and Pearson 1934); the chance itself where it is
    exact."""
    high: float


@dataclass(frozen=True)
class Becomes:
    """What one word becomes under one mechanism at one ε."""

    word: str
    mechanism: str
    """A name of `hushbit.study.names.ALL`."""
    epsilon: float
    """The ε per differing bit; for crowds it is per word, on vectors per unit of Euclidean distance."""
    share: float | None
    """The mean N_w over words that ε was chosen for, if it was."""
    unchanged: Output
    """The chance N_w of the word itself."""
    exact: bool
    """Whether chances are computed. Otherwise they are counted in `draws` draws."""
    draws: int
    outputs: list[Output]
    """The most common outputs. The word itself is among them if it is common enough."""
    others: float
    """The chance of all outputs that are not listed."""

    def document(self) -> dict[str, Any]:
        """The result as a JSON document."""
        return asdict(self)


@dataclass(frozen=True)
class Question:
    """What to look at. Raises InvalidArgumentError for what cannot be."""

    mechanisms: tuple[str, ...]
    """Names of `hushbit.study.names.ALL`."""
    shares: tuple[float, ...] = ()
    """Values of the mean N_w over words at which to look."""
    epsilons: tuple[float, ...] = ()
    """The ε at which to look, if there are no shares."""
    top: int = 5
    draws: int = 10_000
    """The number of draws of a word where chances are counted: for BRR and Madlib."""
    seed: int = 0
    beta: float = DEFAULTS.beta

    def __post_init__(self) -> None:
        unknown = [name for name in self.mechanisms if name not in ALL]
        if unknown or not self.mechanisms:
            raise InvalidArgumentError(
                f"there is no mechanism {', '.join(unknown) or 'named'}; there are: {', '.join(ALL)}"
            )
        if bool(self.shares) == bool(self.epsilons):
            raise InvalidArgumentError("give shares of unchanged words, or epsilons")


def becomes(
    bundle: Bundle,
    words: Sequence[str],
    question: Question,
    vectors: Vectors | None = None,
    progress: Progress = no_progress,
) -> tuple[list[Becomes], list[str]]:
    """The words that each word becomes, by word, then by share or ε, then by mechanism; and notes on what is
    impossible.

    Raises UnknownWordError for a word that is not in the vocabulary. `vectors` are for mechanisms on them.
    """
    ids = [bundle._require(word) for word in words]
    if vectors is None and set(question.mechanisms) & set(ON_VECTORS):
        raise InvalidArgumentError("Madlib and TEM on real vectors need the vectors that the bundle was made of")
    chosen, notes = _settings(bundle, question, vectors, progress)
    public = _public_of(bundle, words) if bundle.info.public_words else set()
    found = []
    for word, place in zip(words, ids, strict=True):
        if word in public:
            notes.append(f"'{word}' is a public word of the bundle: a privatizer releases it without noise")
        for share, name, mechanism in chosen:
            generator = np.random.default_rng([question.seed, ALL.index(name), place])
            found.append(_becomes(bundle, word, place, name, mechanism, share, question, generator))
    return found, notes


def distribution_of(mechanism: Mechanism, word: int) -> tuple[NDArray[np.uint32], NDArray[np.float64]] | None:
    """Ids of the words that may come out for a word, and their chances, exactly; None for BRR and Madlib.

    Theirs is a sum over all noise that leads to a word, which has no closed form.
    """
    if isinstance(mechanism, CrowdMechanism):
        channel = mechanism.channel
        return channel.outputs, channel.distribution(np.array([word], dtype=np.uint32))[0]
    if isinstance(mechanism, HammingTem):
        outputs = mechanism.bundle.output_words()
        own = mechanism.bundle.codes(mechanism.bundle.stand_ins(np.array([word], dtype=np.uint32)))[0]
        distances = hamming_distances(mechanism.bundle.codes(outputs), own)
        counts = np.bincount(distances, minlength=len(mechanism.weights))
        return outputs, word_chances(counts, mechanism.weights)[distances]
    if isinstance(mechanism, DistanceTem):
        chances = mechanism.distribution(np.array([word], dtype=np.uint32))[0]
        return np.arange(mechanism.words, dtype=np.uint32), chances
    return None


_Setting = tuple[float | None, str, Mechanism]


def _settings(
    bundle: Bundle, question: Question, vectors: Vectors | None, progress: Progress
) -> tuple[list[_Setting], list[str]]:
    """The settings by share or ε, then by mechanism, and notes on what is impossible."""
    native, beta, notes = bundle._native, question.beta, []
    steps = len(question.mechanisms) * max(1, len(question.shares))
    measured: dict[str, Measured] = {}
    settings: list[_Setting] = []
    unreachable: list[str] = []
    for i, share in enumerate(question.shares):
        for j, name in enumerate(question.mechanisms):
            if name not in measured:
                measured[name] = _measured(native, name, question, vectors)
            so_far = step_of(progress, i * len(question.mechanisms) + j, steps)
            try:
                epsilon = epsilon_for_target(measured[name], Target("unchanged", share), progress=so_far).epsilon
            except InvalidArgumentError as error:
                notes.append(f"{name} is not shown at {share:g} unchanged: {error}")
                if name in CROWDS and name not in unreachable:
                    unreachable.append(name)
                continue
            settings.append((share, name, _mechanism(native, name, epsilon, vectors, beta)))
    if unreachable:  # crowds keep few words at any epsilon, so they are shown at the one of exported bundles
        notes.append(f"{' and '.join(unreachable)} at epsilon {EXPORTED_EPSILON:g} per word instead")
        settings += [(None, name, _mechanism(native, name, EXPORTED_EPSILON, vectors, beta)) for name in unreachable]
    for epsilon in question.epsilons:
        settings += [(None, name, _mechanism(native, name, epsilon, vectors, beta)) for name in question.mechanisms]
    return settings, notes


def _measured(native: _core.Bundle, name: str, question: Question, vectors: Vectors | None) -> Measured:
    if name in CROWDS:
        return words_of_crowds(native, CROWDS[name], seed=question.seed)
    if vectors is not None and name in ON_VECTORS:
        return words_on_vectors(native, name, vectors, seed=question.seed, beta=question.beta)
    return words_on_codes(native, name, seed=question.seed, beta=question.beta)


def _mechanism(native: _core.Bundle, name: str, epsilon: float, vectors: Vectors | None, beta: float) -> Mechanism:
    if name in CROWDS:
        return CrowdMechanism(native, epsilon, CROWDS[name])
    if vectors is not None and name in ON_VECTORS:
        return Madlib(vectors, epsilon) if name == "madlib" else EuclideanTem(vectors, epsilon, beta)
    return Brr(native, epsilon) if name == "brr" else HammingTem(native, epsilon, beta)


def _becomes(
    bundle: Bundle,
    word: str,
    known_id: int,
    name: str,
    mechanism: Mechanism,
    share: float | None,
    question: Question,
    generator: np.random.Generator,
) -> Becomes:
    known = distribution_of(mechanism, known_id)
    if known is not None:
        ids, chances = known
        low = high = chances
    else:
        drawn = mechanism.replace(np.full(question.draws, known_id, dtype=np.uint32), generator=generator)
        ids, counts = np.unique(np.append(drawn, known_id), return_counts=True)  # itself too, if it never came out
        counts[ids == known_id] -= 1
        chances = counts / question.draws
        low, high = binomial_bounds(counts, question.draws, (1 + CONFIDENCE) / 2)

    def output(place: int) -> Output:
        return Output(bundle.word(int(ids[place])), float(chances[place]), float(low[place]), float(high[place]))

    order = [place for place in np.lexsort((ids, -chances))[: question.top].tolist() if chances[place] > 0]
    own = np.flatnonzero(ids == known_id).tolist()
    return Becomes(
        word=word,
        mechanism=name,
        epsilon=mechanism.epsilon,
        share=share,
        unchanged=output(own[0]) if own else Output(word, 0.0, 0.0, 0.0),
        exact=known is not None,
        draws=0 if known is not None else question.draws,
        outputs=[output(place) for place in order],
        others=max(0.0, 1 - float(chances[order].sum())),
    )


def _public_of(bundle: Bundle, words: Sequence[str]) -> set[str]:
    """The words that are public: their release counts one."""
    privatizer = bundle.privatizer(epsilon=0.0)
    return {word for word in words if privatizer.privatize(word).cost.public_words > 0}
