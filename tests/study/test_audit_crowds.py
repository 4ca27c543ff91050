"""Audits of crowds pass on toys, and notice planted faults.

Chance is seeded, so each test is a fixed computation.
"""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from crowd_toys import SIZES, TOYS
from hushbit import _core
from hushbit._options import CrowdSize
from hushbit.study.audit.run import AuditOptions, audit_crowds
from hushbit.study.mechanisms import CrowdMechanism

FEW = AuditOptions(words=8, draws=400, tokens=300)


class Planted(CrowdMechanism):
    """Crowds that say other numbers than those that hold."""

    limit, mass = 0, 0

    def __init__(self, bundle: _core.Bundle, epsilon: float, size: CrowdSize | None = None) -> None:
        super().__init__(bundle, epsilon, size)
        told: dict[str, Any] = {name: getattr(self.info, name) for name in dir(self.info) if name[0] != "_"}
        told["crowd_threshold"] += self.limit
        told["crowd_mass"] += self.mass
        self.info: Any = SimpleNamespace(**told)


class LambdaRoundedUp(Planted):
    limit = 1


class AnotherMass(Planted):
    mass = 1


class ShareAboveItsWeight(CrowdMechanism):
    """Gives a word that has its whole weight one more, which the next word loses: the mass stays."""

    def crowd(self, word: int) -> NDArray[np.uint32]:
        rows = super().crowd(word)
        if len(rows) > 1 and rows[0, 1] == rows[0, 2] and rows[1, 1] > 1:
            rows[0, 1] += 1
            rows[1, 1] -= 1
        return rows


class MassesThatDiffer(CrowdMechanism):
    def crowd(self, word: int) -> NDArray[np.uint32]:
        rows = super().crowd(word)
        rows[-1, 1] -= word == int(self.bundle.output_words()[-1])
        return rows


class AnotherStandIn(CrowdMechanism):
    """Reads stand-ins from a table that is off by one."""

    def crowd(self, word: int) -> NDArray[np.uint32]:
        outputs = self.bundle.output_words()
        stand_in = int(self.bundle.stand_ins(np.array([word], dtype=np.uint32))[0])
        return super().crowd(stand_in if word in outputs else int(outputs[outputs != stand_in][word % 7]))


class DrawsFromTheNextCrowd(CrowdMechanism):
    def release(self, text: bytes, seed: bytes, search: str = "auto") -> Any:
        found = super().release(text, seed, search)
        return replace(found, outputs=np.roll(found.outputs, 1))


class ForgetsTheNoise(CrowdMechanism):
    """Draws with a larger λ than it says."""

    def replace(self, words: Any, **kwargs: Any) -> Any:
        return CrowdMechanism(self.bundle, self.info.requested_epsilon + 1, self.size).replace(words, **kwargs)


Make = Callable[[_core.Bundle, float, CrowdSize | None], CrowdMechanism]


def failed(make: Make, name: str = "lists", size: CrowdSize = "many", epsilon: float = 3.0) -> set[str]:
    return {
        check.name
        for check in audit_crowds(_core.Bundle.from_bytes(TOYS[name]), epsilon, size, FEW, make)
        if not check.passed
    }


@pytest.mark.parametrize("epsilon", [0.0, 3.0, 7.0, 60.0])
@pytest.mark.parametrize("name", TOYS)
def test_audits_pass(name: str, epsilon: float) -> None:
    for size in SIZES:
        assert failed(CrowdMechanism, name, size, epsilon) == set()


@pytest.mark.parametrize(
    ("make", "check"),
    [
        (LambdaRoundedUp, "lambda"),
        (AnotherMass, "every pair"),
        (ShareAboveItsWeight, "every pair"),
        (MassesThatDiffer, "every pair"),
        (AnotherStandIn, "stand-ins"),
        (DrawsFromTheNextCrowd, "released"),
        (ForgetsTheNoise, "draws"),
    ],
)
def test_planted_faults_are_caught(make: Make, check: str) -> None:
    assert check in failed(make)
