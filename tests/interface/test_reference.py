"""The reference by itself, and the core against it on inputs that nobody chose."""

import unicodedata
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushbit import _core, _core_testing
from hushbit.errors import UnknownWordError
from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections
from reference import huffman, privatizer, statistics
from reference.brr import uniform_index
from reference.bundle_file import BundleFile, BundleFileError, read_bundle
from reference.bundle_maker import average_distance, make_bundle, max_distance
from reference.chacha20 import FixedSource, SeededSource, blocks, keystream
from reference.golden import clustered_codes
from reference.tokenizer import Tokenizer, char_class, is_format, normal_form, units_of

# Where Python's Unicode is another than the core's, only characters that were assigned long ago are compared.
SAME_UNICODE = unicodedata.unidata_version == _core.UNICODE_VERSION


def comparable(character: str) -> bool:
    return SAME_UNICODE or unicodedata.ucd_3_2_0.category(character) != "Cn"


characters = st.characters(codec="utf-8").filter(comparable)
few = settings(max_examples=150, deadline=None, derandomize=True)
many = settings(max_examples=600, deadline=None, derandomize=True)

# ---- The parts of the reference --------------------------------------------------------------------------------


def test_chacha20_against_rfc_8439() -> None:
    key, nonce = bytes(range(32)), bytes.fromhex("000000090000004a00000000")
    assert blocks(key, 1, nonce, 1).hex() == (  # section 2.3.2
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    assert blocks(bytes(32), 0, bytes(12), 2).hex() == (  # appendix A.1, vectors 1 and 2
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
    )


@few
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**38 - 400), st.integers(1, 400))
def test_keystream_of_the_core(seed: bytes, offset: int, size: int) -> None:
    assert _core_testing.keystream(seed, offset, size) == keystream(seed, offset, size)


def test_seeded_source_is_the_keystream() -> None:
    source = SeededSource(bytes(32))
    taken = b"".join(source.take(size) for size in (1, 63, 70_000, 8))
    assert taken == keystream(bytes(32), 0, len(taken))


def test_uniform_index_is_exact() -> None:
    """Each index of 3 is hit by the same number of 64-bit words: the edges, and the one word that is rejected."""
    third = (2**64 - 1) // 3
    for word, index in ((1, 0), (third, 0), (third + 1, 1), (2 * third, 1), (2 * third + 1, 2), (2**64 - 1, 2)):
        assert uniform_index(word, 3, FixedSource(b"")) == index
    assert uniform_index(0, 3, FixedSource(b"\xff" * 8)) == 2
    with pytest.raises(ValueError, match="stream has 0 bytes"):
        uniform_index(0, 3, FixedSource(b""))


def test_chi_square_against_tables() -> None:
    for statistic, freedom, p in ((3.841459, 1, 0.05), (18.307038, 10, 0.05), (135.806723, 100, 0.01)):
        assert statistics.chi_square_survival(statistic, freedom) == pytest.approx(p, rel=1e-5)
    assert statistics.chi_square_p([50, 50], [50, 50]) == 1
    assert statistics.chi_square_p([1, 99], [0, 100]) == 0


@few
@given(st.dictionaries(st.integers(0, 255), st.integers(1, 10**9), min_size=2))
def test_huffman_codes_are_complete_and_short(counts: dict[int, int]) -> None:
    lengths = huffman.code_lengths(Counter(counts))
    huffman.check_lengths(lengths)
    assert lengths.keys() == counts.keys()
    codes = list(huffman.as_text(lengths))
    assert not any(a != b and b.startswith(a) for a in codes for b in codes)
    by_count = sorted(counts, key=lambda symbol: counts[symbol])
    assert all(lengths[a] >= lengths[b] for a, b in pairwise(by_count) if counts[a] < counts[b])


# ---- Bundles ---------------------------------------------------------------------------------------------------

