"""Refuses vocabularies whose words carry marks of the program that made them, such as `##ing`.

No text has such words, so a bundle of them is useless. This is apart from `bundle/build`, which alone uses it, since it
is a table of other programs' marks with a test of its own.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from hushbit.errors import InvalidArgumentError

_MOST = 0.05
"""The share of words that may look marked. In GloVe 6B each mark is on fewer than 2 words in 1,000."""


class _Mark(NamedTuple):
    """How words are marked, where such words come from, and what makes words of them."""

    pattern: re.Pattern[str]
    shown: str
    whose: str
    advice: str


_OFF = "take the mark off"
_ENGLISH = "--strip-prefix /c/en/ takes the English ones without it"
_PIECES = "these are pieces of words: take embeddings of whole words, or leave the marked ones out by --exclude-pattern"
_MARKS = (
    _Mark(re.compile(r"^/c/[a-z]{2,3}/"), "/c/en/word", "ConceptNet Numberbatch", _ENGLISH),
    _Mark(re.compile(r"^##."), "##ing", "WordPiece, as in BERT", _PIECES),
    _Mark(re.compile(r"^▁"), "▁the", "SentencePiece", _PIECES),
    _Mark(re.compile(r"^[ĠĊ]"), "Ġthe", "byte-level BPE, as in GPT-2", _PIECES),
    _Mark(re.compile(r".</w>$"), "the</w>", "BPE", _PIECES),
    _Mark(re.compile(r"^[^\W_]+[|#][A-Za-z]+$"), "dog|noun", "a tagger", _OFF),
    _Mark(re.compile(r"^[^\W_]+[_/][A-Z]+$"), "dog_NOUN", "a tagger", _OFF),
    _Mark(re.compile(r"^(?:DBPEDIA_ID|ENTITY|wiki)[/:]"), "ENTITY/Dog", "an index of entities", _OFF),
)


def refuse_marked(words: Sequence[str]) -> None:
    """Raises InvalidArgumentError if so many words carry a mark that it is one of the program that made them."""
    for mark in _MARKS:
        found = sum(mark.pattern.search(word) is not None for word in words)
        if found > _MOST * len(words):
            raise InvalidArgumentError(
                f"{found:,} of {len(words):,} words are spelled like {mark.shown}, as by {mark.whose}, and no text has "
                f"such words: {mark.advice}"
            )
