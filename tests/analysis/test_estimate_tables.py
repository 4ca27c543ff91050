"""`hushbit.analysis.estimate_words`: every kind of table gives the same counts, and errors come first."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hushbit
from corpora import FRAMES
from hushbit.analysis import estimate_words
from hushbit.analysis.words.estimate import Estimates, estimate
from hushbit.analysis.words.tables import count_words
from hushbit.errors import InvalidArgumentError


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "crowds-64.hushbit")


@pytest.fixture(scope="module")
def privatizer(bundle: hushbit.Bundle) -> hushbit.Privatizer:
    return bundle.privatizer("crowd", 5.0, crowd_size="few")


@pytest.fixture(scope="module")
def names(bundle: hushbit.Bundle) -> list[str]:
    """Output words, in the order of their ids."""
    return [bundle.word(int(word)) for word in bundle._native.output_words()]


@pytest.fixture(scope="module")
def released(names: list[str]) -> list[str | None]:
    """3,000 texts of ten words by a fixed seed, and what is no word of the bundle."""
    generator = np.random.default_rng(4)
    words = [name for name in names if " " not in name]
    shares = np.arange(1, len(words) + 1) / (len(words) * (len(words) + 1) / 2)
    texts = [" ".join(generator.choice(words, size=10, p=shares)) for _ in range(3000)]
    return [*texts, None, "", "no-word-of-it"]


@pytest.fixture(scope="module")
def expected(privatizer: hushbit.Privatizer, names: list[str], released: list[str | None]) -> Estimates:
    words = [word for text in released for word in (text or "").split()]
    counts = np.array([words.count(name) for name in names], dtype=np.int64)
    return estimate(privatizer, counts, {"two": [0, 1]})


def groups_of(names: list[str]) -> dict[str, list[str]]:
    return {"two": names[:2]}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_table(
    privatizer: hushbit.Privatizer, names: list[str], released: list[str | None], expected: Estimates, kind: str
) -> None:
    frame = FRAMES[kind]({"id": list(range(len(released))), "text": released})
    found = estimate_words(frame, privatizer, column="text", groups=groups_of(names))
    assert found == expected
    assert found.tokens == 30_000


@pytest.mark.filterwarnings("default")  # of Dask's own
def test_dask(
    privatizer: hushbit.Privatizer, names: list[str], released: list[str | None], expected: Estimates
) -> None:
    import dask.dataframe as dd

    frame = dd.from_pandas(pd.DataFrame({"text": released}), npartitions=5)  # type: ignore[no-untyped-call]
    assert estimate_words(frame, privatizer, column="text", groups=groups_of(names)) == expected
    numbers = dd.from_pandas(pd.DataFrame({"number": [1]}), npartitions=1)  # type: ignore[no-untyped-call]
    with pytest.raises(InvalidArgumentError, match="column number: is not text"):
        estimate_words(numbers, privatizer, column="number")


@pytest.mark.parametrize("kind", FRAMES)
def test_errors(bundle: hushbit.Bundle, privatizer: hushbit.Privatizer, kind: str) -> None:
    frame = FRAMES[kind]({"text": ["cat"], "number": [1]})
    other: dict[str, Any] = {"column": "text", "groups": {"animals": ["no word of it"]}}
    for options, message in (
        ({"column": "number"}, "column number: is not text"),
        ({"column": "words"}, "no column words"),
        (other, "group animals: the bundle does not know the word no word of it"),
    ):
        with pytest.raises(InvalidArgumentError, match=message):
            estimate_words(frame, privatizer, **options)
    with pytest.raises(TypeError, match="the privatizer is of type Embedder"):
        estimate_words(frame, hushbit.open().embedder(2.0), column="text")  # type: ignore[arg-type]


def test_a_list_is_no_table(privatizer: hushbit.Privatizer) -> None:
    with pytest.raises(TypeError, match="the frame is a list; give a data frame of pandas"):
        estimate_words(["cat"], privatizer, column="text")


def test_words_of_columns() -> None:
    chunks = pa.chunked_array([["a b", None, "a"], ["", " a  c"]])
    dictionary = pa.array(["a b", "a b", None]).dictionary_encode()
    assert count_words([chunks, dictionary]) == {"a": 5, "b": 3, "c": 1}
    assert count_words([pl.Series(["a", "b a"]).to_arrow(), pa.nulls(3)]) == {"a": 2, "b": 1}
    assert count_words([]) == {}
