"""A scikit-learn transformer that privatizes texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from hushbit import Privatizer


class PrivatizeTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Texts in, privatized texts out, for a pipeline. It learns nothing.

    privatizer: draws the words; its default of None stands for one that is still to be set.

    Every `transform` releases anew: what it gives differs from call to call, and costs add up. Transform once and keep
    the result; do not put it inside a search that transforms the same texts again and again. A text that is no str, and
    a missing one too, is a TypeError with a note that names its place.
    """

    def __init__(self, privatizer: Privatizer | None = None) -> None:
        self.privatizer = privatizer

    def fit(self, X: Iterable[str], y: Any = None) -> Self:  # noqa: ARG002, N803 - scikit-learn's own names
        """Checks that there is a privatizer."""
        self._checked()
        self.fitted_ = True
        return self

    def transform(self, X: Iterable[str]) -> NDArray[np.object_]:  # noqa: N803
        """Releases each text: object (texts,) of str."""
        released = [text.text for text in self._checked().privatize_many(X)]
        return np.array(released, dtype=object)

    def _checked(self) -> Privatizer:
        if not isinstance(self.privatizer, Privatizer):
            raise TypeError("give PrivatizeTransformer a privatizer, as in hushbit.open(path).privatizer()")
        return self.privatizer

    def __sklearn_tags__(self) -> Any:
        """That it takes a list of texts, learns nothing, and gives something else every time."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        tags.non_deterministic = True
        tags.no_validation = True
        return tags
