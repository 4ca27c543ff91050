"""A scikit-learn classifier that learns from released embeddings and predicts typed texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit import Embedder, _core
from hushbit._plumbing.extras import extra
from hushbit._text import encode
from hushbit.analysis.embeddings.discriminant import discriminant
from hushbit.analysis.embeddings.moments import Releases
from hushbit.analysis.embeddings.response import response_of
from hushbit.analysis.embeddings.weights import Weights
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    from sklearn.base import BaseEstimator, ClassifierMixin

_BLOCK = 1024


class EmbeddingClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns from what was released and labels what is typed.

    embedder: the embedder, with the bundle and the ε of the releases.
    priors: the share of each class among the texts to come, in the order of `classes_`; None for that of the releases.

    `fit` takes the indexes of released directions and their labels; `predict` takes typed texts, never
    releases. A model is linear in the vector of a text: `weights_` is all of it, and `weights_.write(path)`
    saves it for phones. Labels that were sent beside a release are not protected by its ε.
    """

    def __init__(self, embedder: Embedder | None = None, priors: ArrayLike | None = None) -> None:
        self.embedder = embedder
        self.priors = priors

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:  # noqa: N803
        """Learns from the releases X, indexes (releases,), with the labels y (releases,), any that sort.

        Raises InvalidArgumentError for fewer than two classes, indexes or weights that are out of range.
        """
        for name in ("releases_", "classes_"):
            self.__dict__.pop(name, None)
        return self.partial_fit(X, y, classes=np.unique(np.asarray(y)), sample_weight=sample_weight)

    def partial_fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Adds releases to what was learned. Memory does not depend on their number.

        `classes`, all labels there are, is needed in the first call. Until every class has a release, nothing is
        learned and `predict` fails.
        """
        embedder = self._checked()
        if not hasattr(self, "releases_"):
            if classes is None:
                raise InvalidArgumentError("the first call of partial_fit needs classes, all labels there are")
            self.classes_ = np.unique(np.asarray(classes))
            if len(self.classes_) < 2:
                raise InvalidArgumentError(f"there are {len(self.classes_)} classes; at least 2 are needed")
            info = embedder.info
            response = response_of(embedder.directions, info.crowd_directions, info.crowd_probability)
            self.releases_ = Releases(response, len(self.classes_))
        labels = np.asarray(y)
        places = np.minimum(np.searchsorted(self.classes_, labels), len(self.classes_) - 1)
        if not np.array_equal(self.classes_[places], labels):
            raise InvalidArgumentError("a label is none of the classes")
        self.releases_.add(X, places, sample_weight)
        if (self.releases_.class_weights > 0).all():
            self._learn(embedder)
        return self

    def _learn(self, embedder: Embedder) -> None:
        priors = None if self.priors is None else np.asarray(self.priors, dtype=np.float64)
        self.coef_, self.intercept_ = discriminant(self.releases_, priors)
        names = [str(label) for label in self.classes_.tolist()]
        self.weights_ = Weights.rounded(embedder.info.hash, names, self.coef_, self.intercept_)

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """The likeliest class of each typed text: what the core says on the device, (texts,)."""
        best: NDArray[Any] = self.classes_[self._learned().scores(self._vectors(texts)).argmax(axis=1)]
        return best

    def decision_function(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The logarithm of each class's probability, up to a number for each text: (texts, classes).

        With two classes, (texts,): how much larger that of the second is.
        """
        found = self._learned().log_odds(self._vectors(texts))
        return found[:, 1] - found[:, 0] if len(self.classes_) == 2 else found

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each class, (texts, classes)."""
        found = self._learned().log_odds(self._vectors(texts))
        powers = np.exp(found - found.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.int64]:
        embedder = self._checked()._native
        blocks = [
            _core.text_vectors(embedder, [encode(text) for text in texts[first : first + _BLOCK]])
            for first in range(0, len(texts), _BLOCK)
        ]
        return np.concatenate(blocks) if blocks else np.zeros((0, self._learned().dimensions), dtype=np.int64)

    def _learned(self) -> Weights:
        if not hasattr(self, "weights_"):
            raise InvalidArgumentError("nothing is learned yet: call fit with releases of every class")
        return self.weights_

    def _checked(self) -> Embedder:
        if not isinstance(self.embedder, Embedder):
            raise TypeError("give EmbeddingClassifier an embedder, as in hushbit.open(path).embedder(epsilon=2)")
        return self.embedder

    def __sklearn_tags__(self) -> Any:
        """Tells scikit-learn: fit takes a row of integers, predict a list of texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        tags.input_tags.string = True
        tags.no_validation = True
        return tags
