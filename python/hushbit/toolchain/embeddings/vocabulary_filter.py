"""Selects the words that may become the output of a mechanism."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from hushbit._plumbing.files import reading
from hushbit._plumbing.spelling import LONG_NUMBER_DIGITS, has_unseen_characters, is_long_number
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.embeddings.array import decode_lines
from hushbit.toolchain.embeddings.model import Embeddings

MAX_WORD_BYTES = 255
_EMAIL_LIKE = re.compile(r"\S@\S")

MEANINGS = {
    "empty": "without a word",
    "unseen character": "with a control or format character in the word",
    "white space": "with white space in the word, which no token has",
    "too long": f"with a word of more than {MAX_WORD_BYTES} bytes",
    "e-mail address": "with a word like an e-mail address",
    "long number": f"with a word of {LONG_NUMBER_DIGITS} or more digits",
    "excluded word": "with a word from the list of excluded words",
    "excluded pattern": "with a word that matches the excluded pattern",
    "unreachable": "with a word that no text can produce, since it is spelled as the tokenizer never spells",
    "duplicate": "with a word that occurred before",
    "without the prefix": "with a word that does not begin with the prefix",
    "infinite or NaN": "with an infinite number or NaN",
    "not UTF-8": "with a word that is not UTF-8",
}
"""Describes the rows for each reason: those of `VocabularyFilter.reason`, of `build_bundle`, and of the readers."""


def describe_left_out(embeddings: Embeddings, left_out: Mapping[str, list[int]]) -> dict[str, str]:
    """Describes, for each reason, how many rows the reader and a filter left out, and where the first one is.

    `left_out` is what `VocabularyFilter.apply` returned for the words of the embeddings.
    """
    found = {
        "duplicate": (embeddings.duplicates, embeddings.first_duplicate),
        "without the prefix": (embeddings.without_prefix, None),
        "infinite or NaN": (len(embeddings.rejected), next(iter(embeddings.rejected), None)),
        "not UTF-8": (len(embeddings.not_utf8), next(iter(embeddings.not_utf8), None)),
        **{reason: (len(words), embeddings.line_of(words[0])) for reason, words in left_out.items()},
    }
    return {
        reason: f"{count:,} {'row' if count == 1 else 'rows'} {MEANINGS[reason]}"
        + ("" if line is None else f", {'in' if count == 1 else 'such as'} {embeddings.place} {line:,}")
        for reason, (count, line) in found.items()
        if count
    }


class VocabularyFilter:
    """Leaves out words that a bundle cannot contain, and words that must never be released as a replacement.

    Always left out: empty words, words longer than 255 bytes, words with white space, control characters (including
    byte 0) or format characters, and e-mail addresses (characters on both sides of an `@`). Also words of four or more
    decimal digits, which may be postal codes, years of birth, telephone or account numbers, unless `keep_long_numbers`.
    `exclude_words` are compared as spelled; `exclude_pattern` is a regular expression of Python, searched anywhere in
    the word (write `^…$` to match it whole).

    Raises InvalidArgumentError if the pattern is not a regular expression.
    """

    def __init__(
        self,
        exclude_words: Iterable[str] = (),
        exclude_pattern: str | None = None,
        keep_long_numbers: bool = False,
    ) -> None:
        self.keep_long_numbers = keep_long_numbers
        self._words = frozenset(exclude_words)
        try:
            self._pattern = None if exclude_pattern is None else re.compile(exclude_pattern)
        except re.error as error:
            raise InvalidArgumentError(f"the exclude pattern is not a regular expression: {error}") from None

    def reason(self, word: str) -> str | None:
        """The reason why a word is left out, or None if it is kept."""
        if not word:
            return "empty"
        if has_unseen_characters(word):
            return "unseen character"
        if any(map(str.isspace, word)):
            return "white space"
        if len(word.encode()) > MAX_WORD_BYTES:
            return "too long"
        if "@" in word and _EMAIL_LIKE.search(word):
            return "e-mail address"
        if not self.keep_long_numbers and is_long_number(word):
            return "long number"
        if word in self._words:
            return "excluded word"
        if self._pattern is not None and self._pattern.search(word):
            return "excluded pattern"
        return None

    def apply(self, words: list[str]) -> tuple[list[int], dict[str, list[int]]]:
        """The indices of the kept words, in order, and of those left out, by reason (sorted by reason)."""
        kept: list[int] = []
        left_out: defaultdict[str, list[int]] = defaultdict(list)
        for i, word in enumerate(words):
            reason = self.reason(word)
            if reason is None:
                kept.append(i)
            else:
                left_out[reason].append(i)
        return kept, dict(sorted(left_out.items()))


def read_word_list(path: str) -> list[str]:
    """The words of a UTF-8 file, one per line; empty lines are skipped. Raises InputFileError."""
    file = Path(path)
    with reading(file):
        data = file.read_bytes()
    return [word for word in decode_lines(file, data) if word]
