"""BRR and TEM over Hamming distance, as the core does them on phones too."""

from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import DEFAULTS
from hushbit._parallel import in_parallel
from hushbit._progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids

_BATCH = 256  # words asked of the core at once: some tenths of a second at worst, so that an interrupt is heard
SEED_BYTES = 32


class CoreMechanism:
    """A mechanism of the core, bound to a bundle.

    Raises InvalidArgumentError for an ε that is negative, NaN or infinite, and a β outside (0, 1).
    """

    name = ""

    def __init__(self, bundle: _core.Bundle, epsilon: float, beta: float = DEFAULTS.beta) -> None:
        self.bundle = bundle
        self._privatizer = _core.Privatizer(bundle, mechanism=self.name, epsilon=float(epsilon), beta=float(beta))
        self.info = self._privatizer.info()

    @property
    def epsilon(self) -> float:
        """Per differing bit, read off the integers: never more than was asked for."""
        return self.info.effective_epsilon

    def replace(
        self, words: Ids, *, generator: np.random.Generator | None = None, progress: Progress = no_progress
    ) -> Ids:
        """Draws a replacement for each of `words`, (count,). The same generator, the same outcome on any machine."""
        batches = [words[first : first + _BATCH] for first in range(0, len(words), _BATCH)]
        seeds = [None if generator is None else generator.bytes(SEED_BYTES) for _ in batches]
        jobs = list(zip(batches, seeds, strict=True))
        outputs = np.empty(len(words), dtype=np.uint32)
        with in_parallel(lambda job: self._privatizer.replace(*job), jobs) as results:
            for i, result in enumerate(results):
                outputs[i * _BATCH : i * _BATCH + len(result)] = result
                progress(min(len(words), (i + 1) * _BATCH), len(words), self.name)
        return outputs


class Brr(CoreMechanism):
    """Randomized response on the bits of a code, then the nearest word (Carvalho et al. 2021, Algorithm 3)."""

    name = "brr"

    @property
    def flip_chance(self) -> Fraction:
        """The probability that a bit flips, exactly."""
        return Fraction(self.info.flip_threshold, 1 << 64)


class HammingTem(CoreMechanism):
    """The truncated exponential mechanism on Hamming distance (Carvalho et al. 2023, Algorithms 2 and 3)."""

    name = "tem"

    @cached_property
    def weights(self) -> NDArray[np.uint64]:
        """The table that it draws by: a word at distance d with probability proportional to weights[d]; (bits + 1,)."""
        return self._privatizer.weights()
