"""The tokenizer of docs/tokenizer.md, over `unicodedata` and Python strings."""

import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

WHITE_SPACE = frozenset(
    [*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]
)  # PropList.txt; unicodedata does not have it
# By the names of their characters; unicodedata does not have scripts either.
UNSPACED_NAMES = (
    "CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-", "IDEOGRAPHIC ITERATION MARK",
    "IDEOGRAPHIC CLOSING MARK", "IDEOGRAPHIC NUMBER ZERO", "VERTICAL IDEOGRAPHIC ITERATION MARK", "HANGZHOU NUMERAL",
    "MASU MARK", "VERTICAL KANA REPEAT", "HIRAGANA ", "HENTAIGANA ", "KATAKANA ", "KATAKANA-HIRAGANA ",
    "COMBINING KATAKANA-HIRAGANA ", "HALFWIDTH KATAKANA ", "HALFWIDTH KATAKANA-HIRAGANA ", "THAI ", "LAO ", "KHMER ",
    "MYANMAR ",
)  # fmt: skip
JOINED_NAMES = (
    "ARABIC ", "SYRIAC ", "NKO ", "MANDAIC ", "DEVANAGARI ", "BENGALI ", "GURMUKHI ", "GUJARATI ", "ORIYA ", "TAMIL ",
    "TELUGU ", "KANNADA ", "MALAYALAM ", "SINHALA ", "MONGOLIAN ", "ADLAM ", "COMBINING DEVANAGARI ",
)  # fmt: skip
ZERO_WIDTH_SPACE, NON_JOINER, JOINER = "\u200b", "\u200c", "\u200d"
APOSTROPHES = "\u2018\u2019\u02bc\uff07"
LONG_NUMBER = 4  # decimal digits
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
    runs_on: bool
    """Whether it is one word with a unit beside it of which that is true, too."""


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
    category = unicodedata.category(character)
    if ord(character) in WHITE_SPACE or category in ("Cc", "Cf"):
        return "space"
    return "word" if category[0] in "LMN" and character != "\u02bc" else "other"


def is_format(character: str) -> bool:
    """Whether a code point is invisible in a word."""
    return unicodedata.category(character) == "Cf" and character != ZERO_WIDTH_SPACE


def _is_named(character: str, names: tuple[str, ...]) -> bool:
    """Whether a letter or mark, or a number written like a letter, has a name that begins so."""
    category = unicodedata.category(character)
    return (category[0] in "LM" or category == "Nl") and unicodedata.name(character, "").startswith(names)


@cache
def is_unspaced(character: str) -> bool:
    """Whether the script of a letter or mark puts no spaces between words."""
    return _is_named(character, UNSPACED_NAMES)


@cache
def is_joined(character: str) -> bool:
    """Whether the script of a letter or mark spells with joiners and non-joiners."""
    return _is_named(character, JOINED_NAMES)


@cache
def extends(character: str) -> bool:
    """Whether a code point belongs to the unit of the one before it."""
    first = unicodedata.normalize("NFD", character)[0]
    return (
        unicodedata.category(character)[0] == "M"
        or unicodedata.combining(first) > 0
        or first in _composing_seconds()
        or is_format(character)
    )


def simple_lower(character: str) -> str:
    """Simple lower case; U+0130 is the only code point that Python lowers to two."""
    return "i" if character == "\u0130" else character.lower()


def is_long_number(form: str) -> bool:
    """Whether a normal form has so many decimal digits that it counts as unknown."""
    return sum(unicodedata.category(character) == "Nd" for character in form) >= LONG_NUMBER


def _is_spelled_joiner(text: str, at: int) -> bool:
    """Whether the code point there is a joiner or non-joiner that its script needs."""
    if text[at] not in (NON_JOINER, JOINER) or at == 0 or not is_joined(text[at - 1]):
        return False
    virama_before = unicodedata.combining(text[at - 1]) == 9
    return (at + 1 < len(text) and is_joined(text[at + 1])) or (text[at] == JOINER and virama_before)