words_of_text = st.text(characters.filter(lambda c: c != "\0"), min_size=1, max_size=40)
vocabularies = st.sets(words_of_text, min_size=1, max_size=60).map(
    lambda words: clustered_codes(sorted(words), 64)  # codes with many near neighbors and ties
)


@few
@given(vocabularies, st.sampled_from([1, 2, 4, 8, 16, 32, 64]))
def test_core_reads_what_the_reference_writes(vocabulary: dict[str, bytes], block: int) -> None:
    data = make_bundle(vocabulary, block=block)
    expected = sorted((word.encode(), code) for word, code in vocabulary.items())
    bundle, file = _core.Bundle.from_bytes(data), read_bundle(data)
    bundle.verify()
    assert bundle.info().hash == file.hash
    assert [(word, code.tobytes()) for word, code in zip(file.words, file.codes, strict=True)] == expected
    codes = bundle.codes(np.arange(len(expected), dtype=np.uint32))
    assert [(bundle.word(id), codes[id].tobytes()) for id in range(len(expected))] == expected
    assert all(bundle.find(word) == id for id, (word, _) in enumerate(expected))


@few
@given(vocabularies)
def test_reference_reads_what_the_product_writes(vocabulary: dict[str, bytes]) -> None:
    ordered = sorted((word.encode(), code) for word, code in vocabulary.items())
    codes = np.frombuffer(b"".join(code for _, code in ordered), dtype=np.uint8).reshape(len(ordered), 8)
    sections = encode_sections([word for word, _ in ordered], codes)
    header = Header(
        default_epsilon=0.5,
        average_distance=average_distance(codes),
        max_distance=max_distance(codes),
        unicode_version="14.0.0",
        default_mechanism="brr",
    )
    file = read_bundle(assemble(header, encode_meta({"b": 1, "a": [2]}), sections))
    assert file.words == [word for word, _ in ordered]
    assert np.array_equal(file.codes, codes)
    assert (file.bits, file.default_epsilon, file.unicode_version) == (64, 0.5, 14 << 16)
    assert file.meta == {"a": [2], "b": 1}


def test_reference_reads_strictly() -> None:
    """Every byte matters: a reader that missed one could not vouch for a writer."""
    data = make_bundle({"no": bytes(8), "not": b"\1" * 8, "nothing": b"\2" * 8})
    for position in range(len(data)):
        changed = bytearray(data)
        changed[position] ^= 1 << position % 8
        with pytest.raises(BundleFileError):
            read_bundle(bytes(changed))


# ---- Tokens and privatized text --------------------------------------------------------------------------------

_PIECES = "n't n’t 's 'S ‘re 've 'll 'd 'm ' ’ do Don it well known - -- . u U. é İ ẖ 한 👍 🏽 ש 1 2 , s t"
_SPECIAL = (" ", "  ", "\n", "\u3000", "\0", "\u200d", "\u0301", "\u0323", "e\u0301", "H\u0331", "\u2019\u0301")
_LONG = ("\u1112\u1161\u11ab", "x" * 30, "\u0301" * 33)
PIECES = st.sampled_from([*_PIECES.split(), *_SPECIAL, *_LONG])
texts = st.lists(st.one_of(PIECES, PIECES, PIECES, characters), max_size=25).map("".join)
WORDS = """
    n't 's 're 've 'll 'd 'm do don it well known well-known - -- . u.u. u é ẖ 한 1,2 1 2 , s's 't ' it's x xx 's's ש s
"""
small_vocabularies = st.lists(st.sampled_from(WORDS.split()), min_size=1, unique=True)


def file_and_bundle(words: list[str]) -> tuple[BundleFile, _core.Bundle]:
    data = make_bundle(clustered_codes(words, 64))
    return read_bundle(data), _core.Bundle.from_bytes(data)


