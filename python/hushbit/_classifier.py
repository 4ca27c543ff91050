"""Classifiers label typed text on the device, by weights that were learned from the embeddings of many people."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit import _core
from hushbit._plumbing.records import Record
from hushbit._text import encode
from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class Classified(Record):
    """What a classifier makes of a typed text. It tells much about the text and must not be sent.

    name: the most likely class.
    probabilities: the probability of each class, by its name. They sum to 1.
    """

    name: str
    probabilities: dict[str, float]


class Classifier:
    """Weights for the texts of an embedder. Created by `Embedder.classifier` or `VectorEmbedder.classifier`.

    Nothing is released and nothing is spent: it reads a text as typed, for the app's own use. Immutable; any number of
    threads may use it at once.
    """

    __slots__ = ("_classes", "_native")

    def __init__(self, embedder: _core.Embedder, path: str | os.PathLike[str]) -> None:
        try:
            self._native = _core.Classifier(embedder, Path(path).read_bytes())
        except InvalidArgumentError as error:
            raise InvalidArgumentError(f"{os.fspath(path)}: {error}") from None
        self._classes = tuple(self._native.classes())

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return self._classes

    def classify(self, text: str) -> Classified:
        """The class of a text.

        Raises what `Embedder.embed` raises, except the errors of a budget, an audit log and randomness.
        """
        return self._classified(*self._native.classify(encode(text)))

    def classify_vector(self, vector: ArrayLike) -> Classified:
        """The class of a text by its vector, as in `VectorEmbedder.embed_vector`."""
        import numpy as np

        return self._classified(*self._native.classify_vector(np.asarray(vector, dtype=np.float32)))

    def _classified(self, best: int, log_odds: ArrayLike) -> Classified:
        import numpy as np

        odds = np.exp(np.asarray(log_odds) - np.max(log_odds))
        shares = (odds / odds.sum()).tolist()
        return Classified(self._classes[best], dict(zip(self._classes, shares, strict=True)))

    def __repr__(self) -> str:
        return f"<hushbit.Classifier of {len(self._classes)} classes>"
