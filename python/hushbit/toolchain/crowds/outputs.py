"""Output words: the words that may come out, and how likely each one is as noise."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.defaults import SENSITIVE_WORDS
from hushbit.toolchain.embeddings.vocabulary_filter import read_word_list

MAX_ALPHA = 2.0
_MASS = 1 << 31  # the approximate sum of the weights; the format allows less than 2^32
_FIRST_RANKS = 10  # flattens the head of Zipf's law, so that no single word has much of the mass
_JOINERS = "'’-"
_SENSITIVE_FILE = Path(__file__).with_name("english_sensitive_words.txt")
_NAMED = 5  # words that an error lists


def is_written_in_letters(word: str) -> bool:
    """Whether a word consists only of letters and their marks, with single apostrophes and hyphens inside."""
    if not word:
        return False
    parts = re.split(f"[{_JOINERS}]", word)
    return all(part and all(unicodedata.category(char)[0] in "LM" for char in part) for part in parts)


def choose_outputs(words: Sequence[str], wanted: int | str | Sequence[str]) -> NDArray[np.intp]:
    """The positions of the output words in `words`, ascending.

    `words` is sorted by frequency, the most frequent first. `wanted` is a number (of the most frequent words that are
    written in letters), "all", or a list of words.

    Raises InvalidArgumentError for fewer than two output words, and for words that are not in the vocabulary, with
    their number and up to five of them.
    """
    if isinstance(wanted, int):
        chosen = np.fromiter(islice(_written_in_letters(words), wanted), dtype=np.intp)
    elif wanted == "all":
        chosen = np.arange(len(words))
    else:
        place_of = {word: place for place, word in enumerate(words)}
        missing = [word for word in dict.fromkeys(wanted) if word not in place_of]
        if missing:
            named = ", ".join(map(repr, missing[:_NAMED])) + (", …" if len(missing) > _NAMED else "")
            raise InvalidArgumentError(f"{len(missing)} output words are not in the vocabulary: {named}")
        chosen = np.array(sorted({place_of[word] for word in wanted}), dtype=np.intp)
    if len(chosen) < 2:
        raise InvalidArgumentError(f"{len(chosen)} output words are too few; at least 2 are needed")
    return chosen


def _written_in_letters(words: Sequence[str]) -> Iterator[int]:
    return (place for place, word in enumerate(words) if is_written_in_letters(word))


def some_are_written_in_letters(words: Sequence[str]) -> bool:
    """Whether there are enough words for output words: two that are written in letters."""
    return len(list(islice(_written_in_letters(words), 2))) == 2


def excluded_words(source: str) -> list[str]:
    """The words of the list "english-sensitive-words", or of a file with one word a line; `#` begins a comment.

    Raises InputFileError for a file that cannot be read, InvalidArgumentError if there are none.
    """
    path = str(_SENSITIVE_FILE) if source == SENSITIVE_WORDS else source
    words = [word for word in read_word_list(path) if not word.startswith("#")]
    if not words:
        raise InvalidArgumentError(
            f"{source}: contains no words; write one per line, or give the name {SENSITIVE_WORDS}"
        )
    return words


def read_output_words(path: str) -> list[str]:
    """The words of a UTF-8 file, one per line. Raises InputFileError, and InvalidArgumentError if there are none."""
    words = read_word_list(path)
    if not words:
        raise InvalidArgumentError(f"{path}: contains no output words; write one per line")
    return words


def word_weights(count: int, alpha: float) -> NDArray[np.uint32]:
    """The weight q of each output word by its frequency rank: about (rank + 10)^-alpha, scaled to a sum of 2^31.

    Every weight is 1 or more, and with `alpha` 0 all are equal. Raises InvalidArgumentError unless 0 <= alpha <= 2.
    """
    if not 0 <= alpha <= MAX_ALPHA:
        raise InvalidArgumentError(f"the exponent of the weights is {alpha}; it must be from 0 to {MAX_ALPHA:g}")
    raw = (np.arange(count) + float(_FIRST_RANKS)) ** -alpha
    weights: NDArray[np.uint32] = np.maximum(np.rint(raw * (_MASS / raw.sum())), 1).astype(np.uint32)
    return weights
