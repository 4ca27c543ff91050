"""Crowds as the bytes of sections (docs/bundle-format.md)."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain.bundle.packing import pack_numbers
from hushbit.toolchain.crowds.build import Crowds
from hushbit.toolchain.crowds.grades import MAX_SEGMENTS, Grade
from hushbit.toolchain.defaults import CROWD_SIZE_CODES

_SLACK = bytes(8)  # bytes that let a reader always load 64 bits
_ROW_BYTES = 64
_SELF_FIRST = 1


@dataclass(frozen=True)
class CrowdSections:
    """The sections that crowds need, as bytes."""

    outputs: bytes
    standins: bytes
    weights: bytes
    crowds: bytes | None
    grades: bytes | None
    public: bytes | None


def encode_crowds(crowds: Crowds, words: int, public: Sequence[int] = ()) -> CrowdSections:
    """The sections of `crowds`, for a vocabulary of `words` words of which those with the ids `public` are public."""
    count = len(crowds.outputs)
    return CrowdSections(
        outputs=struct.pack("<II", count, 0) + _packed(crowds.outputs, words) + _SLACK,
        standins=_packed(crowds.standins, count) + _SLACK,
        weights=np.cumsum(crowds.weights, dtype=np.uint64).astype("<u4").tobytes(),
        crowds=_encode_lists(crowds),
        grades=_encode_grades(crowds.grades, crowds.mass),
        public=_encode_public(public),
    )


def _encode_lists(crowds: Crowds) -> bytes:
    count = len(crowds.outputs)
    lengths = [len(entries) for entries in crowds.lists]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype("<u4")
    flags = _SELF_FIRST if crowds.self_first else 0
    head = struct.pack("<IIII", len(lengths), flags, int(starts[-1]), 0) + starts.tobytes()
    parts = [_aligned(head), _packed(crowds.center_of, len(lengths)), _packed(np.concatenate(crowds.lists), count)]
    return b"".join([*parts, _SLACK])


def _encode_grades(grades: Sequence[Grade], mass: int) -> bytes:
    rows = [struct.pack("<II", len(grades), 0)]
    for grade in sorted(grades, key=lambda grade: (CROWD_SIZE_CODES[grade.size], grade.up_to)):
        segments = grade.integers(mass)
        padded = [*segments, *[(0, 0)] * (MAX_SEGMENTS - len(segments))]
        numbers = [number for segment in padded for number in segment]
        row = struct.pack("<IId8I", CROWD_SIZE_CODES[grade.size], len(segments), grade.up_to, *numbers)
        rows.append(row.ljust(_ROW_BYTES, b"\0"))
    return b"".join(rows)


def _encode_public(public: Sequence[int]) -> bytes | None:
    if len(public) == 0:
        return None
    return struct.pack("<II", len(public), 0) + np.sort(np.asarray(public, dtype="<u4")).tobytes()


def _packed(numbers: NDArray[np.uint32], below: int) -> bytes:
    return pack_numbers(numbers, max(1, (below - 1).bit_length()))


def _aligned(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)
