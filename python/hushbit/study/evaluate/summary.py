"""Trials put together: means and 95 % intervals for each mechanism at each ε."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushbit.study.evaluate.plan import Setting
from hushbit.study.evaluate.results import inversion_key, pairs_key, reading_key, trial_key
from hushbit.study.privacy.figures import Mean
from hushbit.study.privacy.intervals import binomial_bounds

QUERIES = ("clean", "privatized")
KNOWING = ("nothing", "frequencies", "context")
"""What a reader of running text knows besides the mechanism, each more than the one before."""


@dataclass(frozen=True)
class Row:
    """A mechanism at an ε, or clean text if there is no setting."""

    setting: Setting | None
    trials: int
    unchanged: Mean
    accuracy: Mean
    control: Mean | None
    """Accuracy of the control with as many unchanged words."""
    gain: Mean | None
    """Accuracy less the control's, trial by trial."""
    bag: Mean | None
    """Accuracy of a bag of words; None in results of old."""
    frozen: Mean | None
    """Accuracy of frozen mean vectors; None in results of old."""
    auc: dict[str, Mean]
    """Of membership inference, by what the model is asked about."""


def rows_of(document: dict[str, Any]) -> list[Row]:
    """Clean text first, then the settings in the order of the document. Settings without a trial are left out."""
    settings = [None, *(Setting(**setting) for setting in document["settings"])]
    rows = []
    for setting in settings:
        keys = [trial_key(trial, setting) for trial in range(document["trials"])]
        trials = [document["done"][key] for key in keys if key in document["done"]]
        if trials:
            rows.append(_row(setting, trials))
    return rows


def inversions_of(document: dict[str, Any]) -> list[tuple[Setting, dict[str, Any]]]:
    """The attacks on words, by setting."""
    settings = [Setting(**setting) for setting in document["settings"]]
    done = document["done"]
    return [(setting, done[inversion_key(setting)]) for setting in settings if inversion_key(setting) in done]


def readings_of(document: dict[str, Any]) -> list[tuple[Setting, dict[str, Any]]]:
    """The attacks on running text, by setting."""
    settings = [Setting(**setting) for setting in document["settings"]]
    done = document["done"]
    return [(setting, done[reading_key(setting)]) for setting in settings if reading_key(setting) in done]


def pairs_of(document: dict[str, Any]) -> list[tuple[Setting | None, dict[str, Any]]]:
    """The task of pairs, clean queries first; none if there are no pairs."""
    settings = [None, *(Setting(**setting) for setting in document["settings"])]
    done = document["done"]
    return [(setting, done[pairs_key(setting)]) for setting in settings if pairs_key(setting) in done]


def mean_over_trials(values: list[float]) -> Mean:
    """With Student's interval, which is wide for few trials; without any, it is infinite for one trial."""
    from scipy.special import stdtrit

    mean = float(np.mean(values))
    if len(values) < 2:
        return Mean(mean, -math.inf, math.inf)
    half = float(stdtrit(len(values) - 1, 0.975) * np.std(values, ddof=1) / math.sqrt(len(values)))
    return Mean(mean, mean - half, mean + half)


def _row(setting: Setting | None, trials: list[dict[str, Any]]) -> Row:
    control = gain = None
    if setting is not None:
        control = _accuracy(trials, "control_accuracy")
        gain = mean_over_trials([trial["accuracy"] - trial["control_accuracy"] for trial in trials])
    return Row(
        setting=setting,
        trials=len(trials),
        unchanged=mean_over_trials([trial["unchanged"] for trial in trials]),
        accuracy=_accuracy(trials, "accuracy"),
        control=control,
        gain=gain,
        bag=_accuracy(trials, "bag_accuracy") if "bag_accuracy" in trials[0] else None,
        frozen=_accuracy(trials, "frozen_accuracy") if "frozen_accuracy" in trials[0] else None,
        auc={query: _auc(trials, query) for query in QUERIES},
    )


def _accuracy(trials: list[dict[str, Any]], name: str) -> Mean:
    """Of one trial, the interval is over its test documents (Clopper and Pearson 1934)."""
    if len(trials) > 1:
        return mean_over_trials([trial[name] for trial in trials])
    value, tested = trials[0][name], trials[0]["tested"]
    low, high = binomial_bounds(round(value * tested), tested, 0.975)
    return Mean(value, float(low), float(high))


def _auc(trials: list[dict[str, Any]], query: str) -> Mean:
    """Of one trial, the interval is over the documents that were asked about."""
    found = [trial["membership"][query] for trial in trials]
    if len(found) > 1:
        return mean_over_trials([one["auc"] for one in found])
    return Mean(found[0]["auc"], found[0]["low"], found[0]["high"])
