"""The analyst's side: what many people's releases tell.

`EmbeddingClassifier` learns from embeddings of whole texts and labels typed texts; `Weights` is what it learned, as a
file for phones; `Releases` tells mean, covariance and class means; `response_of` is what they rest on
(docs/embedding.md). `CalibratedWordClassifier` and `WordNaiveBayes` learn from words released by crowds
(docs/corpora.md), and `estimate_words` counts what was typed. Classifiers need scikit-learn, which the extra
`corpus` brings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushbit.analysis.embeddings.classifier import EmbeddingClassifier
    from hushbit.analysis.embeddings.moments import Estimate, Releases
    from hushbit.analysis.embeddings.response import Response, response_of
    from hushbit.analysis.embeddings.weights import Weights
    from hushbit.analysis.words.classifiers import CalibratedWordClassifier, WordNaiveBayes
    from hushbit.analysis.words.tables import estimate_words

__all__ = [
    "CalibratedWordClassifier",
    "EmbeddingClassifier",
    "Estimate",
    "Releases",
    "Response",
    "Weights",
    "WordNaiveBayes",
    "estimate_words",
    "response_of",
]

_HOMES = {
    "CalibratedWordClassifier": "words.classifiers",
    "EmbeddingClassifier": "embeddings.classifier",
    "Estimate": "embeddings.moments",
    "Releases": "embeddings.moments",
    "Response": "embeddings.response",
    "Weights": "embeddings.weights",
    "WordNaiveBayes": "words.classifiers",
    "estimate_words": "words.tables",
    "response_of": "embeddings.response",
}


def __getattr__(name: str) -> Any:
    """Imports what needs numpy or scikit-learn on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"hushbit.analysis.{_HOMES[name]}"), name)
