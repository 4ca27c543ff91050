"""Output distributions without sampling: BRR by enumeration, TEM in closed form."""

import math
from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit.study.audit.check import Check, bound_check, worst_excess
from hushbit.study.audit.vocabulary import Small
from hushbit.study.mechanisms.core import Brr, HammingTem
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.truncated_exponential import epsilon_of_weights, truncation_distance
from hushbit.study.mechanisms.vectors import Vectors
from hushbit.study.privacy.sample import hamming_distances

_BLOCK_CODES = 1 << 13
_DIGITS = 60
_LARGEST, _LEAST = 2.0**62, 2.0**12  # the bound on the weights of TEM


def brr_distribution(small: Small, flip: float) -> NDArray[np.float64]:
    """Pr[M(w)=y] for every w and y of a small vocabulary, (words, words): the sum over all 2^n noisy codes."""
    words, bits = small.bits.shape
    found = np.zeros((words, words))
    for first in range(0, 1 << bits, _BLOCK_CODES):
        noisy = np.arange(first, min(1 << bits, first + _BLOCK_CODES))
        noisy_bits = (noisy[:, None] >> np.arange(bits) & 1).astype(np.uint8)
        distances = (noisy_bits[:, None] != small.bits[None]).sum(axis=2)
        ties = distances == distances.min(axis=1, keepdims=True)
        chances = flip**distances * (1 - flip) ** (bits - distances)
        found += chances.T @ (ties / ties.sum(axis=1, keepdims=True))
    return found


def check_coin(brr: Brr) -> Check:
    """Whether the flip probability gives at most the claimed ε, and the claimed ε is at most the requested one."""
    flip = brr.flip_chance
    with localcontext(prec=_DIGITS):
        real = (Decimal(flip.denominator - flip.numerator) / Decimal(flip.numerator)).ln()
        passed = real <= Decimal(brr.epsilon) <= Decimal(brr.info.requested_epsilon)
    return Check(
        "coin",
        passed,
        f"a bit flips with {float(flip):.9f}, which gives ε {real:.9f}; claimed {brr.epsilon:.9f}",
        "any claim that is too small",
        0.0,
        1.0,
        "whether bits flip with this probability",
    )


def check_enumeration(brr: Brr, small: Small) -> Check:
    """Checks the promise of BRR on a small vocabulary, and its coin."""
    chances = brr_distribution(small, float(brr.flip_chance))
    excess = worst_excess(chances, small.distances.astype(np.float64), brr.epsilon)
    words, bits = small.bits.shape
    return bound_check("enumeration", excess, f"{words} words on {bits} bits")


def check_table(tem: HammingTem) -> Check:
    """Checks the promise of TEM from its integers, and that they are built as docs/proofs.md says."""
    weights = tem.weights
    real = epsilon_of_weights(weights)
    sound = bool((weights[:-1] >= weights[1:]).all() and (weights > 0).all())
    truncated = bool((weights[tem.info.gamma :] == weights[-1]).all())
    built = built_as_proved(weights.tolist(), tem.info.requested_epsilon, tem.beta, len(tem.bundle.output_words()))
    passed = sound and truncated and built and real <= tem.epsilon * (1 + 1e-12) + 1e-15
    origin = "by the recurrence of docs/proofs.md" if built else "NOT by the recurrence of docs/proofs.md"
    return Check(
        "table",
        passed,
        f"{len(weights)} weights, {origin}, give ε {real:.9f}; claimed {tem.epsilon:.9f}",
        "one weight off by one",
        1.0,
        1.0,
        "whether draws use these weights",
    )


def built_as_proved(weights: list[int], epsilon: float, beta: float, words: int) -> bool:
    """Whether v(d) = max(v(d + 1), ⌊v(d + 1)·f⌋) below γ, and all weights are equal beyond.

    γ, f and the last weight may differ by the rounding of exp and log on some machine, f by at most 2 units in the last
    place, so it stays below e^(ε/2).
    """
    bits = len(weights) - 1
    reach = min(float(bits), truncation_distance(epsilon, beta, words))
    return any(
        _follows(weights, gamma, epsilon) for gamma in {math.ceil(reach * (1 - 1e-15)), math.ceil(reach * (1 + 1e-15))}
    )


def _follows(weights: list[int], gamma: int, epsilon: float) -> bool:
    if gamma >= len(weights):
        return False
    step = min(epsilon / 2, math.log(_LARGEST / _LEAST) / gamma if gamma else 0.0)
    last = _LARGEST * 0.99 * math.exp(-step * gamma)
    if abs(weights[-1] - last) > 1e-13 * last + 1 or len(set(weights[gamma:])) > 1:
        return False
    factor = math.exp(step) * (1 - 2.0**-50)
    return any(
        all(a == max(b, int(float(b) * (factor + ulps * math.ulp(factor)))) for a, b in pairwise(weights[: gamma + 1]))
        for ulps in range(-2, 3)
    )


def check_closed_form(tem: HammingTem, bundle: _core.Bundle, words: int, generator: np.random.Generator) -> Check:
    """Checks the promise of TEM between sampled words, for every output of the bundle."""
    count = bundle.info().words
    ids = generator.choice(count, min(words, count), replace=False).astype(np.uint32)
    codes, everything = bundle.codes(bundle.stand_ins(ids)), bundle.codes(bundle.output_words())
    scale = tem.weights.astype(np.float64) / float(tem.weights[0])
    chances = np.stack([scale[hamming_distances(everything, code)] for code in codes])
    chances /= chances.sum(axis=1, keepdims=True)
    distances = hamming_distances(codes[:, None], codes[None]).astype(np.float64)
    return bound_check("closed form", worst_excess(chances, distances, tem.epsilon), f"{len(ids)} of {count:,} words")


def check_euclidean(tem: EuclideanTem, vectors: Vectors) -> Check:
    """Checks the promise of Euclidean TEM between all words of the small vocabulary for which it was made."""
    ids = np.arange(len(vectors), dtype=np.uint32)
    wide = vectors.astype(np.float64)
    distances = np.sqrt(((wide[:, None] - wide[None]) ** 2).sum(axis=2))
    # Its distances are of single precision.
    excess = worst_excess(tem.distribution(ids), distances, tem.epsilon) - 1e-4 * tem.epsilon
    return bound_check("closed form", excess, f"{len(vectors)} words on real vectors")
