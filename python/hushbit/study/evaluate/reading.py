"""Inversion of running text: what a reader recovers who knows word frequencies, and one who also knows the language.

Half of the documents are the reader's own. Documents of the other half are released, once or several times, and the
reader guesses each word: by the likelihood alone, by likelihood and frequencies, and by those and the context. The
frequencies are those of all documents, which favors the reader. How much context counts beside them depends on how much
a release tells: for each setting and number of releases, the reader tries weights on documents of its own that the
network has not learned from. Context may count nothing. A larger language model would guess more.
"""

import threading
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.study.evaluate import likelihood
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.distances import between_of
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.evidence import (
    Evidence,
    Likelihoods,
    Suggestions,
    TableLikelihoods,
    TypedWords,
    likelihoods_of_crowds,
    with_public_words,
)
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.inversion import GUESSES, noisy_words, share
from hushbit.study.evaluate.plan import Setting, make_mechanism, may_come_out
from hushbit.study.evaluate.reader import Reader
from hushbit.study.evaluate.reader_training import train_reader
from hushbit.study.evaluate.reproducible import seed_of
from hushbit.study.evaluate.summary import KNOWING
from hushbit.study.evaluate.trial import Tick
from hushbit.study.mechanisms import CrowdMechanism, HammingTem, Ids, Mechanism
from hushbit.study.privacy.guessing import FREQUENT

RELEASES = (1, 2, 5)
_LESSONS: tuple[tuple[Any, float], ...] = (("many", 6.0), ("many", 8.0), ("few", 7.0))
"""Crowds that the reader learns from, whatever is attacked."""
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25)
"""Weights of what context tells, beside frequencies and releases."""
_WEIGHED_WORDS = 3000  # words of the reader's own by which a weight is chosen; a fifth of few documents


