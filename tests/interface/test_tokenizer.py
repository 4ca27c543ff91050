"""The core's tokenizer: what docs/tokenizer.md promises of any text, and the reference's tokens for the same text."""

import random
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hushbit import _core
from hushbit.errors import InvalidTextError
from reference import tokenizer as reference
from reference.bundle_maker import make_bundle

WORDS = [
    *("a", "b", "c", "ca", "do", "don", "he", "i", "it", "john", "n", "o", "rock", "s", "t", "the", "well", "wo"),
    *("well-known", "o'brien", "u.s.", "a-b", "a-b-c-d-e", "é-é", "1", "1990", "3.14", "n't", "'s", "'ve"),
    *("今天", "天气", "天", "很", "很好吗", "t恤", "กิน", "ข้าว", "می\u200cخ", "می", "ന്\u200d", "12", "3.1415", "fine"),
    *("'", "''", "-", "--", ".", "...", ",", "@", "#1", "❤️", "👍", "é", "café", "ẖ", "한글", "שׁ", "שָׁ"),
]  # fmt: skip
# What texts are made of: pieces that the rules are about, white space, any character at all.
PIECES = [
    *WORDS,
    *("Don’t", "CAN'T", "it‘s", "John's", "zyx", "zyx's", "n’t", "'re", "'LL", "’", "‘", "\"", "(", "…", "a-b-c-d"),
    *(" ", "  ", "\t", "\n", "\u00a0", "\u2028", "\u3000", "\x1c", "\0"),
    *("e\u0301", "E\u0301", "H\u0331", "\u0130", "\u0301", "\u0323\u0301", "\u0301" * 31, "\u0301" * 32, "\ufe0f"),
    *("\u1112\u1161\u11ab", "\ud558\u11ab", "\u200d", "\u200e", "\u200f", "\u05b8", "\u05c1", "\u0958", "\U0001d160"),
    *("今天天气", "很好", "猫咪", "กินปลา", "ๆ", "๑๒๓๔", "T恤", "々ー", "12345", "١٢٣", "\u200c", "می\u200c", "خ", "നന്"),
    *("\u00ad", "\u200b", "\ufeff", "\u202e", "\U000e0041", "\u00ad" * 33, "donʼt", "it＇s", "ﬁne", "ﬅ", "ĳ"),
    *("👩🏽‍🚀", "1\ufe0f\u20e3", "🇩🇪", "x" * 80, "-" * 80, "x-" * 40),
]  # fmt: skip
SAME_VERSION = unicodedata.unidata_version == _core.UNICODE_VERSION
# Where the versions differ, what this Python knows and the core may not is left out; test_unicode.py says so.
CHARACTERS = st.characters(exclude_categories=["Cs"]).filter(
    lambda c: SAME_VERSION or unicodedata.ucd_3_2_0.category(c) != "Cn"
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), CHARACTERS), max_size=30).map("".join)


def bundle_of(words: Iterable[str]) -> _core.Bundle:
    """A bundle of words, whose codes do not matter."""
    codes = random.Random(7)
    return _core.Bundle.from_bytes(make_bundle({word: codes.randbytes(8) for word in words}, farthest=64))


@pytest.fixture(scope="module")
def bundle() -> _core.Bundle:
    return bundle_of(WORDS)


def shown(bundle: _core.Bundle, text: str) -> list[tuple[str, str, str | None]]:
    """Kind, text as typed and word of every token."""
    data = text.encode()
    return [
        (
            token.kind,
            data[token.byte_begin : token.byte_end].decode(),
            None if token.word is None else bundle.word(token.word).decode(),
        )
        for token in bundle.tokenize(data)
    ]


def expected(words: Iterable[str], text: str) -> list[tuple[str, str, str | None]]:
    """The same from the reference."""
    known = {word.encode() for word in words}
    tokens = reference.Tokenizer(known, max(map(len, known))).tokenize(text)
    return [(token.kind, text[token.begin : token.end], token.form) for token in tokens]