def ligature_letters(character: str) -> str:
    """What a Latin ligature stands for; any other character itself."""
    name = unicodedata.name(character, "")
    compatible = unicodedata.decomposition(character).startswith("<compat>")
    ligature = compatible and name.startswith(("LATIN SMALL LIGATURE ", "LATIN CAPITAL LIGATURE "))
    return unicodedata.normalize("NFKC", character) if ligature else character


def normal_form(text: str, after: str = "") -> str:
    """The normal form of a unit before `after`, or of whole words.

    Ligatures as letters, NFC, no format characters but the joiners that are spelled, straight apostrophes, simple lower
    case, NFC.
    """
    composed = unicodedata.normalize("NFC", "".join(map(ligature_letters, text)))
    context = composed + after
    visible = "".join(c for i, c in enumerate(composed) if not is_format(c) or _is_spelled_joiner(context, i))
    straight = unicodedata.normalize("NFC", visible).translate({ord(mark): "'" for mark in APOSTROPHES})
    return unicodedata.normalize("NFC", "".join(map(simple_lower, straight)))


def _unit(text: str, begin: int, end: int) -> Unit:
    """The unit that is text[begin:end]. Whether a joiner at its end is spelled, what comes next decides."""
    form = normal_form(text[begin:end], text[end : end + 1]) if end - begin <= MAX_UNIT else None
    class_ = char_class(text[begin])
    return Unit(begin, end, class_, form, class_ == "word" and not is_unspaced(text[begin]))


def units_of(text: str) -> list[Unit]:
    """The units of a text, spaces included."""
    starts = []
    after_space = True
    for i, character in enumerate(text):
        space = char_class(character) == "space" and (after_space or not extends(character))
        if after_space or space or not extends(character):
            starts.append(i)
        after_space = space
    return [_unit(text, begin, end) for begin, end in pairwise([*starts, len(text)])]


def _is_boundary(units: list[Unit], at: int) -> bool:
    """Whether there is a boundary before unit `at`, or at the end of the text."""
    return at == len(units) or not (units[at - 1].runs_on and units[at].runs_on)


def _is_unspaced(unit: Unit) -> bool:
    return unit.char_class == "word" and not unit.runs_on


class Tokenizer:
    """Tokenizes for a vocabulary, given as the set (or dict) of its words in UTF-8.

    `long_numbers`: words of four or more digits count as words.
    """

    def __init__(self, words: Container[bytes], max_word_bytes: int, long_numbers: bool = False) -> None:
        self._words = words
        self._max_form = max_word_bytes + 3
        self._long_numbers = long_numbers

    def _known(self, form: str) -> bool:
        return form.encode() in self._words and (self._long_numbers or not is_long_number(form))

    def _split_contraction(self, units: list[Unit]) -> int | None:
        """How many units of a candidate are its base, if it ends in a contraction of the vocabulary."""
        for contraction in CONTRACTIONS:
            if not self._known(contraction):
                continue
            for base in range(1, len(units)):
                if "".join(unit.form or "" for unit in units[base:]) == contraction:
                    base_units = units[:base]
                    base_form = "".join(unit.form or "" for unit in base_units)
                    if self._known(base_form) or all(unit.runs_on for unit in base_units):
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

    def _fitting(self, units: list[Unit], start: int) -> tuple[int, int] | None:
        """The end of the longest candidate that fits or of its base, and its own end; None if none fits."""
        for end in self._candidates(units, start):
            candidate = units[start:end]
            if self._known("".join(unit.form or "" for unit in candidate)):
                return end, end
            base = self._split_contraction(candidate)
            if base is not None:
                return start + base, end
        return None

    def _next(self, units: list[Unit], start: int) -> tuple[list[Token], int]:
        """The one or two tokens that begin at unit `start`, and the unit after them."""
        fitting = self._fitting(units, start)
        if fitting is not None:
            middle, end = fitting
            first = self._token(units, start, middle)
            return [first] if middle == end else [first, self._token(units, middle, end)], end
        end = start + 1
        if units[start].runs_on:
            while not _is_boundary(units, end):
                end += 1
        elif _is_unspaced(units[start]):
            while end < len(units) and _is_unspaced(units[end]) and self._fitting(units, end) is None:
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
