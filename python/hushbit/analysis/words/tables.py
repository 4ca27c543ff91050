"""What was typed, estimated from tables of released texts: of pandas, polars, Arrow or Dask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushbit import Bundle, Privatizer
from hushbit._plumbing.extras import extra
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.analysis.words.estimate import Estimates, estimate
from hushbit.corpus.drawing import Chosen, Column, check_text
from hushbit.corpus.frames import TABLES, choose, kind_of, require
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pyarrow as pa
    import pyarrow.compute as pc

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 1 << 16
"""The number of texts that are split into words at a time."""


def estimate_words(
    frame: Any,
    privatizer: Privatizer,
    *,
    column: Hashable,
    groups: Mapping[str, Sequence[str]] | None = None,
    unknown: bool = True,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Estimates:
    """Estimates how often each word was typed, from a table of texts that were released by crowds.

    frame: a data frame of pandas, polars (eager or lazy) or Dask, or a table, a record batch or a reader of record
        batches of Arrow. A lazy frame and a reader are read once, chunk by chunk.
    privatizer: with the bundle, the epsilon and the crowds of the release. Nothing is drawn, so it costs nothing.
    column: the name of the column of released texts. Missing texts count as texts without words.
    groups: words that are added up, by the name of their group.
    unknown: whether unknown words were released as noise, which is the default of a privatizer.
    level: the share of told words whose interval is meant to hold the true count, above 0 and below 1.
    seed: of the split that chooses the number of steps; the same seed gives the same estimates (default: 0).

    What the estimates mean, and the errors of their intervals, is in `hushbit.analysis.words.estimate.estimate` and in
    docs/corpora.md. Names and types are checked before anything is read. Raises TypeError for another kind of table,
    and InvalidArgumentError if the column does not exist, exists twice or is not text, for a word of a group that the
    bundle does not know, for another mechanism, and if fewer than two released words are counted.
    """
    require(Privatizer, privatizer)
    kind = kind_of(frame)
    if kind is None:
        raise TypeError(f"the frame is a {type(frame).__name__}; give {TABLES}")
    places = {name: [_place(privatizer.bundle, name, word) for word in words] for name, words in (groups or {}).items()}
    if kind == "dask":
        counts = _counts_of_dask(frame, choose(frame, kind, column))
    else:
        counts = count_words(_columns(frame, kind, choose(frame, kind, column)))
    released, _ = output_counts_of(privatizer.bundle, counts)
    return estimate(privatizer, released, places, unknown=unknown, level=level, seed=seed, progress=progress)


def count_words(columns: Iterable[Column]) -> Counter[str]:
    """How often each word occurs in columns of released texts, whose words are separated by spaces."""
    counts: Counter[str] = Counter()
    for column in columns:
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        for chunk in chunks:
            for first in range(0, len(chunk), _ROWS):
                texts = chunk.slice(first, _ROWS).cast(pa.large_string())
                found = pc.value_counts(pc.list_flatten(pc.split_pattern(texts, " ")))
                words, numbers = found.field("values"), found.field("counts")
                counts.update(dict(zip(words.to_pylist(), numbers.to_pylist(), strict=True)))
    del counts[""]
    return counts


def output_counts_of(bundle: Bundle, counts: Mapping[str, int]) -> tuple[NDArray[np.int64], int]:
    """The counts of the output words of a bundle, in the order of their ids, and the number of all other words."""
    names = [bundle.word(int(word)) for word in bundle._native.output_words()]
    released = np.array([counts.get(name, 0) for name in names], dtype=np.int64)
    return released, sum(counts.values()) - int(released.sum())


def output_place(bundle: Bundle, word: str) -> int | None:
    """The place, among the output words, of the stand-in of a word; None if the bundle does not know the word."""
    found = bundle.find(word)
    if found is None:
        return None
    stand_in = bundle._native.stand_ins(np.array([found], dtype=np.uint32))
    return int(np.searchsorted(bundle._native.output_words(), stand_in[0]))


def _place(bundle: Bundle, group: str, word: str) -> int:
    place = output_place(bundle, word)
    if place is None:
        raise InvalidArgumentError(f"group {group}: the bundle does not know the word {word}")
    return place


def _columns(frame: Any, kind: str, chosen: Chosen) -> Iterator[Column]:
    if kind == "pandas":
        from hushbit.corpus.pandas_frames import texts_of

        return iter([texts_of(frame.iloc[:, chosen.places[chosen.text]], chosen.name)])
    if kind == "polars":
        from hushbit.corpus.polars_frames import columns_of

        return columns_of(frame, chosen)
    place = chosen.places[chosen.text]
    check_text(frame.schema.field(place).type, chosen.name)
    batches = frame if isinstance(frame, pa.RecordBatchReader) else [frame]
    return (batch.column(place) for batch in batches)


def _counts_of_dask(frame: Any, chosen: Chosen) -> Counter[str]:
    import pandas as pd

    check_text(pa.array(frame._meta.iloc[:, chosen.places[chosen.text]], from_pandas=True).type, chosen.name)
    meta = pd.DataFrame({"word": pd.Series(dtype="str"), "count": pd.Series(dtype="int64")})
    parts = frame[[chosen.name]].map_partitions(_counts_there, chosen.name, meta=meta).compute()
    sums = parts.groupby("word")["count"].sum()
    return Counter(dict(zip(sums.index.tolist(), sums.tolist(), strict=True)))


def _counts_there(frame: pd.DataFrame, name: Hashable) -> pd.DataFrame:
    import pandas as pd

    from hushbit.corpus.pandas_frames import texts_of

    counts = count_words([texts_of(frame.iloc[:, 0], name)])
    words = pd.Series(list(counts), dtype="str")
    return pd.DataFrame({"word": words, "count": pd.Series(list(counts.values()), dtype="int64")})
