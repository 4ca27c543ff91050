"""A user-level audit: whose texts trained a model? Feyisetan et al. audit Madlib in this way, after Song and Shmatikov
2019.

Users are split into four parts. The model that is attacked is trained on the released texts of the first; the second
are its non-members. The attacker has the texts of the third and fourth as they were written, and the mechanism: they
train a shadow model on the third's released texts, and learn from what it says of its members and non-members how sure
a model is of a member's texts. The models are asked about the texts as they were written, about all texts of a user at
once.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from hushbit._plumbing.auc import Auc, auc_of
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.evaluate.classifier import Classifier, train
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.mechanisms import Ids, Mechanism, Vectors

_PARTS = 4
_FEATURES = 5
_PENALTY = 1e-2  # the penalty on the attacker's squared weights, per user

Release = Callable[[Ids, np.random.Generator], tuple[Ids, NDArray[np.bool_]]]
"""A function of words (count,) that returns the words in their places, (count,), and which of the places stay,
(count,)."""


@dataclass(frozen=True)
class Row:
    """One way to release texts."""

    name: str
    unchanged: float
    """The share of words that stay themselves, of all that were typed."""
    accuracy: float
    """The share of the non-members' texts, as they were written, that the attacked model classifies right."""
    precision: float
    """The share of members among the users taken for members; 0 if no user is."""
    recall: float
    """The share of the members that are taken for members."""
    attack_accuracy: float
    """The share of users about whom the attacker is right; .5 is chance, since there are as many members as
    non-members."""
    auc: Auc

    def document(self) -> dict[str, Any]:
        """The row as a JSON document."""
        return asdict(self)


@dataclass(frozen=True)
class Texts:
    """Labeled documents of users."""

    corpus: Corpus
    labels: NDArray[np.int64]
    users: NDArray[np.int64]
    """(documents,): the user of each document, from 0 on."""
    classes: int
    vectors: Vectors

    def __post_init__(self) -> None:
        if len(np.unique(self.users)) < 2 * _PARTS:
            raise InvalidArgumentError(f"an audit of users needs {2 * _PARTS} of them or more")


