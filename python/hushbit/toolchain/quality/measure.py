"""All quality measurements of a bundle's codes, as one JSON document."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.bit_statistics import bit_statistics
from hushbit.toolchain.bundle.distances import words_with_shared_code
from hushbit.toolchain.quality.aligned import Aligned
from hushbit.toolchain.quality.embedding import embedding_quality
from hushbit.toolchain.quality.nearest import neighbor_overlap
from hushbit.toolchain.quality.similarity import correlation_with_cosines, correlation_with_people, random_pairs
from hushbit.toolchain.quality.under_noise import quality_under_noise

_DISTANCE_PAIRS = 1_000_000
_HISTOGRAM_PAIRS = 200_000


def measure_quality(
    aligned: Aligned, similarity: Sequence[Path] = (), *, seed: int = 0, progress: Progress = no_progress
) -> dict[str, Any]:
    """Correlations are in percent, distances in bits, shares between 0 and 1.

    `similarity` names files of word pairs with scores. The same arguments give the same document. Raises
    InvalidArgumentError for a bundle of fewer than 3 output words.
    """
    if len(aligned.codes) < 3:
        raise InvalidArgumentError("the quality of fewer than 3 output words cannot be measured")
    info = aligned.bundle.info()
    generator = np.random.Generator(np.random.PCG64(seed))
    sets = [correlation_with_people(aligned, path) for path in sorted(similarity)]
    statistics = asdict(bit_statistics(aligned.codes))
    shared = words_with_shared_code(aligned.codes)
    return {
        "hash": info.hash.hex(),
        "words": info.words,
        "output_words": len(aligned.codes),
        "bits": info.bits,
        "seed": seed,
        "components": aligned.components,
        "random_pairs": correlation_with_cosines(aligned, generator),
        "similarity": sets,
        "similarity_mean": _mean(sets),
        "neighbors": neighbor_overlap(aligned, generator, progress),
        "codes": {
            **{name: statistics[name] for name in ("dead", "imbalance", "correlation", "effective")},
            "shared": shared,
            "shared_share": shared / len(aligned.codes),
        },
        "distances": _distances(aligned, generator),
        "embedding": embedding_quality(aligned, similarity, np.random.Generator(np.random.PCG64(seed))),
        "noise": quality_under_noise(aligned, info.average_distance, seed, progress),
    }


def _mean(sets: list[dict[str, Any]]) -> dict[str, float] | None:
    """The mean over the sets that have pairs in the vocabulary."""
    known = [row for row in sets if row["codes"] is not None]
    if not known:
        return None
    return {name: float(np.mean([row[name] for row in known])) for name in ("codes", "raw", "preprocessed")}


def _distances(aligned: Aligned, generator: np.random.Generator) -> dict[str, Any]:
    info = aligned.bundle.info()
    distances = aligned.distances(random_pairs(len(aligned.codes), _DISTANCE_PAIRS, generator))
    return {
        "mean": info.average_distance,
        "deviation": float(distances.std()),
        "max": info.max_distance,
        "histogram": np.bincount(distances[:_HISTOGRAM_PAIRS], minlength=info.bits + 1).tolist(),
    }
