"""One trial: privatize, train, test on clean text, attack."""

import math
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.study.evaluate.classifier import Classifier, train
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.membership import TypedShadows, attack
from hushbit.study.evaluate.other_classifiers import OTHERS, Model
from hushbit.study.evaluate.pairs import Pairs, rank_pairs
from hushbit.study.evaluate.plan import Setting, make_mechanism, may_come_out
from hushbit.study.evaluate.reproducible import seed_of
from hushbit.study.evaluate.split import Split
from hushbit.study.mechanisms import Ids
from hushbit.study.privacy.attained import DRAWS, attained

Tick = Callable[[], None]
"""A function that is called now and then; what it raises ends the work."""


def run_trial(inputs: Inputs, shadows: TypedShadows, setting: Setting | None, trial: int, tick: Tick) -> dict[str, Any]:
    """The figures of a mechanism in one trial, as a JSON document; those of clean text if there is no setting."""
    parts = inputs.split(trial)
    began = time.perf_counter()
    released, seed = release_of(inputs, setting, trial, tick)
    unchanged = 1.0 if setting is None else float((released.ids == inputs.corpus.ids).mean())
    privatized = time.perf_counter()
    model = train_on(inputs, released, parts.train, seed_of(seed, "model"), tick)
    result = {
        "seed": seed,
        "unchanged": unchanged,
        "accuracy": model.accuracy(inputs.corpus.select(parts.test), inputs.documents.labels[parts.test]),
        "tested": len(parts.test),
        **{name: _other_accuracy(make(), inputs, released, parts) for name, make in OTHERS.items()},
        "membership": membership(inputs, released, (model, shadows.of(trial)), parts, seed, tick),
    }
    if setting is not None:
        result["control_accuracy"] = _control_accuracy(inputs, unchanged, parts, seed, tick)
    trained = time.perf_counter()
    return {**result, "seconds": {"privatize": privatized - began, "train": trained - privatized}}


def release_of(inputs: Inputs, setting: Setting | None, trial: int, tick: Tick) -> tuple[Corpus, int]:
    """All documents as a trial releases them, as typed if there is no setting; and the seed of all else in it."""
    name = ("clean",) if setting is None else (setting.mechanism, setting.named_epsilon)
    seed = seed_of(inputs.options.seed, "trial", trial, *name)
    if setting is None:
        return inputs.corpus, seed
    mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, inputs.options.beta)
    ids = privatize(mechanism, inputs.corpus.ids, np.random.default_rng(seed_of(seed, "noise")), lambda *_: tick())
    return inputs.corpus.replaced(ids), seed


def run_pairs(inputs: Inputs, pairs: Pairs, setting: Setting | None, tick: Tick) -> dict[str, Any]:
    """How well privatized queries find what belongs to them, as a JSON document; clean ones if there is no setting."""
    seed = seed_of(
        inputs.options.seed, "pairs", "clean" if setting is None else (setting.mechanism, setting.named_epsilon)
    )
    queries = pairs.queries
    if setting is not None:
        mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, inputs.options.beta)
        ids = privatize(mechanism, queries.ids, np.random.default_rng(seed), lambda *_: tick())
        queries = queries.replaced(ids)
    return {"seed": seed, "pairs": len(queries), **rank_pairs(queries, pairs.matches, inputs.vectors)}


def run_attained(inputs: Inputs, setting: Setting, tick: Tick) -> dict[str, Any]:
    """What the ε of a released word attains, as a JSON document."""
    seed = seed_of(inputs.options.seed, "attained", setting.mechanism, setting.named_epsilon)
    mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, inputs.options.beta)
    outputs, proved = may_come_out(inputs.bundle, setting), setting.word_epsilon or math.inf
    generator = np.random.default_rng(seed)
    found = attained(mechanism, inputs.vectors, outputs, proved, generator, DRAWS, lambda *_: tick())
    return {"seed": seed, **asdict(found)}


