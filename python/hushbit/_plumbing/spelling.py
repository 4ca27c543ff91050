"""Spellings that output words should not have (docs/tokenizer.md)."""

import unicodedata

LONG_NUMBER_DIGITS = 4
"""A word with this many decimal digits, of any script, may be a number that identifies somebody."""
_JOINERS = "\u200c\u200d"  # part of the spelling in some scripts


def is_long_number(word: str) -> bool:
    """Whether a word has four or more decimal digits."""
    if word.isalpha():
        return False
    return sum(unicodedata.category(char) == "Nd" for char in word) >= LONG_NUMBER_DIGITS


def has_unseen_characters(word: str) -> bool:
    """Whether a word contains invisible control or format characters: direction marks, soft hyphens, tags."""
    if word.isprintable():  # no category C or Z, except the space
        return False
    return any(unicodedata.category(char) in ("Cc", "Cf") and char not in _JOINERS for char in word)
