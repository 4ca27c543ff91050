"""The result of every reader of embeddings, and the only place where rows are accepted or rejected."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Source:
    """The files from which embeddings come."""

    name: str
    """The file's name without its folder, or the name of a named source."""
    sha256: str
    """The hash of the file of the vectors as stored on the disk, compressed or not."""
    words_sha256: str | None = None
    """The hash of the word list, if it is a separate file."""
    license: str | None = None
    """An SPDX expression, if the source states one."""
    extension_sha256: str | None = None
    """The hash of the file of new words that were added, if there is one."""


@dataclass(frozen=True)
class Embeddings:
    """Words and their vectors, in file order."""

    words: list[str]
    """Unique; spelled as in the file."""
    vectors: NDArray[np.float32]
    """(len(words), dimensions), finite."""
    source: Source
    rows: int
    """Number of rows read, including those left out."""
    duplicates: int
    """Number of rows left out because their word had occurred before."""
    rejected: list[int]
    """The lines, counted from 1, that were left out because a number was infinite or not a number."""
    not_utf8: list[int] = field(default_factory=list)
    """The lines left out because their word is not UTF-8. In text files such a line is an error."""
    first_duplicate: int | None = None
    """The first line left out because its word had occurred before."""
    lines: NDArray[np.int64] | None = None
    """(len(words),): the line of each word, 0 for a word that was added; None if it is its place in `words` plus 1."""
    without_prefix: int = 0
    """Number of words left out because they do not begin with the prefix that was asked for."""
    place: str = "line"
    """The unit of the line numbers: "line" of text, "row" of an array or of binary vectors."""

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector."""
        return int(self.vectors.shape[1])

    def line_of(self, word: int) -> int:
        """The line of a word, given its place in `words`."""
        return word + 1 if self.lines is None else int(self.lines[word])


def without_prefix(embeddings: Embeddings, prefix: str, max_words: int | None) -> Embeddings:
    """The words that begin with a prefix, without it; the others are left out and counted."""
    chosen = [i for i, word in enumerate(embeddings.words) if word.startswith(prefix)][:max_words]
    return replace(
        embeddings,
        words=[embeddings.words[i].removeprefix(prefix) for i in chosen],
        vectors=embeddings.vectors[chosen],
        lines=np.array([embeddings.line_of(i) for i in chosen], dtype=np.int64),
        without_prefix=sum(not word.startswith(prefix) for word in embeddings.words),
    )


class Collector:
    """Collects blocks of rows. Keeps the first finite row of each word, and counts the rows that it leaves out."""

    def __init__(self, dimensions: int, max_words: int | None, place: str = "line") -> None:
        self._dimensions = dimensions
        self._max_words = max_words
        self._words: list[str] = []
        self._seen: set[str] = set()
        self._blocks: list[NDArray[np.float32]] = []
        self._rows = 0
        self._duplicates = 0
        self._first_duplicate: int | None = None
        self._rejected: list[int] = []
        self._not_utf8: list[int] = []
        self._lines: list[int] = []
        self._place = place

    @property
    def full(self) -> bool:
        """Whether `max_words` words are kept, so that no further row is needed."""
        return self._max_words is not None and len(self._words) >= self._max_words

    def add(self, words: Sequence[str | None], vectors: NDArray[np.float32], lines: Sequence[int]) -> None:
        """Adds rows in file order: `vectors` is (len(words), dimensions), `lines` their line numbers.

        A word is None if it is not UTF-8.
        """
        infinite = set(np.flatnonzero(~np.isfinite(vectors).all(axis=1)).tolist())
        kept: list[int] = []
        for i, word in enumerate(words):
            if self.full:
                break
            self._rows += 1
            if word is None:
                self._not_utf8.append(lines[i])
            elif i in infinite:
                self._rejected.append(lines[i])
            elif word in self._seen:
                self._duplicates += 1
                self._first_duplicate = self._first_duplicate or lines[i]
            else:
                self._seen.add(word)
                self._words.append(word)
                self._lines.append(lines[i])
                kept.append(i)
        self._blocks.append(vectors if len(kept) == len(vectors) else vectors[kept])

    def finish(self, source: Source) -> Embeddings:
        """The collected embeddings. The collector must not be used afterwards."""
        self._seen.clear()
        vectors = np.empty((len(self._words), self._dimensions), dtype=np.float32)
        at = 0
        for i, block in enumerate(self._blocks):
            vectors[at : at + len(block)] = block
            at += len(block)
            self._blocks[i] = vectors[:0]  # free as we go: both copies of a large file would not fit
        return Embeddings(
            self._words,
            vectors,
            source,
            rows=self._rows,
            duplicates=self._duplicates,
            rejected=self._rejected,
            not_utf8=self._not_utf8,
            first_duplicate=self._first_duplicate,
            lines=np.array(self._lines, dtype=np.int64),
            place=self._place,
        )
