"""TEM on any metric: it draws what the paper says, keeps the promise, and refuses what is no metric."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from cli_runner import Here
from hushbit import errors
from hushbit.study.mechanisms import EuclideanTem, MetricTem, vectors_of
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.metric_tem import Metric
from hushbit.study.privacy.comparison import MetricDistances, compare
from hushbit.toolchain.bundle import BundleOptions, build_bundle
from hushbit.toolchain.embeddings import read_embeddings
from reference.statistics import chi_square_p

POINTS = np.random.default_rng(5).normal(size=(40, 4))


def pairwise(a: NDArray[np.float64], b: NDArray[np.float64], norm: float) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(a[:, None] - b[None], ord=norm, axis=2))


def manhattan(a: Ids, b: Ids) -> NDArray[np.float64]:
    return pairwise(POINTS[a], POINTS[b], 1)


def angle(a: Ids, b: Ids) -> NDArray[np.float64]:
    units = POINTS / np.linalg.norm(POINTS, axis=1, keepdims=True)
    found = np.arccos(np.clip(units[a] @ units[b].T, -1, 1))
    found[a[:, None] == b] = 0
    return np.asarray(found)


EVERY = np.arange(40, dtype=np.uint32)


@pytest.mark.parametrize("metric", [manhattan, angle, manhattan(EVERY, EVERY)])
@pytest.mark.parametrize("epsilon", [0.7, 4.0])
def test_it_keeps_the_promise_of_its_metric(metric: Metric, epsilon: float) -> None:
    """Every pair of words and every output keep it; the chances are e^(-ε·min(d, γ)/2), as its definition leads to."""
    tem = MetricTem(metric, 40, epsilon, beta=0.4)
    distances = metric(EVERY, EVERY) if callable(metric) else metric
    chances = tem.distribution(EVERY)
    logs = np.log(chances)
    assert (logs[:, None] - logs[None] <= epsilon * distances[:, :, None] + 1e-6).all()
    weights = np.exp(-epsilon / 2 * np.minimum(distances, tem.gamma))
    np.testing.assert_allclose(chances, weights / weights.sum(axis=1, keepdims=True), rtol=1e-5)
    assert (distances > tem.gamma).any() == (epsilon == 4.0)
    outputs = tem.replace(np.full(20_000, 7, dtype=np.uint32), generator=np.random.default_rng(2))
    assert chi_square_p(np.bincount(outputs, minlength=40), chances[7] * 20_000) > 1e-6


def test_euclidean_as_one_of_many() -> None:
    vectors = POINTS.astype(np.float32)
    own = MetricTem(lambda a, b: pairwise(POINTS[a], POINTS[b], 2), 40, 2.0)
    np.testing.assert_allclose(own.distribution(EVERY), EuclideanTem(vectors, 2.0).distribution(EVERY), rtol=1e-4)


def test_tem_follows_the_density() -> None:
    """A word among many is replaced by its neighbors, one far from all others stays itself; randomized response, the
    control, does not look. Exact: 30 words within .1 of each other, and 10 that are 5 and more from everything.
    """
    crowded = np.random.default_rng(3).uniform(0, 0.1, size=(30, 2))
    alone = np.stack([np.arange(10) * 5.0 + 10, np.zeros(10)], axis=1)
    chances = EuclideanTem(np.concatenate([crowded, alone]).astype(np.float32), 3.0).distribution(EVERY)
    own = np.diag(chances)
    assert own[:30].max() < 0.05
    assert own[30:].min() > 0.95
    assert chances[:30, :30].sum(axis=1).min() > 0.99


def squared(a: Ids, b: Ids) -> NDArray[np.float64]:
    return pairwise(POINTS[a], POINTS[b], 2) ** 2


def one_minus_cosine(a: Ids, b: Ids) -> NDArray[np.float64]:
    return np.asarray(1 - np.cos(angle(a, b)))


def lopsided(a: Ids, b: Ids) -> NDArray[np.float64]:
    return manhattan(a, b) * (1 + 0.1 * (a[:, None] < b))


def coarse(a: Ids, b: Ids) -> NDArray[np.float64]:
    """The first coordinate, rounded: words share it."""
    return np.abs(np.round(POINTS[a, None, 0]) - np.round(POINTS[None, b, 0]))


def shifted(a: Ids, b: Ids) -> NDArray[np.float64]:
    return manhattan(a, b) + 1


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (squared, "triangle inequality"),
        (one_minus_cosine, "triangle inequality"),
        (lopsided, "the other way around"),
        (coarse, "is 0, though they are two words"),
        (shifted, "is not 0, though it is one word"),
        (lambda a, b: -manhattan(a, b), "below 0"),
        (lambda a, b: manhattan(a, b) + np.where(a[:, None] == b, 0, math.nan), "not a finite number"),
        (lambda a, b: manhattan(a, b)[:1], "the metric gives the shape"),
    ],
)
def test_what_is_no_metric_is_refused(metric: Metric, said: str) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=said):
        MetricTem(metric, 40, 1.0)


def test_matrices_are_looked_at_whole() -> None:
    """One pair among 640,000, which a sample of words would hardly meet."""
    points = np.random.default_rng(8).normal(size=(800, 3))
    matrix = pairwise(points, points, 2)
    MetricTem(matrix, 800, 1.0)
    for value, said in ((0.0, "two words"), (matrix[500, 700] + 0.01, "the other way around"), (math.inf, "finite")):
        wrong = matrix.copy()
        wrong[500, 700] = value
        with pytest.raises(errors.InvalidArgumentError, match=said):
            MetricTem(wrong, 800, 1.0)
    with pytest.raises(errors.InvalidArgumentError, match="expected \\(801, 801\\)"):
        MetricTem(matrix, 801, 1.0)


def test_thin_triangles_of_a_large_vocabulary_are_found() -> None:
    """Only near words break it: among the neighbors of a word, not among words at random."""
    points = np.random.default_rng(9).normal(size=(3000, 3))

    def broken(a: Ids, b: Ids) -> NDArray[np.float64]:
        found = pairwise(points[a], points[b], 2)
        return np.where(found < 0.3, found**2 / 0.3, found)

    with pytest.raises(errors.InvalidArgumentError, match="triangle"):
        MetricTem(broken, 3000, 1.0)


# ---- In the comparison


@pytest.fixture(scope="module")
def embeddings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("metric") / "toy.txt"
    words = (f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(40))
    rows = (f"{word} {' '.join(f'{x:.4f}' for x in row)}\n" for word, row in zip(words, POINTS, strict=True))
    path.write_text("".join(rows), encoding="utf-8")
    path.with_suffix(".hushbit").write_bytes(build_bundle(read_embeddings(str(path)), BundleOptions(bits=64))[0])
    return path


def test_comparison(embeddings: Path) -> None:
    bundle = hushbit.open(embeddings.with_suffix(".hushbit"))
    vectors = vectors_of(bundle, read_embeddings(str(embeddings)))
    wide = vectors.astype(float)
    matrix = pairwise(wide, wide, 1)
    found = compare(bundle, vectors, (3.0,), words=40, draws=50, metric=matrix)
    own = found.rows[-1]
    assert own.mechanism == "tem (own metric)"
    assert own.average == pytest.approx(found.rows[0].average, rel=1e-3)
    measured = found.own_metric
    assert measured == MetricDistances.measure(bundle, matrix, np.random.default_rng(0))
    assert measured.average == pytest.approx(matrix.mean())
    assert measured.largest == pytest.approx(matrix.max())
    assert measured.average_exact
    assert measured.largest_exact
    euclid = compare(bundle, vectors, (3.0,), words=40, draws=50, metric=pairwise(wide, wide, 2))
    by_name = {row.mechanism: row for row in euclid.rows}
    same = by_name["tem (euclidean)"].unchanged.mean - by_name["tem (own metric)"].unchanged.mean
    assert abs(same) < 6 * math.sqrt(0.5 / (40 * 50))


def test_command(embeddings: Path, here: Here, tmp_path: Path) -> None:
    bundle = hushbit.open(embeddings.with_suffix(".hushbit"))
    wide = vectors_of(bundle, read_embeddings(str(embeddings))).astype(float)
    file = tmp_path / "distances.npy"
    np.save(file, pairwise(wide, wide, 1))
    options = ("--embeddings", embeddings, "--epsilon", "3", "--words", "20", "--distances", file)
    code, out, err = here("compare", embeddings.with_suffix(".hushbit"), *options)
    assert code == 0, err
    assert "TEM, own metric" in out.decode()
    assert "own metric" in out.decode().split("ratio")[0]
    code, out, err = here("compare", embeddings.with_suffix(".hushbit"), *options, "--json")
    assert [row["mechanism"] for row in json.loads(out)["rows"]].count("tem (own metric)") == 1
    for content, said in (
        (pairwise(wide, wide, 2) ** 2, "triangle"),
        (np.zeros((3, 3)), "expected (40, 40)"),
        (np.zeros((40, 40), dtype=np.int64), "expected float32"),
    ):
        np.save(file, content)
        code, out, err = here("compare", embeddings.with_suffix(".hushbit"), *options)
        assert code != 0
        assert said in err.decode()
    file.write_bytes(b"no array")
    code, out, err = here("compare", embeddings.with_suffix(".hushbit"), *options)
    assert code == 1
    assert "no .npy" in err.decode()
