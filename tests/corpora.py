"""Small corpora, tables of every kind, and `hushbit corpus` on them: it runs, and what it released is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import hushbit
from cli_runner import SURE, Here, assert_no_canary

FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": lambda table: pl.DataFrame(table, strict=False),
    "polars lazy": lambda table: pl.LazyFrame(table, strict=False),
    "arrow": pa.table,
    "arrow batch": pa.RecordBatch.from_pydict,
    "arrow reader": lambda table: pa.table(table).to_reader(),
}
"""Every kind of table but those of Dask, from a list for each name."""

WORDS = Path(__file__).parent / "vectors" / "words-256.hushbit"


class Corpus:
    """Privatizes the column `text` to the folder `out`, at an epsilon that leaves known words as they are."""

    def __init__(self, here: Here, out: Path) -> None:
        self._here = here
        self.out = out

    def __call__(self, *sources: str | Path, options: tuple[str | Path, ...] = (), column: str = "text") -> "Ran":
        fixed = ("--column", column, "--epsilon", SURE, "--allow-unchanged", "--bundle", WORDS, "-o", self.out)
        code, out, err = self._here("corpus", *sources, *fixed, *options)
        assert_no_canary(out, err)
        return Ran(code, out.decode(), err.decode())

    @property
    def parts(self) -> dict[str, bytes]:
        """The released files."""
        return {path.name: path.read_bytes() for path in sorted(self.out.glob("part-*"))}

    @property
    def texts(self) -> list[str | None]:
        """All released texts of Parquet files, in order."""
        return [text for path in sorted(self.out.glob("part-*")) for text in pq.read_table(path)["text"].to_pylist()]


class Ran(tuple[int, str, str]):
    """The exit code, stdout and stderr of a run."""

    def __new__(cls, code: int, out: str, err: str) -> "Ran":
        return super().__new__(cls, (code, out, err))

    code = property(lambda self: self[0])
    out = property(lambda self: self[1])
    err = property(lambda self: self[2])


def write_parquet(path: Path, texts: list[Any], **columns: Any) -> Path:
    """A file of texts, and other columns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"text": texts, **columns}), path)
    return path


def write_reviews(path: Path, bundle: hushbit.Bundle) -> None:
    """200 reviews of 30 words; each class has words of its own."""
    generator = np.random.default_rng(5)
    words = [word for word in map(bundle.word, map(int, bundle._native.output_words())) if word.isalpha()]
    labels = generator.integers(2, size=200)
    texts = [" ".join(words[i] for i in 2 * generator.integers(len(words) // 2, size=30) + label) for label in labels]
    reviews = pd.DataFrame({"id": range(200), "text": texts, "label": labels})
    reviews.loc[7, "text"] = None
    reviews.to_parquet(path)