def keep_or_uniform(words: Ids, share: float, outputs: Ids, generator: np.random.Generator) -> Ids:
    """The control: keeps each word with probability `share`, else takes any of the `outputs`."""
    kept = generator.random(len(words)) < share
    return np.where(kept, words, outputs[generator.integers(len(outputs), size=len(words), dtype=np.uint32)])


def train_on(
    inputs: Inputs,
    corpus: Corpus,
    documents: NDArray[np.int64],
    seed: int,
    tick: Tick,
    labels: NDArray[np.int64] | None = None,
) -> Classifier:
    """A classifier of some documents of a corpus; `labels` are theirs if the corpus is not that of the inputs."""
    own = inputs.documents.labels[documents] if labels is None else labels
    classes, epochs = len(inputs.documents.classes), inputs.options.epochs
    return train(corpus.select(documents), own, classes, inputs.vectors, seed, epochs=epochs, tick=tick)


def _control_accuracy(inputs: Inputs, share: float, parts: Split, seed: int, tick: Tick) -> float:
    """The accuracy of a model trained on the control's text, with as many unchanged words as the mechanism left."""
    generator = np.random.default_rng(seed_of(seed, "control"))
    ids = keep_or_uniform(inputs.corpus.ids, share, inputs.bundle._native.output_words(), generator)
    model = train_on(inputs, inputs.corpus.replaced(ids), parts.train, seed_of(seed, "control model"), tick)
    return model.accuracy(inputs.corpus.select(parts.test), inputs.documents.labels[parts.test])


def _other_accuracy(model: Model, inputs: Inputs, released: Corpus, parts: Split) -> float:
    labels = inputs.documents.labels
    model.fit(released.select(parts.train), labels[parts.train], inputs.vectors)
    return float((model.predict(inputs.corpus.select(parts.test)) == labels[parts.test]).mean())


def typed_shadows(inputs: Inputs) -> TypedShadows:
    """The shadow models of typed text, of all trials."""

    def trained(trial: int) -> Classifier:
        documents, seed = inputs.split(trial).shadow, seed_of(inputs.options.seed, "typed shadow", trial)
        return train_on(inputs, inputs.corpus, documents, seed, lambda: None)

    return TypedShadows(trained)


def membership(
    inputs: Inputs, released: Corpus, models: tuple[Classifier, Classifier], parts: Split, seed: int, tick: Tick
) -> dict[str, Any]:
    """The membership attacks, by what the shadow model was trained on and by what is asked; both are one for a model of
    clean text.

    `models` are the attacked one and the shadow model of typed text.
    """
    model, typed_shadow = models
    found = {"typed": _asked(inputs, inputs.corpus, released, (model, typed_shadow), parts, seed)}
    if released is inputs.corpus:
        return {**found, "released": found["typed"]}
    shadow = train_on(inputs, released, parts.shadow, seed_of(seed, "shadow"), tick)
    return {**found, "released": _asked(inputs, released, released, (model, shadow), parts, seed)}


def _asked(
    inputs: Inputs, learned: Corpus, released: Corpus, models: tuple[Classifier, Classifier], parts: Split, seed: int
) -> dict[str, Any]:
    """The attack with clean text and with privatized text as the questions.

    The attacker learns what a member's output is like from the same kind of text as is asked about. With a shadow model
    of typed text, the attacker always learns from typed text. `learned` is what the shadow model was trained on.
    """
    model, shadow = models
    found: dict[str, Any] = {}
    for query, corpus in (("clean", inputs.corpus), ("privatized", released)):
        lessons = inputs.corpus if learned is inputs.corpus else corpus
        found[query] = attack(
            shadow.outputs(lessons.select(parts.shadow)),
            shadow.outputs(lessons.select(parts.test)),
            model.outputs(corpus.select(parts.train)),
            model.outputs(corpus.select(parts.held_out)),
            seed_of(seed, "attack", query),
        )
        if released is inputs.corpus:
            return {"clean": found["clean"], "privatized": found["clean"]}
    return found
