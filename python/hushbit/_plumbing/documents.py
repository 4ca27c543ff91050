"""Labeled text: an aclImdb folder, a CSV or a Parquet file."""

import csv
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.files import reading, sha256_of
from hushbit._plumbing.names import columns_of, has_no_column, shown
from hushbit.errors import InputFileError, InputNotFoundError

TEXT_COLUMNS = ("text", "review", "sentence", "content")
LABEL_COLUMNS = ("label", "sentiment", "class", "target")
_LONGEST_FIELD = 1 << 24  # characters of a field of a CSV file
_PARTS = ("train", "test")
_FOLDERS = ("neg", "pos")


@dataclass(frozen=True)
class Documents:
    """Texts and what they are labeled with."""

    texts: list[str]
    labels: NDArray[np.int64]
    """(documents,), indices into `classes`."""
    classes: list[str]
    """Sorted."""
    in_test: NDArray[np.bool_] | None
    """(documents,): which belong to the test half, where the data says so."""
    name: str
    """The name of the file or folder, without the path to it."""
    sha256: str
    """The hash of the file or, for a folder, a hash over the hashes of its files."""


def read_documents(path: Path, text_column: str | None = None, label_column: str | None = None) -> Documents:
    """Reads DATA of `hushbit evaluate`. Columns are found by their usual names unless they are named.

    Raises InputNotFoundError, and InputFileError for a format that is none of these, an empty text, a missing label,
    labels of one class only.
    """
    if path.is_dir():
        return _read_folder(path)
    if not path.exists():
        raise InputNotFoundError(f"{path}: no such file")
    with reading(path), path.open("rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    read = _read_parquet if is_parquet else _read_csv
    texts, labels = read(path, text_column, label_column)
    return _checked(path, texts, labels, None, sha256_of(path))


def find_column(path: Path, columns: Sequence[str], wanted: str | None, usual: Sequence[str], what: str) -> str:
    """The name of a column. Raises InputFileError."""
    if wanted is not None:
        if wanted in columns:
            return wanted
        raise InputFileError(f"{path}: {has_no_column(wanted, columns)}")
    found = [column for column in columns if column.lower() in usual]
    if len(found) == 1:
        return found[0]
    problem = f"has no column called {' or '.join(usual)}" if not found else f"could mean {' or '.join(found)}"
    raise InputFileError(
        f"{path}: {problem}: say which holds the {what} with --{what}-column; {columns_of(columns)}, "
        "and its first line names them"
    )


# ---- Formats


def _read_parquet(path: Path, text_column: str | None, label_column: str | None) -> tuple[list[Any], list[Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with reading(path):
        try:
            table = pq.ParquetFile(path)
            names = list(table.schema_arrow.names)
            text = find_column(path, names, text_column, TEXT_COLUMNS, "text")
            label = find_column(path, names, label_column, LABEL_COLUMNS, "label")
            columns = table.read([text, label])
        except pa.ArrowException:  # its message can quote the file
            raise InputFileError(f"{path}: is no whole Parquet file: cut off, damaged or another kind") from None
    return columns[text].to_pylist(), columns[label].to_pylist()


def _read_csv(path: Path, text_column: str | None, label_column: str | None) -> tuple[list[Any], list[Any]]:
    csv.field_size_limit(_LONGEST_FIELD)
    texts, labels = [], []
    with reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        try:
            rows = csv.reader(file)
            names = next(rows, [])
            text = names.index(find_column(path, names, text_column, TEXT_COLUMNS, "text"))
            label = names.index(find_column(path, names, label_column, LABEL_COLUMNS, "label"))
            for row in filter(None, rows):
                if len(row) != len(names):
                    raise InputFileError(f"{path}: line {rows.line_num} has {len(row)} fields, the first {len(names)}")
                texts.append(row[text])
                labels.append(row[label])
        except UnicodeDecodeError:
            raise InputFileError(f"{path}: is neither Parquet nor CSV in UTF-8") from None
        except csv.Error as error:
            raise InputFileError(f"{path}: line {rows.line_num} is not CSV: {error}") from None
    return texts, labels


def _read_folder(path: Path) -> Documents:
    """The layout of the Large Movie Review Dataset (Maas et al. 2011): {train,test}/{neg,pos}/*.txt.

    Reviews without a label (train/unsup) and hidden files, such as the ._* that macOS adds to archives, are left out.
    """
    texts: list[Any] = []
    labels: list[Any] = []
    in_test: list[bool] = []
    digest = hashlib.sha256()
    for part in _PARTS:
        for label in _FOLDERS:
            folder = path / part / label
            files = sorted(filter(_is_review, folder.glob("*.txt")))
            if not files:
                raise InputFileError(f"{path}: has no texts in {part}/{label}: an aclImdb folder has "
                                     "train/neg, train/pos, test/neg and test/pos")  # fmt: skip
            for file in files:
                with reading(file):
                    data = file.read_bytes()
                texts.append(_decoded(file, data))
                labels.append(label)
                in_test.append(part == "test")
                digest.update(f"{part}/{label}/{file.name}\0".encode() + hashlib.sha256(data).digest())
    return _checked(path, texts, labels, in_test, digest.hexdigest())


def _is_review(file: Path) -> bool:
    return not file.name.startswith(".") and file.is_file()


def _decoded(file: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputFileError(f"{file}: is not UTF-8") from None


# ---- Checks


def _checked(path: Path, texts: list[Any], labels: list[Any], in_test: list[bool] | None, sha256: str) -> Documents:
    unlabeled = [row for row, label in enumerate(labels, 1) if _is_missing(label)]
    if unlabeled:
        raise InputFileError(f"{path}: {_rows(unlabeled)} without a label: label or remove {_them(unlabeled)}")
    empty = [row for row, text in enumerate(texts, 1) if not isinstance(text, str) or not text.strip()]
    if empty:
        raise InputFileError(f"{path}: {_rows(empty)} without text: remove {_them(empty)}")
    classes = sorted({str(label) for label in labels})
    if len(classes) < 2:
        only = f"only the label {shown(classes[0])}" if classes else "no document"
        raise InputFileError(f"{path}: there is {only}; a classifier needs two classes or more")
    index = {label: i for i, label in enumerate(classes)}
    return Documents(
        # Line breaks of web pages, which the film reviews are full of, are no words.
        texts=[text.replace("<br />", " ") for text in texts],
        labels=np.array([index[str(label)] for label in labels], dtype=np.int64),
        classes=classes,
        in_test=None if in_test is None else np.array(in_test),
        name=path.resolve().name,
        sha256=sha256,
    )


def _is_missing(label: Any) -> bool:
    return label is None or (isinstance(label, float) and label != label) or (isinstance(label, str) and not label)


def _rows(rows: list[int]) -> str:
    if len(rows) == 1:
        return f"document {rows[0]} is"
    shown = ", ".join(map(str, rows[:5])) + (", …" if len(rows) > 5 else "")
    return f"{len(rows)} documents ({shown}) are"


def _them(rows: list[int]) -> str:
    return "it" if len(rows) == 1 else "them"
