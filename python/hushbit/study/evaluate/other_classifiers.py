"""Two classifiers beside the papers': a bag of words, which needs the exact word, and the mean of frozen vectors."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.mechanisms import Vectors

_FROZEN_STRENGTH = 0.01  # scikit-learn's C: the noise of released words calls for strong regularization
_BAG_STRENGTH = 1.0


class Model(Protocol):
    """A classifier of two classes or more."""

    def fit(self, corpus: Corpus, labels: NDArray[np.int64], vectors: Vectors) -> None:
        """Trains the classifier."""

    def predict(self, corpus: Corpus) -> NDArray[np.int64]:
        """The likeliest class of each document."""


class BagOfWords:
    """Logistic regression on tf-idf with sublinear counts, over the words of the training text."""

    def __init__(self) -> None:
        from sklearn.feature_extraction.text import TfidfTransformer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        self._words = np.zeros(0, dtype=np.uint32)
        self._model = make_pipeline(
            TfidfTransformer(sublinear_tf=True), LogisticRegression(C=_BAG_STRENGTH, max_iter=300)
        )

    def fit(self, corpus: Corpus, labels: NDArray[np.int64], vectors: Vectors) -> None:  # noqa: ARG002
        """Trains the classifier."""
        self._words = np.unique(corpus.ids)
        self._model.fit(word_counts(corpus, self._words), labels)

    def predict(self, corpus: Corpus) -> NDArray[np.int64]:
        """The likeliest class of each document."""
        return np.asarray(self._model.predict(word_counts(corpus, self._words)))


class FrozenMeans:
    """Logistic regression on the mean of the words' vectors as they are."""

    def __init__(self) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self._vectors = np.zeros((0, 0), dtype=np.float32)
        self._model = make_pipeline(StandardScaler(), LogisticRegression(C=_FROZEN_STRENGTH, max_iter=300))

    def fit(self, corpus: Corpus, labels: NDArray[np.int64], vectors: Vectors) -> None:
        """Trains the classifier."""
        self._vectors = vectors
        self._model.fit(mean_vectors(corpus, vectors), labels)

    def predict(self, corpus: Corpus) -> NDArray[np.int64]:
        """The likeliest class of each document."""
        return np.asarray(self._model.predict(mean_vectors(corpus, self._vectors)))


OTHERS: dict[str, Any] = {"bag_accuracy": BagOfWords, "frozen_accuracy": FrozenMeans}
"""The classifiers, by the name that their accuracy has in results."""


def word_counts(corpus: Corpus, words: NDArray[np.uint32]) -> Any:
    """How often each of `words`, ascending, is in each document: a sparse (documents, words)."""
    from scipy.sparse import csr_matrix

    documents = np.repeat(np.arange(len(corpus)), np.diff(corpus.starts))
    places = np.minimum(np.searchsorted(words, corpus.ids), len(words) - 1)
    known = words[places] == corpus.ids
    ones = np.ones(int(known.sum()))
    return csr_matrix((ones, (documents[known], places[known])), shape=(len(corpus), len(words)))


def mean_vectors(corpus: Corpus, vectors: Vectors) -> NDArray[np.float64]:
    """The mean vector of each document, (documents, dimensions); 0 for one without words."""
    words = np.unique(corpus.ids)
    lengths = np.maximum(np.diff(corpus.starts), 1)
    return np.asarray(word_counts(corpus, words) @ vectors[words].astype(np.float64) / lengths[:, None])
