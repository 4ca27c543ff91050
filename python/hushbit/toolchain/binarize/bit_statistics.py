"""Statistics of the bits of codes, and checks for codes that no bundle should contain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain.binarize.errors import DivergenceError

_BLOCK_ROWS = 1 << 14
_ENOUGH_WORDS = 64  # a fair bit is the same for all of them with probability 2^-63


@dataclass(frozen=True)
class BitStatistics:
    """Statistics over all words."""

    bits: int
    words: int
    dead: int
    """Bits that are the same for every word."""
    imbalance: float
    """The mean of |share of ones - 1/2|: 0 is best, 1/2 worst."""
    correlation: float
    """The mean absolute correlation of two different bits that are not dead."""
    effective: float
    """Effective bits: as many independent bits vary equally. (Σλ)² / Σλ² of the bits' correlation matrix."""


def bit_statistics(codes: NDArray[np.uint8]) -> BitStatistics:
    """Statistics of packed codes (words, bits / 8)."""
    words, bits = len(codes), codes.shape[1] * 8
    both = np.zeros((bits, bits))
    for first in range(0, words, _BLOCK_ROWS):
        block = np.unpackbits(codes[first : first + _BLOCK_ROWS], axis=1, bitorder="little").astype(np.float32)
        both += block.T @ block
    share = np.diag(both) / words
    covariance = both / words - np.outer(share, share)
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0))
    alive = deviation > 0
    live = int(alive.sum())
    correlations = covariance[np.ix_(alive, alive)] / np.outer(deviation[alive], deviation[alive])
    others = np.abs(correlations).sum() - live
    return BitStatistics(
        bits=bits,
        words=words,
        dead=bits - live,
        imbalance=float(np.abs(share - 0.5).mean()),
        correlation=float(others / (live * (live - 1))) if live > 1 else 0.0,
        effective=float(live**2 / (correlations**2).sum()) if live > 0 else 0.0,
    )


def check_codes(codes: NDArray[np.uint8]) -> tuple[str, ...]:
    """Warnings about codes. Raises DivergenceError if bits are constant, unless there are too few words to decide."""
    if len(codes) < _ENOUGH_WORDS:
        return ()
    found = bit_statistics(codes)
    if found.dead > 0:
        raise DivergenceError(
            f"{found.dead} of {found.bits} bits are the same for every word: use fewer bits, another --binarizer, or "
            "remove fewer --components; for the autoencoder lower its learning_rate"
        )
    if found.effective < found.bits / 4:
        return (
            f"the {found.bits} bits vary like {found.effective:.0f} independent bits: use fewer bits, or "
            "remove more --components",
        )
    return ()
