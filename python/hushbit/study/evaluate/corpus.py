"""Documents as word ids."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.mechanisms import Ids

_EVERY = 500


@dataclass(frozen=True)
class Corpus:
    """The known words of documents, one after the other. Unknown words and punctuation are left out."""

    ids: Ids
    """(words,): the ids of all known words."""
    starts: NDArray[np.int64]
    """(documents + 1,): where each document begins; the last number is where the last one ends."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def select(self, documents: NDArray[np.integer]) -> "Corpus":
        """Some documents, in the order asked for."""
        lengths = np.diff(self.starts)[documents]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        # Place i of the result lies as far behind its document's start as in the original.
        places = np.arange(starts[-1]) + np.repeat(self.starts[documents] - starts[:-1], lengths)
        return Corpus(self.ids[places], starts)

    def replaced(self, ids: Ids) -> "Corpus":
        """The same documents with other words in the same places."""
        return Corpus(ids, self.starts)


@dataclass(frozen=True)
class Coverage:
    """How much of the text the vocabulary knows."""

    words: int
    """Tokens that are known: all that is privatized and trained on."""
    unknown: int
    """Tokens with letters or digits that are not known, which are left out."""
    without_words: int
    """Documents that hold no known word. They stay, and their mean vector is 0."""

    @property
    def unknown_share(self) -> float:
        """The share of unknown words among all tokens but punctuation."""
        return self.unknown / max(1, self.words + self.unknown)


def tokenize(bundle: _core.Bundle, texts: list[str], progress: Progress = no_progress) -> tuple[Corpus, Coverage]:
    """Tokenizes texts by the bundle's own tokenizer and vocabulary."""
    ids: list[int] = []
    starts = [0]
    unknown = 0
    for done, text in enumerate(texts, 1):
        for token in bundle.tokenize(text.encode("utf-8", "replace")):
            if token.kind == "word" and token.word is not None:
                ids.append(token.word)
            else:
                unknown += token.kind == "unknown"
        starts.append(len(ids))
        if done % _EVERY == 0 or done == len(texts):
            progress(done, len(texts), "tokenize")
    corpus = Corpus(np.array(ids, dtype=np.uint32), np.array(starts, dtype=np.int64))
    return corpus, Coverage(len(ids), unknown, int(np.count_nonzero(np.diff(corpus.starts) == 0)))
