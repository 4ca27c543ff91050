"""word2vec's binary format.

A line `rows dimensions`, then for each row the word in UTF-8, a space, and the numbers as little-endian float32. Some
programs write a newline after each row, others do not.
"""

from pathlib import Path

import numpy as np

from hushbit._plumbing.files import Location, Text, sha256_of
from hushbit._plumbing.progress import Progress
from hushbit.errors import InputFileError
from hushbit.toolchain.embeddings.model import Collector, Embeddings, Source

_CHUNK_BYTES = 1 << 20
_MAX_WORD_BYTES = 1 << 16
_MAX_DIMENSIONS = 1 << 18  # a row of 1 MiB, as long as a line of text may be
_BLOCK_BYTES = 1 << 22
_BLOCK_ROWS = 4096


def read_binary(
    text: Text, location: Location, header: tuple[int, int], max_words: int | None, progress: Progress
) -> Embeddings:
    """Reads the rows; `text` is at its beginning. Raises InputFileError with the row.

    The counts of the header are not trusted: memory is allocated only for rows that exist. A row whose word is not
    UTF-8 is left out and counted: word2vec truncates long words, even in the middle of a character.
    """
    rows, dimensions = header
    path, label = location.path, f"read {location.name}"
    if dimensions > _MAX_DIMENSIONS:
        raise InputFileError(f"{path}, line 1: the header says {dimensions} numbers per row; at most {_MAX_DIMENSIONS} "
                             "are possible")  # fmt: skip
    source = _Rows(text, path, rows, 4 * dimensions)
    collector = Collector(dimensions, max_words, place="row")
    block_rows = max(1, min(_BLOCK_ROWS, _BLOCK_BYTES // (4 * dimensions)))
    done = 0
    while done < rows and not collector.full:
        words: list[str | None] = []
        numbers: list[bytes] = []
        for row in range(done + 1, min(done + block_rows, rows) + 1):
            word, vector = source.next(row)
            words.append(_decode(word))
            numbers.append(vector)
        vectors = np.frombuffer(b"".join(numbers), dtype="<f4").astype(np.float32).reshape(-1, dimensions)
        collector.add(words, vectors, range(done + 1, done + len(words) + 1))
        done += len(words)
        progress(text.position(), text.size, label)
    if not collector.full:
        source.expect_end()
    progress(text.size, text.size, label)
    return collector.finish(Source(location.name, sha256_of(path)))


def _decode(word: bytes) -> str | None:
    try:
        return word.decode()
    except UnicodeDecodeError:
        return None


class _Rows:
    """Rows one after another, from chunks of the file."""

    def __init__(self, text: Text, path: Path, rows: int, vector_bytes: int) -> None:
        self._text = text
        self._path = path
        self._rows = rows
        self._vector_bytes = vector_bytes
        self._data = b""
        self._at = 0
        self._more(1)
        while (end := self._data.find(b"\n")) < 0:  # the header, which was found in the first bytes
            self._more(len(self._data) + 1)
        self._at = end + 1

    def next(self, row: int) -> tuple[bytes, bytes]:
        """The word and the bytes of the vector of a row, counted from 1."""
        space = self._data.find(b" ", self._at)
        while space < 0:
            seen = len(self._data) - self._at
            if seen > _MAX_WORD_BYTES:
                raise InputFileError(
                    f"{self._path}, row {row}: no word ends within {_MAX_WORD_BYTES} bytes: the file is damaged, or "
                    "its numbers are not float32"
                )
            if not self._more(seen + 1):
                raise self._too_short(row)
            space = self._data.find(b" ", self._at)
        word = self._data[self._at : space].lstrip(b"\r\n")
        self._at = space + 1
        if not self._more(self._vector_bytes):
            raise self._too_short(row)
        end = self._at + self._vector_bytes
        vector, self._at = self._data[self._at : end], end
        return word, vector

    def expect_end(self) -> None:
        """Raises InputFileError if anything except line ends follows the last row."""
        while self._more(1):
            if self._data[self._at :].strip(b"\r\n"):
                raise InputFileError(
                    f"{self._path}: more bytes follow the {self._rows} rows of the header in line 1: the header is "
                    "wrong, or its numbers are not float32"
                )
            self._at = len(self._data)

    def _more(self, needed: int) -> bool:
        """Whether `needed` unread bytes are available, after reading as much as necessary."""
        while len(self._data) - self._at < needed:
            chunk = self._text.read(_CHUNK_BYTES)
            if not chunk:
                return False
            self._data, self._at = self._data[self._at :] + chunk, 0
        return True

    def _too_short(self, row: int) -> InputFileError:
        return InputFileError(
            f"{self._path}: the header in line 1 says {self._rows} rows, but the file ends in row {row}"
        )
