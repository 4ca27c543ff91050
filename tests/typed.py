"""Texts as typed: a word that must show up nowhere, words by their numbers, and tokens by their ranges."""

from typing import Any

CANARY = "Qzxcanary7781"  # an unknown word; nothing may ever show it


def word_of(number: int) -> str:
    """Four letters that sort by the number. Digits would not do: a token of four of them is unknown, once typed."""
    return "".join(chr(ord("a") + number // 26**place % 26) for place in (3, 2, 1, 0))


def number_of(word: str) -> int:
    """The number of which this is the word."""
    return sum((ord(letter) - ord("a")) * 26**place for letter, place in zip(word, (3, 2, 1, 0), strict=True))


def slices(text: str, tokens: Any) -> list[str]:
    """The tokens' text by their byte ranges, which must agree with their UTF-16 ranges."""
    wide = text.encode("utf-16-le")
    found = [text.encode()[token.byte_begin : token.byte_end].decode() for token in tokens]
    assert found == [wide[2 * token.utf16_begin : 2 * token.utf16_end].decode("utf-16-le") for token in tokens]
    return found
