"""The file of a classifier's weights, and its exact scores, beside Python's own integers."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushbit.analysis.embeddings.weights import Weights
from hushbit.errors import InvalidArgumentError

HASH = "0123456789abcdef" * 4


def some_weights(dimensions: int = 3) -> Weights:
    generator = np.random.default_rng(1)
    return Weights.rounded(HASH, ("a", "ß", "c"), generator.normal(size=(3, dimensions)), [0.5, -2.0, 0.25])


def by_python(weights: Weights, vector: list[int]) -> list[int]:
    """docs/embedding.md, word for word, in integers of any size."""
    largest = max(map(abs, vector))
    if largest:
        shift = 24 - largest.bit_length()
        vector = [(abs(x) << shift if shift >= 0 else abs(x) >> -shift) * (-1 if x < 0 else 1) for x in vector]
    length = max(math.isqrt(sum(x * x for x in vector)), 1)
    rows = zip(weights.weights.tolist(), weights.biases.tolist(), strict=True)
    return [sum(w * x for w, x in zip(row, vector, strict=True)) + bias * length for row, bias in rows]


@settings(max_examples=200, derandomize=True)
@given(st.lists(st.integers(-(2**62) + 1, 2**62 - 1), min_size=3, max_size=3))
def test_scores_are_the_integers_of_the_page(vector: list[int]) -> None:
    weights = some_weights()
    assert weights.scores([vector])[0].tolist() == by_python(weights, vector)


def test_scores_do_not_depend_on_the_length_of_a_vector() -> None:
    weights = some_weights()
    scores = weights.scores([[3, -7, 11], [3 << 40, -7 << 40, 11 << 40], [0, 0, 0]])
    assert scores[0].tolist() == scores[1].tolist()
    assert scores[2].tolist() == weights.biases.tolist()


def test_the_largest_scores_fit() -> None:
    most = (1 << 31) - 1
    weights = Weights(HASH, ("a", "b"), 0, np.full((2, 64), most), np.full(2, most))
    vector = [(1 << 56) - 1] * 64
    assert weights.scores([vector])[0].tolist() == by_python(weights, vector)


def test_log_odds_are_those_of_the_real_weights() -> None:
    generator = np.random.default_rng(2)
    real, biases = generator.normal(size=(2, 5)), np.array([0.1, -0.3])
    weights = Weights.rounded(HASH, ("a", "b"), real, biases)
    vectors = generator.integers(-(10**9), 10**9, size=(20, 5))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = units @ (real[1] - real[0]) + biases[1] - biases[0]
    found = weights.log_odds(vectors)
    np.testing.assert_allclose(found[:, 1] - found[:, 0], expected, atol=1e-6)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    written = some_weights(32)
    written.write(path)
    read = Weights.read(path, hash=HASH)
    assert (read.hash, read.classes, read.fraction_bits) == (written.hash, written.classes, written.fraction_bits)
    np.testing.assert_array_equal(read.weights, written.weights)
    np.testing.assert_array_equal(read.biases, written.biases)
    assert set(json.loads(path.read_text("utf-8"))) == {
        *("format", "version", "hash", "dimensions", "fraction_bits", "classes", "weights", "biases"),
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "no weights of a classifier"),
        ({"version": 2}, "version 2; this program reads 1"),
        ({"extra": 1}, "missing or unknown fields: extra"),
        ({"hash": "abc"}, "64 lower-case hexadecimal"),
        ({"dimensions": 4}, "dimensions is 4, rows have 3"),
        ({"classes": ["a", "a", "b"]}, "must differ"),
        ({"classes": ["a", "b"]}, "a bias for each class"),
        ({"fraction_bits": 63}, "0 to 62"),
        ({"fraction_bits": True}, "0 to 62"),
        ({"biases": [1, 2, 2**31]}, "integers below 2\\^31"),
        ({"biases": [1, 2, 0.5]}, "integers below 2\\^31"),
        ({"biases": 3}, "not iterable"),
        ({"weights": [[1, 2, 3], [1, 2, 3], [1, 2]]}, "equally long"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "weights.json"
    some_weights().write(path)
    document = json.loads(path.read_text("utf-8")) | change
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InvalidArgumentError, match=message) as caught:
        Weights.read(path)
    assert str(path) in str(caught.value)


def test_other_bundles_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    some_weights().write(path)
    with pytest.raises(InvalidArgumentError, match="learned with the bundle or projection 0123456789ab"):
        Weights.read(path, hash="f" * 64)
    path.write_bytes(b"[" * 100_000)
    with pytest.raises(InvalidArgumentError, match="no JSON document"):
        Weights.read(path)
    with pytest.raises(InvalidArgumentError, match="do not fit"):
        some_weights().scores([[1, 2]])
