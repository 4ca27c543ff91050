"""The compiled Unicode tables and NFC against `unicodedata`, over every code point.

The comparison is complete where Python and the core have the same Unicode version. Else it is confined, and says so, to
code points assigned in Unicode 3.2, the oldest version that every Python knows: what is assigned never changes its
normalization.
"""

import ctypes
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit import _core
from reference import tokenizer as reference

ROOT = Path(__file__).resolve().parents[2]
CODE_POINTS = 0x110000
SAME_VERSION = unicodedata.unidata_version == _core.UNICODE_VERSION
CLASSES = {"other": 0, "word": 1, "space": 2}
EXTENDS, DIGIT, UNSPACED, JOINED = 1, 2, 4, 8  # bits of hushbit::CodePointInfo::traits


def comparable(character: str) -> bool:
    """Whether this Python and the core must agree on a code point."""
    return SAME_VERSION or unicodedata.ucd_3_2_0.category(character) != "Cn"


COMPARABLE = [character for character in map(chr, range(CODE_POINTS)) if comparable(character)]
MARKS = [character for character in COMPARABLE if reference.extends(character)]
# Short strings of any code points but surrogates, with marks, Hangul and what they compose with far more often than by
# chance.
STRINGS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]).filter(comparable),
        st.sampled_from(MARKS),
        st.sampled_from("aeiouAHTıİςΑΙΩΰ가각\u1100\u1112\u1161\u11a8\u0915\u0928\u09c7\u3046\U0001d15f"),
    ),
    max_size=40,
)


