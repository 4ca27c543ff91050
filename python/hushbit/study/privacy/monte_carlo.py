"""BRR's figures from draws of the core: `outputs` is (words of the sample, draws), ids."""

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._parallel import in_parallel
from hushbit.study.mechanisms.base import Ids
from hushbit.study.privacy.sample import Sample, hamming_distances

_BATCH = 64


def distances_of(bundle: _core.Bundle, sample: Sample, outputs: Ids) -> NDArray[np.int64]:
    """Of each output to its word, (words, draws)."""
    rows = [
        hamming_distances(bundle.codes(row).reshape(1, len(row), -1), code)[0]
        for row, code in zip(outputs, sample.codes, strict=True)
    ]
    return np.stack(rows)


def unchanged(sample: Sample, outputs: Ids) -> NDArray[np.float64]:
    """N_w, (words,)."""
    return np.asarray((outputs == sample.ids[:, None]).mean(axis=1))


def distinct(outputs: Ids) -> NDArray[np.float64]:
    """S_w: the distinct outputs of each word's draws, (words,)."""
    ordered = np.sort(outputs, axis=1)
    return np.asarray(1.0 + np.count_nonzero(np.diff(ordered, axis=1), axis=1))


def support(outputs: Ids, eta: float) -> NDArray[np.float64]:
    """The fewest distinct outputs that hold 1 - η of the draws, (words,). Few draws can only show a small support."""
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
    """The distances of the nearest words of codes (count, bits / 8), and how many words tie there."""
    batches = [codes[first : first + _BATCH] for first in range(0, len(codes), _BATCH)]
    with in_parallel(bundle.nearest, batches) as results:
        answers = list(results)
    return np.concatenate([answer[0] for answer in answers]), np.concatenate([answer[1] for answer in answers])


# ---- Attacks on repeated releases


def guessed_by_plurality(sample: Sample, outputs: Ids) -> NDArray[np.float64]:
    """The chance that the true word is guessed as the output that came most often, by lot if several did, (words,)."""
    guessed = np.zeros(len(outputs))
    for i, (word, row) in enumerate(zip(sample.ids, outputs, strict=True)):
        different, times = np.unique(row, return_counts=True)
        top = different[times == times.max()]
        guessed[i] = (top == word).any() / len(top)
    return guessed


def guessed_by_majority(
    bundle: _core.Bundle, sample: Sample, outputs: Ids, generator: np.random.Generator
) -> NDArray[np.float64]:
    """The same for the word nearest to the majority of each bit of the outputs' codes."""
    releases = outputs.shape[1]
    codes = bundle.codes(outputs.reshape(-1)).reshape(len(outputs), releases, -1)
    ones = np.unpackbits(codes, axis=2, bitorder="little").sum(axis=1, dtype=np.int64)
    lot = generator.integers(2, size=ones.shape)
    majority = np.packbits(2 * ones + lot > releases, axis=1, bitorder="little")
    found, ties = nearest(bundle, majority)
    return np.asarray((hamming_distances(majority, sample.codes) == found) / ties)
