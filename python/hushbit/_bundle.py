"""Bundles hold a vocabulary and its codes, and are mapped from a file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hushbit import _core
from hushbit._embedder import Embedder
from hushbit._options import (
    CrowdSize,
    EmbedderOptions,
    EpsilonUnit,
    Mechanism,
    PrivatizerOptions,
    ReporterOptions,
    with_options_of,
)
from hushbit._plumbing.paths import path_bytes
from hushbit._plumbing.records import Record, public
from hushbit._privatizer import Privatizer
from hushbit._reporter import Reporter
from hushbit._text import Token, decode, encode, token
from hushbit.errors import CorruptBundleError, InvalidArgumentError, UnknownWordError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Section(Record):
    """A section of a bundle file. `offset` and `length` are in bytes, `sha256` is in hex."""

    name: str
    type: int
    offset: int
    length: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BundleInfo(Record):
    """The contents of a bundle's header.

    format_version: "major.minor" of the file format.
    bits: the number of bits of a code: 64, 128, 256 or 512.
    words: the number of words in the vocabulary, 1 or more.
    max_word_bytes: the length of the longest word, in bytes of UTF-8.
    max_distance: P_max, an upper bound on the distance between any two codes, in bits.
    average_distance: P_avg, the mean Hamming distance over all ordered pairs of output words, self-pairs included.
    default_epsilon: the calibrated epsilon of the default mechanism.
    default_epsilon_unit: the unit of `default_epsilon`: differing "bit" ("brr", "tem") or "word" ("crowd").
    default_mechanism: the default mechanism: "brr", "tem" or "crowd".
    default_crowd_size: the size of crowds if "crowd" is the default mechanism, otherwise None.
    default_epsilon_brr, default_epsilon_tem: the calibrated epsilons of these mechanisms, per differing bit; 0 if there
        is none.
    output_words: the number of words that may come out. Only they have codes. In many bundles these are all words.
    public_words: the number of words that are released without noise.
    unicode_version: the Unicode version of the tokenizer for which the vocabulary was built, "major.minor.update".
    mih_flips: the largest expected number of flipped bits at which the multi-index hash is tried first; 0 without a
        hash.
    file_bytes: the size of the file in bytes.
    hash: the SHA-256, in hex, that identifies the bundle. It covers every byte.
    sections: the sections, in the order of the file.
    """

    format_version: str
    bits: int
    words: int
    max_word_bytes: int
    max_distance: int
    average_distance: float
    default_epsilon: float
    default_epsilon_unit: EpsilonUnit
    default_mechanism: Mechanism
    default_crowd_size: CrowdSize | None
    default_epsilon_brr: float
    default_epsilon_tem: float
    output_words: int
    public_words: int
    unicode_version: str
    mih_flips: float
    file_bytes: int
    hash: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Neighbor(Record):
    """A word and its Hamming distance, in bits, from the given word."""

    word: str
    distance: int


class Bundle:
    """A vocabulary and its codes, mapped read-only from a file. Created by `hushbit.open`.

    Immutable. Any number of threads may use the same bundle at once. The file is unmapped when the bundle and its
    privatizers are deleted. It must not be changed while it is open: replace it by renaming. Windows refuses that, so
    delete them first.

    Words must be spelled as in the vocabulary; they are not normalized. The id of a word is its rank in byte order, 0
    to `words - 1`.
    """

    def __init__(self, native: _core.Bundle, path: str | None = None) -> None:
        self._native = native
        self._path = path

    @property
    def path(self) -> str | None:
        """The absolute path from which it was opened, or None if it was not opened by a path."""
        return self._path

    @cached_property
    def info(self) -> BundleInfo:
        """The contents of the header."""
        return _public_info(self._native)

    @property
    def words(self) -> int:
        """The number of words in the vocabulary."""
        return self.info.words

    @property
    def bits(self) -> int:
        """The number of bits of a code."""
        return self.info.bits

    @cached_property
    def meta(self) -> dict[str, Any]:
        """The bundle's description of itself (docs/bundle-format.md): source, binarizer, filters, calibration.

        Raises CorruptBundleError if it is not a JSON object.
        """
        return _parsed_meta(self._native.meta())

    def find(self, word: str) -> int | None:
        """The id of a word, or None if it is not in the vocabulary."""
        return self._native.find(encode(word, "word"))

    def word(self, id: int) -> str:  # noqa: A002 - the field's own name
        """The word of an id, 0 to the number of words - 1. Raises InvalidArgumentError for another one."""
        self._require_id(id)
        return decode(self._native.word(id))

    def code(self, word: str) -> NDArray[np.uint8]:
        """The code of a word, which is the code of its stand-in, uint8 (bits / 8,).

        Bit i of the code is bit i % 8 of byte i // 8, counted from the least significant bit. Raises
        UnknownWordError if the word is not in the vocabulary.
        """
        import numpy as np

        codes = self._native.codes(np.array([self._require(word)], dtype=np.uint32))
        return codes.reshape(-1)

    def neighbors(self, word: str, k: int = 10) -> list[Neighbor]:
        """The `k` output words nearest to a word, including its stand-in, sorted by distance, then by id.

        k: the number of words, 1 to the number of output words (default: 10).

        Raises InvalidArgumentError if `k` is out of range, and UnknownWordError if the word is not in the vocabulary.
        """
        outputs = self.info.output_words
        if not 1 <= k <= outputs:
            raise InvalidArgumentError(f"k is {k}; it must be 1 to {outputs}, the number of output words")
        ids, distances = self._native.neighbors(self.code(word), k)
        pairs = zip(ids.tolist(), distances.tolist(), strict=True)
        return [Neighbor(self.word(nearest), distance) for nearest, distance in pairs]

    def verify(self) -> None:
        """Reads every byte and checks every hash. Raises CorruptBundleError if one does not match.

        Opening checks only the structure, so verify a file from another source once.
        """
        self._native.verify()

    def tokenize(self, text: str) -> tuple[Token, ...]:
        """The tokens of a text, in order.

        Raises TypeError if `text` is not a str, InvalidTextError for a lone surrogate, and CorruptBundleError if the
        bundle is damaged where it was read.
        """
        return tuple(token(native) for native in self._native.tokenize(encode(text)))

    @with_options_of(PrivatizerOptions)
    def privatizer(self, options: PrivatizerOptions) -> Privatizer:
        """Creates a privatizer that draws words from this bundle.

        The arguments are the fields of `hushbit.PrivatizerOptions`. Raises InvalidArgumentError if one of them is out
        of range or not possible with the bundle, and StorageFailedError if the audit log cannot be opened.
        """
        return Privatizer(self, options)

    @with_options_of(EmbedderOptions)
    def embedder(self, options: EmbedderOptions) -> Embedder:
        """Creates an embedder of whole texts. The arguments are the fields of `hushbit.EmbedderOptions`.

        Raises InvalidArgumentError if one of them is out of range or the bundle has no embedding (format 1.2),
        StorageFailedError if the audit log cannot be opened.
        """
        return Embedder(self, options)

    @with_options_of(ReporterOptions)
    def reporter(self, options: ReporterOptions) -> Reporter:
        """Creates a reporter of whole texts. The arguments are the fields of `hushbit.ReporterOptions`.

        Raises InvalidArgumentError if one of them is out of range, StorageFailedError if the audit log cannot be
        opened.
        """
        return Reporter(self, options)

    def __len__(self) -> int:
        return self.words

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find(word) is not None

    def __repr__(self) -> str:
        info = self.info
        return f"<hushbit.Bundle {info.hash[:12]}, {info.words} words, {info.bits} bits>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Bundle is a mapped file and cannot be copied or pickled: share it between threads, and in another "
            "process open its path with hushbit.open"
        )

    @staticmethod
    def _open_again(path: str, bundle_hash: str) -> Bundle:
        """The bundle that a description names. Raises InvalidArgumentError if another one is there."""
        bundle = open(path)
        if bundle.info.hash != bundle_hash:
            raise InvalidArgumentError(
                f"{path}: the bundle here, {bundle.info.hash[:12]}, is not the expected one, {bundle_hash[:12]}: "
                "copy that file to this machine"
            )
        return bundle

    def _require(self, word: str) -> int:
        found = self.find(word)
        if found is None:
            raise UnknownWordError("the word is not in the vocabulary: words are matched exactly as spelled there")
        return found

    def _require_id(self, id: int) -> None:  # noqa: A002
        if not 0 <= id < self.words:
            raise InvalidArgumentError(f"word id is {id}; it must be 0 to {self.words - 1}")


_BUILT_IN = Path(__file__).with_name("data") / "english.hushbit"


def open(path: str | os.PathLike[str] | None = None) -> Bundle:  # noqa: A001 - hushbit.open is the name
    """Maps a bundle read-only and checks its structure. This takes milliseconds, regardless of the size.

    Without a path it opens the built-in English bundle: 16,384 output words, crowds, and the words of GloVe 6B that
    people type (docs/crowd.md).

    Raises NotFoundError if there is no file at the path, ReadFailedError if the operating system cannot read it
    (a directory, no permission), CorruptBundleError if it is not a well-formed bundle, UnsupportedBundleError if it is
    of a newer version. Bulk data is not read: `Bundle.verify` does that.
    """
    opened = _BUILT_IN if path is None else path
    native = _core.Bundle.open(path_bytes(opened))
    return Bundle(native, os.path.abspath(opened))  # noqa: PTH100 - keeps bytes that are not UTF-8


def _public_info(native: _core.Bundle) -> BundleInfo:
    info = native.info()
    return public(
        BundleInfo,
        info,
        format_version=f"{info.format_major}.{info.format_minor}",
        hash=info.hash.hex(),
        sections=tuple(public(Section, section, sha256=section.sha256.hex()) for section in native.sections()),
    )


def _parsed_meta(data: bytes) -> dict[str, Any]:
    import json

    try:
        meta = json.loads(data.decode())
    except (ValueError, RecursionError):
        meta = None
    if not isinstance(meta, dict):
        raise CorruptBundleError("the bundle's meta section is not a JSON object in UTF-8: export the bundle again")
    return meta
