"""Texts as typed: a word that must show up nowhere, and tokens by their ranges."""

from typing import Any

CANARY = "Qzxcanary7781"  # an unknown word; nothing may ever show it


def slices(text: str, tokens: Any) -> list[str]:
    """The tokens' text by their byte ranges, which must agree with their UTF-16 ranges."""
    wide = text.encode("utf-16-le")
    found = [text.encode()[token.byte_begin : token.byte_end].decode() for token in tokens]
    assert found == [wide[2 * token.utf16_begin : 2 * token.utf16_end].decode("utf-16-le") for token in tokens]
    return found
