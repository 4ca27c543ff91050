"""Small vocabularies for which distributions can be enumerated, as bundles that the core opens."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.bundle import Header, assemble, encode_sections
from hushbit.toolchain.bundle.distances import average_distance

MAX_BITS = 16
_CODE_BYTES = 8


@dataclass(frozen=True)
class Small:
    """A few words whose codes differ in at most 16 bits; all other bits are equal."""

    bits: NDArray[np.uint8]
    """(words, n): 0 or 1."""
    bundle: _core.Bundle
    """The same words in the same order, each code padded with zeros to 64 bits."""

    @property
    def distances(self) -> NDArray[np.int64]:
        """Distances between the words, (words, words)."""
        return np.asarray((self.bits[:, None] != self.bits[None]).sum(axis=2, dtype=np.int64))


def draw_small(bundle: _core.Bundle, words: int, bits: int, generator: np.random.Generator) -> Small:
    """Some words of a bundle and some of the bits of their codes, drawn uniformly.

    Raises InvalidArgumentError for more than 16 bits or fewer than 1.
    """
    if not 1 <= bits <= MAX_BITS:
        raise InvalidArgumentError(f"{bits} bits cannot be enumerated; choose 1 to {MAX_BITS}")
    info = bundle.info()
    ids = generator.choice(info.words, min(words, info.words), replace=False).astype(np.uint32)
    places = np.sort(generator.choice(info.bits, bits, replace=False))
    return small_of(np.unpackbits(bundle.codes(ids), axis=1, bitorder="little")[:, places])


def small_of(bits: NDArray[np.uint8]) -> Small:
    """Words with these bits, (words, n)."""
    padded = np.zeros((len(bits), 8 * _CODE_BYTES), dtype=np.uint8)
    padded[:, : bits.shape[1]] = bits
    codes = np.packbits(padded, axis=1, bitorder="little")
    names = [f"{i:08d}".encode() for i in range(len(bits))]
    header = Header(0.0, average_distance(codes), bits.shape[1], _core.UNICODE_VERSION, "brr")
    return Small(bits, _core.Bundle.from_bytes(assemble(header, b"{}", encode_sections(names, codes))))
