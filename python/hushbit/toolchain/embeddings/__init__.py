"""Readers of word embeddings: GloVe and word2vec files, plain or compressed, `.npy` with a word list, named sources."""

from hushbit.toolchain.embeddings.extension import extended, read_definitions
from hushbit.toolchain.embeddings.model import Embeddings, Source
from hushbit.toolchain.embeddings.named import NAMED_SOURCES
from hushbit.toolchain.embeddings.reader import read_embeddings
from hushbit.toolchain.embeddings.vocabulary_filter import (
    VocabularyFilter,
    describe_left_out,
    read_word_list,
)

__all__ = [
    "NAMED_SOURCES",
    "Embeddings",
    "Source",
    "VocabularyFilter",
    "describe_left_out",
    "extended",
    "read_definitions",
    "read_embeddings",
    "read_word_list",
]
