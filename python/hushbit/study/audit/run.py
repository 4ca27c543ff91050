"""The checks that belong to each mechanism."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import CrowdSize
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.audit.check import Check
from hushbit.study.audit.crowds import chances_of, check_lambda, check_shares, check_stand_ins, sampled_words
from hushbit.study.audit.draws import check_distribution, check_ratios
from hushbit.study.audit.exact import (
    brr_distribution,
    check_closed_form,
    check_coin,
    check_enumeration,
    check_euclidean,
    check_table,
)
from hushbit.study.audit.madlib_noise import check_noise
from hushbit.study.audit.recompute import Codes
from hushbit.study.audit.releases import check_brr, check_coins, check_crowds, check_tem, draw_texts
from hushbit.study.audit.vocabulary import MAX_BITS, Small, draw_small
from hushbit.study.mechanisms.core import Brr, HammingTem
from hushbit.study.mechanisms.crowd import CrowdMechanism
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.mechanisms.truncated_exponential import word_chances
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.privacy.sample import Sample, draw_sample

_MOST_COMPARED = 2e10  # codes that draws of pairs may compare if every draw compares all words: some minutes
_LEAST_DRAWS = 100
_SAMPLED = 500  # words among which the closest pairs are searched


@dataclass(frozen=True)
class AuditOptions:
    """How much to check. Raises InvalidArgumentError for impossible values."""

    words: int = 24
    """Words of the small vocabulary, or for crowds of the bundle."""
    bits: int = 12
    """The number of bits of its codes, 1 to 16."""
    draws: int = 4000
    """Draws for each of its words, and for each pair on the full bundle."""
    pairs: int = 20
    tokens: int = 4000
    """Tokens whose release on the full bundle is recomputed."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= MAX_BITS:
            raise InvalidArgumentError(f"{self.bits} bits cannot be enumerated; choose 1 to {MAX_BITS}")
        if self.words < 2 or self.draws < 1 or self.pairs < 1 or self.tokens < 1 or self.seed < 0:
            raise InvalidArgumentError(
                "words must be 2 or more; draws, pairs and tokens must be 1 or more; the seed must be 0 or more"
            )


def audit_brr(
    bundle: _core.Bundle,
    epsilon: float,
    options: AuditOptions,
    make: Callable[[_core.Bundle, float], Brr] = Brr,
    progress: Progress = no_progress,
) -> list[Check]:
    """Checks BRR. `make` builds the mechanism for a bundle and an ε."""
    generator = np.random.default_rng(options.seed)
    small = draw_small(bundle, options.words, min(options.bits, bundle.info().bits), generator)
    whole, few, codes = make(bundle, epsilon), make(small.bundle, epsilon), Codes(bundle)
    texts = draw_texts(bundle, options.tokens, generator, codes)
    return [
        check_coin(whole),
        check_enumeration(few, small),
        check_distribution(few, brr_distribution(small, float(few.flip_chance)), options.draws, generator),
        *check_brr(whole, codes, texts, progress),
        *check_coins(whole, codes, options.tokens, generator, progress),
        _check_pairs(whole, codes, options, len(whole.searches) == 2, generator, progress),
    ]


def audit_tem(
    bundle: _core.Bundle,
    epsilon: float,
    beta: float,
    options: AuditOptions,
    make: Callable[[_core.Bundle, float, float], HammingTem] = HammingTem,
    progress: Progress = no_progress,
) -> list[Check]:
    """Checks TEM over Hamming distance."""
    generator = np.random.default_rng(options.seed)
    small = draw_small(bundle, options.words, min(options.bits, bundle.info().bits), generator)
    whole, few, codes = make(bundle, epsilon, beta), make(small.bundle, epsilon, beta), Codes(bundle)
    return [
        check_table(whole),
        check_closed_form(whole, bundle, 2 * options.words, generator),
        check_distribution(few, _tem_distribution(few, small), options.draws, generator),
        check_tem(whole, codes, draw_texts(bundle, options.tokens, generator), progress),
        _check_pairs(whole, codes, options, True, generator, progress),
    ]


def audit_crowds(
    bundle: _core.Bundle,
    epsilon: float,
    size: CrowdSize | None,
    options: AuditOptions,
    make: Callable[[_core.Bundle, float, CrowdSize | None], CrowdMechanism] = CrowdMechanism,
    progress: Progress = no_progress,
) -> list[Check]:
    """Checks crowds: exactly, on the whole bundle, and by draws of some of its words."""
    generator = np.random.default_rng(options.seed)
    crowds = make(bundle, epsilon, size)
    words = sampled_words(bundle, options.words, generator)
    exact = [check_lambda(crowds), check_shares(crowds, progress), check_stand_ins(crowds, words)]
    texts = draw_texts(bundle, options.tokens, generator)
    if not exact[1].passed:
        return exact  # there is no distribution for a comparison
    chances = chances_of(crowds.channel, words, bundle.info().words)
    return [
        *exact,
        check_distribution(crowds, chances, options.draws, generator, words),
        check_crowds(crowds, texts, progress),
    ]