class Probe:
    """native/tests/unicode_probe.cpp as a library."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._library.probe_nfc.restype = ctypes.c_size_t
        self._library.probe_ligature.restype = ctypes.c_size_t

    def version(self) -> str:
        packed = self._library.probe_version()
        return f"{packed >> 16}.{packed >> 8 & 0xFF}.{packed & 0xFF}"

    def table(self) -> dict[str, NDArray[np.uint32]]:
        """An array over all code points, by property."""
        types = {"char_class": np.uint8, "combining_class": np.uint8, "traits": np.uint8, "lower": np.uint32}
        arrays = {name: np.zeros(CODE_POINTS, type_) for name, type_ in types.items()}
        arrays["decomposed"] = np.zeros((CODE_POINTS, 4), np.uint32)
        self._library.probe_table(CODE_POINTS, *(array.ctypes.data_as(ctypes.c_void_p) for array in arrays.values()))
        return {name: array.astype(np.uint32) for name, array in arrays.items()}

    def ligature(self, character: str) -> str:
        letters = (ctypes.c_uint32 * 3)()
        size = self._library.probe_ligature(ctypes.c_uint32(ord(character)), letters)
        return "".join(map(chr, letters[:size])) or character

    def nfc(self, text: str) -> str:
        capacity = 4 * len(text)
        buffer = (ctypes.c_uint32 * max(capacity, 1))(*map(ord, text))
        size = self._library.probe_nfc(buffer, ctypes.c_size_t(len(text)), ctypes.c_size_t(capacity))
        return "".join(map(chr, buffer[:size]))


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    library = tmp_path_factory.mktemp("probe") / "probe.so"
    sources = [ROOT / "native/tests/unicode_probe.cpp", ROOT / "native/src/text/unicode.cpp"]
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O1", "-shared", "-fPIC", f"-I{ROOT / 'native/src'}"]
    subprocess.run([*command, *map(str, sources), "-o", str(library)], check=True)
    return Probe(library)


@pytest.fixture(scope="session")
def table(probe: Probe) -> dict[str, NDArray[np.uint32]]:
    return probe.table()


def differences(found: Iterable[int], expected: Iterable[int]) -> list[str]:
    """Differences of values over all code points, where they must not differ."""
    pairs = enumerate(zip(found, expected, strict=True))
    return [f"U+{i:04X}: {a} is not {b}" for i, (a, b) in pairs if a != b and comparable(chr(i))]


def every(property_of: object) -> list[int]:
    """An integer property over all code points."""
    assert callable(property_of)
    return [int(property_of(chr(code_point))) for code_point in range(CODE_POINTS)]


def test_what_is_compared(probe: Probe, capsys: pytest.CaptureFixture[str]) -> None:
    assert probe.version() == _core.UNICODE_VERSION
    assert len(COMPARABLE) == CODE_POINTS if SAME_VERSION else len(COMPARABLE) > 90_000
    if not SAME_VERSION:
        with capsys.disabled():
            print(
                f"\nNOT EVERY CODE POINT IS COMPARED: the core has Unicode {_core.UNICODE_VERSION}, this Python "
                f"{unicodedata.unidata_version}, so only the {len(COMPARABLE)} of Unicode 3.2 are"
            )


def test_generator_would_write_what_is_committed() -> None:
    command = [sys.executable, str(ROOT / "tools/generate/unicode_tables"), "--check"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if SAME_VERSION:
        assert (finished.returncode, finished.stderr) == (0, "")
    else:
        assert finished.returncode == 2
        assert "cannot check" in finished.stderr


def test_classes(table: dict[str, NDArray[np.uint32]]) -> None:
    assert differences(table["char_class"], every(lambda c: CLASSES[reference.char_class(c)])) == []
    assert set(np.flatnonzero(table["char_class"] == CLASSES["space"])) > reference.WHITE_SPACE


def test_combining_classes(table: dict[str, NDArray[np.uint32]]) -> None:
    assert differences(table["combining_class"], every(unicodedata.combining)) == []


def test_extends(table: dict[str, NDArray[np.uint32]]) -> None:
    assert differences(table["traits"] & EXTENDS, every(reference.extends)) == []


def test_digits(table: dict[str, NDArray[np.uint32]]) -> None:
    assert differences(table["traits"] & DIGIT, every(lambda c: DIGIT * (unicodedata.category(c) == "Nd"))) == []


def test_scripts(table: dict[str, NDArray[np.uint32]]) -> None:
    """The core knows them by block, the reference by name."""
    assert differences(table["traits"] & UNSPACED, every(lambda c: UNSPACED * reference.is_unspaced(c))) == []
    assert differences(table["traits"] & JOINED, every(lambda c: JOINED * reference.is_joined(c))) == []


def test_ligatures(probe: Probe) -> None:
    found = {c: probe.ligature(c) for c in COMPARABLE if probe.ligature(c) != c}
    assert found == {c: reference.ligature_letters(c) for c in COMPARABLE if reference.ligature_letters(c) != c}
    assert "".join(found) == "Ĳĳﬀﬁﬂﬃﬄﬅﬆ"


def test_simple_lower_case(table: dict[str, NDArray[np.uint32]]) -> None:
    lower = every(lambda c: ord(c.lower()[0]))
    assert differences(table["lower"], lower) == []
    assert [c for c in map(chr, range(CODE_POINTS)) if len(c.lower()) != 1] == ["\u0130"]


def test_decompositions(table: dict[str, NDArray[np.uint32]]) -> None:
    assert [
        f"U+{i:04X}"
        for i, row in enumerate(table["decomposed"].tolist())
        if i and comparable(chr(i)) and "".join(map(chr, row)).rstrip("\0") != unicodedata.normalize("NFD", chr(i))
    ] == []


def test_nfc_of_every_code_point(probe: Probe) -> None:
    assert [ascii(c) for c in COMPARABLE if probe.nfc(c) != unicodedata.normalize("NFC", c)] == []


def test_nfc_of_every_composite_apart(probe: Probe) -> None:
    """Each composite's parts, also with a mark between that blocks, and one that does not."""
    for composite in COMPARABLE:
        parts = unicodedata.normalize("NFD", composite)
        if len(parts) > 1:
            first, rest = parts[0], parts[1:]
            for text in (parts, first + "\u0334" + rest, first + "\u0301" + rest, rest + parts, parts + rest):
                assert probe.nfc(text) == unicodedata.normalize("NFC", text), ascii(text)


@settings(max_examples=1000, deadline=None)
@given(STRINGS)
@example("a\u05ae\u0300\u0315\u0062")
@example("\u1100\u0300\u1161")
@example("\u0344" * 8)
def test_nfc_of_strings(probe: Probe, text: str) -> None:
    assert probe.nfc(text) == unicodedata.normalize("NFC", text)


@settings(max_examples=1000, deadline=None)
@given(STRINGS)
def test_nfc_of_units_is_nfc_of_the_text(text: str) -> None:
    """What docs/tokenizer.md rests on: units can be normalized one by one, and normal forms are NFC and final."""
    units = [text[unit.begin : unit.end] for unit in reference.units_of(text)]
    assert "".join(unicodedata.normalize("NFC", unit) for unit in units) == unicodedata.normalize("NFC", text)
    forms = [" " if unit.char_class == "space" else unit.form for unit in reference.units_of(text)]
    if None in forms:
        return  # a unit that is too long
    form = "".join(form or "" for form in forms)
    assert form == unicodedata.normalize("NFC", form) == reference.normal_form(form)
