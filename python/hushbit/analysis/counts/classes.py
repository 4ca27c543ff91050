"""Naive Bayes from counts by a public class: what a text is about, learned from reports of one value a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushbit.analysis.counts.estimates import consistent
from hushbit.analysis.counts.intervals import Floats
from hushbit.analysis.counts.tally import Tally
from hushbit.errors import InvalidArgumentError

_LEAST = 0.05
"""A class has at least this part of a value's share in all reports, so that no single value decides."""


@dataclass(frozen=True)
class NaiveBayes:
    """labels: C classes. weights: (values, C), log Pr[value | class] less its mean over classes. priors: (C,), log
    shares of the reports.
    """

    labels: Sequence[str]
    weights: Floats
    priors: Floats

    def scores(self, counts: Floats) -> Floats:
        """Logarithms of the odds of the classes, up to a number for each text, (n, C). `counts` of values: (n,
        values).
        """
        return np.asarray(counts @ self.weights) + self.priors

    def predict(self, counts: Floats) -> list[str]:
        """The likeliest class of each text, whose values were counted, (n, values)."""
        return [self.labels[place] for place in self.scores(counts).argmax(axis=1)]


def naive_bayes(tallies: Mapping[str, Tally]) -> NaiveBayes:
    """Learns from the tallies of two or more classes. Classes are public: sent beside the reports, and not protected.

    A class's share of a value is that of all reports, plus the class's difference from it, which is made smaller by as
    much as noise alone would explain (James and Stein's estimator, positive part, value by value).
    """
    labels = sorted(label for label, tally in tallies.items() if tally.reports)
    if len(labels) < 2:
        raise InvalidArgumentError("to learn classes, reports of two or more are needed")
    of = [tallies[label] for label in labels]
    if any(tally.design != of[0].design for tally in of):
        raise InvalidArgumentError("the classes have reports of different lists or epsilons")
    own, other = of[0].design.own, of[0].design.other
    reports = np.array([tally.reports for tally in of], dtype=float)
    chances = np.array([tally.hits for tally in of]).T / reports
    shares = (chances - other) / (own - other)
    pooled = consistent(shares @ (reports / reports.sum()), 1.0)[:, np.newaxis]
    variances = chances * (1 - chances) / reports / (own - other) ** 2
    apart = shares - pooled
    kept = np.maximum(0.0, 1 - variances / np.maximum(apart**2, np.finfo(float).tiny))
    of_class = np.maximum(pooled + kept * apart, _LEAST * np.maximum(pooled, 1 / len(pooled)))
    logarithms = np.log(of_class / of_class.sum(axis=0))
    weights = logarithms - logarithms.mean(axis=1, keepdims=True)
    return NaiveBayes(labels, weights, np.log(reports / reports.sum()))
