"""Canonical Huffman codes of at most 12 bits, and bits from the most significant on (docs/bundle-format.md)."""

from collections import Counter

MAX_LENGTH = 12


def code_lengths(counts: Counter[int]) -> dict[int, int]:
    """An optimal length for each symbol that occurs, by package-merge (Larmore and Hirschberg 1990)."""
    symbols = sorted(counts)
    if len(symbols) < 2:
        return dict.fromkeys(symbols, 1)
    coins: list[tuple[int, tuple[int, ...]]] = sorted((counts[symbol], (symbol,)) for symbol in symbols)
    row = coins
    for _ in range(MAX_LENGTH - 1):
        packages = [(row[i][0] + row[i + 1][0], row[i][1] + row[i + 1][1]) for i in range(0, len(row) - 1, 2)]
        row = sorted(coins + packages)
    lengths: Counter[int] = Counter()
    for _, members in row[: 2 * len(symbols) - 2]:
        lengths.update(members)
    return dict(lengths)


def canonical_codes(lengths: dict[int, int]) -> dict[int, tuple[int, int]]:
    """symbol -> (code, length): consecutive values in order of (length, symbol), shifted left as the length grows."""
    codes: dict[int, tuple[int, int]] = {}
    code, previous = 0, 0
    for length, symbol in sorted((length, symbol) for symbol, length in lengths.items() if length):
        code <<= length - previous
        codes[symbol] = (code, length)
        code, previous = code + 1, length
    return codes


def check_lengths(lengths: dict[int, int]) -> None:
    """Raises if the lengths are not those of a complete code (of no symbol, of one, or of several)."""
    used = [length for length in lengths.values() if length]
    if any(length > MAX_LENGTH for length in used):
        raise ValueError("a code is longer than 12 bits")
    if used == [1] or not used:
        return
    if sum(2.0**-length for length in used) != 1.0:
        raise ValueError("the code is not complete")


class BitWriter:
    """Collects bits, the most significant of each byte first."""

    def __init__(self) -> None:
        self._bits: list[str] = []
        self.size = 0

    def put(self, value: int, length: int) -> None:
        """Appends the `length` low bits of value, the most significant first."""
        self._bits.append(f"{value:0{length}b}")
        self.size += length

    def bytes(self) -> bytes:
        """What was written, filled up with zero bits."""
        text = "".join(self._bits)
        text += "0" * (-len(text) % 8)
        return int(text or "0", 2).to_bytes(len(text) // 8, "big")


class SymbolReader:
    """Decodes symbols from a string of bits given as text, since the obvious is wanted here."""

    def __init__(self, payload: bytes, bits: int) -> None:
        text = f"{int.from_bytes(payload, 'big'):0{8 * len(payload)}b}" if payload else ""
        self._text = text[:bits]
        if "1" in text[bits:]:
            raise ValueError("padding bits are not zero")
        self.at = 0

    def symbol(self, by_code: dict[str, int]) -> int:
        """The next symbol of the code `by_code`, which maps bits as text to symbols."""
        for length in range(1, MAX_LENGTH + 1):
            found = by_code.get(self._text[self.at : self.at + length])
            if found is not None:
                self.at += length
                return found
        raise ValueError(f"no code at bit {self.at}")


def as_text(lengths: dict[int, int]) -> dict[str, int]:
    """bits as text -> symbol, for SymbolReader."""
    return {f"{code:0{length}b}": symbol for symbol, (code, length) in canonical_codes(lengths).items()}
