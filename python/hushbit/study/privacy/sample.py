"""Words sampled from a bundle, and their surroundings: everything that figures need and that does not depend on ε."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids

_BATCH = 32


@dataclass(frozen=True)
class Sample:
    """Draws `count` words without repetition; all of them if the bundle has no more."""

    ids: Ids
    """(count,), ascending."""
    codes: NDArray[np.uint8]
    """(count, bits / 8)"""
    counts: NDArray[np.uint32]
    """(count, bits + 1): the number of output words at each distance from each sampled word, including itself."""

    @property
    def bits(self) -> int:
        """The number of bits of a code."""
        return int(self.codes.shape[1]) * 8

    def near(self, k: int) -> NDArray[np.float64]:
        """The probability that a word at a distance is among the `k` nearest, (count, bits + 1).

        It is below 1 only at the distance of the k-th word, where ties are broken at random.
        """
        closer = np.cumsum(self.counts, axis=1) - self.counts
        return np.clip((k - closer.astype(np.float64)) / np.maximum(self.counts, 1), 0, 1)


def draw_sample(
    bundle: _core.Bundle, count: int, generator: np.random.Generator, progress: Progress = no_progress
) -> Sample:
    """Samples output words uniformly: the other words are released like one of these."""
    return sample_of(bundle, draw_words(bundle, count, generator), progress)


def draw_words(bundle: _core.Bundle, count: int, generator: np.random.Generator) -> Ids:
    """Draws `count` output words without repetition, ascending; all if there are no more."""
    outputs = bundle.output_words()
    if count >= len(outputs):
        return outputs
    return outputs[np.sort(generator.choice(len(outputs), count, replace=False))]


def sample_of(bundle: _core.Bundle, ids: Ids, progress: Progress = no_progress) -> Sample:
    """Chosen words instead of sampled words; `ids` are ascending."""
    codes = bundle.codes(ids)
    batches = [codes[first : first + _BATCH] for first in range(0, len(codes), _BATCH)]
    rows = []
    with in_parallel(partial(_core.distance_counts, bundle), batches) as results:
        for row in results:
            rows.append(row)
            progress(sum(map(len, rows)), len(codes), "distances of words")
    return Sample(ids, codes, np.concatenate(rows))


def hamming_distances(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Hamming distances of codes (…, bits / 8) whose leading shapes broadcast."""
    return np.asarray(np.bitwise_count(a ^ b).sum(axis=-1, dtype=np.int64))
