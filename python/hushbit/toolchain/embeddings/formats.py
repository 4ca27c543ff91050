"""Detects the format of a file of vectors by its first bytes, and gives advice for formats that are not supported."""

from pathlib import Path

from hushbit.errors import InputFileError

HEAD_BYTES = 1 << 16
"""The number of bytes that the functions below inspect."""

_MAX_COUNT_DIGITS = 18
_FLOAT32_BYTES = 4
_CONTROL = bytes(set(range(0x20)) - set(b"\t\n\r")) + b"\x7f"

_SAVE_AS_TEXT = "load it with the program that made it, and save the vectors in word2vec's text or binary format"
_TO_UTF8 = "convert it to UTF-8, as in: iconv -f {0} -t UTF-8 FILE > NEW"
_TAR, _TAR_AT = b"ustar", 257
_PICKLES = range(2, 6)  # versions of the protocol
_FOREIGN = (
    (b"\xba\x16\x4f\x2f", "a model of fastText (.bin)",
     "use the .vec file that fastText writes next to it, or save its words and vectors as text"),
    (b"\xff\xfe\0\0", "text in UTF-32", _TO_UTF8.format("UTF-32")),
    (b"\0\0\xfe\xff", "text in UTF-32", _TO_UTF8.format("UTF-32")),
    (b"\xff\xfe", "text in UTF-16", _TO_UTF8.format("UTF-16")),
    (b"\xfe\xff", "text in UTF-16", _TO_UTF8.format("UTF-16")),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "decompress it: zstd -d FILE"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it"),
    (b"Rar!", "a RAR archive", "unpack it"),
    (b"\x1f\x8b", "packed twice", "unpack it once"),
    (b"BZh", "packed twice", "unpack it once"),
    (b"\xfd7zXZ\0", "packed twice", "unpack it once"),
    (b"PK\x03\x04", "packed twice", "unpack it once"),
    (b"\x93NUMPY", "an array of numpy in a packed file", "unpack it, and put the list of its words beside it"),
    (b"\x89HDF", "an HDF5 file", _SAVE_AS_TEXT),
    (b"PAR1", "a Parquet file", _SAVE_AS_TEXT),
    (b"SQLite format 3\0", "an SQLite database, perhaps of Magnitude", _SAVE_AS_TEXT),
)  # fmt: skip


def refuse_foreign(path: Path, head: bytes) -> None:
    """Raises InputFileError for known formats that are not supported. It says what the file is and what to do."""
    found = [(what, advice) for magic, what, advice in _FOREIGN if head.startswith(magic)]
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        found.append(("a tar archive", "unpack it: tar xf FILE"))
    for what, advice in found:
        raise InputFileError(f"{path}: this is {what}, which is not supported: {advice}")


def is_pickle(head: bytes) -> bool:
    """Whether it is a pickle of Python, as gensim saves."""
    return any(head.startswith(bytes([0x80, version])) for version in _PICKLES)


def is_safetensors(head: bytes) -> bool:
    """Whether it begins with the length of a header of JSON, and the header."""
    return head[8:9] == b"{" and head[5:8] == bytes(3)


def refuse_bytes(path: Path, head: bytes) -> None:
    """Raises InputFileError if the first line contains a byte 0, which text does not."""
    if b"\0" in head.split(b"\n", 1)[0]:
        raise InputFileError(
            f"{path}, line 1: contains a byte 0, so this is neither text in UTF-8 nor word2vec's binary format; "
            f"if it is text in UTF-16, {_TO_UTF8.format('UTF-16')}"
        )


def parse_header(line: bytes, path: Path) -> tuple[int, int] | None:
    """Rows and dimensions if a line is word2vec's header: two whole numbers and nothing else."""
    fields = line.replace(b"\t", b" ").split(b" ")
    if len(fields) != 2 or not all(field.removeprefix(b"-").isdigit() for field in fields):
        return None
    if any(len(field) > _MAX_COUNT_DIGITS for field in fields):
        raise InputFileError(f"{path}, line 1: the header says more rows or numbers than any file can hold")
    rows, dimensions = int(fields[0]), int(fields[1])
    if rows < 1 or dimensions < 1:
        raise InputFileError(f"{path}, line 1: the header says {rows} rows of {dimensions} numbers, not 1 or more")
    return rows, dimensions


def is_binary(head: bytes, dimensions: int) -> bool:
    """Whether the header is followed by word2vec's binary format, and not by text.

    In text, the first row ends in a number. In the binary format a word ends at a space and its numbers follow as
    float32. Their bytes are not text: they contain control characters, or are not UTF-8.
    """
    row = head.partition(b"\n")[2].lstrip(b"\r\n")
    line = row.partition(b"\n")[0].rstrip(b"\r\t ").replace(b"\t", b" ")
    if trailing_numbers(line) and not _has_control(line):
        return False
    word, _, rest = row.partition(b" ")
    numbers = rest[: _FLOAT32_BYTES * dimensions]
    return b"\n" not in word and (_has_control(numbers) or not _may_be_utf8(numbers))


def _has_control(data: bytes) -> bool:
    return len(data) != len(data.translate(None, _CONTROL))


def _may_be_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"  # it was cut off
    return True


def trailing_numbers(line: bytes) -> int:
    """The number of fields at the end of a row, without the first field, that are numbers."""
    fields = line.split(b" ")[1:]
    for count, field in enumerate(reversed(fields)):
        if not is_number(field):
            return count
    return len(fields)


def is_number(field: bytes) -> bool:
    """Whether a field of a row is a number."""
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field  # Python's float takes 1_000
