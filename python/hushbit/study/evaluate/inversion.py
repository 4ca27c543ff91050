"""Inversion: what a reader of privatized text recovers, by three attacks on one word and on repeats of it.

Words are drawn as often as they occur in the data, among its most frequent ones, which the reader knows, as well as how
frequent each is. The reader ranks them for each released word: by distance; by the likelihood of the released word
alone; by it and the prior (Bayes-optimal, as far as the likelihood is exact); by the prior and the likelihood of the
noise itself, which no reader has, as an upper bound.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from hushbit.study.evaluate import likelihood
from hushbit.study.evaluate.distances import Between, between_of
from hushbit.study.evaluate.draws import privatize, public_among, weights_of
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.plan import Setting, make_mechanism, may_come_out
from hushbit.study.evaluate.reproducible import seed_of
from hushbit.study.evaluate.trial import Tick
from hushbit.study.mechanisms import Brr, CrowdMechanism, Ids, Mechanism
from hushbit.study.privacy.intervals import share_interval

RELEASES = (1, 4, 16)
GUESSES = (1, 10)
TYPED = 1000  # words typed, each released as often as the last of RELEASES


def success_bound(
    log_prior: NDArray[np.float64], distances: NDArray[np.floating], epsilon: float, guesses: int
) -> float:
    """What the guarantee alone says about a reader's success, whatever the reader does.

    Metric privacy gives Pr[y | w] <= e^(ε·d(w, v))·Pr[y | v] for any fixed word v. The best guess from y succeeds with
    probability sum over y of max over w of π(w)·Pr[y | w], which is therefore at most max over w of π(w)·e^(ε·d(w, v)),
    for every v; likewise for ten guesses. k releases cost k·ε. Returns the least bound over all v, at most 1.
    `distances` are (words, words), `log_prior` is (words,).
    """
    logs = log_prior + epsilon * distances.astype(np.float64)  # a row for each v
    guesses = min(guesses, len(log_prior))
    best = np.partition(logs, len(log_prior) - guesses, axis=1)[:, -guesses:]
    return float(np.exp(min(0.0, logsumexp(best, axis=1).min())))


def run_inversion(inputs: Inputs, setting: Setting, tick: Tick) -> dict[str, Any]:
    """Success of each attack at one setting, as a JSON document."""
    seed = seed_of(inputs.options.seed, "inversion", setting.mechanism, setting.named_epsilon)
    generator = np.random.default_rng(seed)
    mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting, inputs.options.beta)
    candidates, prior = noisy_words(inputs, mechanism)
    between = between_of(mechanism, inputs.bundle._native, inputs.vectors)
    secrets = generator.choice(len(candidates), TYPED, p=prior)
    typed = np.repeat(candidates[secrets], RELEASES[-1])
    released = privatize(mechanism, typed, generator, lambda *_: tick())
    log_prior = np.log(prior)
    attacks = {"nearest": _success(-between(candidates, released), secrets)}
    tick()
    logs, kind = _of_words(inputs, setting, mechanism, between, candidates, released, generator, tick)
    attacks["likelihood"] = _success(logs, secrets)
    attacks["bayes"] = _success(logs, secrets, log_prior)
    if kind == "estimated":
        noise = _of_noise(inputs, mechanism, candidates, typed, generator)
        attacks["bayes from the noise"] = _success(noise, secrets, log_prior)
    tick()
    own = _protected_distances(mechanism, between, candidates)
    return {
        "seed": seed,
        "candidates": len(candidates),
        "typed": TYPED,
        "unchanged": share((released == typed).reshape(TYPED, -1)[:, 0].astype(np.float64)),
        "likelihood": kind,
        "attacks": attacks,
        "prior": {f"top{guesses}": float(np.sort(prior)[-guesses:].sum()) for guesses in GUESSES},
        "bound": {
            str(k): {f"top{n}": success_bound(log_prior, own, k * mechanism.epsilon, n) for n in GUESSES}
            for k in RELEASES
        },
    }


def noisy_words(inputs: Inputs, mechanism: Mechanism) -> tuple[Ids, NDArray[np.float64]]:
    """The most frequent words, and how frequent each is among them, without public words: those tell all."""
    ids = inputs.corpus.ids
    return frequent_words(ids[~public_among(mechanism, ids)], inputs.options.frequent)


def frequent_words(ids: Ids, count: int) -> tuple[Ids, NDArray[np.float64]]:
    """The most frequent words, ascending, and how frequent each is among them."""
    words, times = np.unique(ids, return_counts=True)
    chosen = np.sort(np.argsort(-times, kind="stable")[:count])
    return words[chosen], times[chosen] / times[chosen].sum()


def _of_words(
    inputs: Inputs,
    setting: Setting,
    mechanism: Mechanism,
    between: Between,
    candidates: Ids,
    released: Ids,
    generator: np.random.Generator,
    tick: Tick,
) -> tuple[likelihood.Logs, str]:
    if isinstance(mechanism, CrowdMechanism):
        return likelihood.of_crowds(mechanism.channel, candidates, released), "exact"
    weights = weights_of(mechanism)
    if weights is not None:
        return likelihood.exact(weights, candidates, released), "exact"
    outputs = may_come_out(inputs.bundle, setting)
    return likelihood.estimated(mechanism, between, outputs, candidates, released, generator, tick), "estimated"


def _protected_distances(mechanism: Mechanism, between: Between, candidates: Ids) -> NDArray[np.floating]:
    """What ε is multiplied by for each pair of words, (candidates, candidates)."""
    if isinstance(mechanism, CrowdMechanism):  # ε is that of any two words, and those of one stand-in are one
        stand_ins = mechanism.bundle.stand_ins(candidates)
        return np.asarray(stand_ins[:, None] != stand_ins, dtype=np.float32)
    return between(candidates, candidates)


def _of_noise(
    inputs: Inputs, mechanism: Mechanism, candidates: Ids, typed: Ids, generator: np.random.Generator
) -> likelihood.Logs:
    from hushbit.study.mechanisms.madlib import Madlib

    if isinstance(mechanism, Brr):
        return likelihood.noisy_code(mechanism, candidates, typed, generator)
    assert isinstance(mechanism, Madlib)  # noqa: S101 - what is left
    return likelihood.noisy_vector(mechanism, inputs.vectors, candidates, typed, generator)


def _success(
    scores: NDArray[np.float32], secrets: NDArray[np.int64], log_prior: NDArray[np.float64] | None = None
) -> dict[str, Any]:
    """The shares of right guesses, by number of releases and then of guesses.

    `scores` are (candidates, typed · releases); those of several releases are added.
    """
    by_release = scores.reshape(len(scores), len(secrets), -1)
    total = np.zeros(by_release.shape[:2]) if log_prior is None else np.tile(log_prior[:, None], (1, len(secrets)))
    found: dict[str, Any] = {}
    for k in range(1, RELEASES[-1] + 1):
        total += by_release[:, :, k - 1]
        if k in RELEASES:
            found[str(k)] = {f"top{guesses}": share(hits(total, secrets, guesses)) for guesses in GUESSES}
    return found


def hits(scores: NDArray[np.float64], secrets: NDArray[np.int64], guesses: int) -> NDArray[np.float64]:
    """The chance that each secret is among the best guesses, (secrets,); equal scores are ranked by lot."""
    own = scores[secrets, np.arange(len(secrets))]
    better = np.count_nonzero(scores > own, axis=0)
    equal = np.count_nonzero(scores == own, axis=0)
    return np.asarray(np.clip((guesses - better) / equal, 0, 1))


def share(values: NDArray[np.float64]) -> dict[str, float]:
    """The mean of values of 0 to 1, and its interval."""
    if not len(values):
        return {"mean": 0.0, "low": 0.0, "high": 1.0}
    low, high = share_interval(values)
    return {"mean": float(values.mean()), "low": low, "high": high}
