"""The terms of a corpus, and how many features each has in a table."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.table.model import HashedModel
from hushbit.hashing.table.murmur import hash_features

_UNSUPPORTED = ("stop_words", "tokenizer", "preprocessor")
_PAIRS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class TermCounts:
    """`counts[i]` is K of `terms[i]`: the genuine rows that its features fall into."""

    terms: list[str]
    counts: NDArray[np.int64]


def count_terms(model: HashedModel, documents: Iterable[str], ngrams: tuple[int, int] | None = None) -> TermCounts:
    """K of every term of a corpus, which should be the one that the model was trained on.

    A term is a word as scikit-learn's HashingVectorizer finds them, with the model's settings where its file has them.
    Its features are the n-grams that contain it, of `ngrams` words (by default the model's, or 1). Needs scikit-learn
    and mmh3. Raises InvalidArgumentError for settings whose features are not made of words, and if there is no
    term at all.
    """
    settings = model.settings
    for name in _UNSUPPORTED:
        if settings.get(name) is not None:
            raise InvalidArgumentError(
                f"the vectorizer has its own {name}, so terms cannot be counted; list their features"
            )
    if settings.get("analyzer", "word") != "word":
        raise InvalidArgumentError(
            "the vectorizer is not one of words, so terms cannot be counted; list their features"
        )
    try:
        low, high = map(operator.index, ngrams or settings.get("ngram_range", (1, 1)))
        words = _tokenizer(settings)
    except (TypeError, ValueError, re.error):
        raise InvalidArgumentError(
            "the model's settings are not those of a HashingVectorizer, so terms cannot be counted"
        ) from None
    if not 1 <= low <= high:
        raise InvalidArgumentError(f"n-grams of {low} to {high} words cannot be; both 1 or more, the larger last")
    terms: dict[str, int] = {}
    return _count(model, terms, (pair for text in documents for pair in _pairs(words(text), low, high, terms)))


def read_term_features(model: HashedModel, path: Path) -> TermCounts:
    """K of the terms in a file of lines `term<TAB>feature`. Raises InputFileError, which names the line, or
    InvalidArgumentError if there is none.

    For models of other features than n-grams of words; a CRF's are all those of the places where a term occurs. The
    feature may be text, which is hashed, or `#` and the number of its row.
    """
    terms: dict[str, int] = {}
    return _count(model, terms, _listed(model, path, terms))


def read_documents(path: Path, column: str | None) -> list[str]:
    """Documents from a text file, one a line, or from a column of a `.parquet` or `.csv` file.

    By default the column is `text` or `review`, or the last one that holds text. Raises InputFileError.
    """
    if path.suffix == ".parquet":
        return _parquet(path, column)
    with reading(path):
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise InputFileError(f"{path}: byte {error.start} is not UTF-8") from None
    if path.suffix == ".csv":
        return _csv(path, text, column)
    return text.splitlines()


def _tokenizer(settings: dict[str, Any]) -> Callable[[str], list[str]]:
    with extra("hashing"):
        from sklearn.feature_extraction.text import HashingVectorizer

    kept = {name: settings[name] for name in ("lowercase", "strip_accents", "token_pattern") if name in settings}
    vectorizer = HashingVectorizer(**kept)
    preprocess, tokenize = vectorizer.build_preprocessor(), vectorizer.build_tokenizer()
    return lambda text: list(tokenize(preprocess(text)))


def _pairs(words: list[str], low: int, high: int, terms: dict[str, int]) -> Iterator[tuple[int, str]]:
    """Terms, by number, and their features in one document."""
    numbers = [terms.setdefault(word, len(terms)) for word in words]
    for length in range(low, high + 1):
        for first in range(len(words) - length + 1):
            feature = " ".join(words[first : first + length])
            for number in set(numbers[first : first + length]):
                yield number, feature


def _listed(model: HashedModel, path: Path, terms: dict[str, int]) -> Iterator[tuple[int, str | int]]:
    with reading(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                term, tab, feature = line.decode().rstrip("\r\n").partition("\t")
            except UnicodeDecodeError as error:
                raise InputFileError(f"{path}, line {number}: byte {error.start} is not UTF-8") from None
            if not tab:
                raise InputFileError(f"{path}, line {number}: expected a term, a tab and a feature")
            index = terms.setdefault(term, len(terms))
            if not feature.startswith("#"):
                yield index, feature
            elif feature[1:].isdecimal() and int(feature[1:]) < model.range:
                yield index, int(feature[1:])
            else:
                raise InputFileError(f"{path}, line {number}: # must be followed by a hash below {model.range}")


def _count(model: HashedModel, terms: dict[str, int], pairs: Iterable[tuple[int, str | int]]) -> TermCounts:
    """Distinct pairs of a term and a genuine row, counted by term."""
    known: dict[str, int] = {}
    found: list[NDArray[np.int64]] = []
    batch: list[int] = []
    size = model.range
    genuine = np.zeros(size, dtype=np.bool_)
    genuine[model.hashes] = True

    def close_batch() -> None:
        keys = np.unique(np.array(batch, dtype=np.int64))
        found.append(keys[genuine[keys % size]])
        batch.clear()

    for number, feature in pairs:
        if isinstance(feature, str):
            row = known.get(feature)
            if row is None:
                row = known[feature] = int(hash_features([feature], size)[0][0])
        else:
            row = feature
        batch.append(number * size + row)
        if len(batch) >= _PAIRS_AT_ONCE:
            close_batch()
    close_batch()
    if not terms:
        raise InvalidArgumentError("there are no terms to count the features of")
    keys = np.unique(np.concatenate(found))
    return TermCounts(list(terms), np.bincount(keys // size, minlength=len(terms)).astype(np.int64))


def _parquet(path: Path, column: str | None) -> list[str]:
    with extra("hashing"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    with reading(path):
        try:
            table = pq.read_table(path)
        except pa.ArrowException:  # its message can quote the file
            raise InputFileError(f"{path}: not a whole parquet file") from None
    texts = [f.name for f in table.schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
    return [text or "" for text in table[_choose(path, column, texts)].to_pylist()]


def _csv(path: Path, text: str, column: str | None) -> list[str]:
    import csv

    try:
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))
        reader = csv.DictReader(text.splitlines(keepends=True))
        rows = list(reader)
    except csv.Error as error:
        raise InputFileError(f"{path}: not a table of text: {error}") from None
    chosen = _choose(path, column, list(reader.fieldnames or ()))
    return [row[chosen] or "" for row in rows]


def _choose(path: Path, column: str | None, names: list[str]) -> str:
    if column is not None and column not in names:
        raise InputFileError(f"{path}: has no column of text called {column}")
    if not names:
        raise InputFileError(f"{path}: has no column of text")
    return column or next((name for name in ("text", "review") if name in names), names[-1])
