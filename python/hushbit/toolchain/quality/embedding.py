"""What the vectors of embeddings keep of the words' own vectors, before any noise."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.quality.aligned import Aligned
from hushbit.toolchain.quality.similarity import random_pairs, read_similarity, spearman

_RANDOM_PAIRS = 200_000


def embedding_quality(
    aligned: Aligned, similarity: Sequence[Path], generator: np.random.Generator
) -> dict[str, Any] | None:
    """How cosines of the vectors of single words agree with those of the vectors of the embeddings and with people.

    None for a bundle without an embedding. `random_pairs` are Spearman correlations, in percent, with the cosines of
    raw and of preprocessed vectors; `similarity` with human scores, by file. `none` is the number of output words whose
    vector is 0: a text of such words alone has a crowd of all directions.
    """
    try:
        embedder = Bundle(aligned.bundle).embedder(epsilon=1)
    except InvalidArgumentError:
        return None
    vectors = _unit_vectors(aligned, embedder._native)
    pairs = random_pairs(len(vectors), _RANDOM_PAIRS, generator)
    closeness = _cosines(vectors, pairs)
    sets = [_correlation_with_people(aligned, vectors, path) for path in sorted(similarity)]
    known = [row["embedding"] for row in sets if row["embedding"] is not None]
    return {
        "dimensions": embedder.info.dimensions,
        "directions": embedder.info.directions,
        "none": int((~vectors.any(axis=1)).sum()),
        "random_pairs": {
            "raw": 100 * spearman(closeness, aligned.cosines(pairs)),
            "preprocessed": 100 * spearman(closeness, aligned.cosines(pairs, preprocessed=True)),
        },
        "similarity": sets,
        "similarity_mean": float(np.mean(known)) if known else None,
    }


def _unit_vectors(aligned: Aligned, embedder: Any) -> NDArray[np.float64]:
    """(rows, d): of the output words, each as a text of its own."""
    texts = [aligned.bundle.word(int(word)) for word in aligned.ids]
    found = _core.text_vectors(embedder, texts).astype(np.float64)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300))


def _cosines(vectors: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(np.einsum("ij,ij->i", vectors[pairs[:, 0]], vectors[pairs[:, 1]]))


def _correlation_with_people(aligned: Aligned, vectors: NDArray[np.float64], path: Path) -> dict[str, Any]:
    pairs, scores = [], []
    for first, second, score in read_similarity(path):
        found = [aligned.words.get(word, aligned.words.get(word.lower())) for word in (first, second)]
        if None not in found:
            pairs.append(found)
            scores.append(score)
    if len(pairs) < 2:
        return {"name": path.stem, "pairs": len(pairs), "embedding": None}
    closeness = _cosines(vectors, np.array(pairs, dtype=np.int64))
    return {"name": path.stem, "pairs": len(pairs), "embedding": 100 * spearman(closeness, scores)}
