"""Bundles in every layout: what one side writes, the independent reference and the core read."""

import hashlib
import struct
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit import _core
from hushbit.errors import CorruptBundleError
from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections
from hushbit.toolchain.bundle.distances import average_distance
from hushbit.toolchain.bundle.layout import INDEXES
from reference.bundle_file import ENTRY, BundleFileError, read_bundle
from reference.bundle_maker import make_bundle
from reference.code_reader import read_codes
from search_cases import searches_of

Codes = NDArray[np.uint8]
Writer = Callable[[list[bytes], Codes, str], bytes]
SIZES = [1, 2, 255, 256, 257, 511, 512, 513]
NAMES = {
    "none": ("meta", "words", "codes"),
    "mih": ("meta", "words", "codes", "mih"),
    "clusters": ("meta", "words", "codes", "clusters", "order"),
    "both": ("meta", "words", "codes", "clusters", "order", "mih"),
}


def codes_of(count: int, bits: int, seed: int = 0) -> Codes:
    """Codes around a few topics; some words share one."""
    generator = np.random.default_rng(seed)
    topics = generator.integers(256, size=(5, bits // 8), dtype=np.uint8)
    flips = np.packbits(generator.random((count, bits)) < 0.1, axis=1)
    codes = topics[generator.integers(5, size=count)] ^ flips
    codes[count // 2] = codes[0]
    return np.asarray(codes, dtype=np.uint8)


def words_of(count: int) -> list[bytes]:
    return [b"%06d" % i for i in range(count)]


def by_product(words: list[bytes], codes: Codes, index: str) -> bytes:
    flips = 7 if index in ("both", "mih") else 0
    header = Header(1.0, average_distance(codes), codes.shape[1] * 8, _core.UNICODE_VERSION, "brr", mih_flips=flips)
    return assemble(header, encode_meta({}), encode_sections(words, codes, index))


def by_reference(words: list[bytes], codes: Codes, index: str) -> bytes:
    flips = 7 if index in ("both", "mih") else 0
    named = {word.decode(): code.tobytes() for word, code in zip(words, codes, strict=True)}
    return make_bundle(named, farthest=codes.shape[1] * 8, index=index, mih_shift=len(words) % 7, mih_flips=flips)


@pytest.mark.parametrize(
    ("writer", "bits", "count"),
    [(by_product, bits, count) for bits in (64, 128, 256, 512) for count in SIZES]
    + [(by_reference, 64, count) for count in SIZES]  # which takes its time
    + [(by_reference, bits, 513) for bits in (128, 256, 512)],
)
@pytest.mark.parametrize("index", INDEXES)
def test_reads_back(writer: Writer, index: str, bits: int, count: int) -> None:
    words, codes = words_of(count), codes_of(count, bits, seed=count)
    read = read_bundle(writer(words, codes, index))
    assert read.words == words
    np.testing.assert_array_equal(read.codes, codes)
    assert read.sections == NAMES[index]
    assert read.mih_flips == (7 if "mih" in read.sections else 0)


@pytest.mark.parametrize("writer", [by_product, by_reference])
@pytest.mark.parametrize("index", INDEXES)
@pytest.mark.parametrize("bits", [64, 128, 256, 512])
def test_the_core_gives_the_same_answers(writer: Writer, index: str, bits: int) -> None:
    for count in SIZES if bits == 64 else SIZES[-2:]:
        words, codes = words_of(count), codes_of(count, bits, seed=count)
        bundle = _core.Bundle.from_bytes(writer(words, codes, index))
        bundle.verify()
        np.testing.assert_array_equal(bundle.codes(np.arange(count, dtype=np.uint32)), codes)
        queries = np.concatenate([codes[:9], ~codes[:9]])
        truth = np.bitwise_count(queries[:, None] ^ codes).sum(axis=2)
        for search in searches_of(index):
            distances, ties, ids = _core.nearest(bundle, queries, search)
            np.testing.assert_array_equal(distances, truth.min(axis=1))
            np.testing.assert_array_equal(ties, (truth == truth.min(axis=1, keepdims=True)).sum(axis=1))
            np.testing.assert_array_equal(ids, truth.argmin(axis=1))
        pairs = np.bitwise_count(codes[:, None, :8] ^ codes[:, :8]).sum(axis=2) if bits == 64 else None
        if pairs is not None:
            assert bundle.farthest(0, count, 0) == pairs.max()
            assert bundle.farthest(count // 2, count, bundle.farthest(0, count // 2, 0)) == pairs.max()


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 1200), st.sampled_from([64, 128]), st.sampled_from(INDEXES), st.integers(0, 9))
def test_any_number_of_words(count: int, bits: int, index: str, seed: int) -> None:
    words, codes = words_of(count), codes_of(count, bits, seed)
    for writer in (by_product, by_reference):
        np.testing.assert_array_equal(read_bundle(writer(words, codes, index)).codes, codes)


@pytest.mark.parametrize("index", INDEXES)
def test_the_same_codes_give_the_same_bytes(index: str) -> None:
    words, codes = words_of(1500), codes_of(1500, 64)
    assert by_product(words, codes, index) == by_product(words, codes, index)


@pytest.mark.parametrize("writer", [by_product, by_reference])
def test_the_reference_reads_sections_strictly(writer: Writer) -> None:
    """Each byte of a layout's sections changed, hashes and all: the reader of the reference needs no hash to notice."""
    words, codes = words_of(9), codes_of(9, 64)
    data = writer(words, codes, "both")
    entries = ENTRY.iter_unpack(data[128 : 128 + 64 * 6])
    sections = {type_: data[offset : offset + length] for type_, _, offset, length, _, _ in entries}
    np.testing.assert_array_equal(read_codes(sections, 9, 64), codes)
    generator = np.random.default_rng(0)
    for type_ in (4, 5, 6):
        for at in generator.permutation(len(sections[type_]))[:200].tolist():
            changed = bytearray(sections[type_])
            changed[at] ^= 1 << int(generator.integers(8))
            try:
                read = read_codes({**sections, type_: bytes(changed)}, 9, 64)
            except (BundleFileError, ValueError, IndexError, OverflowError):
                continue
            # What no rule forbids: a reference may be any code, a median is a hint, and a shortcut may lead elsewhere.
            assert type_ in (4, 5), f"byte {at}"
            assert (read != codes).any() == (type_ == 4 and at not in (64 + 10, 64 + 11))


def resealed(data: bytes, type_: int, section: bytes) -> bytes:
    """A bundle with one section replaced by another of the same length, and every hash and CRC made to fit."""
    (count,) = struct.unpack_from("<I", data, 28)
    out = bytearray(data)
    for at in range(128, 128 + 64 * count, 64):
        kind, _, offset, length = struct.unpack_from("<IIQQ", data, at)
        if kind == type_:
            assert len(section) == length
            out[offset : offset + length] = section
            out[at + 32 : at + 64] = hashlib.sha256(section).digest()
    struct.pack_into("<I", out, 120, zlib.crc32(out[128 : 128 + 64 * count]))
    struct.pack_into("<I", out, 124, zlib.crc32(out[:124]))
    return bytes(out)


def core_reads(data: bytes, count: int) -> Codes | None:
    """The codes, or None if `open` or `verify` refuse the bundle."""
    try:
        bundle = _core.Bundle.from_bytes(data)
        _core.nearest(bundle, codes_of(3, bundle.info().bits), "mih")  # before it is verified, whatever it gives
    except CorruptBundleError:
        return None
    try:
        bundle.verify()
    except CorruptBundleError:
        return None
    return bundle.codes(np.arange(count, dtype=np.uint32))


def reference_reads(data: bytes) -> Codes | None:
    try:
        return read_bundle(data).codes
    except (BundleFileError, ValueError, IndexError, OverflowError):
        return None


@pytest.mark.parametrize("type_", [3, 4, 5, 6])
@pytest.mark.parametrize("count", [9, 600])
def test_the_core_refuses_what_the_reference_refuses(type_: int, count: int) -> None:
    """Bytes of a section changed, hashes and all."""
    data = by_reference(words_of(count), codes_of(count, 64), "both")
    _, _, offset, length = next(entry[:4] for entry in ENTRY.iter_unpack(data[128 : 128 + 64 * 6]) if entry[0] == type_)
    generator = np.random.default_rng(type_)
    for _ in range(300 if count < 100 else 30):
        changed = bytearray(data[offset : offset + length])
        for at in generator.integers(length, size=generator.integers(1, 3)).tolist():
            changed[at] = int(generator.integers(256)) if generator.random() < 0.5 else changed[at] ^ 1
        hostile = resealed(data, type_, bytes(changed))
        core, reference = core_reads(hostile, count), reference_reads(hostile)
        assert (core is None) == (reference is None), bytes(changed).hex()
        if core is not None and reference is not None:
            np.testing.assert_array_equal(core, reference)
