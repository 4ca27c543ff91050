"""Readers of word embeddings: GloVe and word2vec text, plain or compressed, `.npy` with a word list, named sources."""

from hushbit.embeddings.model import Embeddings, InputNotFoundError, Source
from hushbit.embeddings.named import NAMED_SOURCES
from hushbit.embeddings.reader import read_embeddings
from hushbit.embeddings.vocabulary_filter import VocabularyFilter, count_unreachable, read_word_list

__all__ = [
    "NAMED_SOURCES",
    "Embeddings",
    "InputNotFoundError",
    "Source",
    "VocabularyFilter",
    "count_unreachable",
    "read_embeddings",
    "read_word_list",
]