class Attacked:
    """What the attacks on all settings share: who has which documents, and the reader, who learns once.

    Any number of threads may use one; all but the first wait until the reader has learned.
    """

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._lock = threading.Lock()
        self._reader: Reader | None = None

    @cached_property
    def typed(self) -> TypedWords:
        """All words of the data, with the frequencies that they have there."""
        return TypedWords.counted(self._inputs.corpus.ids)

    @cached_property
    def rare(self) -> NDArray[np.bool_]:
        """(T,): which typed words are beyond the most frequent ones."""
        found = np.ones(len(self.typed.ids), dtype=bool)
        found[np.argsort(-self.typed.log_prior, kind="stable")[:FREQUENT]] = False
        return found

    @cached_property
    def learned(self) -> Corpus:
        """The reader's own documents without those by which a weight is chosen."""
        return self._parts[0]

    @cached_property
    def released(self) -> Corpus:
        """What is released: some of the reader's own documents, then those that are to be attacked."""
        _, weighed, attacked = self._parts
        starts = np.concatenate([weighed.starts, len(weighed.ids) + attacked.starts[1:]])
        return Corpus(np.concatenate([weighed.ids, attacked.ids]), starts)

    @property
    def weighed(self) -> int:
        """The number of places of `released` that are the reader's own."""
        return len(self._parts[1].ids)

    @cached_property
    def _parts(self) -> tuple[Corpus, Corpus, Corpus]:
        """Half of the documents, in two parts, and as many of the others as hold the words that are to be attacked."""
        corpus, options = self._inputs.corpus, self._inputs.options
        order = np.random.default_rng(seed_of(options.seed, "reading")).permutation(len(corpus))
        own, others = np.split(order, [len(order) // 2])
        lengths = np.diff(corpus.starts)
        weighed = _documents_of(lengths[own], min(_WEIGHED_WORDS, int(lengths[own].sum()) // 5))
        attacked = _documents_of(lengths[others], options.attacked_words)
        return corpus.select(own[weighed:]), corpus.select(own[:weighed]), corpus.select(others[:attacked])

    def reader(self, tick: Tick) -> Reader:
        """The reader, who learns when it is asked for first."""
        with self._lock:
            if self._reader is None:
                inputs = self._inputs
                native = inputs.bundle._native
                lessons = [CrowdMechanism(native, epsilon, size) for size, epsilon in _LESSONS]
                self._reader = train_reader(
                    self.learned,
                    self.typed,
                    inputs.vectors,
                    lessons,
                    seed_of(inputs.options.seed, "reader"),
                    epochs=inputs.options.reader_epochs,
                    tick=tick,
                )
            return self._reader


def run_reading(attacked: Attacked, inputs: Inputs, setting: Setting, tick: Tick) -> dict[str, Any]:
    """Success of the three readers at one setting, as a JSON document."""
    seed = seed_of(inputs.options.seed, "reading", setting.mechanism, setting.named_epsilon)
    generator = np.random.default_rng(seed)
    mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, inputs.options.beta)
    text, typed, own = attacked.released, attacked.typed, attacked.weighed
    releases = np.stack([privatize(mechanism, text.ids, generator, lambda *_: tick()) for _ in range(RELEASES[-1])])
    likelihoods, kind = likelihoods_of(inputs, setting, mechanism, typed, generator, tick)
    truth = typed.indices_of(text.ids)
    rare = attacked.rare[truth]
    priors = [np.zeros_like(typed.log_prior), typed.log_prior]
    alone = Suggestions.by_priors(releases, likelihoods, priors)
    attacks: dict[str, Any] = {knowing: {} for knowing in KNOWING}
    weights = {}
    for k in RELEASES:
        nothing, known = (each.evidence(releases[:k], likelihoods) for each in alone)
        context = attacked.reader(tick).read(known, text.starts, tick)
        weights[str(k)] = weight = best_weight(known.rows(np.arange(own)), context[:own], truth[:own])
        read = Evidence(known.words, known.logs + np.float32(weight) * context)
        for knowing, found in zip(KNOWING, (nothing, known, read), strict=True):
            attacks[knowing][str(k)] = _success(found.rows(np.arange(own, len(truth))), truth[own:], rare[own:])
    return {
        "seed": seed,
        "words": len(truth) - own,
        "rare_words": int(rare[own:].sum()),
        "frequent": FREQUENT,
        "unchanged": share((releases[0] == text.ids)[own:].astype(np.float64)),
        "likelihood": kind,
        "weights": weights,
        "attacks": attacks,
    }


def best_weight(known: Evidence, context: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    """The one of `WEIGHTS` that makes typed words likeliest, over those that are candidates; 0 if there are none."""
    own = known.words == truth[:, None]
    among = own.any(axis=1)
    if not among.any():
        return 0.0
    from scipy.special import logsumexp

    logs, context, place = known.logs[among], context[among], own[among].argmax(axis=1)[:, None]

    def chance(weight: float) -> float:
        scores = logs + np.float32(weight) * context
        return float((np.take_along_axis(scores, place, axis=1) - logsumexp(scores, axis=1, keepdims=True)).mean())

    return max(WEIGHTS, key=chance)


def _documents_of(lengths: NDArray[np.int64], words: int) -> int:
    """The number of first documents that hold at least that many words."""
    return int(np.searchsorted(np.cumsum(lengths), words)) + 1


def likelihoods_of(
    inputs: Inputs,
    setting: Setting,
    mechanism: Mechanism,
    typed: TypedWords,
    generator: np.random.Generator,
    tick: Tick,
) -> tuple[Likelihoods, str]:
    """The likelihoods of a mechanism, and whether they are exact or estimated."""
    if isinstance(mechanism, CrowdMechanism):
        return likelihoods_of_crowds(mechanism, typed), "exact"
    if isinstance(mechanism, HammingTem):
        table, kind = likelihood.hamming_tem(mechanism, typed.ids), "exact"
    else:
        between = between_of(mechanism, inputs.bundle._native, inputs.vectors)
        drawn, _ = noisy_words(inputs, mechanism)
        everything = may_come_out(inputs.bundle, setting)
        table = likelihood.Estimated(mechanism, between, everything, typed.ids, drawn, generator, tick)
        kind = "estimated"

    def ticking(rows: NDArray[np.int64], released: Ids) -> NDArray[np.float32]:
        tick()
        return table(rows, released)

    return with_public_words(TableLikelihoods(ticking, len(typed.ids)), mechanism, typed), kind


def _success(found: Evidence, truth: NDArray[np.int64], rare: NDArray[np.bool_]) -> dict[str, Any]:
    """The shares of all words, and of words beyond the most frequent ones, that are among the first guesses."""
    guesses = min(GUESSES[-1], found.words.shape[1])
    order = np.argsort(-found.logs, axis=1, kind="stable")[:, :guesses]
    right = np.take_along_axis(found.words, order, axis=1) == truth[:, None]
    return {
        name: {f"top{n}": share(right[chosen, :n].any(axis=1).astype(np.float64)) for n in GUESSES}
        for name, chosen in (("all", np.ones(len(truth), dtype=bool)), ("rare", rare))
    }
