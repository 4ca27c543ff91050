"""One trial: privatize, train, test on clean text, attack."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hushbit._plumbing.auc import Auc
from hushbit.study.evaluate.classifier import Classifier, train
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.membership import attack
from hushbit.study.evaluate.other_classifiers import OTHERS, Model
from hushbit.study.evaluate.pairs import Pairs, rank_pairs
from hushbit.study.evaluate.plan import Setting, make_mechanism
from hushbit.study.evaluate.reproducible import seed_of
from hushbit.study.evaluate.split import Split
from hushbit.study.mechanisms import Ids

Tick = Callable[[], None]
"""Called now and then; what it raises ends the work."""


def run_trial(inputs: Inputs, setting: Setting | None, trial: int, tick: Tick) -> dict[str, Any]:
    """A mechanism's figures in one trial, as a JSON document; those of clean text if there is no setting."""
    options = inputs.options
    name = ("clean",) if setting is None else (setting.mechanism, setting.named_epsilon)
    seed = seed_of(options.seed, "trial", trial, *name)
    parts = inputs.split(trial)
    began = time.perf_counter()
    released, unchanged = inputs.corpus, 1.0
    if setting is not None:
        mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, options.beta)
        generator = np.random.default_rng(seed_of(seed, "noise"))
        ids = privatize(mechanism, inputs.corpus.ids, generator, lambda *_: tick())
        released, unchanged = inputs.corpus.replaced(ids), float((ids == inputs.corpus.ids).mean())
    privatized = time.perf_counter()
    model = _train(inputs, released, parts.train, seed_of(seed, "model"), tick)
    result = {
        "seed": seed,
        "unchanged": unchanged,
        "accuracy": model.accuracy(inputs.corpus.select(parts.test), inputs.documents.labels[parts.test]),
        "tested": len(parts.test),
        **{name: _other_accuracy(make(), inputs, released, parts) for name, make in OTHERS.items()},
        "membership": _membership(inputs, released, model, parts, seed, tick),
    }
    if setting is not None:
        result["control_accuracy"] = _control_accuracy(inputs, unchanged, parts, seed, tick)
    trained = time.perf_counter()
    return {**result, "seconds": {"privatize": privatized - began, "train": trained - privatized}}


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


def keep_or_uniform(words: Ids, share: float, outputs: Ids, generator: np.random.Generator) -> Ids:
    """The control: keeps each word with probability `share`, else takes any of the `outputs`."""
    kept = generator.random(len(words)) < share
    return np.where(kept, words, outputs[generator.integers(len(outputs), size=len(words), dtype=np.uint32)])


def _train(inputs: Inputs, corpus: Corpus, documents: Any, seed: int, tick: Tick) -> Classifier:
    labels, classes = inputs.documents.labels[documents], len(inputs.documents.classes)
    epochs = inputs.options.epochs
    return train(corpus.select(documents), labels, classes, inputs.vectors, seed, epochs=epochs, tick=tick)


def _control_accuracy(inputs: Inputs, share: float, parts: Split, seed: int, tick: Tick) -> float:
    """Of a model trained on the control's text, with as many unchanged words as the mechanism left."""
    generator = np.random.default_rng(seed_of(seed, "control"))
    ids = keep_or_uniform(inputs.corpus.ids, share, inputs.bundle._native.output_words(), generator)
    model = _train(inputs, inputs.corpus.replaced(ids), parts.train, seed_of(seed, "control model"), tick)
    return model.accuracy(inputs.corpus.select(parts.test), inputs.documents.labels[parts.test])


def _other_accuracy(model: Model, inputs: Inputs, released: Corpus, parts: Split) -> float:
    labels = inputs.documents.labels
    model.fit(released.select(parts.train), labels[parts.train], inputs.vectors)
    return float((model.predict(inputs.corpus.select(parts.test)) == labels[parts.test]).mean())


def _membership(
    inputs: Inputs, released: Corpus, model: Classifier, parts: Split, seed: int, tick: Tick
) -> dict[str, Any]:
    """The attack with clean text and with privatized text as the questions; for a model of clean text they are one."""
    shadow = _train(inputs, released, parts.shadow, seed_of(seed, "shadow"), tick)
    found = {}
    for query, corpus in (("clean", inputs.corpus), ("privatized", released)):
        auc = attack(
            shadow.outputs(corpus.select(parts.shadow)),
            shadow.outputs(corpus.select(parts.test)),
            model.outputs(corpus.select(parts.train)),
            model.outputs(corpus.select(parts.held_out)),
            seed_of(seed, "attack", query),
        )
        found[query] = _document(auc)
        if released is inputs.corpus:
            return {"clean": found["clean"], "privatized": found["clean"]}
    return found


def _document(auc: Auc) -> dict[str, float]:
    return {"auc": auc.value, "low": auc.low, "high": auc.high}
