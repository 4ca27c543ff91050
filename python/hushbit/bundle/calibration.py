"""The default ε of a bundle: the one at which words stay themselves about half of the time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._progress import Progress
from hushbit.bundle.parallel import in_parallel

TARGET = 0.5
SAMPLE = 1000
_MAX_EPSILON = 20.0
_STEPS = 13  # brackets epsilon to 20 / 2^13, well below what the sample can tell
_BATCH = 25
_DECIMALS = 3


@dataclass(frozen=True)
class Calibration:
    """An ε and what was measured at it."""

    epsilon: float
    """Per differing bit."""
    unchanged: float
    """N_w, the probability that the mechanism returns the word itself, averaged over sampled words."""
    sample: int
    """How many words were sampled."""
    note: str | None = None
    """Set if the wanted share cannot be reached."""


class UnchangedShare:
    """Estimates the mean N_w of BRR as a function of ε.

    Words and the uniform numbers that decide on their bits are drawn once, from the seed, and used for every ε (common
    random numbers), so that two values of ε are compared without the noise between two samples. Words that tie at the
    minimum count by their chance to be picked.
    """

    def __init__(self, bundle: _core.Bundle, seed: int, sample: int = SAMPLE) -> None:
        info = bundle.info()
        generator = np.random.Generator(np.random.PCG64(seed))
        self._bundle = bundle
        self._codes = bundle.codes(generator.integers(info.words, size=sample, dtype=np.uint32))
        self._uniform = generator.random((sample, info.bits))

    def __call__(self, epsilon: float) -> float:
        """The estimate at an ε per differing bit."""
        return self._share(self._uniform < 1 / (1 + np.exp(epsilon)))

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


def calibrate(bundle: _core.Bundle, seed: int, progress: Progress) -> Calibration:
    """Finds, by bisection, the ε at which the mean N_w is `TARGET`."""
    share = UnchangedShare(bundle, seed)
    target, note = TARGET, None
    most = share.without_noise()
    if most <= target:
        target = most / 2
        note = f"words share codes: at most {most:.3f} of them stay themselves at any epsilon; aimed at half of that"
    epsilon = epsilon_for_share(share, target, progress)
    if epsilon == 0:
        note = f"no epsilon gives less than {target:.3f}: the vocabulary is too small"
    return Calibration(epsilon, share(epsilon), SAMPLE, note)


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


def measure(bundle: _core.Bundle, mechanism: str, epsilon: float, seed: int, progress: Progress) -> Calibration:
    """The share that stays at a given ε."""
    unchanged = (
        UnchangedShare(bundle, seed)(epsilon) if mechanism == "brr" else _unchanged_by_tem(bundle, epsilon, seed)
    )
    progress(1, 1, "measure")
    return Calibration(epsilon, unchanged, SAMPLE)


def _unchanged_by_tem(bundle: _core.Bundle, epsilon: float, seed: int) -> float:
    """The mean N_w of TEM over sampled words, exactly: the weight of the word itself over the sum of all weights."""
    generator = np.random.Generator(np.random.PCG64(seed))
    codes = bundle.codes(generator.integers(bundle.info().words, size=SAMPLE, dtype=np.uint32))
    weights = _core.Privatizer(bundle, mechanism="tem", epsilon=epsilon).weights().astype(np.float64)
    with in_parallel(bundle.distance_counts, [codes[i : i + _BATCH] for i in range(0, SAMPLE, _BATCH)]) as counts:
        totals = np.concatenate([count @ weights for count in counts])
    return float(np.mean(weights[0] / totals))
