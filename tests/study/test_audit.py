"""`hushbit audit` passes what is right and fails every planted fault.

Chance is seeded, so each test is a fixed computation. A statistical check of a correct mechanism would fail with a
chance of 1e-6 under a random seed.
"""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cli_runner import run_here
from hushbit import _core, errors
from hushbit.study.audit import Check
from hushbit.study.audit.check import worst_excess
from hushbit.study.audit.exact import brr_distribution
from hushbit.study.audit.recompute import Codes, release_brr
from hushbit.study.audit.run import AuditOptions, audit_brr, audit_euclidean_tem, audit_madlib, audit_tem
from hushbit.study.audit.vocabulary import draw_small, small_of
from hushbit.study.mechanisms import Brr, EuclideanTem, HammingTem
from hushbit.study.mechanisms.core import Release
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.privacy.sample import hamming_distances
from reference.bundle_maker import make_bundle
from reference.coin import flip_threshold
from reference.enumeration import distributions
from reference.toys import TOYS, Toy

FEW = AuditOptions(words=12, bits=8, draws=1500, pairs=10, tokens=300)


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> _core.Bundle:
    return _core.Bundle.open(str(vectors / "words-64.hushbit"))


def failed(checks: list[Check]) -> set[str]:
    return {check.name for check in checks if not check.passed}


# ---- Small vocabularies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_enumeration_is_that_of_the_reference(toy: Toy) -> None:
    threshold = flip_threshold(1.0)
    bits = np.array([[code >> i & 1 for i in range(toy.bits)] for code in toy.codes], dtype=np.uint8)
    exact = [[float(chance) for chance in row] for row in distributions(toy.codes, toy.bits, threshold)]
    np.testing.assert_allclose(brr_distribution(small_of(bits), threshold / 2**64), exact, rtol=1e-12)


def test_small_vocabularies(bundle: _core.Bundle) -> None:
    small = draw_small(bundle, 10, 16, np.random.default_rng(0))
    assert small.bits.shape == (10, 16)
    codes = small.bundle.codes(np.arange(10, dtype=np.uint32))
    np.testing.assert_array_equal(hamming_distances(codes[:, None], codes[None]), small.distances)
    for bits in (0, 17):
        with pytest.raises(errors.InvalidArgumentError, match="enumerated"):
            draw_small(bundle, 10, bits, np.random.default_rng(0))


def test_worst_excess() -> None:
    chances = np.array([[0.8, 0.2, 0.0], [0.2, 0.8, 0.0]])
    distances = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert worst_excess(chances, distances, math.log(4)) == pytest.approx(0)
    assert worst_excess(chances, distances, 1.0) == pytest.approx(math.log(4) - 1)
    assert worst_excess(np.array([[0.5, 0.5], [1.0, 0.0]]), distances, 1.0) == math.inf


# ---- BRR -------------------------------------------------------------------------------------------------------


class NumpyBrr(Brr):
    """BRR in numpy, with a tie-break that is as faulty as is asked for."""

    favors_input = False

    def replace(self, words: NDArray[np.uint32], *, generator: Any = None, progress: Any = None) -> NDArray[np.uint32]:
        outputs = np.empty_like(words)
        every = self.bundle.codes(np.arange(self.bundle.info().words, dtype=np.uint32))
        chance = float(self.flip_chance)
        for first in range(0, len(words), 2048):
            block = words[first : first + 2048]
            flips = generator.random((len(block), every.shape[1] * 8)) < chance
            noisy = every[block] ^ np.packbits(flips, axis=1, bitorder="little")
            distances = hamming_distances(noisy[:, None], every[None]).astype(np.float64)
            rank = distances + generator.random(distances.shape) * 0.5  # ties by lot
            if self.favors_input:
                rank[np.arange(len(block)), block] -= 0.6
            outputs[first : first + len(block)] = rank.argmin(axis=1)
        return outputs


class CoinTooRare(Brr):
    """2 % fewer flips in what is released."""

    def release(self, text: bytes, seed: bytes, search: str = "auto") -> Release:
        inputs = super().release(text, seed, search).inputs
        return release_brr(Codes(self.bundle), inputs, int(self.info.flip_threshold * 0.98), seed)


