"""Bundles from Python: what they say of themselves and of words, and what they refuse."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hushbit
from hushbit import errors
from typed import CANARY, slices


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-256.hushbit")


def test_info(bundle: hushbit.Bundle, vectors: Path) -> None:
    info = bundle.info
    assert (info.format_version, info.bits, info.words, info.default_mechanism) == ("1.0", 256, 749, "brr")
    assert (bundle.bits, bundle.words, len(bundle)) == (info.bits, info.words, info.words)
    assert info.file_bytes == (vectors / "words-256.hushbit").stat().st_size
    assert [section.name for section in info.sections] == ["meta", "words", "codes", "clusters", "order", "mih"]
    assert info.mih_flips == 40
    assert info.sections[-1].offset + info.sections[-1].length == info.file_bytes
    assert 0 < info.average_distance < info.max_distance <= info.bits
    assert len(bytes.fromhex(info.hash)) == 32
    assert bundle.meta["source"] == {"name": "made for tests"}
    assert info.hash[:12] in repr(bundle)
    bundle.verify()


def test_words_and_ids_are_inverse(bundle: hushbit.Bundle) -> None:
    words = [bundle.word(id) for id in range(len(bundle))]
    assert words == sorted(words, key=str.encode)
    assert [bundle.find(word) for word in words] == list(range(len(bundle)))
    assert max(len(word.encode()) for word in words) == bundle.info.max_word_bytes
    assert bundle.find(CANARY) is None
    assert "cat" in bundle
    assert CANARY not in bundle
    assert 7 not in bundle


def test_codes_and_neighbors(bundle: hushbit.Bundle) -> None:
    codes = np.stack([bundle.code(bundle.word(id)) for id in range(len(bundle))])
    assert codes.shape == (749, 32)
    assert codes.dtype == np.uint8
    distances = np.unpackbits(codes ^ bundle.code("cat"), axis=1).sum(axis=1)
    order = np.lexsort((np.arange(len(bundle)), distances))[:20]
    expected = [hushbit.Neighbor(bundle.word(int(id)), int(distances[id])) for id in order]
    assert bundle.neighbors("cat", 20) == expected
    assert bundle.neighbors("cat", 1) == [hushbit.Neighbor("cat", 0)]
    assert len(bundle.neighbors("cat", len(bundle))) == len(bundle)


def test_tokenize(bundle: hushbit.Bundle) -> None:
    text = "The 😀 cat doesn’t\0know Qzx-99!"
    tokens = bundle.tokenize(text)
    assert slices(text, tokens) == ["The", "😀", "cat", "does", "n’t", "know", "Qzx", "-", "99", "!"]
    kinds = "word punctuation word word word word unknown punctuation unknown punctuation"
    assert [token.kind for token in tokens] == kinds.split()
    assert bundle.word(tokens[2].word_id or 0) == "cat"
    assert tokens[6].word_id is None
    assert bundle.tokenize("") == ()


@pytest.mark.parametrize(
    ("error", "builtin", "make"),
    [
        (errors.NotFoundError, FileNotFoundError, lambda path, data: path / "missing"),
        (errors.ReadFailedError, OSError, lambda path, data: path),
        (errors.CorruptBundleError, Exception, lambda path, data: written(path, b"")),
        (errors.CorruptBundleError, Exception, lambda path, data: written(path, data[:-1])),
        (errors.CorruptBundleError, Exception, lambda path, data: written(path, data[:100])),
        (errors.CorruptBundleError, Exception, lambda path, data: written(path, data + b"\0")),
        (errors.CorruptBundleError, Exception, lambda path, data: written(path, b"just text\n" * 1000)),
        (errors.InvalidArgumentError, ValueError, lambda path, data: "a\0b"),
    ],
)
def test_open_refuses(
    error: type[Exception],
    builtin: type[Exception],
    make: Callable[[Path, bytes], Path | str],
    tmp_path: Path,
    vectors: Path,
) -> None:
    with pytest.raises(error) as caught:
        hushbit.open(make(tmp_path, (vectors / "words-256.hushbit").read_bytes()))
    assert isinstance(caught.value, builtin)
    assert isinstance(caught.value, hushbit.HushbitError)
    assert len(str(caught.value)) > 10


def written(directory: Path, data: bytes) -> Path:
    path = directory / "some.hushbit"
    path.write_bytes(data)
    return path


def test_open_takes_paths_of_str(vectors: Path) -> None:
    assert len(hushbit.open(str(vectors / "words-64.hushbit"))) == 749
    with pytest.raises(TypeError, match="bytes"):
        hushbit.open(os.fsencode(vectors / "words-64.hushbit"))  # type: ignore[arg-type]


def test_verify_finds_what_open_leaves_unread(tmp_path: Path, vectors: Path) -> None:
    data = bytearray((vectors / "words-256.hushbit").read_bytes())
    data[-1] ^= 1
    damaged = hushbit.open(written(tmp_path, bytes(data)))
    with pytest.raises(errors.CorruptBundleError, match="mih"):
        damaged.verify()


def test_bundle_refuses(bundle: hushbit.Bundle) -> None:
    for id in (-1, len(bundle), 1 << 40):
        with pytest.raises(errors.InvalidArgumentError, match="0 to 748"):
            bundle.word(id)
    for k in (0, -1, len(bundle) + 1):
        with pytest.raises(errors.InvalidArgumentError, match="1 to 749"):
            bundle.neighbors("cat", k)
    for ask in (bundle.code, bundle.neighbors):
        with pytest.raises(errors.UnknownWordError) as caught:
            ask(CANARY)
        assert CANARY not in str(caught.value)
    with pytest.raises(TypeError, match="word must be str, not bytes"):
        bundle.find(b"cat")  # type: ignore[arg-type]
