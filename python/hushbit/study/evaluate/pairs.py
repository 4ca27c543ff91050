"""A task that is not classification: finding the text that belongs to a privatized one, such as a question's answer.

The queries are privatized, as people would send them; the texts they are matched with are as written. There are two
ways to rank: by the cosine of mean word vectors, weighted by how rare words are, and by that of tf-idf, which needs the
exact words.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hushbit import _core
from hushbit._plumbing.files import reading, sha256_of
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.study.evaluate.corpus import Corpus, tokenize
from hushbit.study.evaluate.other_classifiers import word_counts
from hushbit.study.mechanisms import Vectors

GUESSES = (1, 10)
WAYS = ("vectors", "tf-idf")
_LEAST = 2
_BLOCK = 512


@dataclass(frozen=True)
class Pairs:
    """Pairs of texts: query i belongs to match i."""

    queries: Corpus
    matches: Corpus
    name: str
    """The name of the file, without its folder."""
    sha256: str


def read_pairs(path: Path, bundle: _core.Bundle) -> Pairs:
    """A CSV file with a line of names and two columns: a text and what belongs to it. Raises InputFileError."""
    rows: list[list[str]] = []
    with reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file)
            next(reader, None)
            for row in reader:
                if len(row) != 2 or not all(text.strip() for text in row):
                    raise InputFileError(f"{path}: line {reader.line_num} is not a pair of texts, none of them empty")
                rows.append(row)
        except UnicodeDecodeError:
            raise InputFileError(f"{path}: is not UTF-8") from None
        except csv.Error as error:
            raise InputFileError(f"{path}: line {reader.line_num} is not CSV: {error}") from None
    if len(rows) < _LEAST:
        raise InvalidArgumentError(f"{path}: has {len(rows)} pairs; {_LEAST} or more are needed")
    queries, matches = (tokenize(bundle, [row[side] for row in rows])[0] for side in (0, 1))
    return Pairs(queries, matches, path.resolve().name, sha256_of(path))


def rank_pairs(queries: Corpus, matches: Corpus, vectors: Vectors) -> dict[str, Any]:
    """How often a query's match is among the best ones, and the mean of its reciprocal rank, by way of ranking."""
    from sklearn.feature_extraction.text import TfidfTransformer

    words = np.unique(np.concatenate([queries.ids, matches.ids]))
    counts = [word_counts(corpus, words) for corpus in (queries, matches)]
    rarity = TfidfTransformer(norm=None).fit(counts[1])
    weighted = [rarity.transform(one) for one in counts]
    spread = vectors[words].astype(np.float64)
    centered = spread - spread.mean(axis=0)
    ways = {"vectors": [one @ centered for one in weighted], "tf-idf": weighted}
    return {name: _ranked(*sides) for name, sides in ways.items()}


def _ranked(queries: Any, matches: Any) -> dict[str, float]:
    """The shares and the mean reciprocal rank of one way. Equal scores have the mean of their ranks."""
    from sklearn.preprocessing import normalize

    left, right = normalize(queries), normalize(matches)
    ranks = np.empty(left.shape[0])
    for first in range(0, len(ranks), _BLOCK):
        scores = left[first : first + _BLOCK] @ right.T
        scores = scores if isinstance(scores, np.ndarray) else scores.toarray()
        own = scores[np.arange(len(scores)), np.arange(first, first + len(scores))][:, None]
        ranks[first : first + _BLOCK] = (scores > own).sum(axis=1) + ((scores == own).sum(axis=1) + 1) / 2
    return {**{f"top{n}": float((ranks <= n).mean()) for n in GUESSES}, "reciprocal_rank": float((1 / ranks).mean())}