class TieBreakThatLooks(NumpyBrr):
    favors_input = True


class WrongClaim(Brr):
    """Claims the ε of the right coin, but has one that is 2 % off."""

    @property
    def flip_chance(self) -> Fraction:
        return super().flip_chance * 98 / 100


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_brr_passes(bundle: _core.Bundle, epsilon: float) -> None:
    checks = audit_brr(bundle, epsilon, FEW)
    assert failed(checks) == set()
    assert [check.name for check in checks] == [
        "coin",
        "enumeration",
        "draws",
        "released, auto",
        "released, rows",
        "coins of words",
        "coins of unknown",
        "likelihood ratios",
    ]


def test_numpy_brr_passes(bundle: _core.Bundle) -> None:
    """What fails below fails for its fault."""
    assert failed(audit_brr(bundle, 1.0, FEW, NumpyBrr)) == set()


def test_a_coin_2_percent_off_is_noticed(bundle: _core.Bundle) -> None:
    assert "coins of words" in failed(audit_brr(bundle, 1.0, FEW, CoinTooRare))
    assert "coin" in failed(audit_brr(bundle, 1.0, FEW, WrongClaim))


def test_a_tie_break_that_looks_at_the_input_is_noticed(bundle: _core.Bundle) -> None:
    assert "draws" in failed(audit_brr(bundle, 1.0, FEW, TieBreakThatLooks))


