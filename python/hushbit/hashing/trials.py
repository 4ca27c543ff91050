"""Fits on trial: rows are drawn and attacked before anything is released."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushbit._plumbing.progress import Progress, no_progress, step_of
from hushbit.errors import InvalidArgumentError
from hushbit.hashing.attacks.attack import BAR, Attack, attack
from hushbit.hashing.fit import AUTO_FIT_KINDS
from hushbit.hashing.fit.rows import FittedRows, SyntheticRows, fit_rows
from hushbit.hashing.table.model import HashedModel


@dataclass(frozen=True)
class Trial:
    """A fit, the rows for all missing hashes that were drawn from it, and how well attackers tell them apart."""

    fitted: FittedRows
    synthetic: SyntheticRows
    attack: Attack


def choose_fit(
    model: HashedModel,
    kinds: tuple[str, ...] = AUTO_FIT_KINDS,
    progress: Progress = no_progress,
    *,
    generator_for_tests: np.random.Generator | None = None,
) -> tuple[Trial, dict[str, Attack]]:
    """The first of `kinds` at which no attacker's area is above BAR, or else the one at which the largest is smallest.

    Whether its rows can be told apart, its `attack.succeeded` says. The attacks on all that were tried come with it.
    Raises InvalidArgumentError for what cannot be fitted, and TooFewRowsError where rows are too few to attack.
    """
    best: Trial | None = None
    attacks: dict[str, Attack] = {}
    for kind in kinds:
        fitted = fit_rows(model.weights, kind)
        synthetic = fitted.draw(model.missing, generator_for_tests=generator_for_tests)
        found = attacks[kind] = attack(
            model.weights, synthetic[:], progress=step_of(progress, len(attacks), len(kinds))
        )
        if best is None or found.auc < best.attack.auc:
            best = Trial(fitted, synthetic, found)
        if found.auc <= BAR:
            break
    if best is None:
        raise InvalidArgumentError("no fit was given")
    return best, attacks
