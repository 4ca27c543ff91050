"""Intervals of typed counts that hold although the estimate is pulled toward its start.

An estimate t of the typed counts is corrected for a word x, or a group g of words, by a linear function v of what it
leaves unexplained:

    corrected = sum of t over g + v·(released - G t),

where column w of G has the chances of the outputs of the word w. Whatever v is, its error is exactly

    v·n + r·(T - t),    r = G'v - (1 on g, else 0),

with the true counts T and the noise n = released - G T of the draws, which has mean 0 and the covariance
diag(G T) - G diag(T) G'. The first part is the noise, the second the bias that is left. Where G can be inverted with
little noise v is a row of the inverse, r is 0, and nothing is assumed. Elsewhere v balances both: it minimizes the
variance of both, for an estimate whose words are off independently of each other by the deviations `off`, with the sum
of all words known. (That is the best linear unbiased predictor; for intervals that count the bias in, Armstrong and
Kolesár 2018.) Then v is scaled so that a group that is off by one factor has no bias: else the estimate would vouch for
itself.

v is found by conjugate gradients, of which some steps are enough: the interval has the error of the v that was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress

Floats = NDArray[np.float64]

_TOGETHER = 64  # words or groups at a time
_CLOSE = 0.03  # the remainder at which the search for v ends, relative to its start
_MAX_STEPS = 30  # each takes long with many words in a crowd


class LinearChannel(Protocol):
    """The matrix G, (outputs, words): the chances of outputs, by word. Each column sums to 1."""

    def released(self, typed: Floats) -> Floats:
        """G times (words, k)."""

    def explained(self, ratios: Floats) -> Floats:
        """The transpose of G times (outputs, k)."""

    def sizes(self, factors: Floats) -> Floats:
        """The diagonal of G diag(factors) G', (outputs,)."""


@dataclass(frozen=True)
class Errors:
    """Corrected counts, and the standard deviations of their errors, both parts of them, (k,) each."""

    counts: Floats
    deviations: Floats


def corrected(
    channel: LinearChannel,
    released: Floats,
    typed: Floats,
    off: Floats,
    groups: Sequence[NDArray[np.intp]],
    progress: Progress = no_progress,
) -> Errors:
    """The corrected counts of groups of words; a group may be one word.

    `released` is (outputs,); `typed`, the estimate, is (words,) with the sum of `released`; `off`, (words,), is by how
    much each word of it is supposed to be off.
    """
    expected = channel.released(typed[:, np.newaxis])[:, 0]
    variances = np.maximum(off**2, typed)
    model = _Model(channel, expected, typed, variances)
    counts, deviations = [], []
    for first in range(0, len(groups), _TOGETHER):
        progress(first, len(groups), "intervals")
        wanted = _indicators(groups[first : first + _TOGETHER], len(typed))
        functions = _unbiased(channel, model.best(wanted), wanted, typed, variances)
        counts.append(typed @ wanted + (released - expected) @ functions)
        deviations.append(np.sqrt(model.squared_errors(functions, wanted, released)))
    progress(len(groups), len(groups), "intervals")
    return Errors(_joined(counts), _joined(deviations))


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.empty(0)


def _indicators(groups: Sequence[NDArray[np.intp]], words: int) -> Floats:
    """(words, groups): 1 for the words of a group."""
    found = np.zeros((words, len(groups)))
    for column, group in enumerate(groups):
        found[group, column] = 1
    return found


@dataclass(frozen=True)
class _Model:
    """The covariance of draws around an estimate, and that of the estimate's errors, whose sum is 0."""

    channel: LinearChannel
    expected: Floats
    typed: Floats
    variances: Floats

    def best(self, wanted: Floats) -> Floats:
        """v for each column, (outputs, k), by conjugate gradients, each step scaled by the diagonal."""
        diagonal = (self.expected + self.channel.sizes(np.maximum(self.variances - self.typed, 0)))[:, np.newaxis]
        diagonal = np.maximum(diagonal, np.finfo(float).tiny)
        rest = self.channel.released(self._errors(wanted))
        found, scaled = np.zeros_like(rest), rest / diagonal
        direction, size = scaled, (rest * scaled).sum(axis=0)
        enough = _CLOSE**2 * size
        for _ in range(_MAX_STEPS):
            if (size <= enough).all():
                break
            moved = self._covariance(direction)
            step = size / np.maximum((direction * moved).sum(axis=0), np.finfo(float).tiny)
            found, rest = found + step * direction, rest - step * moved
            scaled = rest / diagonal
            last, size = size, (rest * scaled).sum(axis=0)
            direction = scaled + size / np.maximum(last, np.finfo(float).tiny) * direction
        return found

    def squared_errors(self, functions: Floats, wanted: Floats, released: Floats) -> Floats:
        """The variance of v·n plus that of r·(T - t), of each column.

        The mean of `released` is G T exactly, that of `expected` only as far as the estimate is right.
        """
        kept = self.channel.explained(functions)
        noise = released @ functions**2 - self.typed @ kept**2
        left = kept - wanted
        return np.asarray(np.maximum(noise, 0) + np.maximum((left * self._errors(left)).sum(axis=0), 0))

    def _covariance(self, functions: Floats) -> Floats:
        kept = self.channel.explained(functions)
        errors = self._errors(kept) - self.typed[:, np.newaxis] * kept
        return np.asarray(self.expected[:, np.newaxis] * functions + self.channel.released(errors))

    def _errors(self, columns: Floats) -> Floats:
        """The covariance of T - t times columns: independent errors, given that they sum to 0."""
        total = self.variances.sum()
        return np.asarray(self.variances[:, np.newaxis] * (columns - (self.variances @ columns) / total))


def _unbiased(channel: LinearChannel, functions: Floats, wanted: Floats, typed: Floats, variances: Floats) -> Floats:
    """Shifts each v, which changes nothing as all sums are known, and scales it: a group off by one factor has no bias.

    A group without any weight in the estimate is scaled by its plain mean.
    """
    kept = channel.explained(functions)
    others = variances[:, np.newaxis] * (1 - wanted)
    shifted = (others * kept).sum(axis=0) / np.maximum(others.sum(axis=0), np.finfo(float).tiny)
    inside = (typed + np.finfo(float).tiny)[:, np.newaxis] * wanted
    gains = (inside * (kept - shifted)).sum(axis=0) / inside.sum(axis=0)
    return np.asarray((functions - shifted) / np.where(gains > 0, gains, 1.0))
