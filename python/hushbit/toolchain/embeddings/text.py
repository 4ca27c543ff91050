"""GloVe text (`word 0.1 0.2 …`), and word2vec's and fastText's (the same after a line `rows dimensions`).

Fields are split only at U+0020 and U+0009, from the right. The last `dimensions` fields are the vector, and the rest is
the word, which may contain spaces.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.files import Location, Text, hint_of_encoding, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings.formats import is_number, parse_header, trailing_numbers
from hushbit.toolchain.embeddings.model import Collector, Embeddings, Source

_CHUNK_BYTES = 1 << 20
_MAX_LINE_BYTES = 1 << 20
_BLOCK_ROWS = 4096
_SNIFFED_ROWS = 100
_BOM = b"\xef\xbb\xbf"


def read_text(text: Text, location: Location, max_words: int | None, progress: Progress) -> Embeddings:
    """Reads GloVe or word2vec text. Raises InputFileError with the file and line."""
    label = f"read {location.name}"
    path = location.path
    rows = _rows(text, path)
    head = list(islice(rows, _SNIFFED_ROWS + 1))
    if not head:
        raise InputFileError(f"{path}: the file is empty")
    header = parse_header(head[0][1], path)
    if header is not None:
        head = head[1:]
    dimensions = _dimensions(head, header, path)
    parser = _RowParser(path, dimensions)
    collector = Collector(dimensions, max_words)
    count = 0
    for block in _blocks(head, rows):
        words, vectors = parser.parse(block)
        count += len(block)
        if header is not None and count > header[0]:
            extra = block[len(block) - (count - header[0])][0]
            raise InputFileError(f"{path}, line {extra}: there are more rows than the {header[0]} of the header")
        collector.add(words, vectors, [line for line, _ in block])
        progress(text.position(), text.size, label)
        if collector.full:
            break
    if header is not None and count < header[0] and not collector.full:
        raise InputFileError(f"{path}, line 1: the header says {header[0]} rows, but the file ends after {count}")
    progress(text.size, text.size, label)
    return collector.finish(Source(location.name, sha256_of(path)))


def _rows(text: Text, path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, counted from 1, without line ends. Lines end only at U+000A."""
    number = 0
    blank = 0  # the first of several empty lines; they are allowed only at the end of the file
    for raw in _lines(text, path):
        number += 1
        line = (raw.replace(b"\t", b" ") if b"\t" in raw else raw).rstrip(b" \r")
        if number == 1 and line.startswith(_BOM):
            line = line[len(_BOM) :]
        if not line:
            blank = blank or number
            continue
        if blank:
            raise InputFileError(f"{path}, line {blank}: the line is empty")
        yield number, line


def _lines(text: Text, path: Path) -> Iterator[bytes]:
    number = 0
    rest = b""
    while chunk := text.read(_CHUNK_BYTES):
        *complete, rest = (rest + chunk).split(b"\n")
        number += len(complete)
        yield from complete
        if len(rest) > _MAX_LINE_BYTES:
            raise InputFileError(
                f"{path}, line {number + 1}: longer than {_MAX_LINE_BYTES} bytes: this is not embeddings text"
            )
    if rest:
        yield rest


def _dimensions(head: list[tuple[int, bytes]], header: tuple[int, int] | None, path: Path) -> int:
    """The number in the header, or the most common number in the first rows, since a word may itself end in numbers."""
    if not head:
        raise InputFileError(f"{path}, line 1: there is no row after the header")
    counts = Counter(trailing_numbers(line) for _, line in head)
    if header is not None:
        most = max(counts)
        if most < header[1]:
            raise InputFileError(
                f"{path}, line 1: the header says {header[1]} numbers per row, but the rows that follow end in "
                f"{f'no more than {most} numbers' if most else 'no number'}, as in line {head[0][0]}"
            )
        return header[1]
    most_common = max(counts, key=lambda count: (counts[count], count))
    if most_common == 0:
        raise InputFileError(
            f"{path}, line {head[0][0]}: not embeddings text: a row is a word and its numbers, separated by spaces or "
            "tabs"
        )
    return most_common


def _blocks(head: list[tuple[int, bytes]], rows: Iterator[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    yield head
    while block := list(islice(rows, _BLOCK_ROWS)):
        yield block


class _RowParser:
    def __init__(self, path: Path, dimensions: int) -> None:
        self._path = path
        self._dimensions = dimensions

    def parse(self, block: list[tuple[int, bytes]]) -> tuple[list[str], NDArray[np.float32]]:
        """Words, and their vectors (len(block), dimensions)."""
        words: list[str] = []
        fields: list[bytes] = []
        for number, line in block:
            row = line.rsplit(b" ", self._dimensions)
            if len(row) != self._dimensions + 1:
                raise self._too_few(number, line)
            if b"_" in line and not all(map(is_number, row[1:])):
                raise self._too_few(number, line)
            words.append(self._decode(number, row[0]))
            fields += row[1:]
        try:
            numbers = list(map(float, fields))
        except ValueError:
            raise self._find_bad(block) from None
        with np.errstate(over="ignore"):  # numbers beyond float32 become infinite, and such rows are rejected
            vectors = np.array(numbers, dtype=np.float64).astype(np.float32)
        return words, vectors.reshape(len(block), self._dimensions)

    def _decode(self, number: int, word: bytes) -> str:
        try:
            return word.decode()
        except UnicodeDecodeError as error:
            raise InputFileError(
                f"{self._path}, line {number}: byte {error.start + 1} of the line is not UTF-8; {hint_of_encoding(b'')}"
            ) from None

    def _find_bad(self, block: list[tuple[int, bytes]]) -> InputFileError:
        number, line = next(row for row in block if trailing_numbers(row[1]) < self._dimensions)
        return self._too_few(number, line)

    def _too_few(self, number: int, line: bytes) -> InputFileError:
        found = trailing_numbers(line)
        return InputFileError(
            f"{self._path}, line {number}: {found} number{'' if found == 1 else 's'} at the end of the row, "
            f"expected {self._dimensions} after the word"
        )
