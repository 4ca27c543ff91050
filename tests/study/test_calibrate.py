"""`hushbit calibrate`: the ε it finds does what was wished for."""

import json
from pathlib import Path

import numpy as np
import pytest

import hushbit
from cli_runner import run_here
from hushbit import _core, errors
from hushbit._plumbing.progress import no_progress
from hushbit.study.mechanisms import Brr, HammingTem, vectors_of
from hushbit.study.privacy.calibration import epsilon_for_unchanged, epsilon_for_worst_case
from hushbit.study.privacy.comparison import Distances, compare, without_common_directions
from hushbit.study.privacy.corrections import encoding_sum
from hushbit.toolchain.bundle.calibration import epsilon_for_share
from hushbit.toolchain.embeddings import read_embeddings
from reference.bundle_maker import make_bundle

BRR = ("--bits", "64", "--mechanism", "brr", "--epsilon", "0.5")


@pytest.fixture(scope="module")
def embeddings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = np.random.default_rng(4)
    rows = [" ".join([f"w{i}", *(f"{x:.4f}" for x in generator.normal(size=12))]) for i in range(300)]
    path = tmp_path_factory.mktemp("calibrate") / "toy.txt"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def bundle(embeddings: Path) -> Path:
    path = embeddings.with_suffix(".hushbit")
    done = run_here("export", "--embeddings", embeddings, *BRR, "-o", path)
    assert done.returncode == 0, done.stderr
    return path


def unchanged(mechanism: Brr | HammingTem) -> float:
    """Measured on all 300 words, 100 draws each."""
    words = np.repeat(np.arange(300, dtype=np.uint32), 100)
    return float((mechanism.replace(words, generator=np.random.default_rng(5)) == words).mean())


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_unchanged(bundle: Path, share: float) -> None:
    native = hushbit.open(bundle)._native
    brr = epsilon_for_unchanged(native, "brr", share)
    assert abs(unchanged(Brr(native, brr.epsilon)) - share) < 0.05  # the sample is of 1,000 draws
    tem = epsilon_for_unchanged(native, "tem", share)
    assert abs(unchanged(HammingTem(native, tem.epsilon)) - share) < 0.015
    assert tem.unchanged is not None
    assert abs(tem.unchanged - share) < 0.01


def test_share_that_cannot_be(vectors: Path) -> None:
    twins = _core.Bundle.from_bytes(make_bundle({"a": b"\0" * 8, "b": b"\0" * 8}))
    for mechanism in ("brr", "tem"):
        with pytest.raises(errors.InvalidArgumentError, match="share codes"):
            epsilon_for_unchanged(twins, mechanism, 0.6)
        for share in (0.0, 1.0, -1.0, float("nan")):
            with pytest.raises(errors.InvalidArgumentError, match="strictly between"):
                epsilon_for_unchanged(twins, mechanism, share)
    assert "too small" in epsilon_for_unchanged(twins, "tem", 0.3).how


def test_bisection() -> None:
    assert epsilon_for_share(lambda epsilon: epsilon / 20, 0.5, no_progress) == pytest.approx(10, abs=0.003)
    assert epsilon_for_share(lambda _: 1.0, 0.5, no_progress) == 0


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
def test_worst_case(bundle: Path, mechanism: str) -> None:
    native = hushbit.open(bundle)._native
    for wish in (0.5, 5.0, 20.0):
        found = epsilon_for_worst_case(native, mechanism, wish).epsilon
        worst = [
            _core.Privatizer(native, mechanism=mechanism, epsilon=epsilon).info().worst_case_per_token
            for epsilon in (found, found * 1.01)
        ]
        assert worst[0] <= wish < worst[1]
    # TEM's weights span no more than γ·ε/2 each way: beyond that, no ε costs more.
    if mechanism == "tem":
        assert "every epsilon" in epsilon_for_worst_case(native, mechanism, 1000.0).how
    for wish in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(errors.InvalidArgumentError):
            epsilon_for_worst_case(native, mechanism, wish)


