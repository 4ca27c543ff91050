"""The vocabulary of a file of reviews, which the benches measure on."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushbit.toolchain.embeddings import Embeddings

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def rows_of_reviews(embeddings: Embeddings, reviews: Path) -> NDArray[np.int64]:
    """The rows whose words the reviews use, sorted by the bytes of the words as in a bundle.

    `reviews` is a parquet file with a column `review`; needs pyarrow.
    """
    import pyarrow.parquet as pq

    wanted: set[str] = set()
    for review in pq.read_table(reviews, columns=["review"])["review"].to_pylist():
        wanted.update(_WORD.findall(review.lower()))
    rows = sorted((word.encode(), i) for i, word in enumerate(embeddings.words) if word in wanted)
    return np.array([i for _, i in rows], dtype=np.int64)
