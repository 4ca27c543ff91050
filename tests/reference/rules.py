"""What the readers of the sections share."""


class BundleFileError(ValueError):
    """The bytes break a rule of the format."""


def need(condition: bool, rule: str) -> None:
    """Raises BundleFileError, naming the rule, unless it is kept."""
    if not condition:
        raise BundleFileError(rule)


def align(offset: int, to: int = 64) -> int:
    """The next multiple of `to` that is not below offset."""
    return -(-offset // to) * to


class Bits:
    """Reads numbers from bytes, the least significant bit first, each byte from its least significant bit on."""

    def __init__(self, data: bytes) -> None:
        self._text = "".join(f"{byte:08b}"[::-1] for byte in data)
        self.at = 0

    def read(self, width: int) -> int:
        """The number in the next `width` bits."""
        text = self._text[self.at : self.at + width]
        need(len(text) == width, "a section is cut off")
        self.at += width
        return int(text[::-1] or "0", 2)

    def align(self, bits: int = 64) -> None:
        """Goes on to the next multiple of `bits`, past zeros."""
        need(self.read(-self.at % bits) == 0, "padding")

    @property
    def left(self) -> int:
        """How many bits are not read yet."""
        return len(self._text) - self.at


def pack(numbers: list[int], width: int) -> bytes:
    """Numbers of `width` bits each as `Bits` reads them, filled up to a multiple of 8 bytes."""
    text = "".join(f"{number:0{width}b}" for number in reversed(numbers)) if width else ""
    return int(text or "0", 2).to_bytes(align(len(text)) // 8, "little")
