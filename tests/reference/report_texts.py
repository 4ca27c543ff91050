"""Reports of texts: which values there are, which of them a text has, and the random numbers of a report."""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .brr import Source, uniform_index
from .bundle_file import BundleFile
from .chacha20 import SeededSource
from .report import Reports
from .tokenizer import Tokenizer, units_of

Kind = Literal["words", "emoji", "list", "new-words"]
LENGTHS = (1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24)
_HASHES = 256
_MECHANISM = 5
_SELECTOR = "\ufe0f"


@dataclass(frozen=True)
class Memo:
    """The memo of a device: its key, and the epoch."""

    device_key: bytes
    epoch: int


def _without_selectors(text: str) -> str:
    return text.replace(_SELECTOR, "")


def _is_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def emoji_numbers(emoji: Sequence[str], *, skin_tones: bool) -> dict[str, int]:
    """The number of each emoji, from 1, by its spelling without selectors. `emoji` are those of emoji.txt, in order."""
    numbers: dict[str, int] = {}
    without = 0
    for number, spelled in enumerate(map(_without_selectors, emoji), 1):
        toned = any(map(_is_tone, spelled))
        if toned and not skin_tones:
            # One whose persons have two tones may have no spelling without: it follows those with one tone.
            without = numbers.get("".join(c for c in spelled if not _is_tone(c)), without)
        numbers[spelled] = without if toned and not skin_tones else number
    return numbers


def find_emoji(text: str, emoji: dict[str, int]) -> list[int]:
    """The numbers of the emoji of a text, the longest first wherever one begins.

    Only for texts in which an emoji has no other tones than those it can have.
    """
    text = _without_selectors(text)
    found, at = [], 0
    while at < len(text):
        length = next((n for n in range(10, 0, -1) if text[at : at + n] in emoji and at + n <= len(text)), 0)
        if length:
            found.append(emoji[text[at : at + length]])
        at += length or 1
    return found


def letters_of(typed: str) -> str | None:
    """The normal form of a word of 2 to 24 letters, or None."""
    units = units_of(typed)
    if any(unit.form is None or unit.char_class != "word" or typed[unit.begin].isdecimal() for unit in units):
        return None
    word = "".join(unit.form or "" for unit in units)
    return word if 2 <= len(word) <= 24 else None


def bucket(word: str, group: int) -> int:
    """The bucket of a new word in a group."""
    length = LENGTHS[group // _HASHES]
    beginning = word[:length] if len(word) >= length else word + "\0"
    u = int.from_bytes(hashlib.sha256(b"hushbit new words 1\0" + beginning.encode()).digest()[:8], "little") >> 12
    digest = hashlib.sha256(b"hushbit new words hash 1\0" + bytes([group % _HASHES])).digest()
    a, b = struct.unpack("<QQ", digest[:16])
    return int((a * u + b) % 2**64 >> 54)


@dataclass(frozen=True)
class TextReports:
    """Reports of one kind. `lines`: those of emoji.txt, or the list; `bundle`: of words and new words."""

    kind: Kind
    epsilon: float
    bundle: BundleFile | None = None
    lines: Sequence[str] = ()
    none: bool = True
    skin_tones: bool = False
    pass_over: Sequence[str] = ()
    memo: Memo | None = None

    @property
    def values(self) -> int:
        """N"""
        if self.kind == "new-words":
            return 1025
        own = len(self.own_lines)
        if self.kind == "words":
            assert self.bundle is not None
            own = len(self.bundle.tables.outputs)
        return own + self.none

    @property
    def own_lines(self) -> list[str]:
        """The values but none."""
        has_tones = self.kind != "emoji" or self.skin_tones
        return [line for line in self.lines if has_tones or not any(map(_is_tone, line))]

    @property
    def reports(self) -> Reports:
        """The reports of its values."""
        return Reports(self.epsilon, self.values)

    @property
    def hash(self) -> bytes:
        """The hash of the values."""
        content = b"hushbit values 1\0" + self.kind.encode() + b"\0"
        if self.bundle is not None:
            content += self.bundle.hash
        if self.kind == "new-words":
            content += "".join(f"{length}\n" for length in LENGTHS).encode()
        if self.kind in ("emoji", "list"):
            content += b"\n" * self.none + "".join(f"{line}\n" for line in self.own_lines).encode()
        return hashlib.sha256(content).digest()

    def reportable(self, text: str) -> list[int | str]:
        """The values of a text in order; of new words the words."""
        if self.kind == "list":
            return [self.none + self.lines.index(text)] if text in self.lines else []
        if self.kind == "emoji":
            return list(find_emoji(text, emoji_numbers(self.lines, skin_tones=self.skin_tones)))
        assert self.bundle is not None
        bundle = self.bundle
        tokens = Tokenizer(bundle.ids, bundle.max_word_bytes, bundle.long_numbers).tokenize(text)
        if self.kind == "new-words":
            words = [letters_of(text[token.begin : token.end]) for token in tokens if token.kind == "unknown"]
            return [word for word in words if word is not None]
        values: list[int | str] = []
        for token in tokens:
            if token.kind != "word" or token.form is None or token.form in self.pass_over:
                continue
            word = bundle.ids[token.form.encode()]
            if word not in bundle.tables.public:
                values.append(1 + bundle.tables.standins[word])
        return values

    def report(self, text: str, seed: bytes) -> int:
        """The report of a text."""
        found = self.reportable(text)
        source = self._source(seed, b"\0" + text.encode() + b"\xff")
        return self._draw(found or [0], source)

    def report_word(self, word: str, seed: bytes) -> int:
        """The report of a new word."""
        source = self._source(seed, b"\3" + word.encode() + b"\xff")
        return self._draw([letters_of(word) or 0], source)

    def report_value(self, value: int, seed: bytes) -> int:
        """The report of a value."""
        return self._draw(value, self._source(seed, b"\2" + struct.pack("<i", value)))

    def _draw(self, found: list[int | str] | int, source: Source) -> int:
        is_text, has_groups = isinstance(found, list), self.kind == "new-words"
        words = list(struct.unpack(f"<{3 + is_text + has_groups}Q", source.take(8 * (3 + is_text + has_groups))))
        value = found[uniform_index(words.pop(0), len(found), source)] if isinstance(found, list) else found
        group = uniform_index(words.pop(0), _HASHES * len(LENGTHS), source) if has_groups else 0
        number = 1 + bucket(value, group) if isinstance(value, str) else value
        return group * self.reports.design.reports + self.reports.draw(number, words, source)

    def _source(self, seed: bytes, what: bytes) -> Source:
        if self.memo is None:
            return SeededSource(seed)
        design = self.reports.design
        ids = {} if self.bundle is None else self.bundle.ids
        known = sorted({ids[word.encode()] for word in self.pass_over if word.encode() in ids})
        passed = struct.pack(f"<{len(known)}I", *known)
        rest = hashlib.sha256(struct.pack("<III", design.q, design.t, 0) + passed).digest()[:8]
        terms = struct.pack("<32sIQ8sQ", self.hash, _MECHANISM, self.reports.limit, rest, self.memo.epoch)
        message = b"hushbit memoized text 1\0" + terms + what
        return SeededSource(hmac.digest(self.memo.device_key, message, hashlib.sha256))