@many
@given(small_vocabularies, texts)
def test_tokens(words: list[str], text: str) -> None:
    file, bundle = file_and_bundle(words)
    found = [(t.kind, t.word, t.byte_begin, t.byte_end) for t in bundle.tokenize(text.encode())]
    wanted = [
        (
            t.kind,
            None if t.form is None else file.ids[t.form.encode()],
            len(text[: t.begin].encode()),
            len(text[: t.end].encode()),
        )
        for t in Tokenizer(file.ids, file.max_word_bytes).tokenize(text)
    ]
    assert found == wanted


def outcome(
    reference: privatizer.Privatizer, text: str, seed: bytes
) -> privatizer.Released | privatizer.UnknownWordError:
    try:
        return reference.privatize(text, SeededSource(seed))
    except privatizer.UnknownWordError as error:
        return error


@many
@given(
    small_vocabularies,
    texts,
    st.sampled_from([0.0, 0.25, 1.0, 2.0, 5.0, 60.0]),
    st.sampled_from(["random", "drop", "mask", "error", "verbatim-unsafe"]),
    st.sampled_from(["drop", "privatize"]),
    st.binary(min_size=32, max_size=32),
)
def test_privatized_text(
    words: list[str],
    text: str,
    epsilon: float,
    oov: privatizer.Oov,
    punctuation: privatizer.Punctuation,
    seed: bytes,
) -> None:
    file, bundle = file_and_bundle(words)
    core = _core.Privatizer(bundle, epsilon=epsilon, oov=oov, punctuation=punctuation, allow_unchanged=True)
    wanted = outcome(privatizer.Privatizer(file, epsilon, oov, punctuation), text, seed)
    if isinstance(wanted, privatizer.UnknownWordError):
        with pytest.raises(UnknownWordError) as refused:
            _core_testing.privatize(core, text.encode(), seed)
        assert refused.value.position == wanted.position
        return
    got = _core_testing.privatize(core, text.encode(), seed)
    assert got.text == wanted.text
    assert [code.tobytes() for code in got.noisy_codes] == [code.tobytes() for code in wanted.noisy_codes]
    for token, placed in zip(got.tokens, wanted.tokens, strict=True):
        assert (token.kind, token.word) == (placed.kind, placed.id)
        assert (token.utf16_begin, token.utf16_end) == placed.utf16
        output = None if token.output_begin == token.output_end else (token.output_begin, token.output_end)
        assert output == placed.output
    counts = ("words", "unknown", "dropped", "verbatim")
    assert [getattr(got.cost, key) for key in counts] == [getattr(wanted.cost, key) for key in counts]
    for key in ("epsilon", "average", "worst_case"):
        assert getattr(got.cost, key) == pytest.approx(getattr(wanted.cost, key), rel=1e-12)
        if key != "average":
            assert getattr(got.cost, key) >= getattr(wanted.cost, key) * (1 - 2**-52), "an upper bound"


@many
@given(texts)
def test_normal_forms_of_units_make_up_that_of_the_text(text: str) -> None:
    """What docs/tokenizer.md says of units: NFC never crosses them, and runs of normal forms are NFC again."""
    units = units_of(text)
    parts = [text[unit.begin : unit.end] for unit in units]
    assert "".join(parts) == text
    assert "".join(unicodedata.normalize("NFC", part) for part in parts) == unicodedata.normalize("NFC", text)
    forms = "".join(normal_form(part) for part in parts)
    assert unicodedata.normalize("NFC", forms) == forms


@few
@given(texts)
def test_tokens_cover_the_text(text: str) -> None:
    """Every code point is in one token, or is a space between tokens; a format character may be either."""
    tokens = Tokenizer({word.encode() for word in WORDS.split()}, 10).tokenize(text)
    covered = [False] * len(text)
    for token in tokens:
        assert token.begin < token.end
        assert not any(covered[token.begin :])
        covered[token.begin : token.end] = [True] * (token.end - token.begin)
    for character, is_covered in zip(text, covered, strict=True):
        assert is_format(character) or is_covered == (char_class(character) != "space")
