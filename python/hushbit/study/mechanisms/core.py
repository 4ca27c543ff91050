"""The mechanisms of the core, the same as on phones: their common base, BRR, and TEM over Hamming distance."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hushbit import _core, _core_testing
from hushbit._options import DEFAULTS, CrowdSize
from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms.base import Ids

_BATCH = 256  # words in one call of the core: at most some tenths of a second, so that an interrupt takes effect
SEED_BYTES = 32
UNKNOWN = 2**32 - 1
"""The number that stands in place of a word id for a token outside the vocabulary."""
_SECTIONS = {"rows": "codes", "clusters": "clusters", "mih": "mih"}


@dataclass(frozen=True)
class Release:
    """The release of each token of a text that was privatized with a seed."""

    inputs: Ids
    """(count,): the typed words; UNKNOWN for a token outside the vocabulary."""
    outputs: Ids
    """(count,): the replacements; UNKNOWN for a replacement outside the vocabulary."""
    noisy: NDArray[np.uint8]
    """(count, bits / 8): the noisy codes of BRR; empty for other mechanisms."""


def ids_of(words: Iterable[int | None]) -> Ids:
    """An array of word ids, with UNKNOWN in place of None."""
    return np.array([UNKNOWN if word is None else word for word in words], dtype=np.uint32)


class CoreMechanism:
    """A mechanism of the core, for one bundle.

    Raises InvalidArgumentError for an ε that is negative, NaN or infinite, and a β outside (0, 1).
    """

    name = ""

    def __init__(
        self, bundle: _core.Bundle, epsilon: float, beta: float = DEFAULTS.beta, crowd_size: CrowdSize | None = None
    ) -> None:
        self.bundle = bundle
        self.beta = float(beta)
        self._privatizer = _core.Privatizer(
            bundle,
            mechanism=self.name,
            epsilon=float(epsilon),
            beta=self.beta,
            crowd_size=crowd_size,
            allow_unchanged=True,
        )
        self.info = self._privatizer.info()

    @property
    def epsilon(self) -> float:
        """The ε per differing bit, or per word for crowds. It is computed from the integers and at most the requested
        ε.
        """
        return self.info.effective_epsilon

    @property
    def privatizer(self) -> _core.Privatizer:
        """The privatizer of the core that releases text."""
        return self._privatizer

    def replace(
        self, words: Ids, *, generator: np.random.Generator | None = None, progress: Progress = no_progress
    ) -> Ids:
        """Draws a replacement for each of `words`, (count,). A generator has the same outcome on any machine."""
        batches = [words[first : first + _BATCH] for first in range(0, len(words), _BATCH)]
        seeds = [None if generator is None else generator.bytes(SEED_BYTES) for _ in batches]
        jobs = list(zip(batches, seeds, strict=True))
        outputs = np.empty(len(words), dtype=np.uint32)
        with in_parallel(lambda job: _core_testing.replace(self._privatizer, *job), jobs) as results:
            for i, result in enumerate(results):
                outputs[i * _BATCH : i * _BATCH + len(result)] = result
                progress(min(len(words), (i + 1) * _BATCH), len(words), self.name)
        return outputs

    def is_public(self, words: Ids) -> NDArray[np.bool_]:
        """(count,): which words a privatizer of the bundle releases as typed. `replace` replaces them like others."""
        return _core.is_public(self.bundle, words)

    def release(self, text: bytes, seed: bytes, search: str = "auto") -> Release:
        """Privatizes a text with the keystream of a seed. Every token gets noise, including punctuation."""
        privatizer = _core.Privatizer(
            self.bundle,
            mechanism=self.name,
            epsilon=self.info.requested_epsilon,
            beta=self.beta,
            punctuation="privatize",
            search=search,
            crowd_size=self.info.crowd_size,
            allow_unchanged=True,
        )
        result = _core_testing.privatize(privatizer, text, seed)
        words = [result.text[token.output_begin : token.output_end] for token in result.tokens]
        return Release(
            ids_of(token.word for token in result.tokens), ids_of(map(self.bundle.find, words)), result.noisy_codes
        )


class Brr(CoreMechanism):
    """Randomized response on the bits of a code, then the nearest word (Carvalho et al. 2021, Algorithm 3)."""

    name = "brr"

    @property
    def flip_chance(self) -> Fraction:
        """The probability that a bit flips, exactly."""
        return Fraction(self.info.flip_threshold, 1 << 64)

    @property
    def searches(self) -> list[str]:
        """The searches that the bundle supports. The default choice comes first."""
        sections = {section.name for section in self.bundle.sections()}
        return ["auto", *(search for search, section in _SECTIONS.items() if section in sections)]

    def nearest(self, codes: NDArray[np.uint8], search: str) -> tuple[Ids, Ids, Ids]:
        """The same as `nearest` of the core, planned for this noise."""
        return _core.nearest(self.bundle, codes, search, float(self.flip_chance) * 8 * codes.shape[1])


class HammingTem(CoreMechanism):
    """The truncated exponential mechanism on Hamming distance (Carvalho et al. 2023, Algorithms 2 and 3)."""

    name = "tem"

    @cached_property
    def weights(self) -> NDArray[np.uint64]:
        """The table of weights, (bits + 1,): a word at distance d has a probability proportional to weights[d]."""
        return _core.weights(self._privatizer)
