"""Membership inference by likelihood ratios, document by document (LiRA, Carlini et al. 2022).

The attacker trains shadow models like the one attacked, each on a random half of the documents in question, released
anew, so some models know a document and some do not. How sure a model is of the document's label is about normal on the
scale of log-odds. The score of a document is the ratio of two normal densities at what the attacked model says, that of
models that know it over that of those that do not. With few shadow models each document has its own means, and all have
the same two deviations, as Carlini et al. advise.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.study.evaluate.classifier import Classifier
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.membership import TypedShadows, judged
from hushbit.study.evaluate.plan import Setting, make_mechanism
from hushbit.study.evaluate.reproducible import seed_of
from hushbit.study.evaluate.trial import Tick, membership, release_of, train_on

MODELS = 8
Floats = NDArray[np.float64]


def run_attacks(
    inputs: Inputs, shadows: TypedShadows, setting: Setting | None, trial: int, tick: Tick, models: int = MODELS
) -> dict[str, Any]:
    """All attacks on members at one setting, as a JSON document: with shadow models of typed and of released text, and
    by likelihood ratios, asked with clean text.
    """
    parts = inputs.split(trial)
    released, seed = release_of(inputs, setting, trial, tick)
    model = train_on(inputs, released, parts.train, seed_of(seed, "model"), tick)
    found = membership(inputs, released, (model, shadows.of(trial)), parts, seed, tick)
    members = np.isin(np.sort(np.concatenate([parts.train, parts.held_out])), parts.train)
    scores = _scores(inputs, setting, model, trial, models, tick)
    return {"seed": seed, "models": models, **found, "likelihood ratio": judged(scores[members], scores[~members])}


def _scores(inputs: Inputs, setting: Setting | None, model: Classifier, trial: int, models: int, tick: Tick) -> Floats:
    """The scores, (documents,), of the members and the non-members of a trial, in the order of the documents."""
    parts = inputs.split(trial)
    asked = np.sort(np.concatenate([parts.train, parts.held_out]))
    text, labels = inputs.corpus.select(asked), inputs.documents.labels[asked]
    generator = np.random.default_rng(seed_of(inputs.options.seed, "likelihood ratio", trial))
    inside = halves(labels, models, generator)
    sure = np.empty((models, len(asked)))
    for row, known in zip(sure, inside, strict=True):
        released = _released(inputs, setting, text.select(np.flatnonzero(known)), generator, tick)
        everything = np.arange(len(released))
        shadow = train_on(inputs, released, everything, int(generator.integers(2**31)), tick, labels=labels[known])
        row[:] = log_odds(shadow.outputs(text), labels)
    return likelihood_ratios(log_odds(model.outputs(text), labels), sure, inside)


def halves(labels: NDArray[np.int64], models: int, generator: np.random.Generator) -> NDArray[np.bool_]:
    """(models, documents): which documents each model knows: half of each class. Two models make one choice and its
    opposite, so that each document is known to half of an even number of models.
    """
    inside = np.zeros((models, len(labels)), dtype=bool)
    for first in range(0, models, 2):
        for label in np.unique(labels):
            members = generator.permutation(np.flatnonzero(labels == label))
            inside[first, members[: len(members) // 2]] = True
        if first + 1 < models:
            inside[first + 1] = ~inside[first]
    return inside


def log_odds(outputs: NDArray[np.float32], labels: NDArray[np.int64]) -> Floats:
    """The log-odds of the true class, (documents,), from the logarithms of the classes' probabilities, (documents,
    classes).
    """
    logs = outputs.astype(np.float64)
    true = logs[np.arange(len(labels)), labels]
    others = np.where(np.arange(logs.shape[1]) == labels[:, None], -np.inf, logs)
    return np.asarray(true - np.logaddexp.reduce(others, axis=1))


def likelihood_ratios(observed: Floats, sure: Floats, inside: NDArray[np.bool_]) -> Floats:
    """The logarithm of the likelihood ratio of each document, (documents,).

    `observed` (documents,) are the log-odds by the attacked model, `sure` (models, documents) those by the shadow
    models, and `inside` (models, documents) says which documents a shadow model knows.
    """
    logs = np.zeros(len(observed))
    for known, sign in ((inside, 1.0), (~inside, -1.0)):
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, sure, 0).sum(axis=0) / count
        squares = np.where(known, (sure - mean) ** 2, 0).sum()
        variance = squares / max(1, int(known.sum()) - len(observed)) + 1e-12
        logs += sign * (-((observed - mean) ** 2) / (2 * variance) - np.log(variance) / 2)
    return logs


def _released(
    inputs: Inputs, setting: Setting | None, text: Corpus, generator: np.random.Generator, tick: Tick
) -> Corpus:
    if setting is None:
        return text
    mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, inputs.options.beta)
    return text.replaced(privatize(mechanism, text.ids, generator, lambda *_: tick()))