def test_likelihood_ratios_notice_it_on_words_that_share_a_code() -> None:
    generator = np.random.default_rng(1)
    codes = [bytes(generator.integers(256, size=8, dtype=np.uint8)) for _ in range(20)]
    twins = _core.Bundle.from_bytes(make_bundle({f"w{i:02d}": codes[i // 2] for i in range(40)}))
    assert failed(audit_brr(twins, 1.0, FEW, NumpyBrr)) == set()
    assert "likelihood ratios" in failed(audit_brr(twins, 1.0, FEW, TieBreakThatLooks))


# ---- TEM on Hamming distance -----------------------------------------------------------------------------------


class StepTooHigh(HammingTem):
    """One weight is as if ε were larger there."""

    @property
    def weights(self) -> NDArray[np.uint64]:
        table = _core.weights(self._privatizer)
        table[0] = np.uint64(float(table[0]) * 1.02)
        return table


class GumbelOfScaleOne(HammingTem):
    """Draws by the squares of its weights, as Gumbel noise of scale 1/ε would."""

    def replace(self, words: NDArray[np.uint32], *, generator: Any = None, progress: Any = None) -> NDArray[np.uint32]:
        every = self.bundle.codes(np.arange(self.bundle.info().words, dtype=np.uint32))
        scores = 2 * np.log(self.weights.astype(np.float64) / float(self.weights[0]))
        parts = []
        for first in range(0, len(words), 2048):
            block = words[first : first + 2048]
            ranks = scores[hamming_distances(every[block][:, None], every[None])]
            parts.append((ranks + generator.gumbel(size=ranks.shape)).argmax(axis=1))
        return np.concatenate(parts).astype(np.uint32)


@pytest.mark.parametrize(("epsilon", "beta"), [(0.5, 0.001), (2.0, 0.001), (1.0, 0.9)])
def test_tem_passes(bundle: _core.Bundle, epsilon: float, beta: float) -> None:
    checks = audit_tem(bundle, epsilon, beta, FEW)
    assert failed(checks) == set()
    assert [check.name for check in checks] == ["table", "closed form", "draws", "released", "likelihood ratios"]


def test_faults_of_tem_are_noticed(bundle: _core.Bundle) -> None:
    assert "table" in failed(audit_tem(bundle, 0.5, 0.001, FEW, StepTooHigh))
    assert "draws" in failed(audit_tem(bundle, 0.5, 0.001, FEW, GumbelOfScaleOne))


# ---- TEM on Euclidean distance ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def points() -> NDArray[np.float32]:
    """A dense cluster, and words far from it and from each other."""
    generator = np.random.default_rng(3)
    near, far = generator.normal(size=(80, 3)) * 0.3, generator.normal(size=(40, 3)) * 12
    return np.concatenate([near, far]).astype(np.float32)


class SquaredDistances(EuclideanTem):
    def distances(self, words: NDArray[np.uint32]) -> NDArray[np.float32]:
        return super().distances(words) ** 2


class OneMinusCosine(EuclideanTem):
    def distances(self, words: NDArray[np.uint32]) -> NDArray[np.float32]:
        unit = self._vectors / np.linalg.norm(self._vectors, axis=1, keepdims=True)
        return np.asarray(10 * (1 - unit[words] @ unit.T), dtype=np.float32)


class BottomOfRatio(EuclideanTem):
    """⊥ has the score -γ + 2·ln(|W| / |L|) / ε."""

    def _bottom_weights(self, distances: NDArray[np.float32]) -> NDArray[np.float64]:
        near = np.count_nonzero(distances <= self.gamma, axis=1)
        score = -self.gamma + 2 / self.epsilon * np.log(len(self._vectors) / near)
        return np.where(near < len(self._vectors), np.exp(self.epsilon / 2 * score), 0.0)


class BottomOfLogarithmOverSize(EuclideanTem):
    """⊥ has the score -γ + 2·ln|W| / (ε·|L|)."""

    def _bottom_weights(self, distances: NDArray[np.float32]) -> NDArray[np.float64]:
        near = np.count_nonzero(distances <= self.gamma, axis=1)
        score = -self.gamma + 2 / self.epsilon * math.log(len(self._vectors)) / near
        return np.where(near < len(self._vectors), np.exp(self.epsilon / 2 * score), 0.0)


class ScaleOneOverEpsilon(EuclideanTem):
    """Gumbel noise of scale 1/ε instead of 2/ε."""

    def _near_weights(self, distances: NDArray[np.float32]) -> NDArray[np.float32]:
        return super()._near_weights(distances) ** 2

    def _bottom_weights(self, distances: NDArray[np.float32]) -> NDArray[np.float64]:
        return super()._bottom_weights(distances) ** 2


@pytest.mark.parametrize(("epsilon", "beta"), [(2.0, 0.1), (1.0, 0.001), (3.0, 0.9), (0.5, 0.999)])
def test_euclidean_tem_passes(points: NDArray[np.float32], epsilon: float, beta: float) -> None:
    checks = audit_euclidean_tem(points, epsilon, beta, FEW)
    assert failed(checks) == set()
    assert [check.name for check in checks] == ["closed form", "draws"]


@pytest.mark.parametrize(
    "faulty", [SquaredDistances, OneMinusCosine, BottomOfRatio, BottomOfLogarithmOverSize, ScaleOneOverEpsilon]
)
def test_faults_of_euclidean_tem_are_noticed(points: NDArray[np.float32], faulty: type[EuclideanTem]) -> None:
    assert "closed form" in failed(audit_euclidean_tem(points, 2.0, 0.1, FEW, faulty))


# ---- Madlib ----------------------------------------------------------------------------------------------------


class LaplaceEachCoordinate(Madlib):
    def noise(self, count: int, generator: Any = None) -> NDArray[np.float64]:
        return np.asarray(generator.laplace(scale=1 / self.epsilon, size=(count, self._vectors.shape[1])))


class RightRadiusWrongDirection(Madlib):
    """Coordinates of Laplace, scaled to the right radius."""

    def noise(self, count: int, generator: Any = None) -> NDArray[np.float64]:
        dimensions = self._vectors.shape[1]
        direction = generator.laplace(size=(count, dimensions))
        radius = generator.gamma(dimensions, 1 / self.epsilon, size=(count, 1))
        return np.asarray(direction / np.linalg.norm(direction, axis=1, keepdims=True) * radius)


class GaussianNotNormalized(Madlib):
    def noise(self, count: int, generator: Any = None) -> NDArray[np.float64]:
        dimensions = self._vectors.shape[1]
        radius = generator.gamma(dimensions, 1 / self.epsilon, size=(count, 1))
        return np.asarray(generator.normal(size=(count, dimensions)) * radius)


class DirectionOfOneSign(Madlib):
    def noise(self, count: int, generator: Any = None) -> NDArray[np.float64]:
        return np.abs(super().noise(count, generator))


@pytest.fixture(scope="module")
def space() -> NDArray[np.float32]:
    return np.random.default_rng(4).normal(size=(200, 10)).astype(np.float32)


@pytest.mark.parametrize("epsilon", [1.0, 10.0])
def test_madlib_passes(space: NDArray[np.float32], epsilon: float) -> None:
    checks = audit_madlib(space, epsilon, FEW)
    assert failed(checks) == set()
    assert [check.name for check in checks] == ["radius", "direction", "symmetry", "likelihood ratios"]


@pytest.mark.parametrize(
    ("faulty", "check"),
    [
        (LaplaceEachCoordinate, "radius"),
        (GaussianNotNormalized, "radius"),
        (RightRadiusWrongDirection, "direction"),
        (DirectionOfOneSign, "symmetry"),
    ],
)
def test_faults_of_madlib_are_noticed(space: NDArray[np.float32], faulty: type[Madlib], check: str) -> None:
    assert check in failed(audit_madlib(space, 5.0, FEW, faulty))


# ---- The command -----------------------------------------------------------------------------------------------

QUICK = ("--words", "8", "--bits", "6", "--draws", "300", "--pairs", "3", "--tokens", "100")


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
def test_command(vectors: Path, mechanism: str) -> None:
    done = run_here("audit", vectors / "words-64.hushbit", "--epsilon", "1", "--mechanism", mechanism, *QUICK)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert len(lines) >= 15
    assert all(line.startswith("ok ") for line in lines[::3])
    assert all(line.startswith(" ") and " would notice " in line for line in lines[1::3])
    assert all(line.startswith(" ") and " cannot see " in line for line in lines[2::3])


def test_command_on_vectors(tmp_path: Path) -> None:
    generator = np.random.default_rng(7)
    rows = [" ".join([f"w{i}", *(f"{x:.4f}" for x in generator.normal(size=4))]) for i in range(60)]
    path, bundle = tmp_path / "toy.txt", tmp_path / "toy.hushbit"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run_here("export", "--embeddings", path, "--bits", "64", "--epsilon", "1", "-o", bundle).returncode == 0
    for mechanism in ("madlib", "tem-euclidean"):
        done = run_here(
            "audit", bundle, "--epsilon", "3", "--mechanism", mechanism, "--embeddings", path, "--json", *QUICK
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["passed"] is True


def test_one_word(vectors: Path) -> None:
    for mechanism in ("brr", "tem"):
        done = run_here("audit", vectors / "single-512.hushbit", "--epsilon", "1", "--mechanism", mechanism, *QUICK)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "--epsilon"),
        (["--epsilon", "-1"], 2, "not a finite number"),
        (["--epsilon", "1", "--bits", "17"], 2, "enumerated"),
        (["--epsilon", "1", "--words", "1"], 2, "2 or more"),
        (["--epsilon", "1", "--mechanism", "tem", "--beta", "1"], 2, "beta"),
        (["--epsilon", "1", "--mechanism", "madlib"], 2, "--embeddings"),
        (["--epsilon", "1", "--embeddings", "x.txt"], 2, "--embeddings"),
    ],
)
def test_bad_input(vectors: Path, arguments: list[str], code: int, said: str) -> None:
    done = run_here("audit", vectors / "words-64.hushbit", *arguments)
    assert done.returncode == code, done.stderr
    assert said in done.stderr.decode()


def test_a_failed_check_is_exit_code_5(monkeypatch: pytest.MonkeyPatch, capsys: Any, vectors: Path) -> None:
    from hushbit.cli import main
    from hushbit.study.audit import run as audits

    planted = Check("coin", False, "planted", "all", 0.0, 1.0, "nothing")
    monkeypatch.setattr(audits, "audit_brr", lambda *_, **__: [planted])
    assert main(["audit", str(vectors / "words-64.hushbit"), "--epsilon", "1"]) == 5