def audit_madlib(
    vectors: Vectors,
    epsilon: float,
    options: AuditOptions,
    make: Callable[[Vectors, float], Madlib] = Madlib,
    progress: Progress = no_progress,
) -> list[Check]:
    """Checks Madlib's noise, and its likelihood ratios for neighbors."""
    generator = np.random.default_rng(options.seed)
    madlib = make(vectors, epsilon)
    checks = check_noise(madlib.noise(5 * options.draws, generator), epsilon)
    pairs, distances = _close_vectors(vectors, options.pairs, generator)
    return [*checks, check_ratios(madlib, pairs, distances, options.draws, generator, progress)]


def audit_euclidean_tem(
    vectors: Vectors,
    epsilon: float,
    beta: float,
    options: AuditOptions,
    make: Callable[[Vectors, float, float], EuclideanTem] = EuclideanTem,
) -> list[Check]:
    """Checks TEM over Euclidean distance on a small vocabulary, in closed form and by draws."""
    generator = np.random.default_rng(options.seed)
    few = vectors[np.sort(generator.choice(len(vectors), min(10 * options.words, len(vectors)), replace=False))]
    tem = make(few, epsilon, beta)
    fewer = few[: options.words]
    small = make(fewer, epsilon, beta)
    exact = small.distribution(np.arange(len(fewer), dtype=np.uint32))
    return [check_euclidean(tem, few), check_distribution(small, exact, options.draws, generator)]


def _tem_distribution(tem: HammingTem, small: Small) -> NDArray[np.float64]:
    distances = small.distances
    counts = np.stack([np.bincount(row, minlength=len(tem.weights)) for row in distances])
    return np.asarray(np.take_along_axis(word_chances(counts, tem.weights), distances, axis=1))


def _check_pairs(
    mechanism: Brr | HammingTem,
    codes: Codes,
    options: AuditOptions,
    compares_all: bool,
    generator: np.random.Generator,
    progress: Progress,
) -> Check:
    """Tests likelihood ratios on the full bundle, for pairs of words where the bound is tight.

    Half of the pairs share a code, if there are such pairs; the others are the closest that were found. There are fewer
    draws than requested if each draw `compares_all` words and there are many words.
    """
    bundle = mechanism.bundle
    sample = draw_sample(bundle, _SAMPLED, generator, progress)
    twins = generator.permutation(codes.twins)[: options.pairs // 2]
    pairs, distances = _close_words(bundle, sample, options.pairs - len(twins))
    pairs, distances = np.concatenate([twins, pairs]), np.concatenate([np.zeros(len(twins)), distances])
    draws = options.draws
    if compares_all:
        affordable = int(_MOST_COMPARED / (4 * len(pairs) * bundle.info().words))
        draws = min(draws, max(affordable, _LEAST_DRAWS))
    return check_ratios(mechanism, pairs, distances, draws, generator, progress)


def _close_words(bundle: _core.Bundle, sample: Sample, count: int) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """The closest pairs of a sampled word and another word: ids (count, 2), distances (count,)."""
    found = []
    for word, code in zip(sample.ids.tolist(), sample.codes, strict=True):
        ids, distances = bundle.neighbors(code, min(2, bundle.info().words))
        for other, distance in zip(ids.tolist(), distances.tolist(), strict=True):
            if other != word:
                found.append((distance, word, other))
    closest = sorted(found)[:count] or [(0, int(sample.ids[0]), int(sample.ids[0]))]
    return (
        np.array([pair[1:] for pair in closest], dtype=np.uint32),
        np.array([pair[0] for pair in closest], dtype=np.float64),
    )


def _close_vectors(
    vectors: Vectors, count: int, generator: np.random.Generator
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Sampled words and the word nearest to each."""
    if len(vectors) == 1:
        return np.zeros((1, 2), dtype=np.uint32), np.zeros(1)
    ids = generator.choice(len(vectors), min(count, len(vectors)), replace=False)
    found = []
    for word in ids:
        distances = np.linalg.norm(vectors.astype(np.float64) - vectors[word], axis=1)
        distances[word] = np.inf
        found.append((int(distances.argmin()), float(distances.min())))
    pairs = np.stack([ids, [other for other, _ in found]], axis=1).astype(np.uint32)
    return pairs, np.array([distance for _, distance in found])
