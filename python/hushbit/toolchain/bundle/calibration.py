"""The default ε of a bundle, at which words stay unchanged about half of the time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import DEFAULTS, CrowdSize
from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, no_progress

TARGET = 0.5
SAMPLE = 1000
_MAX_EPSILON = 20.0
_MAX_CROWD_EPSILON = 40.0  # every draw is from the crowd
_STEPS = 13  # narrows epsilon to 20 / 2^13, well below the precision of the sample
_BATCH = 25
_DECIMALS = 3


@dataclass(frozen=True)
class Calibration:
    """An ε and the measurement at this ε."""

    epsilon: float
    """The ε in the unit of the mechanism."""
    unchanged: float
    """N_w, the probability that the mechanism returns the word itself, averaged over sampled words."""
    sample: int
    """The number of sampled words."""
    note: str | None = None
    """Set if the target share cannot be reached."""


class UnchangedShare:
    """Estimates the mean N_w of BRR as a function of ε.

    Words and the uniform numbers that determine their bits are drawn once, from the seed, and used for every ε (common
    random numbers). So two values of ε are compared without the noise between two samples. Words that tie at the
    minimum count with the probability that they are picked.
    """

    def __init__(self, bundle: _core.Bundle, seed: int, sample: int = SAMPLE) -> None:
        info = bundle.info()
        generator = np.random.Generator(np.random.PCG64(seed))
        self.sample = sample
        self._bundle = bundle
        outputs = bundle.output_words()
        self._codes = bundle.codes(outputs[generator.integers(len(outputs), size=sample, dtype=np.uint32)])
        self._uniform = generator.random((sample, info.bits))

    def __call__(self, epsilon: float) -> float:
        """The estimate at an ε per differing bit."""
        with np.errstate(over="ignore"):  # a large epsilon has an infinite power, and flips nothing
            probability = 1 / (1 + np.exp(epsilon))
        return self._share(self._uniform < probability)

    def without_noise(self) -> float:
        """The limit for a large ε: below 1 if words share their codes."""
        return self._share(np.zeros_like(self._uniform, dtype=np.bool_))

    def _share(self, flips: NDArray[np.bool_]) -> float:
        noisy = self._codes ^ np.packbits(flips, axis=1, bitorder="little")
        batches = [noisy[first : first + _BATCH] for first in range(0, len(noisy), _BATCH)]
        with in_parallel(self._bundle.nearest, batches) as values:
            answers = list(values)
        distances = np.concatenate([answer[0] for answer in answers])
        ties = np.concatenate([answer[1] for answer in answers])
        unchanged = distances == flips.sum(axis=1)
        return float(np.mean(unchanged / ties))


class TemShare:
    """Computes the mean N_w of TEM as a function of ε, exactly for each of the sampled words.

    The words are drawn without repetition, all of them if there are no more.
    """

    def __init__(
        self,
        bundle: _core.Bundle,
        seed: int,
        beta: float = DEFAULTS.beta,
        progress: Progress = no_progress,
        sample: int = SAMPLE,
    ) -> None:
        codes = bundle.codes(_sampled(bundle, seed, sample))
        self.sample = len(codes)
        self._bundle = bundle
        self._beta = beta
        batches = [codes[first : first + _BATCH] for first in range(0, len(codes), _BATCH)]
        counts = []
        with in_parallel(partial(_core.distance_counts, bundle), batches) as values:
            for done, batch in enumerate(values, 1):
                counts.append(batch)
                progress(done, len(batches), "distances of words")
        self._counts = np.concatenate(counts)

    def __call__(self, epsilon: float) -> float:
        """The weight of the word itself over the sum of all weights, at an ε per differing bit."""
        privatizer = _core.Privatizer(
            self._bundle, mechanism="tem", epsilon=epsilon, beta=self._beta, allow_unchanged=True
        )
        weights = _core.weights(privatizer)
        return float((1 / (self._counts * (weights / weights[0])).sum(axis=1)).mean())

    def without_noise(self) -> float:
        """The limit for a large ε: below 1 if words share their codes."""
        return float((1 / self._counts[:, 0]).mean())


class CrowdShare:
    """Computes the mean N_w of crowds as a function of ε, exactly for each of the sampled output words.

    The words are drawn without repetition, all of them if there are no more.
    """

    def __init__(self, bundle: _core.Bundle, seed: int, crowd: CrowdSize, sample: int = SAMPLE) -> None:
        self._bundle = bundle
        self._crowd = crowd
        self._ids = _sampled(bundle, seed, sample)
        self.sample = len(self._ids)

    def __call__(self, epsilon: float) -> float:
        """Pr[w | w] = λ·share / m + (1 - λ)·weight / M, on average, at an ε per word."""
        privatizer = _core.Privatizer(
            self._bundle, mechanism="crowd", epsilon=epsilon, crowd_size=self._crowd, allow_unchanged=True
        )
        info = privatizer.info()
        coin = info.crowd_threshold / 2**64
        weights = _core.output_weights(privatizer)
        kept = [
            coin * _share_of_word(privatizer, word) / info.crowd_mass
            + (1 - coin) * int(weights[word]) / info.output_mass
            for word in self._ids.tolist()
        ]
        return float(np.mean(kept))

    def without_noise(self) -> float:
        """The limit for a large ε."""
        return self(_MAX_CROWD_EPSILON)


def _share_of_word(privatizer: _core.Privatizer, word: int) -> int:
    members = _core.crowd(privatizer, word)
    return int(members[members[:, 0] == word, 1].sum())


def _sampled(bundle: _core.Bundle, seed: int, sample: int) -> NDArray[np.uint32]:
    """Output words, drawn without repetition; all of them if there are no more."""
    outputs = bundle.output_words()
    if sample >= len(outputs):
        return outputs
    chosen = np.random.Generator(np.random.PCG64(seed)).choice(len(outputs), sample, replace=False)
    return outputs[np.sort(chosen)]


def share_of(
    bundle: _core.Bundle,
    mechanism: str,
    seed: int,
    beta: float = DEFAULTS.beta,
    progress: Progress = no_progress,
    crowd: CrowdSize = "many",
) -> UnchangedShare | TemShare | CrowdShare:
    """The mean N_w of a mechanism as a function of ε. `beta` is for "tem", `crowd` for "crowd"."""
    if mechanism == "crowd":
        return CrowdShare(bundle, seed, crowd)
    return UnchangedShare(bundle, seed) if mechanism == "brr" else TemShare(bundle, seed, beta, progress)


def calibrate(bundle: _core.Bundle, mechanism: str, seed: int, progress: Progress) -> Calibration:
    """Finds, by bisection, the ε at which the mean N_w of a mechanism is `TARGET`."""
    share = share_of(bundle, mechanism, seed, progress=progress)
    target, note = TARGET, None
    most = share.without_noise()
    if most <= target:
        target = most / 2
        note = (
            f"words share codes: at most {most:.3f} of them stay unchanged at any epsilon; half of that is the target"
        )
    epsilon = epsilon_for_share(share, target, progress)
    if epsilon == 0:
        note = f"no epsilon gives less than {target:.3f}: the vocabulary is too small"
    return Calibration(epsilon, share(epsilon), share.sample, note)


def epsilon_for_share(share: Callable[[float], float], target: float, progress: Progress) -> float:
    """The least ε, to three decimals, at which a share that grows with ε reaches `target`; at most 20."""
    progress(0, _STEPS, "calibrate")
    low, high = 0.0, _MAX_EPSILON
    if share(low) >= target:
        high = low
    for step in range(_STEPS):
        if low < high:
            middle = (low + high) / 2
            low, high = (low, middle) if share(middle) >= target else (middle, high)
        progress(step + 1, _STEPS, "calibrate")
    return round(high, _DECIMALS)


def measure(
    bundle: _core.Bundle, mechanism: str, epsilon: float, seed: int, progress: Progress, crowd: CrowdSize = "many"
) -> Calibration:
    """The share of unchanged words at a given ε."""
    share = share_of(bundle, mechanism, seed, progress=progress, crowd=crowd)
    unchanged = share(epsilon)
    progress(1, 1, "measure")
    return Calibration(epsilon, unchanged, share.sample)
