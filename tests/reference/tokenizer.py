"""The tokenizer of docs/tokenizer.md, over `unicodedata` and Python strings."""

import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

WHITE_SPACE = frozenset(
    [*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]
)  # PropList.txt; unicodedata does not have it
CONTRACTIONS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
MAX_UNIT = 32  # code points
_HANGUL_VOWELS_AND_TAILS = frozenset([*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)])


@dataclass(frozen=True)
class Token:
    """A token: `form` is its normal form where it was looked up, `begin` and `end` count code points of the text."""

    kind: str
    form: str | None
    begin: int
    end: int


@dataclass(frozen=True)
class Unit:
    """A code point with what extends it. `form` is None for a unit too long to have a normal form."""

    begin: int
    end: int
    char_class: str
    form: str | None


@cache
def _composing_seconds() -> frozenset[str]:
    """The second code points of primary composites."""
    seconds = set(map(chr, _HANGUL_VOWELS_AND_TAILS))
    for code_point in range(0x110000):
        decomposition = unicodedata.decomposition(chr(code_point)).split()
        if len(decomposition) != 2 or decomposition[0].startswith("<"):
            continue
        first, second = (chr(int(part, 16)) for part in decomposition)
        if unicodedata.normalize("NFC", first + second) == chr(code_point):
            seconds.add(second)
    return frozenset(seconds)


@cache
def char_class(character: str) -> str:
    """space, word or other."""
    if ord(character) in WHITE_SPACE:
        return "space"
    return "word" if unicodedata.category(character)[0] in "LMN" else "other"


@cache
def extends(character: str) -> bool:
    """Whether a code point belongs to the unit of the one before it."""
    first = unicodedata.normalize("NFD", character)[0]
    return (
        unicodedata.category(character)[0] == "M" or unicodedata.combining(first) > 0 or first in _composing_seconds()
    )


def simple_lower(character: str) -> str:
    """Simple lower case; U+0130 is the only code point that Python lowers to two."""
    return "i" if character == "\u0130" else character.lower()


def normal_form(text: str) -> str:
    """NFC, straight apostrophes, simple lower case, NFC."""
    composed = unicodedata.normalize("NFC", text).replace("\u2018", "'").replace("\u2019", "'")
    return unicodedata.normalize("NFC", "".join(map(simple_lower, composed)))


def units_of(text: str) -> list[Unit]:
    """The units of a text, white space included."""
    starts = [
        i
        for i, character in enumerate(text)
        if i == 0 or char_class(character) == "space" or char_class(text[i - 1]) == "space" or not extends(character)
    ]
    return [
        Unit(begin, end, char_class(text[begin]), normal_form(text[begin:end]) if end - begin <= MAX_UNIT else None)
        for begin, end in pairwise([*starts, len(text)])
    ]


def _is_boundary(units: list[Unit], at: int) -> bool:
    """Whether there is a boundary before unit `at`, or at the end of the text."""
    return at == len(units) or units[at - 1].char_class != "word" or units[at].char_class != "word"


class Tokenizer:
    """Tokenizes for a vocabulary, given as the set (or dict) of its words in UTF-8."""

    def __init__(self, words: Container[bytes], max_word_bytes: int) -> None:
        self._words = words
        self._max_form = max_word_bytes + 3

    def _known(self, form: str) -> bool:
        return form.encode() in self._words

    def _split_contraction(self, units: list[Unit]) -> int | None:
        """How many units of a candidate are its base, if it ends in a contraction of the vocabulary."""
        for contraction in CONTRACTIONS:
            if not self._known(contraction):
                continue
            for base in range(1, len(units)):
                if "".join(unit.form or "" for unit in units[base:]) == contraction:
                    base_units = units[:base]
                    base_form = "".join(unit.form or "" for unit in base_units)
                    if self._known(base_form) or all(unit.char_class == "word" for unit in base_units):
                        return base
        return None

    def _candidates(self, units: list[Unit], start: int) -> Iterator[int]:
        """Ends of candidates that begin at unit `start`, the longest first."""
        ends = []
        size = 0
        for end in range(start + 1, len(units) + 1):
            form = units[end - 1].form
            if units[end - 1].char_class == "space" or form is None:
                break
            size += len(form.encode())
            if size > self._max_form:
                break
            if _is_boundary(units, end):
                ends.append(end)
        return reversed(ends)

    def _token(self, units: list[Unit], begin: int, end: int) -> Token:
        forms = [unit.form for unit in units[begin:end]]
        form = None if None in forms else "".join(form or "" for form in forms)
        if form is not None and not self._known(form):
            form = None
        kind = "unknown" if form is None else "word"
        if all(unit.char_class != "word" for unit in units[begin:end]):
            kind = "punctuation"
        return Token(kind, form, units[begin].begin, units[end - 1].end)

    def _next(self, units: list[Unit], start: int) -> tuple[list[Token], int]:
        """The one or two tokens that begin at unit `start`, and the unit after them."""
        for end in self._candidates(units, start):
            candidate = units[start:end]
            if self._known("".join(unit.form or "" for unit in candidate)):
                return [self._token(units, start, end)], end
            base = self._split_contraction(candidate)
            if base is not None:
                middle = start + base
                return [self._token(units, start, middle), self._token(units, middle, end)], end
        end = start + 1
        if units[start].char_class == "word":
            while not _is_boundary(units, end):
                end += 1
        return [self._token(units, start, end)], end

    def tokenize(self, text: str) -> list[Token]:
        """The tokens of a text, from left to right."""
        units = units_of(text)
        tokens: list[Token] = []
        at = 0
        while at < len(units):
            if units[at].char_class == "space":
                at += 1
                continue
            found, at = self._next(units, at)
            tokens += found
        return tokens
