"""Audits of embeddings pass on toys, and notice planted faults."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from cli_runner import Here
from embedding_toys import TOYS
from hushbit import _core, _core_testing
from hushbit.study.audit.embeddings import audit_embeddings
from hushbit.study.audit.run import AuditOptions
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.embedding import EmbeddingMechanism

FEW = AuditOptions(words=12, draws=2000)


class Planted(EmbeddingMechanism):
    """Says other numbers than those that hold."""

    told: ClassVar[dict[str, int]] = {}

    def __init__(self, bundle: _core.Bundle, epsilon: float) -> None:
        super().__init__(bundle, epsilon)
        names = [name for name in dir(self.info) if name[0] != "_"]
        self.info: Any = SimpleNamespace(
            **{name: getattr(self.info, name) + self.told.get(name, 0) for name in names if name != "hash"}
        )


class LambdaRoundedUp(Planted):
    told: ClassVar[dict[str, int]] = {"crowd_threshold": 1}


class AnotherSize(Planted):
    told: ClassVar[dict[str, int]] = {"crowd_directions": 1}


class OneDirectionTwice(EmbeddingMechanism):
    def crowd(self, vector: NDArray[np.int64]) -> Ids:
        found = super().crowd(vector)
        found[-1] = found[0]
        return found


class TiesByTheHigherIndex(EmbeddingMechanism):
    def crowd(self, vector: NDArray[np.int64]) -> Ids:
        scores = self.directions() @ vector
        order = np.lexsort((-np.arange(len(scores)), -scores))
        return order[: self.info.crowd_directions].astype(np.uint32)


class ForgetsTheNoise(EmbeddingMechanism):
    """Draws with a larger λ than it says, where no seed is given."""

    def draw(self, text: bytes, count: int) -> Ids:
        return EmbeddingMechanism(self.bundle, self.info.requested_epsilon + 1).draw(text, count)


class LongTextsAreDrawnFromTheirNearest(EmbeddingMechanism):
    def release(self, text: bytes, seed: bytes) -> int:
        if text.count(b" ") > 10:
            return int(self.crowd(self.vectors([text])[0])[0])
        return super().release(text, seed)


class GivesTheEmptyTextACrowd(EmbeddingMechanism):
    def release(self, text: bytes, seed: bytes) -> int:
        return _core_testing.embed(self.embedder, text or b"a", seed).index


class RepeatsItself(EmbeddingMechanism):
    def draw(self, text: bytes, count: int) -> Ids:
        return np.repeat(super().draw(text, 1), count)


Make = Callable[[_core.Bundle, float], EmbeddingMechanism]


def failed(make: Make, name: str = "small", epsilon: float = 3.0) -> set[str]:
    return {check.name for check in audit_embeddings(TOYS[name], epsilon, FEW, make) if not check.passed}


@pytest.mark.parametrize("epsilon", [0.0, 2.0, 7.0, 60.0])
@pytest.mark.parametrize("name", TOYS)
def test_audits_pass(name: str, epsilon: float) -> None:
    """Chi-square without a seed fails 1 time in 10⁶."""
    assert failed(EmbeddingMechanism, name, epsilon) == set()


@pytest.mark.parametrize(
    ("make", "check"),
    [
        (LambdaRoundedUp, "lambda"),
        (AnotherSize, "crowds"),
        (OneDirectionTwice, "crowds"),
        (TiesByTheHigherIndex, "crowds"),
        (ForgetsTheNoise, "draws"),
        (LongTextsAreDrawnFromTheirNearest, "released"),
        (GivesTheEmptyTextACrowd, "released"),
        (RepeatsItself, "draws"),
    ],
)
def test_planted_faults_are_caught(make: Make, check: str) -> None:
    assert check in failed(make)


def test_the_command_checks_the_built_in_bundle(here: Here) -> None:
    code, out, err = here("audit", "--epsilon", "2", "--mechanism", "embedding", "--draws", "500", "--words", "6")
    assert code == 0, err
    assert b"no pair of texts is above the bound" in out
