"""A scikit-learn transformer that privatizes texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hushbit import Privatizer
from hushbit._extras import extra

with extra("corpus"):
    from sklearn.base import BaseEstimator, TransformerMixin


class PrivatizeTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A pipeline step that turns texts into privatized texts. It learns nothing.

    privatizer: the privatizer to use. Set it before the first call if it is None.

    Each `transform` releases the texts again: the result differs from call to call, and the costs add up. Transform
    once and keep the result. Do not use it in a parameter search, which transforms the same texts many times. A text
    that is missing or not a str raises TypeError, with a note that gives its position.
    """

    def __init__(self, privatizer: Privatizer | None = None) -> None:
        self.privatizer = privatizer

    def fit(self, X: Iterable[str], y: Any = None) -> Self:  # noqa: ARG002, N803 - scikit-learn's own names
        """Checks that the privatizer is set."""
        self._checked()
        self.fitted_ = True
        return self

    def transform(self, X: Iterable[str]) -> NDArray[np.object_]:  # noqa: N803
        """The released texts, an object array of str, (texts,)."""
        released = [text.text for text in self._checked().privatize_many(X)]
        return np.array(released, dtype=object)

    def _checked(self) -> Privatizer:
        if not isinstance(self.privatizer, Privatizer):
            raise TypeError("give PrivatizeTransformer a privatizer, as in hushbit.open(path).privatizer()")
        return self.privatizer

    def __sklearn_tags__(self) -> Any:
        """Tells scikit-learn: the input is a list of texts, nothing is learned, and the output is random."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        tags.non_deterministic = True
        tags.no_validation = True
        return tags
