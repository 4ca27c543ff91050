"""What a hashed model says of texts, how well, and what its answers alone tell of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.auc import auc_of
from hushbit._plumbing.extras import extra
from hushbit._plumbing.names import is_name, shown
from hushbit.errors import InvalidArgumentError
from hushbit.hashing.table.model import HashedModel

_MAKING = ("alternate_sign", "analyzer", "binary", "lowercase", "ngram_range", "norm", "stop_words", "strip_accents")
_CODE = ("tokenizer", "preprocessor")  # settings that a file cannot hold as data
_QUERIES_AT_ONCE = 1 << 14
_FOLDS = 5
_NAMED = 10  # labels in an error


@dataclass(frozen=True)
class ClassQuality:
    """How well one class is found."""

    label: str
    precision: float
    recall: float
    f1: float
    texts: int
    """The number of texts of the class."""


@dataclass(frozen=True)
class Quality:
    """How well a model classifies texts."""

    accuracy: float
    classes: list[ClassQuality]


@dataclass(frozen=True)
class QueryAttack:
    """Genuine rows told from others by the model's scores of made-up words, of which half are genuine."""

    auc: float
    """0.5 is chance."""
    low: float
    """The lower end of the 95 % interval (Hanley and McNeil 1982)."""
    high: float
    words: int
    """The number of words that were asked about; each is a row of its own."""


class Scorer:
    """Scores texts by a model whose file says how its features are made, as scikit-learn's HashingVectorizer does.

    Needs scikit-learn. Raises InvalidArgumentError for other models.
    """

    def __init__(self, model: HashedModel) -> None:
        with extra("hashing"):
            from sklearn.feature_extraction.text import HashingVectorizer

        settings = model.settings
        if not settings:
            raise InvalidArgumentError(
                "the file does not say how features are made of texts: give a pipeline with its HashingVectorizer"
            )
        for name in _CODE:
            if settings.get(name) is not None:
                raise InvalidArgumentError(f"the vectorizer has its own {name}, which is not read from a file")
        kept = {name: settings[name] for name in (*_MAKING, "token_pattern") if name in settings}
        if "ngram_range" in kept:
            kept["ngram_range"] = tuple(kept["ngram_range"])
        self.model = model
        self._vectorizer = HashingVectorizer(n_features=model.range, **kept)

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(len(texts), labels): the decision function, bias included."""
        try:
            features = self._vectorizer.transform(texts)
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(f"the model's settings are not those of a HashingVectorizer: {error}") from None
        return np.asarray(features[:, self.model.hashes] @ self.model.weights.astype(np.float64) + self.model.bias)

    def classify(self, texts: Sequence[str], classes: Sequence[str]) -> list[str]:
        """The label of each text, of `classes`; of two, a model has the weights of one only."""
        scores, labels = self.scores(texts), self.model.labels
        unknown = [label for label in labels if label not in classes]
        if unknown:
            few = 0 < len(classes) <= _NAMED and all(map(is_name, classes))  # or they may be texts
            some = f": {', '.join(classes)}" if few else f" {len(classes)} others"
            raise InvalidArgumentError(f"the texts have no label '{shown(unknown[0])}'; they have{some}")
        if len(labels) > 1:
            return [labels[best] for best in scores.argmax(axis=1).tolist()]
        others = [name for name in classes if name != labels[0]]
        if len(others) != 1:
            raise InvalidArgumentError(f"the model tells two classes apart; the texts have {len(classes)}")
        return [labels[0] if score > 0 else others[0] for score in scores[:, 0].tolist()]


def quality(truth: Sequence[str], guesses: Sequence[str]) -> Quality:
    """Accuracy, and precision, recall and F1 by class. What is undefined, as the precision of a class never guessed,
    is 0.
    """
    classes = sorted(set(truth) | set(guesses))
    right = np.array([a == b for a, b in zip(truth, guesses, strict=True)])
    found = []
    for label in classes:
        is_label, guessed = np.array([a == label for a in truth]), np.array([b == label for b in guesses])
        hits = int((is_label & guessed).sum())
        precision, recall = hits / max(1, int(guessed.sum())), hits / max(1, int(is_label.sum()))
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        found.append(ClassQuality(label, precision, recall, f1, int(is_label.sum())))
    return Quality(float(right.mean()), found)


def query_attack(scorer: Scorer, genuine: NDArray[np.bool_], *, words: int = 2000, seed: int = 0) -> QueryAttack:
    """Asks a model for its scores of single made-up words, and nothing else; the table is not read.

    A word falls into one row, so its score minus that of the empty text is the row's weights, but for the sign. Of a
    table with missing rows, those of unknown words are 0. Who asks has learned from other words' answers, a fifth left
    out at a time, which rows look genuine; `genuine`, (R,), is the truth, from the model before it was privatized.
    Raises InvalidArgumentError if there are fewer than ten words of either kind.
    """
    with extra("hashing"):
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.model_selection import StratifiedKFold, cross_val_predict

    asked, kinds = _made_up(scorer, genuine, words)
    answers = np.abs(scorer.scores(asked) - scorer.scores([""]))
    features = np.hstack([answers, answers.sum(axis=1, keepdims=True), answers.max(axis=1, keepdims=True)])
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
    trees = HistGradientBoostingClassifier(max_iter=50, max_leaf_nodes=8, random_state=seed)
    guesses = cross_val_predict(trees, features, kinds, cv=folds, method="predict_proba")[:, 1]
    found = auc_of(guesses[kinds], guesses[~kinds])
    return QueryAttack(found.value, found.low, found.high, len(asked))


def _made_up(scorer: Scorer, genuine: NDArray[np.bool_], count: int) -> tuple[list[str], NDArray[np.bool_]]:
    """Words whose rows are all different, half of them genuine, and which these are."""
    found: dict[bool, dict[int, str]] = {True: {}, False: {}}
    wanted = min(count // 2, int(genuine.sum()), int((~genuine).sum()))
    limit = 40 * len(genuine) // max(1, min(int(genuine.sum()), int((~genuine).sum()))) * max(1, wanted) + 1000
    for first in range(0, limit, _QUERIES_AT_ONCE):
        words = [f"qz{number}" for number in range(first, first + _QUERIES_AT_ONCE)]
        features = scorer._vectorizer.transform(words)
        for word, start, end in zip(words, features.indptr[:-1].tolist(), features.indptr[1:].tolist(), strict=True):
            if end == start + 1:
                row = int(features.indices[start])
                kind = bool(genuine[row])
                if len(found[kind]) < wanted:
                    found[kind].setdefault(row, word)
        if min(map(len, found.values())) >= wanted:
            break
    each = min(map(len, found.values()))
    if each < 2 * _FOLDS:
        raise InvalidArgumentError(
            f"an attack by queries needs {2 * _FOLDS} genuine rows and as many others that single words fall into; "
            f"{each} were found"
        )
    words = [*list(found[True].values())[:each], *list(found[False].values())[:each]]
    return words, np.arange(2 * each) < each
