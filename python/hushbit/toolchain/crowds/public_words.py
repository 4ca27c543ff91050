"""Public words: words that are released as typed, because the maker of the bundle does not consider them secret."""

from collections.abc import Sequence
from pathlib import Path

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.defaults import FUNCTION_WORDS
from hushbit.toolchain.embeddings.vocabulary_filter import read_word_list

_ENGLISH_FILE = Path(__file__).with_name("english_function_words.txt")


def public_words(source: str) -> list[str]:
    """The words of a named list, or of a file with one word a line.

    Raises InputFileError for a file that cannot be read, InvalidArgumentError for an empty one.
    """
    if source == FUNCTION_WORDS:
        return _ENGLISH_FILE.read_text(encoding="utf-8").split()
    words = read_word_list(source)
    if not words:
        raise InvalidArgumentError(
            f"{source}: contains no public words; write one per line, or give the name {FUNCTION_WORDS}"
        )
    return words


def public_ids(words: Sequence[bytes], public: Sequence[str]) -> tuple[list[int], list[str]]:
    """The ids of the public words in `words`, ascending, and the public words that are missing."""
    id_of = {word: word_id for word_id, word in enumerate(words)}
    wanted = dict.fromkeys(public)
    found = sorted(id_of[word.encode()] for word in wanted if word.encode() in id_of)
    return found, [word for word in wanted if word.encode() not in id_of]
