"""Puts trials together: means and 95 % intervals for each mechanism at each ε."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushbit.study.evaluate.membership import FALSE_SHARES, SHADOWS
from hushbit.study.evaluate.plan import Setting
from hushbit.study.evaluate.results import attained_key, inversion_key, pairs_key, reading_key, trial_key
from hushbit.study.privacy.attained import Attained
from hushbit.study.privacy.figures import Mean
from hushbit.study.privacy.intervals import binomial_bounds, resampled_interval

QUERIES = ("clean", "privatized")
KNOWING = ("nothing", "frequencies", "context")
"""What readers of running text know besides the mechanism. Each knows more than the one before."""


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
    """The accuracy less that of the control, trial by trial."""
    bag: Mean | None
    """The accuracy of a bag of words; None in old results."""
    frozen: Mean | None
    """The accuracy of frozen mean vectors; None in old results."""
    auc: dict[str, dict[str, Mean]]
    """The AUC of membership inference, by what the shadow model learned from and what the attacked model is asked
    about.

    Old results lack shadow models of typed text."""
    hits: dict[str, dict[str, dict[float, Mean]]]
    """The share of members found, by the same two, then by the share of non-members that may be taken for members."""

    @property
    def shadow(self) -> str:
        """The attack that figures show: the papers', whose shadow model learned from typed text, if there is one."""
        return next(shadow for shadow in SHADOWS if shadow in self.auc)


def settings_of(document: dict[str, Any]) -> list[Setting]:
    """The settings of a document, in its order."""
    return [Setting(**setting) for setting in document["settings"]]


def rows_of(document: dict[str, Any]) -> list[Row]:
    """The rows: clean text first, then the settings in the order of the document. Settings without a trial are left
    out.
    """
    settings = [None, *settings_of(document)]
    rows = []
    for setting in settings:
        keys = [trial_key(trial, setting) for trial in range(document["trials"])]
        trials = [document["done"][key] for key in keys if key in document["done"]]
        if trials:
            rows.append(_row(setting, trials, _test_to_train(document, trials[0])))
    return rows


def inversions_of(document: dict[str, Any]) -> list[tuple[Setting, dict[str, Any]]]:
    """The attacks on words, by setting."""
    settings = settings_of(document)
    done = document["done"]
    return [(setting, done[inversion_key(setting)]) for setting in settings if inversion_key(setting) in done]


def readings_of(document: dict[str, Any]) -> list[tuple[Setting, dict[str, Any]]]:
    """The attacks on running text, by setting."""
    settings = settings_of(document)
    done = document["done"]
    return [(setting, done[reading_key(setting)]) for setting in settings if reading_key(setting) in done]


def attained_of(document: dict[str, Any]) -> list[tuple[Setting, Attained]]:
    """What the ε of a released word attains, by setting."""
    found = [(setting, document["done"].get(attained_key(setting))) for setting in settings_of(document)]
    return [(setting, Attained(one["low"], one["high"], one["how"])) for setting, one in found if one is not None]


def pairs_of(document: dict[str, Any]) -> list[tuple[Setting | None, dict[str, Any]]]:
    """The task of pairs, clean queries first; none if there are no pairs."""
    settings = [None, *settings_of(document)]
    done = document["done"]
    return [(setting, done[pairs_key(setting)]) for setting in settings if pairs_key(setting) in done]


def mean_over_trials(values: list[float], test_to_train: float) -> Mean:
    """The mean with an interval that knows that trials share documents: wide for few trials, infinite for one."""
    return Mean(float(np.mean(values)), *resampled_interval(values, test_to_train))


def _row(setting: Setting | None, trials: list[dict[str, Any]], ratio: float) -> Row:
    control = gain = None
    if setting is not None:
        control = _accuracy(trials, "control_accuracy", ratio)
        gain = mean_over_trials([trial["accuracy"] - trial["control_accuracy"] for trial in trials], ratio)
    asked = [_membership(trial) for trial in trials]
    shadows = [shadow for shadow in SHADOWS if shadow in asked[0]]
    return Row(
        setting=setting,
        trials=len(trials),
        unchanged=mean_over_trials(
            [trial["unchanged"] for trial in trials], 0.0
        ),  # all documents are counted: noise alone
        accuracy=_accuracy(trials, "accuracy", ratio),
        control=control,
        gain=gain,
        bag=_accuracy(trials, "bag_accuracy", ratio) if "bag_accuracy" in trials[0] else None,
        frozen=_accuracy(trials, "frozen_accuracy", ratio) if "frozen_accuracy" in trials[0] else None,
        auc={
            shadow: {query: _auc([one[shadow][query] for one in asked], ratio) for query in QUERIES}
            for shadow in shadows
        },
        hits={
            shadow: {query: _hits([one[shadow][query] for one in asked], ratio) for query in QUERIES}
            for shadow in shadows
        },
    )


def _test_to_train(document: dict[str, Any], trial: dict[str, Any]) -> float:
    """How many documents are tested on for one that is trained on."""
    protocol = document["protocol"]
    return float(trial["tested"] / (protocol["train_share"] * protocol["data"]["documents"]))


def _membership(trial: dict[str, Any]) -> dict[str, Any]:
    """The membership attacks of a trial, by shadow model and by what is asked. Old results have only shadow models of
    released text.
    """
    found: dict[str, Any] = trial["membership"]
    return found if SHADOWS[1] in found else {SHADOWS[1]: found}


def _accuracy(trials: list[dict[str, Any]], name: str, ratio: float) -> Mean:
    """The mean accuracy. The interval of one trial is over its test documents (Clopper and Pearson 1934)."""
    if len(trials) > 1:
        return mean_over_trials([trial[name] for trial in trials], ratio)
    value, tested = trials[0][name], trials[0]["tested"]
    low, high = binomial_bounds(round(value * tested), tested, 0.975)
    return Mean(value, float(low), float(high))


def _auc(found: list[dict[str, Any]], ratio: float) -> Mean:
    """The mean AUC. The interval of one trial is over the documents that were asked about."""
    if len(found) > 1:
        return mean_over_trials([one["auc"] for one in found], ratio)
    return Mean(found[0]["auc"], found[0]["low"], found[0]["high"])


def _hits(found: list[dict[str, Any]], ratio: float) -> dict[float, Mean]:
    """The shares of members found, by the share of non-members taken for members; empty for old results."""
    if any("hits" not in one for one in found):
        return {}
    return {share: mean_over_trials([one["hits"][f"{share:g}"] for one in found], ratio) for share in FALSE_SHARES}
