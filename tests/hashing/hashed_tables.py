"""Tables of weights as people train them: seven kinds, with fixed seeds."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hushbit.hashing import HashedModel

SMALL, LARGE = 8192, 65_536
KINDS = (
    "gaussian",
    "large gaussian",
    "logistic",
    "three gaussians",
    "multinomial",
    "passive-aggressive",
    "support vector",
)


def table(kind: str, classes: int = 2) -> HashedModel:
    """One of KINDS; classifiers are of `classes` classes, multinomial ones of four."""
    generator = np.random.default_rng(0)
    if kind == "gaussian":
        return _model(SMALL, generator.normal(size=(3500, 1)))
    if kind == "large gaussian":
        return _model(LARGE, generator.normal(size=(27_576, 1)))
    if kind == "three gaussians":
        return _model(SMALL, generator.normal(size=(3500, 3)))
    weights = _trained(kind, 4 if kind == "multinomial" else classes)
    return _model(SMALL, weights[weights.any(axis=1)])


def skewed(rows: int, seed: int = 0) -> np.ndarray:
    """Two correlated dimensions, neither of them Gaussian."""
    normals = np.random.default_rng(seed).normal(size=(rows, 2))
    return np.column_stack([normals[:, 0] ** 3, normals[:, 0] + np.abs(normals[:, 1])])


def _model(size: int, weights: np.ndarray) -> HashedModel:
    dimensions = weights.shape[1]
    return HashedModel(size, np.arange(len(weights)), weights, np.zeros(dimensions), tuple(map(str, range(dimensions))))


def _trained(kind: str, classes: int) -> np.ndarray:
    """Coefficients of a classifier of 600 documents, (SMALL, any)."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import LogisticRegression, PassiveAggressiveClassifier
    from sklearn.svm import LinearSVC

    texts, answers = zipf_documents(600, classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # scikit-learn wants another name for passive-aggressive
        model: Any = {
            "logistic": LogisticRegression(C=10, max_iter=300),
            "multinomial": LogisticRegression(C=10, max_iter=300),
            "passive-aggressive": PassiveAggressiveClassifier(random_state=0),
            "support vector": LinearSVC(random_state=0),
        }[kind]
        model.fit(HashingVectorizer(n_features=SMALL).transform(texts), answers)
    return np.asarray(model.coef_.T)


def zipf_documents(count: int, classes: int) -> tuple[list[str], list[int]]:
    """Texts of 20 to 79 words: the n-th word is as frequent as 1 / n, and every tenth is one of the class."""
    generator = np.random.default_rng(1)
    frequency = 1 / np.arange(1, 20_001)
    frequency /= frequency.sum()
    answers = generator.integers(0, classes, count)
    texts = []
    for answer in answers:
        words = generator.choice(20_000, generator.integers(20, 80), p=frequency)
        own = 20_000 + words * classes + answer
        texts.append(" ".join(f"w{word}" for word in np.where(generator.random(len(words)) < 0.1, own, words)))
    return texts, answers.tolist()
