"""A scikit-learn transformer that privatizes texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hushbit import Privatizer
from hushbit._plumbing.extras import extra

with extra("corpus"):
    from sklearn.base import BaseEstimator, TransformerMixin

_DEFAULT_NAME = "x0"


class PrivatizeTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A pipeline step that turns texts into privatized texts. It learns nothing.

    privatizer: the privatizer to use. Set it before the first call if it is None.

    Texts are a list, a series or an array of one dimension, or a data frame, table or array with one column; what comes
    back has as many dimensions, so that `ColumnTransformer` can choose the column by `["text"]`. Several columns and a
    dict raise TypeError, since it is not clear where the texts are.

    Each `transform` releases the texts again: the result differs from call to call, and the costs add up. Transform
    once and keep the result. Do not use it in a parameter search, which transforms the same texts many times. A text
    that is missing or not a str raises TypeError, with a note that gives its position.
    """

    def __init__(self, privatizer: Privatizer | None = None) -> None:
        self.privatizer = privatizer

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002, N803 - scikit-learn's own names
        """Checks that the privatizer is set and that there is one column, and remembers its name if it is a str."""
        self._checked()
        _, self._name = _texts_of(X)
        self.fitted_ = True
        return self

    def transform(self, X: Any) -> NDArray[np.object_]:  # noqa: N803
        """The released texts, an object array of str, (texts,), or (texts, 1) for a table with one column."""
        privatizer = self._checked()
        texts, _ = _texts_of(X)
        released = np.array([text.text for text in privatizer.privatize_many(texts)], dtype=object)
        return released.reshape(-1, 1) if _is_table(X) else released

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The name of the one column: the given one, that of the column in `fit`, or "x0"."""
        names = [getattr(self, "_name", _DEFAULT_NAME)] if input_features is None else list(input_features)
        if len(names) != 1:
            raise ValueError(f"input_features has {len(names)} names; there is one column")
        return np.array(names, dtype=object)

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


def _is_table(X: Any) -> bool:  # noqa: N803
    """Whether it has two dimensions."""
    shape = getattr(X, "shape", None)
    return isinstance(shape, tuple) and len(shape) == 2


def _texts_of(X: Any) -> tuple[Iterable[str], str]:  # noqa: N803
    """The texts, and the name of their column. Raises TypeError unless there is exactly one column."""
    if isinstance(X, Mapping) or hasattr(X, "collect"):
        raise TypeError(f"X is a {type(X).__name__}: give its texts, as a list or a column")
    if not _is_table(X):
        return X, _name(getattr(X, "name", None))
    if X.shape[1] != 1:
        raise TypeError(f"X has {X.shape[1]} columns: give the one of the texts, as in X[['text']]")
    if isinstance(X, np.ndarray):
        return X[:, 0], _DEFAULT_NAME
    if hasattr(X, "iloc"):  # a frame of pandas
        return X.iloc[:, 0], _name(X.columns[0])
    if hasattr(X, "to_series"):  # a frame of polars
        return X.to_series(0), _name(X.columns[0])
    return X.column(0).to_pylist(), _name(X.schema.names[0])  # a table of Arrow


def _name(name: object) -> str:
    return name if isinstance(name, str) else _DEFAULT_NAME
