"""Figures from draws: `outputs` is (measured words, draws), ids. What takes a `Sample` is for mechanisms on codes."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids, Mechanism
from hushbit.study.privacy.figures import RELEASES, Mean, share_of
from hushbit.study.privacy.sample import Sample, hamming_distances

_BATCH = 64
_GROUPS = 3  # groups of releases in which each word is attacked


def drawn(
    mechanism: Mechanism, ids: Ids, draws: int, generator: np.random.Generator, progress: Progress = no_progress
) -> Ids:
    """The outputs of a mechanism: (len(ids), draws)."""
    return mechanism.replace(np.repeat(ids, draws), generator=generator, progress=progress).reshape(len(ids), draws)


def distances_of(bundle: _core.Bundle, sample: Sample, outputs: Ids) -> NDArray[np.int64]:
    """The distance of each output from its word, (words, draws)."""
    rows = [
        hamming_distances(bundle.codes(row).reshape(1, len(row), -1), code)[0]
        for row, code in zip(outputs, sample.codes, strict=True)
    ]
    return np.stack(rows)


def unchanged(ids: Ids, outputs: Ids) -> NDArray[np.float64]:
    """N_w, (words,)."""
    return np.asarray((outputs == ids[:, None]).mean(axis=1))


def distinct(outputs: Ids) -> NDArray[np.float64]:
    """S_w: the distinct outputs of each word's draws, (words,)."""
    ordered = np.sort(outputs, axis=1)
    return np.asarray(1.0 + np.count_nonzero(np.diff(ordered, axis=1), axis=1))


def support(outputs: Ids, eta: float) -> NDArray[np.float64]:
    """The smallest number of distinct outputs that cover 1 - η of the draws, (words,).

    Few draws can show only a small support.
    """
    needed = (1 - eta) * outputs.shape[1]
    sizes = np.empty(len(outputs))
    for i, row in enumerate(outputs):
        often = np.sort(np.unique(row, return_counts=True)[1])[::-1]
        sizes[i] = 1 + np.searchsorted(np.cumsum(often), needed - 1e-9)
    return sizes


def near(sample: Sample, distances: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """The share of outputs among the k nearest, (words,)."""
    return np.asarray(np.take_along_axis(sample.near(k), distances, axis=1).mean(axis=1))


def tie_share(
    bundle: _core.Bundle, sample: Sample, flip_probability: float, draws: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """The share of noisy codes that are equally near to several words, (words,), from noise of its own."""
    flips = generator.random((len(sample.codes), draws, sample.bits), dtype=np.float32) < flip_probability
    noisy = sample.codes[:, None] ^ np.packbits(flips, axis=2, bitorder="little")
    _, ties = nearest(bundle, noisy.reshape(-1, noisy.shape[2]))
    return np.asarray((ties.reshape(len(sample.codes), draws) > 1).mean(axis=1))


def nearest(bundle: _core.Bundle, codes: NDArray[np.uint8]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The distances of the nearest words of codes (count, bits / 8), and the number of words at this distance."""
    batches = [codes[first : first + _BATCH] for first in range(0, len(codes), _BATCH)]
    with in_parallel(bundle.nearest, batches) as results:
        answers = list(results)
    return np.concatenate([answer[0] for answer in answers]), np.concatenate([answer[1] for answer in answers])


# ---- Attacks on repeated releases

Attack = Callable[[Ids], NDArray[np.float64]]
"""A function of the releases of each word, (words, releases), that returns the chance that each is guessed, (words,).
"""


def recovered(outputs: Ids, attacks: Sequence[Attack]) -> dict[int, Mean]:
    """How often words are guessed from k releases, for each k of `RELEASES` that there are draws for.

    The attack is the one that does best at that k, over several groups of each word's draws.
    """
    found = {}
    for releases in (k for k in RELEASES if k <= outputs.shape[1]):
        groups = min(_GROUPS, outputs.shape[1] // releases)
        parts = [outputs[:, group * releases : (group + 1) * releases] for group in range(groups)]
        by_attack = np.mean([[attack(part) for attack in attacks] for part in parts], axis=0)
        found[releases] = share_of(by_attack[np.argmax(by_attack.mean(axis=1))])
    return found


def guessed_by_plurality(ids: Ids, outputs: Ids) -> NDArray[np.float64]:
    """The probability that the true word is the most frequent output, with random tie-breaks, (words,)."""
    guessed = np.zeros(len(outputs))
    for i, (word, row) in enumerate(zip(ids, outputs, strict=True)):
        different, times = np.unique(row, return_counts=True)
        top = different[times == times.max()]
        guessed[i] = (top == word).any() / len(top)
    return guessed


def guessed_by_majority(
    bundle: _core.Bundle, sample: Sample, outputs: Ids, generator: np.random.Generator
) -> NDArray[np.float64]:
    """The same for the word nearest to the bitwise majority of the outputs' codes."""
    releases = outputs.shape[1]
    codes = bundle.codes(outputs.reshape(-1)).reshape(len(outputs), releases, -1)
    ones = np.unpackbits(codes, axis=2, bitorder="little").sum(axis=1, dtype=np.int64)
    lot = generator.integers(2, size=ones.shape)
    majority = np.packbits(2 * ones + lot > releases, axis=1, bitorder="little")
    found, ties = nearest(bundle, majority)
    return np.asarray((hamming_distances(majority, sample.codes) == found) / ties)


def guessed_by_mean(vectors: NDArray[np.float32], ids: Ids, outputs: Ids) -> NDArray[np.float64]:
    """The same for the word whose vector is nearest to the mean of the outputs' vectors, (words,)."""
    means = vectors[outputs].mean(axis=1, dtype=np.float64).astype(np.float32)
    guesses = np.empty(len(ids), dtype=np.intp)
    squares = np.einsum("ij,ij->i", vectors, vectors)
    for first in range(0, len(ids), _BATCH):
        block = means[first : first + _BATCH]
        guesses[first : first + len(block)] = np.argmin(squares - 2 * (block @ vectors.T), axis=1)
    return np.asarray(guesses == ids, dtype=np.float64)
