"""Small hashed models of every format, for tests."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushbit.hashing import complete_rows, fit_rows, hash_features, open_model
from hushbit.hashing.fit.random import PredictableSource

SIZE = 512
POSITIVE = ["good", "great", "fine", "lovely", "bright", "warm"]
NEGATIVE = ["bad", "awful", "poor", "dull", "grim", "cold"]
COMMON = [f"word{i}" for i in range(60)]


def documents(count: int = 120, seed: int = 0) -> tuple[list[str], list[int]]:
    generator = np.random.default_rng(seed)
    answers = [int(answer) for answer in generator.integers(0, 2, count)]
    texts = [
        " ".join([*generator.choice(POSITIVE if answer else NEGATIVE, 3), *generator.choice(COMMON, 6)])
        for answer in answers
    ]
    return texts, answers


def privatize(path: Path, output: Path, size: int | None = None, seed: int = 1) -> np.ndarray:
    """Completes a model and returns its table."""
    file = open_model(path, size=size)
    fitted = fit_rows(file.model.weights)
    rows = np.concatenate(list(complete_rows(file.model, fitted, generator_for_tests=np.random.default_rng(seed))))
    file.write(output, iter(np.array_split(rows, 3)))
    again = open_model(output, size=size).model
    assert again.missing == 0
    assert np.array_equal(again.weights[file.model.hashes], file.model.weights)
    return rows


def seed_rows(monkeypatch: pytest.MonkeyPatch, seed: int = 5) -> None:
    """Commands in this process draw rows with a seed: what attackers find in them is the same every time."""
    monkeypatch.setattr("hushbit.hashing.fit.rows.source", lambda _: PredictableSource(np.random.default_rng(seed)))


def save_skops(path: Path, classifier: Any, classes: int = 2, **vectorizer: Any) -> Any:
    import skops.io
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.pipeline import make_pipeline

    texts, answers = documents()
    answers = [answer + (i % 2) * (classes - 2) for i, answer in enumerate(answers)]
    pipeline = make_pipeline(HashingVectorizer(n_features=SIZE, **vectorizer), classifier).fit(texts, answers)
    skops.io.dump(pipeline, path)
    return pipeline


def train_vowpal(
    path: Path, options: str = "--loss_function logistic --link logistic"
) -> tuple[list[str], list[float]]:
    from vowpalwabbit import Workspace

    texts, answers = documents()
    labels = answers if "--oaa" in options else [2 * answer - 1 for answer in answers]
    workspace = Workspace(f"{options} -b 12 --quiet --predict_only_model --readable_model {path}")
    for text, label in zip(texts, labels, strict=True):
        workspace.learn(f"{label + 1 if '--oaa' in options else label} | {text}")
    scores = [workspace.predict(f"| {text}") for text in texts]
    workspace.finish()
    return texts, scores


def train_crfsuite(path: Path, **parameters: Any) -> tuple[list[list[list[str]]], list[list[str]], list[float]]:
    """Trains a tagger whose attributes are hashes of the word and its neighbor."""
    import pycrfsuite

    texts, _ = documents(40)
    trainer = pycrfsuite.Trainer(algorithm="pa", verbose=False)
    trainer.set_params({"max_iterations": 20, **parameters})
    items, answers = [], []
    for text in texts:
        words = text.split()
        features = [[f"w={word}", f"previous={before}"] for before, word in zip(["", *words], words, strict=False)]
        items.append([[str(row) for row in hash_features(item, SIZE)[0]] for item in features])
        answers.append(["+" if w in POSITIVE else "-" if w in NEGATIVE else "o" for w in words])
        trainer.append(items[-1], answers[-1])
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    known = set(tagger.info().attributes)  # those that training left at zero are not in the file
    items = [[[name for name in item if name in known] for item in sentence] for sentence in items]
    scores = [score(tagger, item, answer) for item, answer in zip(items, answers, strict=True)]
    tagger.close()
    return items, answers, scores


def score(tagger: Any, item: list[list[str]], answer: list[str]) -> float:
    tagger.set(item)
    return float(tagger.probability(answer))
