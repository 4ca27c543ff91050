"""An app's own vectors, and classifiers of typed text, through Python: golden vectors, interface, failures."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushbit
import hushbit.testing
from hushbit import _core, _core_testing
from hushbit.errors import BudgetExhaustedError, InvalidArgumentError

ROOT = Path(__file__).resolve().parents[2]
KEY = bytes(range(32))
Item = dict[str, Any]


def load(name: str) -> Any:
    return json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text("ascii"))


VECTORS: Item = load("embed-vectors")
CLASSIFIED: Item = load("classify")


@pytest.fixture
def projection(tmp_path: Path) -> Path:
    path = tmp_path / "encoder.projection"
    path.write_bytes(bytes.fromhex(VECTORS["projection"]))
    return path


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "weights.json"
    path.write_bytes(bytes.fromhex(CLASSIFIED["weights"]))
    return path


@pytest.fixture(scope="module")
def embedder(vectors: Path) -> hushbit.Embedder:
    return hushbit.open(vectors / CLASSIFIED["bundle"]).embedder()


@pytest.mark.parametrize("case", VECTORS["cases"], ids=[case["name"] for case in VECTORS["cases"]])
def test_golden_vectors(case: Item) -> None:
    embedder = _core.Embedder(
        bytes.fromhex(VECTORS["projection"]),
        epsilon=case["epsilon"],
        device_key=None if case["device_key"] is None else bytes.fromhex(case["device_key"]),
        epoch=int(case["epoch"], 16),
    )
    numbers = np.array(case["numbers"], dtype=np.float32)
    seed = None if case["seed"] is None else bytes.fromhex(case["seed"])
    if case["status"] != 0:
        with pytest.raises(InvalidArgumentError, match="the projection takes 40"):
            _core_testing.embed_vector(embedder, numbers, seed)
        return
    embedding = _core_testing.embed_vector(embedder, numbers, seed)
    assert (embedding.index, f"{embedding.signs:016x}") == (case["index"], case["signs"])
    assert [str(v) for v in _core.project(embedder, numbers[None])[0]] == case["vector"]


def test_an_embedder_for_vectors(projection: Path, tmp_path: Path) -> None:
    budget = hushbit.Budget(tmp_path / "budget", worst_case_lifetime=7.0)
    embedder = hushbit.open_projection(projection, 2.0, budget=budget)
    assert (embedder.numbers, embedder.info.dimensions) == (VECTORS["input_numbers"], VECTORS["dimensions"])
    assert embedder.info.hash == VECTORS["hash"]
    assert embedder.directions.shape == (VECTORS["directions"], VECTORS["dimensions"])
    released = embedder.embed_vector([0.25] * 40)
    assert released.direction == tuple(embedder.directions[released.index].tolist())
    assert released.epsilon == embedder.epsilon <= 2
    assert embedder.embed_vectors(np.zeros((2, 40))).shape == (2,)
    with pytest.raises(BudgetExhaustedError) as failure:
        embedder.embed_vectors(np.zeros((1, 40)))
    assert "at index 0" in failure.value.__notes__[0]
    assert "vectors of 40 numbers" in repr(embedder)


def test_memoized_vectors_repeat(projection: Path) -> None:
    embedder = hushbit.open_projection(projection, device_key=KEY)
    rows = np.random.default_rng(1).normal(size=(30, 40)).astype(np.float32)
    first = embedder.embed_vectors(rows)
    assert np.array_equal(first, embedder.embed_vectors(rows))
    assert (first != embedder.embed_vectors(rows + 1)).sum() > 15  # by chance fewer less than 1 time in 10⁶
    other = hushbit.open_projection(projection, device_key=KEY, epoch=1)
    assert (first != other.embed_vectors(rows)).sum() > 15


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e39])
def test_numbers_that_are_not_finite_are_refused(projection: Path, bad: float) -> None:
    embedder = hushbit.open_projection(projection)
    rows = np.zeros((3, 40))
    rows[1, 7] = bad
    with pytest.raises(InvalidArgumentError, match="not finite"):
        embedder.embed_vector(rows[1])
    with pytest.raises(InvalidArgumentError, match="not finite") as failure:
        embedder.embed_vectors(rows)
    assert "at index 1" in failure.value.__notes__[0]
    with pytest.raises(InvalidArgumentError, match="1-dimensional"):
        embedder.embed_vector(rows)


def test_files_that_are_no_projections_are_refused(projection: Path, tmp_path: Path) -> None:
    data = projection.read_bytes()
    other = tmp_path / "other"
    for bad, message in (
        (b"", "no projection"),
        (data[:-1], "length"),
        (data[:8] + b"\2" + data[9:], "version 2"),
        (data[:200] + b"\0\1" + data[202:], "SHA-256"),
    ):
        other.write_bytes(bad)
        with pytest.raises(InvalidArgumentError, match=message):
            hushbit.open_projection(other)
    with pytest.raises(InvalidArgumentError, match="epsilon"):
        hushbit.open_projection(projection, -1)
    with pytest.raises(FileNotFoundError):
        hushbit.open_projection(tmp_path / "missing")


@pytest.mark.parametrize("case", CLASSIFIED["cases"], ids=[case["name"] for case in CLASSIFIED["cases"]])
def test_golden_classes(embedder: hushbit.Embedder, case: Item) -> None:
    classifier = _core.Classifier(embedder._native, bytes.fromhex(CLASSIFIED["weights"]))
    best, log_odds = classifier.classify(bytes.fromhex(case["text"]))
    assert best == case["best"]
    np.testing.assert_allclose(log_odds, case["log_odds"], rtol=1e-12)


def test_a_classifier(embedder: hushbit.Embedder, weights: Path) -> None:
    classifier = embedder.classifier(weights)
    assert classifier.classes == tuple(bytes.fromhex(name).decode() for name in CLASSIFIED["classes"])
    found = classifier.classify("The dog is at home.")
    assert found.name == max(found.probabilities, key=lambda name: found.probabilities[name])
    assert sum(found.probabilities.values()) == pytest.approx(1)
    with pytest.raises(InvalidArgumentError, match="created for texts"):
        classifier.classify_vector([1.0])


@pytest.mark.parametrize("case", CLASSIFIED["refused"], ids=[case["name"] for case in CLASSIFIED["refused"]])
def test_weights_that_cannot_be_used_say_why(embedder: hushbit.Embedder, tmp_path: Path, case: Item) -> None:
    path = tmp_path / "weights.json"
    path.write_bytes(bytes.fromhex(case["weights"]))
    with pytest.raises(InvalidArgumentError, match="the weights of the classifier") as failure:
        embedder.classifier(path)
    assert str(path) in str(failure.value)
    expected = {"another bundle": "another bundle", "another version": "version 2", "other dimensions": "24 dimensions"}
    assert expected.get(case["name"], "") in str(failure.value)


def test_what_analysis_saves_is_what_the_core_reads(embedder: hushbit.Embedder, tmp_path: Path) -> None:
    """Both sides of the file: random weights, random texts, the same scores."""
    from hushbit.analysis.embeddings.weights import Weights

    generator = np.random.default_rng(3)
    saved = Weights.rounded(
        embedder.info.hash, ["a", "b", "c"], generator.normal(size=(3, 32)), generator.normal(size=3)
    )
    saved.write(tmp_path / "weights.json")
    native = _core.Classifier(embedder._native, (tmp_path / "weights.json").read_bytes())
    texts = ["", "the dog", "not at home", "we are watching a film with the dog and a mouse"]
    vectors = embedder.vectors(texts)
    for text, expected, scores in zip(texts, saved.log_odds(vectors), saved.scores(vectors), strict=True):
        best, log_odds = native.classify(text.encode())
        np.testing.assert_allclose(log_odds, expected, rtol=1e-12)
        assert best == int(np.argmax(scores))
