"""Binary randomized response: noise on a code, the nearest words, one of them by lot."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Code = NDArray[np.uint8]

GROUP = 16  # tokens whose coins are all drawn before any tie is broken
_ONES = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.uint16)


class Source(Protocol):
    """A source of random bytes."""

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        ...


def distances(code: Code, codes: Code) -> NDArray[np.int64]:
    """Hamming distances of one code, uint8 (bytes,), to each row of codes, uint8 (N, bytes)."""
    return np.asarray(_ONES[codes ^ code].sum(axis=1), dtype=np.int64)


def nearest_words(code: Code, codes: Code) -> tuple[int, NDArray[np.int64]]:
    """The minimum distance, and the ids of all words at it in ascending order."""
    all_distances = distances(code, codes)
    minimum = int(all_distances.min())
    return minimum, np.flatnonzero(all_distances == minimum)


def flip_bits(code: Code, coins: NDArray[np.uint64], threshold: int) -> Code:
    """Bit i (bit i % 8 of byte i / 8) is flipped if coin i is below the threshold."""
    flips = np.packbits(coins < np.uint64(threshold), bitorder="little")
    return np.asarray(code ^ flips, dtype=np.uint8)


def uniform_index(word: int, count: int, source: Source) -> int:
    """A uniform index below `count` from a uniform 64-bit `word`, by multiplication with rejection (Lemire 2019)."""
    while True:
        high, low = divmod(word * count, 1 << 64)
        if low >= (1 << 64) % count:
            return high
        word = int.from_bytes(source.take(8), "little")


def replace(
    inputs: list[Code | None], codes: Code, threshold: int, sources: list[Source]
) -> tuple[list[int], list[Code]]:
    """The id of the word that replaces each input, a code or None for an unknown token, and the noisy code.

    Each draws from its own source, which may be the same for all.
    """
    bits = codes.shape[1] * 8
    ids: list[int] = []
    noisy: list[Code] = []
    for start in range(0, len(inputs), GROUP):
        group = list(zip(inputs[start : start + GROUP], sources[start : start + GROUP], strict=True))
        drawn = [np.frombuffer(source.take((bits + 1) * 8), dtype="<u8") for _, source in group]
        for (code, source), words in zip(group, drawn, strict=True):
            if code is None:  # pure noise: fair coins on any code
                noisy.append(flip_bits(np.zeros(bits // 8, dtype=np.uint8), words[:bits], 1 << 63))
            else:
                noisy.append(flip_bits(code, words[:bits], threshold))
            _, tied = nearest_words(noisy[-1], codes)
            ids.append(int(tied[uniform_index(int(words[bits]), len(tied), source)]))
    return ids, noisy
