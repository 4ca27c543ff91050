"""Two scikit-learn classifiers that learn from words released by crowds and label typed texts.

Released words are typed words through a known channel (`hushbit.analysis.words.estimate`), so a model of released words
is no model of typed ones. Both classifiers take the channel out while they learn, so that they need no mapping of typed
texts:

- `CalibratedWordClassifier`, for long texts: regression calibration (Carroll, Ruppert, Stefanski and Crainiceanu 2006).
  Each released word stands for what was probably typed: the posterior mean of its features.
- `WordNaiveBayes`, for short texts: naive Bayes, whose typed frequencies by class are found by expectation
  maximization through the channel.

Learning from releases costs no privacy. Labels that were sent beside a release are not protected by its ε.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushbit import Privatizer
from hushbit._plumbing.extras import extra
from hushbit.analysis.words.estimate import (
    Channel,
    channel_of,
    first_shares,
    likely_shares,
    output_counts,
    steps_towards,
    typed_counts,
)
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    from scipy import sparse
    from sklearn.base import BaseEstimator, ClassifierMixin, clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.utils.validation import check_is_fitted

Floats = NDArray[np.float64]
_C = 0.01  # logistic regression on features scaled to a variance of 1
_FOLDS = 5
_PATIENCE = 10  # steps without a better likelihood


class _WordClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What both have in common: the privatizer of the releases, texts as counts, labels."""

    _LAST: ClassVar[str]  # what `fit` sets last
    privatizer: Privatizer | None
    unknown: bool
    classes_: NDArray[Any]
    channel_: Channel
    shares_: Floats
    shares_steps_: int

    def _started(self, X: Any, y: ArrayLike) -> tuple[sparse.csr_array, NDArray[np.intp]]:  # noqa: N803
        """The counts of released words, (texts, Y), and the place of each label in `classes_`.

        Estimates what was typed in all, too: `shares_`.
        """
        for name in [name for name in vars(self) if name.endswith("_")]:  # results of an earlier fit
            delattr(self, name)
        privatizer = self._checked()
        self.channel_ = channel_of(privatizer)
        released = _counts(X, privatizer, typed=False)
        labels = np.asarray(y)
        if labels.shape != released.shape[:1]:
            raise InvalidArgumentError(f"there are {released.shape[0]} texts, and labels of the shape {labels.shape}")
        self.classes_, places = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise InvalidArgumentError(f"there are {len(self.classes_)} classes; at least 2 are needed")
        pooled = _sums(released).astype(np.int64)
        if pooled.sum() < 2:
            raise InvalidArgumentError("there are fewer than two released words to learn from")
        self.shares_, self.shares_steps_ = likely_shares(self.channel_, pooled, self.unknown)
        return released, places

    def _typed(self, X: Any) -> sparse.csr_array:  # noqa: N803
        check_is_fitted(self, self._LAST)
        return _counts(X, self._checked(), typed=True)

    def _checked(self) -> Privatizer:
        if not isinstance(self.privatizer, Privatizer):
            name = type(self).__name__
            raise TypeError(f"give {name} the privatizer of the releases, as in hushbit.open().privatizer('crowd', 6)")
        return self.privatizer

    def __sklearn_tags__(self) -> Any:
        """Tells scikit-learn: X is a list of texts, or sparse counts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.no_validation = True
        return tags


class CalibratedWordClassifier(_WordClassifier):
    """Regression calibration: learns a linear model of what was probably typed, and applies it to what is typed.

    privatizer: of the releases, by crowds: its bundle, ε and size of crowds.
    features: of the output words in the order of their ids, (Y, d); None for their codes as −1 and 1.
    estimator: a classifier of scikit-learn that is linear in the mean features of a text; None for logistic regression
    on features scaled to a variance of 1.
    unknown: whether unknown words were released as noise; their features are 0.

    `fit` takes released texts, `predict` typed ones; either may be counts, of `output_counts` and `typed_counts` in
    `hushbit.analysis.words.estimate`. After `fit`, `estimator_` is the fitted model, `shares_` the typed shares that
    were estimated from all releases, (Y + 1,), and `calibrated_` the posterior means of the features of each released
    word, (Y, d).
    """

    _LAST = "estimator_"

    def __init__(
        self,
        privatizer: Privatizer | None = None,
        features: ArrayLike | None = None,
        estimator: Any = None,
        *,
        unknown: bool = True,
    ) -> None:
        self.privatizer = privatizer
        self.features = features
        self.estimator = estimator
        self.unknown = unknown

    def fit(self, X: Any, y: ArrayLike) -> Self:  # noqa: N803
        """Learns from the released texts X with the labels y (texts,).

        Raises InvalidArgumentError for fewer than two classes or released words, features of another shape than (Y, d),
        and a privatizer of another mechanism than crowds.
        """
        released, places = self._started(X, y)
        self.features_ = self._features()
        self.calibrated_ = posterior_means(self.channel_, self.shares_, self.features_)
        model = self.estimator
        if model is None:
            model = make_pipeline(StandardScaler(), LogisticRegression(C=_C, max_iter=1000))
        self.estimator_ = clone(model).fit(_means(released, self.calibrated_), self.classes_[places])
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The likeliest class of each typed text, (texts,)."""
        rows = self._rows(X)
        return np.asarray(self.estimator_.predict(rows))

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """What `estimator` says of each typed text: (texts,) for two classes, (texts, classes) for more."""
        rows = self._rows(X)
        return np.asarray(self.estimator_.decision_function(rows))

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """The probability of each class, (texts, classes), if `estimator` tells it."""
        rows = self._rows(X)
        return np.asarray(self.estimator_.predict_proba(rows))

    def _rows(self, X: Any) -> Floats:  # noqa: N803
        """The mean features of typed texts, (texts, d)."""
        typed = self._typed(X)
        return _means(typed, np.vstack([self.features_, np.zeros(self.features_.shape[1])]))

    def _features(self) -> Floats:
        outputs = len(self.channel_.ids)
        if self.features is None:
            codes = self._checked().bundle._native.codes(self.channel_.ids)
            return np.unpackbits(codes, axis=1, bitorder="little").astype(np.float64) * 2 - 1
        features = np.asarray(self.features, dtype=np.float64)
        if features.ndim != 2 or len(features) != outputs or not np.isfinite(features).all():
            raise InvalidArgumentError(
                f"features have the shape {features.shape}; a row of finite numbers is needed for each of the "
                f"{outputs} output words, in the order of their ids"
            )
        return features