def groups_as_users(documents: int, size: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Users for documents that name none: `size` documents each, drawn at random; what is left over joins the last."""
    users = np.empty(documents, dtype=np.int64)
    users[generator.permutation(documents)] = np.minimum(np.arange(documents) // size, max(0, documents // size - 1))
    return users


# ---- What is released


def as_written(words: Ids, generator: np.random.Generator) -> tuple[Ids, NDArray[np.bool_]]:
    """Releases words unchanged, for the clean model."""
    del generator
    return words, np.ones(len(words), dtype=np.bool_)


def through(mechanism: Mechanism) -> Release:
    """A release of every word by a mechanism."""

    def release(words: Ids, generator: np.random.Generator) -> tuple[Ids, NDArray[np.bool_]]:
        return mechanism.replace(words, generator=generator), np.ones(len(words), dtype=np.bool_)

    return release


def words_at_random(count: int) -> Release:
    """The first baseline: every word becomes any of `count` words, with equal chances. No word is in the output."""

    def release(words: Ids, generator: np.random.Generator) -> tuple[Ids, NDArray[np.bool_]]:
        return generator.integers(count, size=len(words), dtype=np.uint32), np.ones(len(words), dtype=np.bool_)

    return release


def without_rare_words(typed: Ids, kept: int, count: int) -> Release:
    """The second baseline: all but the `kept` words that are most frequent in `typed` are left out. It promises
    nothing.
    """
    often = np.argsort(-np.bincount(typed, minlength=count), kind="stable")[:kept]
    stays = np.zeros(count, dtype=np.bool_)
    stays[often] = True

    def release(words: Ids, generator: np.random.Generator) -> tuple[Ids, NDArray[np.bool_]]:
        del generator
        return words, stays[words]

    return release


# ---- The attack


def audit(
    texts: Texts,
    releases: Sequence[tuple[str, Release]],
    *,
    seed: int = 0,
    epochs: int = 20,
    progress: Progress = no_progress,
) -> list[Row]:
    """A row for each release, all on the same split of users. The same arguments give the same rows."""
    order = np.random.default_rng(seed).permutation(np.unique(texts.users))
    size = len(order) // _PARTS
    parts = [order[i * size : (i + 1) * size] for i in range(_PARTS)]
    rows = []
    for done, (name, release) in enumerate(releases, 1):
        rows.append(_row(texts, parts, name, release, seed, epochs))
        progress(done, len(releases), "audit of users")
    return rows


def _row(texts: Texts, parts: list[NDArray[np.int64]], name: str, release: Release, seed: int, epochs: int) -> Row:
    members, others, shadow_members, shadow_others = parts
    generator = np.random.default_rng([seed, 1])
    model, unchanged = _trained(texts, members, release, generator, seed, epochs)
    shadow, _ = _trained(texts, shadow_members, release, generator, seed + 1, epochs)
    guess = _attacker(sureness(shadow, texts, shadow_members), sureness(shadow, texts, shadow_others))
    inside, outside = guess(sureness(model, texts, members)), guess(sureness(model, texts, others))
    taken, wrongly = int((inside > 0).sum()), int((outside > 0).sum())
    tested = np.flatnonzero(np.isin(texts.users, others))
    return Row(
        name=name,
        unchanged=unchanged,
        accuracy=model.accuracy(texts.corpus.select(tested), texts.labels[tested]),
        precision=taken / max(1, taken + wrongly),
        recall=taken / len(members),
        attack_accuracy=(taken + len(others) - wrongly) / (len(members) + len(others)),
        auc=auc_of(inside, outside),
    )


def _trained(
    texts: Texts, users: NDArray[np.int64], release: Release, generator: np.random.Generator, seed: int, epochs: int
) -> tuple[Classifier, float]:
    """A model of the users' released texts, and the share of their words that is unchanged."""
    documents = np.flatnonzero(np.isin(texts.users, users))
    typed = texts.corpus.select(documents)
    outputs, stays = release(typed.ids, generator)
    lengths = np.add.reduceat(np.append(stays, False).astype(np.int64), typed.starts[:-1]) * (np.diff(typed.starts) > 0)
    released = Corpus(outputs[stays], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    unchanged = float(((outputs == typed.ids) & stays).mean())
    model = train(released, texts.labels[documents], texts.classes, texts.vectors, seed, epochs=epochs)
    return model, unchanged


def sureness(model: Classifier, texts: Texts, users: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the model says of the users' texts, (users, 5).

    The columns are the mean, the deviation, the least and the largest of the logarithm of the true class's probability,
    and the share of documents that are classified right.
    """
    documents = np.flatnonzero(np.isin(texts.users, users))
    outputs = model.outputs(texts.corpus.select(documents)).astype(np.float64)
    labels, owners = texts.labels[documents], texts.users[documents]
    sure = outputs[np.arange(len(documents)), labels]
    right = outputs.argmax(axis=1) == labels
    found = np.empty((len(users), _FEATURES))
    for row, user in zip(found, users, strict=True):
        own = owners == user
        row[:] = sure[own].mean(), sure[own].std(), sure[own].min(), sure[own].max(), right[own].mean()
    return found


def _attacker(
    members: NDArray[np.float64], others: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """A logistic regression whose score is above 0 for a user that it takes for a member."""
    known = np.concatenate([members, others])
    signs = np.concatenate([np.ones(len(members)), -np.ones(len(others))])
    mean, deviation = known.mean(axis=0), known.std(axis=0) + 1e-9

    def scores(weights: NDArray[np.float64], asked: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((asked - mean) / deviation @ weights[:-1] + weights[-1])

    def loss(weights: NDArray[np.float64]) -> float:
        penalty = _PENALTY * float(np.square(weights[:-1]).sum())
        return float(np.logaddexp(0, -signs * scores(weights, known)).mean()) + penalty

    found = minimize(loss, np.zeros(known.shape[1] + 1), method="BFGS").x
    return lambda asked: scores(found, asked)