def first_ill_formed(data: bytes) -> int | None:
    """The place where the first sequence that is not UTF-8 begins."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


@settings(max_examples=500, deadline=None)
@given(TEXTS)
@example("")
@example("x" * 300 + "n't")
def test_offsets_cover_the_text(bundle: _core.Bundle, text: str) -> None:
    data, wide = text.encode(), text.encode("utf-16-le")
    byte_end = utf16_end = 0
    left_out = ""
    for token in bundle.tokenize(data):
        assert byte_end <= token.byte_begin < token.byte_end
        assert utf16_end <= token.utf16_begin < token.utf16_end
        typed = data[token.byte_begin : token.byte_end].decode()
        assert typed == wide[2 * token.utf16_begin : 2 * token.utf16_end].decode("utf-16-le")
        between = data[byte_end : token.byte_begin].decode()
        assert between == wide[2 * utf16_end : 2 * token.utf16_begin].decode("utf-16-le")
        left_out += between
        assert reference.char_class(typed[0]) != "space"
        assert all(reference.char_class(c) != "space" or reference.is_format(c) for c in typed)
        byte_end, utf16_end = token.byte_end, token.utf16_end
    left_out += data[byte_end:].decode()
    assert all(reference.char_class(character) == "space" for character in left_out)


@settings(max_examples=2000, deadline=None)
@given(TEXTS)
@example("don't've O’BRIEN’S well-known's")
@example("a-b-c-d-e's a-b-c-d's a-b-c-d-é")
@example("今天天气很好吃猫咪's" + "鼠" * 300 + "很")
def test_tokens_are_the_references(bundle: _core.Bundle, text: str) -> None:
    assert shown(bundle, text) == expected(WORDS, text)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.data())
def test_tokens_are_the_references_for_any_vocabulary(text: str, data: st.DataObject) -> None:
    """Words are pieces of the text's own normal form, so that long candidates come close."""
    form = "".join(unit.form or "" for unit in reference.units_of(text) if unit.char_class != "space")
    places = st.tuples(st.integers(0, len(form)), st.integers(1, 12))
    cuts = data.draw(st.lists(places, max_size=25))
    words = {form[start : start + size] for start, size in cuts} | {"n't", "'s"}
    words = {word for word in words if word and len(word.encode()) <= 255}
    assert shown(bundle_of(words), text) == expected(words, text)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_every_stretch_is_found_by_its_normal_form(text: str) -> None:
    forms: list[str] = []
    typed: list[str] = []
    stretch: list[reference.Unit] = []
    for unit in [*reference.units_of(text), reference.Unit(len(text), len(text), "space", None, False)]:
        if unit.char_class != "space":
            stretch.append(unit)
            continue
        form = "".join(part.form or "" for part in stretch)
        if (
            stretch
            and all(part.form is not None for part in stretch)
            and len(form.encode()) <= 255
            and not reference.is_long_number(form)
        ):
            forms.append(form)
            typed.append(text[stretch[0].begin : stretch[-1].end])
        stretch = []
    if forms:
        found = shown(bundle_of(set(forms)), "\n".join(typed))
        assert [(text, word) for _, text, word in found] == list(zip(typed, forms, strict=True))


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_canonically_equivalent_texts_have_the_same_words(bundle: _core.Bundle, text: str) -> None:
    """A unit is found unless it is too long as it is typed."""
    apart = unicodedata.normalize("NFD", text)
    if all(unit.form is not None for unit in reference.units_of(apart) + reference.units_of(text)):
        assert [word for _, _, word in shown(bundle, apart)] == [word for _, _, word in shown(bundle, text)]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=4), st.sampled_from(PIECES).map(str.encode)), max_size=20).map(b"".join))
@example(b"\xf0\x9f\x98")
@example(b"e\xcc\x81\xcc")
def test_invalid_utf8_is_refused_where_it_begins(bundle: _core.Bundle, data: bytes) -> None:
    begins = first_ill_formed(data)
    if begins is None:
        bundle.tokenize(data)
        return
    with pytest.raises(InvalidTextError) as caught:
        bundle.tokenize(data)
    assert caught.value.position == begins


def test_glove_contractions(bundle: _core.Bundle) -> None:
    found = shown(bundle, "Don’t say John's well-known's O'Brien can't.")
    assert " ".join(word or text for _, text, word in found) == "do n't say john 's well-known 's o'brien ca n't ."


def test_words_that_cannot_be_typed() -> None:
    """A bundle made earlier may hold them: nothing that is typed becomes one of them."""
    words = ["\u202e", "a\u200b", "\u200ba", "a\u00adb", "b\U000e0041", "\ufeff", "a\x01b", "1984", "a", "b", "ab"]
    found = shown(bundle_of(words), " ".join([*words, "a\u200bb"]))
    assert {word for _, _, word in found} == {"a", "b", "ab", None}
    assert [text for _, text, word in found if word is None] == ["1984"]


def test_a_byte_order_mark_is_no_token(bundle: _core.Bundle) -> None:
    assert [token.byte_begin for token in bundle.tokenize(b"\xef\xbb\xbfa b")] == [3, 5]
    assert bundle.tokenize(b"\xef\xbb\xbf") == []


def test_long_numbers_are_unknown_unless_the_bundle_keeps_them() -> None:
    words = dict.fromkeys(["1984", "100", "'s", "3.1415"], bytes(8))
    kinds = {}
    for keeps in (False, True):
        kept = _core.Bundle.from_bytes(make_bundle(words, long_numbers=keeps))
        kinds[keeps] = [(kind, text) for kind, text, _ in shown(kept, "1984's 100")]
    assert kinds[True] == [("word", "1984"), ("word", "'s"), ("word", "100")]
    assert kinds[False] == [("unknown", "1984"), ("word", "'s"), ("word", "100")]


@pytest.mark.parametrize(
    "piece",
    [
        "天",
        "鼠",
        "กิ",
        "a天",
        "a\u00ad",
        "a",
        ".",
        "'",
        "’",
        "-",
        "'s",
        "n't",
        "a-",
        "\u0301",
        "e\u0301",
        "x ",
        "👍🏽",
        "1,",
    ],
)
def test_a_megabyte_takes_no_time(bundle: _core.Bundle, piece: str) -> None:
    """It ends: quadratic time would be hours."""
    text = (piece * 1_000_000).encode()[:1_000_000].decode(errors="ignore").encode()
    tokens = bundle.tokenize(text)
    covered = sum(token.byte_end - token.byte_begin for token in tokens)
    assert covered == len(text) - text.count(b" ")
