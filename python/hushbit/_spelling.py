"""What a word should not look like, if it may come out in somebody's place (docs/tokenizer.md)."""

import unicodedata

LONG_NUMBER_DIGITS = 4
"""With so many decimal digits, of any script, a word may be a number that points at somebody."""
_JOINERS = "\u200c\u200d"  # which some scripts spell with


def is_long_number(word: str) -> bool:
    """Whether a word has four or more decimal digits."""
    if word.isalpha():
        return False
    return sum(unicodedata.category(char) == "Nd" for char in word) >= LONG_NUMBER_DIGITS


def has_unseen_characters(word: str) -> bool:
    """Whether control or format characters are in a word, which nobody sees: direction marks, soft hyphens, tags."""
    if word.isprintable():  # no category C or Z, but for the space
        return False
    return any(unicodedata.category(char) in ("Cc", "Cf") and char not in _JOINERS for char in word)
