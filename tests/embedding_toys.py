"""Small bundles with embeddings of every kind."""

import numpy as np

from hushbit import _core
from reference.bundle_maker import make_bundle
from reference.chacha20 import keystream
from reference.crowd_sections import CrowdTables
from reference.embedding_section import EmbeddingTables

WORDS = ("a", "b", "c", "d", "e")


def _bundle(name: str, dimensions: int, directions: int, largest: int, weights: list[int]) -> _core.Bundle:
    """Five words of 64 bits; `largest` is that of the matrix; 0 gives every text the vector 0."""
    codes = {word: keystream(bytes([number]) * 32, 0, 8) for number, word in enumerate(WORDS)}
    drawn = np.frombuffer(keystream(name.encode().ljust(32), 0, 2 * dimensions * 64), dtype="<i2").astype(np.int64)
    matrix = (drawn * largest // 32768).astype(np.int16).reshape(dimensions, 64)
    tables = None
    if len(weights) < len(WORDS):  # the last words have stand-ins
        count = len(weights)
        tables = CrowdTables(list(range(count)), [min(id, count - 1) for id in range(len(WORDS))])
    return _core.Bundle.from_bytes(
        make_bundle(codes, block=4, tables=tables, embedding=EmbeddingTables(directions, 7, matrix, weights))
    )


TOYS = {
    "small": _bundle("small", 8, 40, 3, [1, 2, 3, 4, 5]),
    "many ties": _bundle("many ties", 8, 64, 1, [1, 1, 1, 1, 1]),
    "largest": _bundle("largest", 16, 30, 32768, [255, 255, 1, 0, 7]),
    "stand-ins": _bundle("stand-ins", 8, 33, 9, [4, 1, 9]),
    "no vectors": _bundle("no vectors", 8, 16, 0, [1, 1, 1, 1, 1]),
    "two directions": _bundle("two directions", 8, 2, 5, [1, 2, 3, 4, 5]),
}
