"""How a bundle stores its codes: as rows or in clusters, with or without a multi-index hash (docs/bundle-format.md).

The section `order` says which word is at which position; shortcuts make its inverse fast.
"""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.toolchain.bundle.clusters import cluster_codes
from hushbit.toolchain.bundle.mih import encode_mih
from hushbit.toolchain.bundle.packing import pack_numbers

INDEXES = ("both", "clusters", "mih", "none")
"""The search indexes of a bundle: clusters for any noise, a multi-index hash ("mih") for small noise."""
_TILED_BLOCK_SHIFT = 6  # a group of a tile, which is read as a whole anyway
_ROW_BLOCK_SHIFT = 3
STEP = 8
"""Positions between two shortcuts of a cycle. With a smaller step the section is larger and the inverse is faster."""
_GROUP_BITS = 512


def encode_order(ids: NDArray[np.uint32], step: int = STEP) -> bytes:
    """The section of the permutation `ids` (N,): ids[position] is the word at that position."""
    count = len(ids)
    width = max(1, (count - 1).bit_length())
    shortcuts = _shortcuts(ids, step)
    marks = np.zeros(-(-count // _GROUP_BITS) * _GROUP_BITS, dtype=np.uint8)
    marked = np.sort(np.fromiter(shortcuts, dtype=np.int64, count=len(shortcuts)))
    marks[marked] = 1
    ones = marks.reshape(-1, _GROUP_BITS).sum(axis=1, dtype=np.uint32)
    ranks = (np.cumsum(ones) - ones).astype("<u4").tobytes()
    targets = np.array([shortcuts[position] for position in marked.tolist()], dtype=np.uint32)
    return b"".join(
        [
            struct.pack("<IIQ", step, len(shortcuts), 0),
            pack_numbers(ids, width),
            np.packbits(marks, bitorder="little").tobytes(),
            ranks + bytes(-len(ranks) % 8),
            pack_numbers(targets, width),
            bytes(8),
        ]
    )


def _shortcuts(ids: NDArray[np.uint32], step: int) -> dict[int, int]:
    """The beginning of each shortcut and where it leads: `step` positions back along its cycle, if that is longer than
    `step`.
    """
    following = ids.tolist()
    seen = bytearray(len(following))
    shortcuts: dict[int, int] = {}
    for start in range(len(following)):
        if seen[start]:
            continue
        cycle: list[int] = []
        at = start
        while not seen[at]:
            seen[at] = 1
            cycle.append(at)
            at = following[at]
        if len(cycle) > step:
            marked = cycle[::step]
            shortcuts.update(zip(marked, [marked[-1], *marked[:-1]], strict=True))
    return shortcuts


@dataclass(frozen=True)
class CodeSections:
    """The sections that contain the codes, as bytes."""

    codes: bytes
    """Rows in the order of ids, or, with `clusters`, tiles."""
    clusters: bytes | None = None
    order: bytes | None = None
    """Present if `clusters` is."""
    mih: bytes | None = None


def encode_codes(
    codes: NDArray[np.uint8], index: str = "none", seed: int = 0, progress: Progress = no_progress
) -> CodeSections:
    """The sections of codes (N, bits / 8) in the order of ids, with an `index` of INDEXES.

    The same codes, index and seed give the same bytes.
    """
    if index in ("both", "clusters"):
        tiled = cluster_codes(codes, seed, progress)
        by_position = codes[tiled.ids]
        mih = _hash(by_position, _TILED_BLOCK_SHIFT, progress) if index == "both" else None
        return CodeSections(tiled.tiles, tiled.clusters, encode_order(tiled.ids), mih)
    mih = _hash(codes, _ROW_BLOCK_SHIFT, progress) if index == "mih" else None
    return CodeSections(codes.tobytes(), mih=mih)


def _hash(codes: NDArray[np.uint8], block_shift: int, progress: Progress) -> bytes:
    progress(0, 1, "hash codes")
    section = encode_mih(codes, block_shift)
    progress(1, 1, "hash codes")
    return section
