"""Whether Hamming distances of codes rank pairs of words in the same way as cosines and people do."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit.errors import InputFileError
from hushbit.toolchain.quality.aligned import Aligned

_RANDOM_PAIRS = 200_000


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Rank correlation, with mean ranks for ties; NaN if one side is constant."""
    x, y = _ranks(np.asarray(a)), _ranks(np.asarray(b))
    x, y = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 0 else float("nan")


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return ranks


def read_similarity(path: Path) -> list[tuple[str, str, float]]:
    """Reads two words and a score per line. Raises InputFileError with the file and line."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        try:
            first, second, score = fields
            rows.append((first, second, float(score)))
        except ValueError:
            raise InputFileError(f"{path}, line {number}: not two words and a score") from None
    return rows


def correlation_with_people(aligned: Aligned, path: Path) -> dict[str, Any]:
    """Spearman correlations, in percent, of one similarity file. Words are looked up as spelled, then in lower case."""
    pairs, scores = [], []
    total = 0
    for first, second, score in read_similarity(path):
        total += 1
        found = [aligned.words.get(word, aligned.words.get(word.lower())) for word in (first, second)]
        if None not in found:
            pairs.append(found)
            scores.append(score)
    correlations: dict[str, Any] = {"name": path.stem, "pairs": len(pairs), "of": total}
    if len(pairs) < 2:
        return {**correlations, "codes": None, "raw": None, "preprocessed": None}
    return {**correlations, **_three(aligned, np.array(pairs, dtype=np.int64), np.array(scores))}


def correlation_with_cosines(aligned: Aligned, generator: np.random.Generator) -> dict[str, Any]:
    """Spearman correlations, in percent, of Hamming similarity with cosines, over random pairs of words."""
    pairs = random_pairs(len(aligned.codes), _RANDOM_PAIRS, generator)
    closeness = -aligned.distances(pairs)
    return {
        "pairs": len(pairs),
        "raw": 100 * spearman(closeness, aligned.cosines(pairs)),
        "preprocessed": 100 * spearman(closeness, aligned.cosines(pairs, preprocessed=True)),
    }


def random_pairs(count: int, pairs: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """(pairs, 2): two different ids per row."""
    first = generator.integers(count, size=pairs)
    return np.stack([first, (first + generator.integers(1, max(2, count), size=pairs)) % count], axis=1)


def _three(aligned: Aligned, pairs: NDArray[np.int64], scores: NDArray[np.float64]) -> dict[str, float]:
    return {
        "codes": 100 * spearman(-aligned.distances(pairs), scores),
        "raw": 100 * spearman(aligned.cosines(pairs), scores),
        "preprocessed": 100 * spearman(aligned.cosines(pairs, preprocessed=True), scores),
    }
