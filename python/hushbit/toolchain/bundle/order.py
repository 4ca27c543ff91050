"""The `order` section (docs/bundle-format.md): which word is at which position, and shortcuts for the inverse."""

import struct

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain.bundle.packing import pack_numbers

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
    """Where each shortcut begins and leads: `step` positions back along its cycle, if that is longer than `step`."""
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