def test_match_madlib(bundle: Path, embeddings: Path) -> None:
    done = run_here("calibrate", bundle, "--match-madlib", "8", "--embeddings", embeddings, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    opened = hushbit.open(bundle)
    vectors = vectors_of(opened, read_embeddings(str(embeddings)))
    plain = np.linalg.norm(vectors[:, None].astype(float) - vectors[None], axis=2)
    info = opened.info
    assert document["epsilon"] == pytest.approx(8 * plain.mean() / info.average_distance, rel=1e-4)
    assert document["epsilon_by_largest"] == pytest.approx(8 * plain.max() / info.max_distance, rel=1e-4)
    assert any("P_avg depends on the vocabulary" in note for note in document["notes"])
    assert any("only by adding less noise" in note for note in document["notes"])


def test_command(bundle: Path) -> None:
    for arguments in (["--unchanged", "0.5"], ["--worst-case", "10", "--mechanism", "tem"]):
        done = run_here("calibrate", bundle, *arguments)
        assert done.returncode == 0, done.stderr
        for said in ("per differing bit", "P_avg apart", "at worst", "found by"):
            assert said in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "required"),
        (["--unchanged", "0.5", "--worst-case", "1"], 2, "not allowed with"),
        (["--unchanged", "2"], 2, "strictly between"),
        (["--worst-case", "-3"], 2, "above 0"),
        (["--match-madlib", "8"], 2, "need each other"),
        (["--unchanged", "0.5", "--embeddings", "x"], 2, "need each other"),
        (["--match-madlib", "8", "--embeddings", "missing.txt"], 3, "no such file"),
        (["--match-madlib", "8", "--embeddings", "OTHER"], 2, "made of other embeddings"),
        (["--match-madlib", "0", "--embeddings", "SAME"], 2, "above 0"),
        (["--unchanged", "0.5", "--mechanism", "tem", "--beta", "2"], 2, "beta"),
    ],
)
def test_bad_input(bundle: Path, embeddings: Path, tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    (tmp_path / "other.txt").write_text("w0 1 2\nw1 3 4\n", encoding="utf-8")
    names = {"OTHER": str(tmp_path / "other.txt"), "SAME": str(embeddings)}
    done = run_here("calibrate", bundle, *(names.get(argument, argument) for argument in arguments))
    assert done.returncode == code, done.stderr
    assert said in done.stderr.decode()


# ---- Comparison ------------------------------------------------------------------------------------------------


def test_comparison(bundle: Path, embeddings: Path) -> None:
    opened = hushbit.open(bundle)
    vectors = vectors_of(opened, read_embeddings(str(embeddings)))
    found = compare(opened, vectors, (4.0, 8.0), words=100, draws=5)
    assert found == compare(opened, vectors, (4.0, 8.0), words=100, draws=5)
    assert len(found.rows) == 8
    assert found.distances == Distances.measure(opened, vectors, np.random.default_rng(0))
    for first in (0, 4):
        rows = found.rows[first : first + 4]
        assert [row.mechanism for row in rows] == ["madlib", "brr", "tem (euclidean)", "tem"]
        for row in rows:
            assert row.average == pytest.approx(rows[0].average, rel=1e-3)
            assert row.largest is not None
            assert rows[0].largest is not None
            ratio = row.largest / rows[0].largest
            assert row.ratio_by_largest == pytest.approx(ratio)
    for low, high in zip(found.rows[:4], found.rows[4:], strict=True):
        assert low.unchanged.mean <= high.unchanged.mean


def test_common_directions_are_gone() -> None:
    generator = np.random.default_rng(6)
    vectors = generator.normal(size=(500, 20)).astype(np.float32)
    vectors[:, 3] += 50 * generator.normal(size=500).astype(np.float32)
    vectors += 7
    rest = without_common_directions(vectors)
    np.testing.assert_allclose(np.linalg.norm(rest, axis=1), 1, rtol=1e-5)
    assert np.abs(rest[:, 3]).max() < 0.2


def test_compare_command(bundle: Path, embeddings: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run_here("compare", bundle, "--embeddings", embeddings, "--epsilon", "3", "--words", "50", "--html", page)
    assert done.returncode == 0, done.stderr
    for said in ("Madlib", "BRR", "TEM, Euclidean", "TEM, Hamming", "P_max", "less noise"):
        assert said in done.stdout.decode()
    assert "attained" not in done.stdout.decode()
    assert page.read_text(encoding="utf-8").count("<svg") == 2
    done = run_here("compare", bundle, "--embeddings", embeddings, "--epsilon", "3", "--words", "50", "--json")
    plain = json.loads(done.stdout)["rows"]
    assert [row["attained"] for row in plain] == [None] * 4
    done = run_here(
        "compare", bundle, "--embeddings", embeddings, "--epsilon", "3", "--words", "50", "--attained", "--json"
    )
    bounded = json.loads(done.stdout)["rows"]
    assert [row["attained"]["how"] for row in bounded] == ["certified", "certified", "exact", "exact"]
    for row, without in zip(bounded, plain, strict=True):
        assert 0 < row["attained"]["low"] <= row["attained"]["high"] <= row["word_epsilon"] + 1e-9
        assert {**row, "attained": None} == without
    assert run_here("compare", bundle, "--embeddings", embeddings, "--epsilon", "0").returncode == 2
    assert run_here("compare", bundle).returncode == 2


# ---- Corrections -----------------------------------------------------------------------------------------------


def test_corrections_command() -> None:
    done = run_here("corrections", "dpnr", "--coordinates", "768", "--epsilon", "0.05", "--dropout", "0.1")
    assert done.returncode == 0, done.stderr
    assert "word         38.4\n" in done.stdout.decode()
    done = run_here("corrections", "bits", "--integer-bits", "1", "--fraction-bits", "1", "--epsilon", "1", "--json")
    assert json.loads(done.stdout) == {
        "mechanism": "bits",
        "stated_epsilon": 1.0,
        "correction_states": {"sign": 4.0, "integer 1": 1.0, "fraction 1": 0.5},
        "local_dp_per_bit": 1.0,
        "correction_states_of_a_number": 5.5,
        "local_dp_of_a_number": 3.0,
    }
    done = run_here("corrections", "bits", "--integer-bits", "4", "--fraction-bits", "5", "--epsilon", "0.1")
    lines = done.stdout.decode().splitlines()
    assert "correction states    local DP" in lines[1]
    assert lines[-2].split() == ["fraction", "5", "0.003125", "0.1"]  # the second is what telling the bit apart costs
    assert lines[-1].split() == ["whole", "number", "4.79688", "1"]


def test_totals_of_corrections() -> None:
    """Computed by hand, 1 sign, 4 integer and 5 fraction bits at .1 are .1·(32 + 15 + 31/32) = 4.796875, and 1 in local
    DP.
    """
    bits = ("bits", "--integer-bits", "4", "--fraction-bits", "5", "--epsilon", "0.1")
    document = json.loads(run_here("corrections", *bits, "--features", "768", "--iterations", "10", "--json").stdout)
    assert document["correction_states_of_a_number"] == pytest.approx(4.796875)
    assert document["correction_states_in_total"] == pytest.approx(4.796875 * 7680)
    assert document["local_dp_in_total"] == pytest.approx(10 * 768 * 10 * 0.1)
    done = run_here("corrections", "dpnr", "--coordinates", "768", "--epsilon", "0.05", "--iterations", "3")
    assert done.stdout.decode().splitlines()[-1].split() == ["iterations", "115.2"]


@pytest.mark.parametrize(("integer", "fraction"), [(0, 0), (1, 0), (0, 3), (7, 9), (64, 64)])
def test_the_sum_over_bits(integer: int, fraction: int) -> None:
    epsilon = 0.3
    by_hand = 2 ** (integer + 1) + sum(2 ** (i - 1) for i in range(1, integer + 1))
    total = epsilon * by_hand + epsilon * sum(2.0**-i for i in range(1, fraction + 1))
    assert encoding_sum(integer, fraction, epsilon) == pytest.approx(total)
    assert encoding_sum(integer, fraction, epsilon) == pytest.approx(epsilon * (3 * 2.0**integer - 2.0**-fraction))


@pytest.mark.parametrize(
    "arguments",
    [
        "dpnr --epsilon 1",
        "dpnr --coordinates 0 --epsilon 1",
        "dpnr --coordinates 5 --epsilon -1",
        "dpnr --coordinates 5 --epsilon 1 --dropout 2",
        "dpnr --coordinates 5 --epsilon 1 --integer-bits 2",
        "dpnr --coordinates 5 --epsilon 1 --features 2",
        "dpnr --coordinates 5 --epsilon 1 --iterations 0",
        "bits --epsilon 1 --integer-bits 2",
        "bits --epsilon 1 --integer-bits -2 --fraction-bits 1",
        "bits --epsilon 1 --integer-bits 2 --fraction-bits 1 --dropout 0.1",
        "other --epsilon 1",
    ],
)
def test_bad_corrections(arguments: str) -> None:
    done = run_here("corrections", *arguments.split())
    assert done.returncode == 2
    assert not done.stdout


def test_the_mechanism_is_the_bundles_default(embeddings: Path, tmp_path: Path) -> None:
    path = tmp_path / "tem.hushbit"
    options = ("--bits", "64", "--mechanism", "tem", "--epsilon", "0.5", "--allow-unchanged")
    assert run_here("export", "--embeddings", embeddings, *options, "-o", path).returncode == 0
    assert json.loads(run_here("calibrate", path, "--unchanged", "0.5", "--json").stdout)["mechanism"] == "tem"
    assert (
        json.loads(run_here("audit", path, "--epsilon", "1", "--draws", "100", "--json").stdout)["mechanism"] == "tem"
    )
