"""The `mih` section against a reader written from docs/bundle-format.md alone."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit.toolchain.bundle.mih import encode_ascending, encode_mih
from reference.code_reader import check_mih, read_ascending, read_mih
from reference.rules import Bits

Codes = NDArray[np.uint8]


def codes_of(words: int, bits: int, seed: int, *, alike: bool = False) -> Codes:
    """Random codes; `alike` ones differ in few bits, so that they share values."""
    codes = np.random.Generator(np.random.PCG64(seed)).integers(0, 256, (words, bits // 8), dtype=np.uint8)
    return codes & np.uint8(1) if alike else codes


@pytest.mark.parametrize("bits", [64, 128, 256, 512])
@pytest.mark.parametrize("words", [1, 2, 257, 700])
@pytest.mark.parametrize("shift", [0, 6])
def test_section_says_where_each_value_occurs(bits: int, words: int, shift: int) -> None:
    codes = codes_of(words, bits, seed=words)
    section = encode_mih(codes, shift)
    assert read_mih(section, words, bits)[0] == shift
    check_mih(section, codes)


@given(st.integers(1, 300), st.sampled_from([64, 128]), st.integers(0, 6), st.integers(0, 9), st.booleans())
def test_any_codes(words: int, bits: int, shift: int, seed: int, alike: bool) -> None:
    codes = codes_of(words, bits, seed, alike=alike)
    check_mih(encode_mih(codes, shift), codes)


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=400))
def test_ascending_numbers(numbers: list[int]) -> None:
    ascending = [0, *sorted(numbers)]
    bits = Bits(encode_ascending(np.array(ascending)))
    assert read_ascending(bits, len(ascending), ascending[-1]) == ascending


def test_equal_codes_make_one_value() -> None:
    _, tables = read_mih(encode_mih(np.zeros((500, 32), dtype=np.uint8), 3), 500, 256)
    assert all(table == {0: list(range(63))} for table in tables)


def test_same_codes_same_bytes() -> None:
    codes = np.frombuffer(hashlib.shake_128(b"codes").digest(1000 * 32), dtype=np.uint8).reshape(1000, 32)
    digest = hashlib.sha256(encode_mih(codes, 3)).hexdigest()
    assert digest == "95bff8b49cdbf3637c977d8211d9e3edac790c97f141463361936902c1e0685e"
