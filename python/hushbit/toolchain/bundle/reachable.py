"""Which words a text can produce, according to the core's tokenizer."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit.toolchain.bundle.container import Header, assemble, encode_sections


def reachable(words: Sequence[bytes], long_numbers: bool) -> NDArray[np.bool_]:
    """Whether each word is found when it is typed alone. Words are sorted by their bytes, without white space or
    controls.

    `long_numbers`: whether words of four or more digits are words (docs/tokenizer.md). Unreachable words have a
    spelling that the tokenizer never produces: with capital letters, not in NFC, with a curly apostrophe.
    """
    found = np.zeros(len(words), dtype=bool)
    if not words:
        return found
    sections = encode_sections(words, np.zeros((len(words), 8), dtype=np.uint8))
    header = Header(0.0, 0.0, 0, _core.UNICODE_VERSION, "brr", long_numbers=long_numbers)
    bundle = _core.Bundle.from_bytes(assemble(header, b"{}", sections))
    lengths = np.array([len(word) for word in words])
    begins = np.cumsum(lengths + 1) - lengths - 1
    line_of = {int(begin): line for line, begin in enumerate(begins)}
    for token in bundle.tokenize(b"\n".join(words)):
        line = line_of.get(token.byte_begin)
        if line is not None and token.word == line:
            found[line] = token.byte_end - token.byte_begin == lengths[line]
    return found