def posterior_means(channel: Channel, shares: Floats, features: Floats) -> Floats:
    """The mean features of what was typed where each output word was released, (Y, d).

    shares: of typed words, (Y + 1,). features: of output words, (Y, d); those of unknown words are 0.
    """
    weighted = np.vstack([shares[:-1, np.newaxis] * features, np.zeros(features.shape[1])])
    chances = channel.released(shares[:, np.newaxis])
    found: Floats = channel.released(weighted) / np.maximum(chances, np.finfo(float).tiny)
    return found


class WordNaiveBayes(_WordClassifier):
    """Naive Bayes: learns how often each word was typed in each class, by expectation maximization through the channel.

    privatizer: of the releases, by crowds: its bundle, ε and size of crowds.
    max_steps: the largest number of steps to try.
    unknown: whether unknown words were released as noise.
    random_state: of the folds in which the number of steps is chosen.

    Each class starts from the typed shares of all releases, so without a step all classes are the same. The number of
    steps is the one that makes held-out releases likeliest given their class; few steps keep the classes from learning
    noise. `fit` takes released texts, `predict` typed ones; either may be counts, of
    `hushbit.analysis.words.estimate.output_counts` and `typed_counts`. After `fit`, `steps_` is the number of steps,
    `feature_log_prob_` the logarithms of the shares of typed words, and last of unknown ones, (classes, Y + 1), and
    `class_log_prior_` those of the shares of texts, (classes,).
    """

    _LAST = "feature_log_prob_"

    def __init__(
        self,
        privatizer: Privatizer | None = None,
        max_steps: int = 100,
        *,
        unknown: bool = True,
        random_state: int = 0,
    ) -> None:
        self.privatizer = privatizer
        self.max_steps = max_steps
        self.unknown = unknown
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:  # noqa: N803
        """Learns from the released texts X with the labels y (texts,).

        Raises InvalidArgumentError for fewer than two classes or released words, a class of fewer than two texts or
        without words, a privatizer of another mechanism than crowds, and where no step by class makes held-out releases
        likelier than steps on all of them do: then the releases do not tell the classes from each other.
        """
        released, places = self._started(X, y)
        texts = np.bincount(places)
        if texts.min() < 2:
            raise InvalidArgumentError("a class has fewer than two texts; to hold releases out, two of each are needed")
        sums = _sums_by(released, places, len(self.classes_))
        if not sums.any(axis=0).all():
            raise InvalidArgumentError("a class has no released words to learn from")
        self.steps_ = self._best_steps(released, places)
        if self.steps_ == 0:
            raise InvalidArgumentError(
                "no step of expectation maximization by class makes held-out releases likelier, so the releases do not "
                "tell the classes from each other: more releases or a larger epsilon are needed"
            )
        shares = np.repeat(self.shares_[:, np.newaxis], len(self.classes_), axis=1)
        for _ in range(self.steps_):
            shares = steps_towards(self.channel_, shares, sums)
        self.class_log_prior_ = np.log(texts / texts.sum())
        self.feature_log_prob_ = np.log(np.maximum(shares.T, np.finfo(float).tiny))
        return self

    def _best_steps(self, released: sparse.csr_array, places: NDArray[np.intp]) -> int:
        """The number of steps on all folds but one that makes that one likeliest, given its classes.

        0 if it is not likelier, by the standard error over folds, than steps without regard to classes make it.
        """
        classes = len(self.classes_)
        folds = StratifiedKFold(
            min(_FOLDS, int(np.bincount(places).min())), shuffle=True, random_state=self.random_state
        )
        held = [_sums_by(released[rows], places[rows], classes) for _, rows in folds.split(places, places)]
        there = np.hstack(held)  # a column for each fold and class
        here = np.tile(sum(held), len(held)) - there
        here[:, here.sum(axis=0) == 0] = 1  # a class without words: any shares do
        # The control: a column for each fold, of all its classes.
        all_there, all_here = (columns.reshape(len(here), -1, classes).sum(axis=2) for columns in (there, here))
        start = self._starts(all_here)
        shares, all_shares = np.repeat(start, classes, axis=1), start
        likelihoods, controls = [], []  # a (folds,) for each step
        at = 0
        for step in range(self.max_steps + 1):
            controls.append(self._likelihoods(all_shares, all_there))
            likelihoods.append(self._likelihoods(shares, there).reshape(-1, classes).sum(axis=1))
            if likelihoods[step].sum() > likelihoods[at].sum():
                at = step
            elif step - at >= _PATIENCE:
                break
            shares = steps_towards(self.channel_, shares, here)
            all_shares = steps_towards(self.channel_, all_shares, all_here)
        gains = likelihoods[at] - max(controls, key=np.sum)
        return at if gains.mean() > gains.std(ddof=1) / np.sqrt(len(gains)) else 0

    def _likelihoods(self, shares: Floats, released: Floats) -> Floats:
        """The logarithm of the likelihood of each column of counts, (Y, k), for typed shares, (Y + 1, k)."""
        expected = np.maximum(self.channel_.released(shares), np.finfo(float).tiny)
        found: Floats = (released * np.log(expected)).sum(axis=0)
        return found

    def _starts(self, released: Floats) -> Floats:
        """The typed shares of each fold's releases, (Y + 1, folds): the releases that it holds out are not in them."""
        shares = np.repeat(first_shares(self.channel_, self.unknown), released.shape[1], axis=1)
        for _ in range(self.shares_steps_):
            shares = steps_towards(self.channel_, shares, released)
        return shares

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The likeliest class of each typed text, (texts,)."""
        joint = self._log_joint(X)
        best: NDArray[Any] = self.classes_[joint.argmax(axis=1)]
        return best

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """The logarithm of the probability of each class and text: (texts, classes).

        With two classes, (texts,): how much larger that of the second is.
        """
        joint = self._log_joint(X)
        return joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """The probability of each class, (texts, classes). As naive Bayes does, it is too sure of long texts."""
        joint = self._log_joint(X)
        powers = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def _log_joint(self, X: Any) -> Floats:  # noqa: N803
        typed = self._typed(X)
        joint: Floats = typed @ self.feature_log_prob_.T + self.class_log_prior_
        return joint


# ---- Counts


def _counts(X: Any, privatizer: Privatizer, *, typed: bool) -> sparse.csr_array:  # noqa: N803
    """Texts, or counts that already are: (texts, Y) of released words, (texts, Y + 1) of typed ones."""
    if not sparse.issparse(X):
        return _of_texts(X, privatizer, typed=typed)
    wanted = len(privatizer.bundle._native.output_words()) + typed
    if X.shape[1] != wanted:
        kind, made_by = ("typed texts", "typed_counts") if typed else ("released texts", "output_counts")
        raise InvalidArgumentError(f"there are {X.shape[1]} columns; counts of {kind} by {made_by} have {wanted}")
    return sparse.csr_array(X)


def _of_texts(texts: Iterable[str], privatizer: Privatizer, *, typed: bool) -> sparse.csr_array:
    if isinstance(texts, str):
        raise TypeError("X is one text: give a list of texts")
    return typed_counts(privatizer.bundle, texts) if typed else output_counts(privatizer, texts)


def _sums(counts: sparse.csr_array) -> Floats:
    return np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()


def _sums_by(counts: sparse.csr_array, places: NDArray[np.intp], classes: int) -> Floats:
    """The counts of each class, (Y, classes)."""
    return np.stack([_sums(counts[places == place]) for place in range(classes)], axis=1)


def _means(counts: sparse.csr_array, features: Floats) -> Floats:
    """The mean features of the words of each text; 0 for a text without words."""
    words = np.maximum(np.asarray(counts.sum(axis=1), dtype=np.float64).ravel(), 1)
    return np.asarray(counts @ features) / words[:, np.newaxis]
