"""Vocabularies whose words carry a mark that no text has: pieces of words, addresses of concepts, parts of speech."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hushbit.errors import InvalidArgumentError

_REFUSED_SHARE = 0.5
_WARNED_SHARE = 0.01
_MARKINGS = (
    (r"##\w", "begin with ##", "they are pieces of words: --exclude-pattern '^##' leaves them out"),
    (r"▁", "begin with ▁ (U+2581)", "a tokenizer begins words so: --strip-prefix ▁ takes those, without it"),
    (r"Ġ", "begin with Ġ (U+0120)", "a tokenizer begins words so: --strip-prefix Ġ takes those, without it"),
    (r"/c/[a-z]{2,3}/", "begin with /c/ and a language", "--strip-prefix /c/en/ takes the English ones, without it"),
    (r".*\w\|[A-Za-z]+$", "end with | and a tag", "store the words without tags"),
    (r".*\w_(NOUN|VERB|ADJ|ADV|PROPN)$", "end with a part of speech", "store the words without tags"),
)


def warnings_of_markings(words: Sequence[str]) -> list[str]:
    """Says which marks the words have that nobody types.

    Raises InvalidArgumentError if most words have one: a bundle of them would know hardly a word of any text.
    """
    warnings = []
    for pattern, what, advice in _MARKINGS:
        count = sum(map(bool, map(re.compile(pattern).match, words)))
        if count > _REFUSED_SHARE * len(words):
            raise InvalidArgumentError(
                f"{count:,} of {len(words):,} words {what}, which no text has, so hardly any word would be known: "
                f"{advice}"
            )
        if count > _WARNED_SHARE * len(words):
            warnings.append(f"{count:,} of {len(words):,} words {what}, which no text has; {advice}")
    return warnings
