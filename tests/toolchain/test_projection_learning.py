"""Projections that are learned from public vectors: the file by its document, and the vectors that it gives."""

import hashlib
import struct
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.projection import learn_projection


def public_vectors(texts: int = 3000, numbers: int = 40) -> NDArray[np.float64]:
    generator = np.random.default_rng(1)
    spread = generator.normal(size=(numbers, numbers)) * np.linspace(2, 0.2, numbers)
    return np.asarray(0.3 + 0.05 * generator.normal(size=(texts, numbers)) @ spread.T)


def parts(data: bytes) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Scale, mean and matrix."""
    magic, version, numbers, dimensions, _, _, scale = struct.unpack_from("<8sIIIIQi", data)
    assert (magic, version, data[36:64]) == (b"\x89HSP\r\n\x1a\n", 1, bytes(28))
    assert hashlib.sha256(data[:-32]).digest() == data[-32:]
    mean = np.frombuffer(data, dtype="<i4", count=numbers, offset=64)
    matrix = np.frombuffer(data, dtype="<i2", count=numbers * dimensions, offset=64 + 4 * numbers)
    return scale, mean.astype(np.int64), matrix.astype(np.int64).reshape(dimensions, numbers)


def test_projected_public_vectors_are_centered_and_vary_alike() -> None:
    vectors = public_vectors()
    scale, mean, matrix = parts(learn_projection(vectors, 16, directions=512, seed=9))
    assert matrix.shape == (16, 40)
    quantized = np.floor(np.ldexp(vectors, scale) + 0.5).astype(np.int64)
    assert 2**20 <= np.abs(quantized).max() < 2**21  # 24 bits, less 3 of headroom
    projected = (quantized - mean) @ matrix.T
    moments = projected.T.astype(float) @ projected / len(projected)
    np.testing.assert_allclose(moments / moments[0, 0], np.eye(16), atol=0.01)
    assert np.linalg.norm(projected.mean(axis=0)) < 1e-3 * np.sqrt(moments[0, 0])


def test_the_header_says_what_was_asked_for_and_the_order_of_texts_does_not_matter() -> None:
    vectors = public_vectors(500)
    data = learn_projection(vectors, 8, directions=1000, seed=2**63)
    assert struct.unpack_from("<IIIQ", data, 12) == (40, 8, 1000, 2**63)
    assert data == learn_projection(vectors[::-1], 8, directions=1000, seed=2**63)


def test_the_core_opens_what_was_learned_and_draws_near_it(tmp_path: Path) -> None:
    vectors = public_vectors(500).astype(np.float32)
    data = learn_projection(vectors, 16, directions=512)
    path = tmp_path / "encoder.projection"
    path.write_bytes(data)
    embedder = hushbit.open_projection(path, epsilon=12)
    assert (embedder.numbers, embedder.info.dimensions, embedder.info.directions) == (40, 16, 512)
    scale, mean, matrix = parts(data)
    typed = (np.floor(np.ldexp(vectors.astype(np.float64), scale) + 0.5).astype(np.int64) - mean) @ matrix.T
    drawn = np.array([embedder.embed_vector(vector).direction for vector in vectors])
    cosines = (drawn * typed).sum(axis=1) / np.linalg.norm(typed, axis=1) / 4
    assert (
        cosines.mean() > 0.5
    )  # unrelated ones have a mean of 0 ± .01; at this epsilon nearly all draws are the nearest


def test_what_cannot_be_learned_is_refused() -> None:
    vectors = public_vectors(100)
    for wrong, dimensions, message in [
        (vectors[0], 8, "must be \\(texts"),
        (np.full((3, 40), np.nan), 8, "finite"),
        (np.zeros((3, 40)), 8, "not all 0"),
        (vectors, 12, "12 dimensions are not possible"),
        (vectors, 48, "at most 40"),
        (vectors[:6], 8, "fewer than 8 axes"),
        (vectors * 1e30, 8, "scale them to about 1"),
    ]:
        with pytest.raises(InvalidArgumentError, match=message):
            learn_projection(wrong, dimensions)
    with pytest.raises(InvalidArgumentError, match="directions must be"):
        learn_projection(vectors, 8, directions=1)
