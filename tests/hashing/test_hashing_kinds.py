"""Seven kinds of tables: nobody of ours tells synthetic rows apart, or it is said that somebody does. Fixed seeds."""

import numpy as np
import pytest

from hashed_tables import KINDS, table
from hushbit.hashing import AUTO_FIT_KINDS, choose_fit
from hushbit.hashing.attacks.attack import BAR


def generator() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.mark.parametrize("kind", ["gaussian", "three gaussians", "logistic", "multinomial", "passive-aggressive"])
def test_nobody_tells_them_apart(kind: str) -> None:
    """A fit that hides the genuine rows is found for these."""
    trial, attacks = choose_fit(table(kind), generator_for_tests=generator())
    assert trial.attack.auc <= BAR, attacks
    assert not trial.attack.succeeded


@pytest.mark.slow
def test_what_can_be_told_apart_is_found() -> None:
    """Four labels of passive-aggressive training share single weights in a way that no fit imitates."""
    trial, attacks = choose_fit(table("passive-aggressive", 4), generator_for_tests=generator())
    assert tuple(attacks) == AUTO_FIT_KINDS
    assert trial.attack.succeeded
    assert trial.attack.auc == min(found.auc for found in attacks.values()) > BAR


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_told_apart_or_said(kind: str, classes: int) -> None:
    """Whatever is released passed the attack; the rest is said to have failed, after every fit was tried."""
    trial, attacks = choose_fit(table(kind, classes), generator_for_tests=generator())
    assert trial.attack.limit < 0.54  # there are enough rows to see what is above
    assert trial.attack.succeeded == (trial.attack.auc > trial.attack.limit)
    assert trial.attack.auc <= BAR or tuple(attacks) == AUTO_FIT_KINDS
