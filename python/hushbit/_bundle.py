"""Bundles: a vocabulary and its codes, mapped from a file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from hushbit import _core
from hushbit._budget import Budget
from hushbit._paths import path_bytes
from hushbit._privatizer import Mechanism, OovPolicy, Privatizer, PunctuationPolicy, Search
from hushbit._records import Record, public
from hushbit._text import Token, decode, encode, token
from hushbit.errors import CorruptBundleError, InvalidArgumentError, UnknownWordError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MECHANISM_NAMES = {1: "brr", 2: "tem"}


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
    """What a bundle's header says.

    format_version: "major.minor" of the file format.
    bits: of a code: 64, 128, 256 or 512.
    words: how many the vocabulary has, 1 or more.
    max_word_bytes: of the longest word, in UTF-8.
    max_distance: P_max; no two codes differ in more bits.
    average_distance: P_avg, the mean Hamming distance over all ordered pairs of words, self-pairs included.
    default_epsilon: per differing bit, what the bundle was calibrated to.
    default_mechanism: "brr" or "tem".
    unicode_version: of the tokenizer that the vocabulary was built for, "major.minor.update".
    mih_flips: the expected number of flipped bits up to which the multi-index hash is searched first; 0 without one.
    file_bytes: size of the file.
    hash: SHA-256 in hex that names the bundle; it covers every byte.
    sections: in file order.
    """

    format_version: str
    bits: int
    words: int
    max_word_bytes: int
    max_distance: int
    average_distance: float
    default_epsilon: float
    default_mechanism: str
    unicode_version: str
    mih_flips: float
    file_bytes: int
    hash: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Neighbor(Record):
    """A word and its Hamming distance, in bits, to the word asked about."""

    word: str
    distance: int


class Bundle:
    """A vocabulary and its codes, mapped read-only from a file. Made by `hushbit.open`.

    Immutable; any number of threads may use one at once. The file is unmapped when the bundle and its privatizers are
    gone. It must not be changed while it is open: replace it by renaming.

    Words are spelled as in the vocabulary: nothing is normalized. The id of a word is its rank in byte order, 0 to
    `words - 1`.
    """

    def __init__(self, native: _core.Bundle) -> None:
        self._native = native

    @cached_property
    def info(self) -> BundleInfo:
        """What the header says."""
        return _public_info(self._native)

    @property
    def words(self) -> int:
        """How many words the vocabulary has."""
        return self.info.words

    @property
    def bits(self) -> int:
        """The bits of a code."""
        return self.info.bits

    @cached_property
    def meta(self) -> dict[str, Any]:
        """The bundle's description of itself (docs/bundle-format.md): source, binarizer, filters, calibration.

        CorruptBundleError if it is not a JSON object.
        """
        return _parsed_meta(self._native.meta())

    def find(self, word: str) -> int | None:
        """The id of a word, or None if it is not in the vocabulary."""
        return self._native.find(encode(word, "word"))

    def word(self, id: int) -> str:  # noqa: A002 - the field's own name
        """The word of an id. InvalidArgumentError if there is no such id."""
        self._require_id(id)
        return decode(self._native.word(id))

    def code(self, word: str) -> NDArray[np.uint8]:
        """The code of a word: uint8 (bits / 8,), bit i is bit i % 8, from the least significant on, of byte i // 8.

        UnknownWordError if the word is not in the vocabulary.
        """
        import numpy as np

        codes = self._native.codes(np.array([self._require(word)], dtype=np.uint32))
        return codes.reshape(-1)

    def neighbors(self, word: str, k: int = 10) -> list[Neighbor]:
        """The `k` words nearest to a word, itself among them, sorted by distance, then by id.

        `k` is 1 to `words`, else InvalidArgumentError; UnknownWordError if the word is not in the vocabulary.
        """
        if not 1 <= k <= self.words:
            raise InvalidArgumentError(f"k is {k}, must be 1 to {self.words}, the number of words")
        ids, distances = self._native.neighbors(self.code(word), k)
        pairs = zip(ids.tolist(), distances.tolist(), strict=True)
        return [Neighbor(self.word(nearest), distance) for nearest, distance in pairs]

    def verify(self) -> None:
        """Reads every byte and checks every hash; CorruptBundleError if one does not fit.

        Opening checks the structure only, so verify a file that comes from elsewhere once.
        """
        self._native.verify()

    def tokenize(self, text: str) -> tuple[Token, ...]:
        """The tokens of a text, in order. Raises TypeError, InvalidTextError, CorruptBundleError."""
        return tuple(token(native) for native in self._native.tokenize(encode(text)))

    def privatizer(
        self,
        mechanism: Mechanism | None = None,
        epsilon: float | None = None,
        *,
        beta: float = 0.001,
        oov: OovPolicy = "random",
        punctuation: PunctuationPolicy = "drop",
        mask: str = "[unk]",
        device_key: bytes | None = None,
        epoch: int = 0,
        budget: Budget | None = None,
        audit_log: str | os.PathLike[str] | None = None,
        search: Search = "auto",
    ) -> Privatizer:
        """A privatizer that draws its words from this bundle.

        mechanism: "brr", randomized response on the bits of the code, then the nearest word; "tem", the truncated
            exponential mechanism on the distance of codes; None for the bundle's default.
        epsilon: per differing bit, finite, 0 or more; None for the bundle's default, which is meant for its default
            mechanism and no other. The privatizer's `info` says what that adds up
            to for one token, and what really holds: never more than asked for.
        beta: of "tem": the chance of a word beyond the truncation distance, between 0 and 1.
        oov: what becomes of a token outside the vocabulary. "random": a word that does not depend on it; "drop":
            left out; "mask": replaced by `mask`, which reveals that it was unknown; "error": the call fails;
            "verbatim-unsafe": passed through as typed, with NO privacy, and an infinite cost.
        punctuation: "drop", or "privatize" to treat it like words.
        mask: 1 to 64 bytes in UTF-8.
        device_key: None for fresh noise in every release. 32 secret bytes, `secrets.token_bytes(32)` kept on this
            device, for memoized noise: within an epoch the same word always becomes the same word, which shows repeats
            as repeats, but gives them nothing to average out. Costs then hold between texts with the same pattern of
            equal words only: "cat cat" and "cat dog" can be told apart. Whoever has the key can undo the noise.
        epoch: with a device key: another number gives other noise, 0 to 2**64 - 1.
        budget: where every release is spent first; what its caps refuse is not released.
        audit_log: a file to which every release appends one line of JSON: day, bundle, mechanism, epsilon, cost and
            counts, never text.
        search: how "brr" looks for the nearest words, which changes the time and not the answers. "auto": what export
            measured to be the fastest at this noise; "rows": compare every code; "cluster" and "mih": by what the
            bundle has of these.

        InvalidArgumentError if an argument is none of these; StorageError if the audit log cannot be opened.
        """
        return Privatizer(
            self,
            mechanism=mechanism,
            epsilon=epsilon,
            beta=beta,
            oov=oov,
            punctuation=punctuation,
            mask=mask,
            device_key=device_key,
            epoch=epoch,
            budget=budget,
            audit_log=audit_log,
            search=search,
        )

    def __len__(self) -> int:
        return self.words

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find(word) is not None

    def __repr__(self) -> str:
        info = self.info
        return f"<hushbit.Bundle {info.hash[:12]}, {info.words} words, {info.bits} bits>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Bundle is a mapped file and cannot be copied or pickled: share it between threads as it is; in another "
            "process, open its path with hushbit.open"
        )

    def _require(self, word: str) -> int:
        found = self.find(word)
        if found is None:
            raise UnknownWordError("the word is not in the vocabulary: words are matched exactly as spelled there")
        return found

    def _require_id(self, id: int) -> None:  # noqa: A002
        if not 0 <= id < self.words:
            raise InvalidArgumentError(f"word id is {id}, must be 0 to {self.words - 1}")


def open(path: str | os.PathLike[str]) -> Bundle:  # noqa: A001 - hushbit.open is the name
    """Maps a bundle read-only and checks its structure, in milliseconds whatever its size.

    Raises BundleNotFoundError if the path names nothing, BundleReadError if the operating system cannot read it (a
    directory, no permission), CorruptBundleError if it is not a well-formed bundle, UnsupportedBundleError if it is of
    a newer version. Bulk data is not read: `Bundle.verify` does that.
    """
    return Bundle(_core.Bundle.open(path_bytes(path)))


def _public_info(native: _core.Bundle) -> BundleInfo:
    info = native.info()
    return public(
        BundleInfo,
        info,
        format_version=f"{info.format_major}.{info.format_minor}",
        default_mechanism=_MECHANISM_NAMES.get(info.default_mechanism, f"unknown ({info.default_mechanism})"),
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
