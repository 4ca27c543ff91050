"""Measures where randomized response moves words, at the ε that leaves a given share of them unchanged."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.parallel import in_parallel
from hushbit._plumbing.progress import Progress, step_of
from hushbit.toolchain.quality.aligned import Aligned
from hushbit.toolchain.quality.nearest import NEAREST, nearest_by_cosine

SHARES = (0.25, 0.5, 0.75)
_SAMPLE = 3000
_BATCH = 25
_MAX_EPSILON = 20.0
_STEPS = 12


@dataclass(frozen=True)
class _Release:
    """One release of each sampled word."""

    unchanged: NDArray[np.bool_]
    noisy: NDArray[np.uint8]
    """The noisy codes."""
    ties: NDArray[np.int64]
    """The number of words that are nearest to each noisy code."""
    lowest: NDArray[np.int64]
    """The first row among those."""


def quality_under_noise(
    aligned: Aligned, average_distance: float, seed: int, progress: Progress
) -> list[dict[str, Any]]:
    """Measures ε, the share of unchanged words, and how near the changed words are to the original words, for each of
    SHARES.
    """
    words = len(aligned.codes)
    generator = np.random.Generator(np.random.PCG64(seed))
    sample = generator.integers(words, size=_SAMPLE)
    uniform = generator.random((_SAMPLE, aligned.codes.shape[1] * 8), dtype=np.float32)
    tie_breaks = generator.random(_SAMPLE)
    most = min(max(NEAREST), words - 1)
    distinct, place = np.unique(sample, return_inverse=True)
    steps = [step_of(progress, step, 2, "neighbors of noisy words") for step in range(2)]
    true = {
        "raw": nearest_by_cosine(aligned.raw, distinct, most, steps[0])[place],
        "preprocessed": nearest_by_cosine(aligned.preprocessed, distinct, most, steps[1])[place],
    }
    rows = []

    def release_at(epsilon: float) -> _Release:
        return _release(aligned, sample, uniform < 1 / (1 + np.exp(epsilon)), tie_breaks)

    for done, wanted in enumerate(SHARES):
        progress(done, len(SHARES), "noise")
        epsilon = _epsilon_for(release_at, wanted)
        row = {"wanted": wanted, "epsilon": epsilon, "average_per_token": epsilon * average_distance}
        rows.append({**row, **_describe(aligned, sample, release_at(epsilon), tie_breaks, true)})
    progress(len(SHARES), len(SHARES), "noise")
    return rows


def _epsilon_for(release_at: Callable[[float], _Release], wanted: float) -> float:
    """Found by bisection. The random numbers are the same for every ε, so the share almost never falls as ε grows."""
    low, high = 0.0, _MAX_EPSILON
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if release_at(middle).unchanged.mean() >= wanted else (middle, high)
    return high


def _release(
    aligned: Aligned, sample: NDArray[np.int64], flips: NDArray[np.bool_], tie_breaks: NDArray[np.float64]
) -> _Release:
    """The word that BRR returns, except that of tied words it is always the one with the lowest id."""
    noisy = aligned.codes[sample] ^ np.packbits(flips, axis=1, bitorder="little")
    with in_parallel(aligned.bundle.nearest, [noisy[i : i + _BATCH] for i in range(0, len(noisy), _BATCH)]) as found:
        parts = list(found)
    distances, ties = (np.concatenate([part[i] for part in parts]).astype(np.int64) for i in range(2))
    lowest = aligned.rows(np.concatenate([part[2] for part in parts]))
    unchanged = (distances == flips.sum(axis=1)) & (tie_breaks < 1 / ties)
    return _Release(unchanged, noisy, ties, lowest)


def _changed(
    aligned: Aligned, sample: NDArray[np.int64], release: _Release, tie_breaks: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Rows of the changed words and their replacements, (2, changed). Ties are broken at random."""
    rows = np.flatnonzero(~release.unchanged)
    outputs = release.lowest[rows]
    for place, row in enumerate(rows):
        if release.ties[row] > 1:
            tied = aligned.neighbors(release.noisy[row], int(release.ties[row]))
            others = tied[tied != sample[row]]
            outputs[place] = others[int(tie_breaks[-1 - row] * len(others))]
    return np.stack([rows, outputs])


def _describe(
    aligned: Aligned,
    sample: NDArray[np.int64],
    release: _Release,
    tie_breaks: NDArray[np.float64],
    true: dict[str, NDArray[np.int64]],
) -> dict[str, Any]:
    changed, after = _changed(aligned, sample, release, tie_breaks)
    before = sample[changed]
    row: dict[str, Any] = {"unchanged": float(release.unchanged.mean()), "changed_words": len(before)}
    for name, nearest in true.items():
        hits = nearest[changed] == after[:, None]
        measured = {
            f"among_{k}": float(hits[:, :k].any(axis=1).mean()) if len(before) else None
            for k in NEAREST
            if k <= nearest.shape[1]
        }
        pairs = np.stack([before, after], axis=1)
        cosines = aligned.cosines(pairs, preprocessed=name == "preprocessed")
        row[name] = {"cosine": float(cosines.mean()) if len(before) else None, **measured}
    return row
