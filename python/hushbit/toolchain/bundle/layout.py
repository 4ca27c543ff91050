"""How a bundle stores its codes: as rows or in clusters, with or without a multi-index hash (docs/bundle-format.md)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.toolchain.bundle.clusters import cluster_codes
from hushbit.toolchain.bundle.mih import encode_mih
from hushbit.toolchain.bundle.order import encode_order

INDEXES = ("both", "cluster", "mih", "none")
"""The search indexes of a bundle: clusters for any noise, a multi-index hash ("mih") for small noise."""
_TILED_BLOCK_SHIFT = 6  # a group of a tile, which is read as a whole anyway
_ROW_BLOCK_SHIFT = 3


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
    if index in ("both", "cluster"):
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
