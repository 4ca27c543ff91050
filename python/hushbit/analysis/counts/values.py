"""Lists of values that reports are about, and the hash that names a list in its reports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hushbit._plumbing.files import Location, open_text
from hushbit._plumbing.value_lists import values_of_list
from hushbit.analysis.counts.beginnings import BUCKETS, LENGTHS
from hushbit.errors import InputFileError

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.analysis.counts.geometry import Whole

NONE = "(none)"
"""How the value none is shown: a text that holds no value."""
_READ_BYTES = 1 << 20


@dataclass(frozen=True)
class Values:
    """kind: as in docs/counting.md. names: of the values in order. hash: 16 hexadecimal digits."""

    kind: str
    names: Sequence[str]
    hash: str

    def places(self) -> dict[str, int]:
        """The number of each value by its name."""
        return {name: place for place, name in enumerate(self.names)}


def hash_of(kind: str, content: Iterable[bytes]) -> str:
    """The hash of a list of values."""
    digest = hashlib.sha256(b"hushbit values 1\0" + kind.encode() + b"\0")
    for part in content:
        digest.update(part)
    return digest.hexdigest()[:16]


def words_of(bundle: Bundle) -> Values:
    """The output words of a bundle, after none."""
    ids = bundle._native.output_words()
    names = [NONE, *(bundle.word(int(word)) for word in ids)]
    return Values("words", names, hash_of("words", [bytes.fromhex(bundle.info.hash)]))


def emoji(*, skin_tones: bool = False) -> Values:
    """The emoji, after none. skin_tones: those with skin tones are values of their own."""
    from hushbit import Reporter, ReporterOptions

    reporter = Reporter(None, ReporterOptions(values="emoji", skin_tones=skin_tones))
    names = [spelling or NONE for spelling in reporter.spellings]
    return Values("emoji", names, reporter.info.hash[:16])


def new_words_of(bundle: Bundle) -> Values:
    """None, and the buckets of words that the vocabulary of a bundle lacks."""
    lengths = "".join(f"{length}\n" for length in LENGTHS)
    content = [bytes.fromhex(bundle.info.hash), lengths.encode()]
    return Values("new-words", [NONE, *map(str, range(BUCKETS))], hash_of("new-words", content))


def listed(values: Sequence[str], *, none: bool) -> Values:
    """A list of one's own; with none before it if devices report whole texts."""
    lines = ["", *values] if none else list(values)
    names = [NONE, *values] if none else list(values)
    return Values("list", names, hash_of("list", (line.encode() + b"\n" for line in lines)))


def read_list(path: Path, *, none: bool) -> Values:
    """The lines of a file. Raises InputFileError for a file that is no such list."""
    with open_text(Location(path)) as text:
        content = b"".join(iter(lambda: text.read(_READ_BYTES), b""))
    return listed(values_of_list(content, str(path)), none=none)


def groups_of(path: Path, values: Values, find: dict[str, int]) -> dict[str, Whole]:
    """Groups of values from a CSV file with the columns group and value (or word). `find`: numbers of values by
    name.
    """
    import csv

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error):
        raise InputFileError(f"{path}: is no CSV file in UTF-8") from None
    column = "value" if rows and "value" in rows[0] else "word"
    if not rows or not {"group", column} <= set(rows[0]):
        raise InputFileError(f"{path}: needs a first line that names the columns group and value, and rows")
    members: dict[str, list[int]] = {}
    for line, row in enumerate(rows, start=2):
        place = find.get(row[column] or "")
        if place is None:
            raise InputFileError(f"{path}, line {line}: this is none of the {len(values.names):,} values")
        members.setdefault(row["group"] or "", []).append(place)
    return {name: np.array(places, dtype=np.int64) for name, places in members.items()}
