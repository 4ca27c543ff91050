"""Toy vocabularies: few words, whose codes differ in at most 8 of the 64 bits that a bundle has at least."""

from dataclasses import dataclass, field

from .bundle_maker import make_bundle

# Where the bits that differ stand in the code, and what the other bits are: neither may matter.
_POSITIONS = (0, 7, 8, 30, 33, 47, 62, 63)
_BACKGROUND = 0x5AC3_0F96_E1D2_3C87 & ~sum(1 << position for position in _POSITIONS)


@dataclass(frozen=True)
class Toy:
    """Words `a`, `b`, …, whose codes over the bits that differ are `codes`, in the order of their ids."""

    name: str
    bits: int
    codes: list[int]
    words: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", [chr(ord("a") + i) for i in range(len(self.codes))])

    def bundle(self) -> bytes:
        """The toy as a bundle of 64 bits."""
        full = [
            _BACKGROUND | sum((code >> i & 1) << position for i, position in enumerate(_POSITIONS))
            for code in self.codes
        ]
        return make_bundle(
            {word: code.to_bytes(8, "little") for word, code in zip(self.words, full, strict=True)}, block=4
        )


TOYS = (
    Toy("one bit", 1, [0, 1]),
    Toy("far apart", 8, [0x00, 0xFF]),
    Toy("many ties", 3, [0b000, 0b011, 0b101, 0b111]),
    Toy("triplets", 4, [0b0000, 0b0000, 0b0000, 0b1111, 0b0011]),
    Toy("only twins", 2, [0b01, 0b01]),
    Toy("all of a cube", 3, list(range(8))),
    Toy("scattered", 8, [0x00, 0x1B, 0x2D, 0x2D, 0x47, 0x66, 0x8E, 0x93, 0xB0, 0xC5, 0xEA, 0xFF]),
)
