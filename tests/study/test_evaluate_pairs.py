"""The task of pairs: finding the text that belongs to a privatized one."""

from pathlib import Path

import numpy as np
import pytest

import hushbit
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.pairs import rank_pairs, read_pairs


def corpus(*documents: list[int]) -> Corpus:
    starts = np.cumsum([0, *map(len, documents)])
    return Corpus(np.array([word for one in documents for word in one], dtype=np.uint32), starts)


def test_ranks() -> None:
    """Words 0 and 1 point the same way; a query of 1 finds the match of 0 by vectors, and by words only by lot."""
    vectors = np.array([[1, 0], [0.9, 0.1], [-1, 0.2], [0, -1]], dtype=np.float32)
    matches = corpus([0, 0], [2], [3, 3, 3], [])
    exact = rank_pairs(corpus([0], [2, 2], [3], []), matches, vectors)
    assert exact["tf-idf"]["top1"] == exact["vectors"]["top1"] == 0.75  # nothing is known of the last one
    near = rank_pairs(corpus([1], [2], [3], []), matches, vectors)
    assert near["vectors"]["top1"] == 0.75
    assert near["tf-idf"]["top1"] == 0.5
    assert near["tf-idf"]["top10"] == 1
    assert near["tf-idf"]["reciprocal_rank"] == pytest.approx((1 / 2.5 + 1 + 1 + 1 / 2.5) / 4)


def test_reading(vectors: Path, tmp_path: Path) -> None:
    native = hushbit.open(vectors / "words-64.hushbit")._native
    path = tmp_path / "pairs.csv"
    path.write_text('question,answer\n"a, b",c\nd,e\n', encoding="utf-8")
    found = read_pairs(path, native)
    assert (len(found.queries), len(found.matches), found.name) == (2, 2, "pairs.csv")
    for text, message in (("q,a\nx\ny,z\n", "line 2 is not a pair"), ("q,a\nx, \n", "line 2 is not a pair")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputFileError, match=message):
            read_pairs(path, native)
    path.write_text("q,a\nx,y\n", encoding="utf-8")
    with pytest.raises(InvalidArgumentError, match="has 1 pairs"):
        read_pairs(path, native)
