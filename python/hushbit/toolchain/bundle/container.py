"""A bundle as bytes: header, section table, sections (docs/bundle-format.md, versions 1.0 to 1.2)."""

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._options import CrowdSize, Mechanism
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.toolchain.bundle.crowd_sections import CrowdSections
from hushbit.toolchain.bundle.layout import CodeSections, encode_codes
from hushbit.toolchain.bundle.words import encode_words
from hushbit.toolchain.defaults import CROWD_SIZE_CODES, MECHANISM_CODES

MAX_WORDS = 1 << 24
CODE_BITS = (64, 128, 256, 512)
_MAGIC = b"\x89HSB\r\n\x1a\n"
_ENDIAN_TAG = 0x01020304
_MAJOR = 1
_WITHOUT_CROWDS, _WITH_CROWDS, _WITH_EMBEDDING = 0, 1, 2  # minor versions: the earliest that can represent the sections
_HEADER_BYTES = 128
_ENTRY_BYTES = 64
_ALIGNMENT = 64
_META, _WORDS, _CODES, _CLUSTERS, _ORDER, _MIH = 1, 2, 3, 4, 5, 6
_LONG_NUMBERS = 1  # flag of the header
_OUTPUTS, _STANDINS, _WEIGHTS, _CROWDS, _GRADES, _PUBLIC = 7, 8, 9, 10, 11, 12
_EMBEDDING = 13
_REQUIRED = 1  # flag of a section that every reader must know


@dataclass(frozen=True)
class Header:
    """The values of the header that do not follow from the sections."""

    default_epsilon: float
    """The ε for the default mechanism: finite, 0 or more; per word for crowds, otherwise per differing bit."""
    average_distance: float
    """P_avg, in bits."""
    max_distance: int
    """P_max, or an upper bound on it, in bits."""
    unicode_version: str
    """The Unicode version of the tokenizer for which the vocabulary was built: "15.0.0"."""
    default_mechanism: Mechanism
    mih_flips: int = 0
    """The multi-index hash is tried first up to this expected number of flipped bits, in 1/256 of a bit."""
    long_numbers: bool = False
    """Whether typed words with four or more digits count as words."""
    other_epsilons: Mapping[Mechanism, float] = field(default_factory=dict)
    """Defaults per differing bit of "brr" and "tem", if they are not the default mechanism."""
    default_crowd_size: CrowdSize | None = None
    """The default size of crowds, if they are the default mechanism."""


@dataclass(frozen=True)
class Sections:
    """The sections of a bundle, as bytes, except `meta`."""

    words: bytes
    layout: CodeSections
    count: int
    """N, the known words."""
    bits: int
    crowds: CrowdSections | None = None
    embedding: bytes | None = None


def encode_sections(
    words: Sequence[bytes],
    codes: NDArray[np.uint8],
    index: str = "none",
    seed: int = 0,
    progress: Progress = no_progress,
    crowds: CrowdSections | None = None,
    embedding: bytes | None = None,
) -> Sections:
    """The sections of `words`, sorted by their bytes, and the codes (Y, bits / 8) of the output words among them.

    `index` is one of `layout.INDEXES`; `seed` is for the clusters. Without `crowds` all words are output words.
    """
    progress(0, 1, "pack words")
    packed = encode_words(words)
    progress(1, 1, "pack words")
    return Sections(
        packed, encode_codes(codes, index, seed, progress), len(words), codes.shape[1] * 8, crowds, embedding
    )


def encode_meta(meta: Mapping[str, Any]) -> bytes:
    """The `meta` section."""
    return json.dumps(meta, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def assemble(header: Header, meta: bytes, sections: Sections) -> bytes:
    """The whole bundle."""
    parts = _parts(meta, sections)
    end = _HEADER_BYTES + _ENTRY_BYTES * len(parts)
    entries: list[bytes] = []
    body: list[bytes] = []
    for kind, flags, data in parts:
        padding = -end % _ALIGNMENT
        offset = end + padding
        entries.append(struct.pack("<IIQQQ", kind, flags, offset, len(data), 0) + hashlib.sha256(data).digest())
        body += [bytes(padding), data]
        end = offset + len(data)
    table = b"".join(entries)
    return b"".join([_encode_header(header, sections, len(parts), end, zlib.crc32(table)), table, *body])


def _parts(meta: bytes, sections: Sections) -> list[tuple[int, int, bytes]]:
    """Type, flags and bytes of every present section, in file order."""
    layout = sections.layout
    parts = [
        (_META, _REQUIRED, meta),
        (_WORDS, _REQUIRED, sections.words),
        (_CODES, _REQUIRED, layout.codes),
        (_CLUSTERS, _REQUIRED, layout.clusters),
        (_ORDER, _REQUIRED, layout.order),
        (_MIH, 0, layout.mih),  # a reader may ignore it
    ]
    if sections.crowds is not None:
        crowds = sections.crowds
        parts += [
            (_OUTPUTS, _REQUIRED, crowds.outputs),
            (_STANDINS, _REQUIRED, crowds.standins),
            (_WEIGHTS, _REQUIRED, crowds.weights),
            (_CROWDS, _REQUIRED, crowds.crowds),
            (_GRADES, _REQUIRED, crowds.grades),
            (_PUBLIC, _REQUIRED, crowds.public),
        ]
    parts.append((_EMBEDDING, _REQUIRED, sections.embedding))
    return [(kind, flags, data) for kind, flags, data in parts if data is not None]


def _encode_header(header: Header, sections: Sections, parts: int, file_bytes: int, table_crc: int) -> bytes:
    crowd = header.default_crowd_size
    minor = _WITHOUT_CROWDS if sections.crowds is None and crowd is None else _WITH_CROWDS
    minor = minor if sections.embedding is None else _WITH_EMBEDDING
    others = {} if minor == _WITHOUT_CROWDS else header.other_epsilons
    data = struct.pack(
        "<8sIHHIIIIQddIIIIddI28xI",
        _MAGIC,
        _ENDIAN_TAG,
        _MAJOR,
        minor,
        sections.bits,
        sections.count,
        _LONG_NUMBERS if header.long_numbers else 0,
        parts,
        file_bytes,
        header.default_epsilon,
        header.average_distance,
        header.max_distance,
        MECHANISM_CODES[header.default_mechanism],
        _pack_version(header.unicode_version),
        header.mih_flips,
        others.get("brr", 0.0),
        others.get("tem", 0.0),
        0 if crowd is None else CROWD_SIZE_CODES[crowd],
        table_crc,
    )
    return data + struct.pack("<I", zlib.crc32(data))


def _pack_version(version: str) -> int:
    major, minor, update = map(int, version.split("."))
    return major << 16 | minor << 8 | update
