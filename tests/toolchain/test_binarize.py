"""Codes from vectors: the projection, and the seam for other binarizers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain import binarize
from hushbit.toolchain.binarize.linear import LinearBinarizer


def gaussian(count: int, dimensions: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)


def fitted(vectors: NDArray[np.float32], bits: int, seed: int = 0) -> LinearBinarizer:
    binarizer = binarize.fit("projection", vectors, bits=bits, seed=seed)
    assert isinstance(binarizer, LinearBinarizer)
    return binarizer


@pytest.mark.parametrize(("bits", "dimensions"), [(64, 50), (64, 300), (256, 50), (64, 1)])
def test_directions_are_orthonormal_within_a_block(bits: int, dimensions: int) -> None:
    directions = fitted(gaussian(10, dimensions), bits).directions
    assert directions.shape == (bits, dimensions)
    for first in range(0, bits, dimensions):
        block = directions[first : first + dimensions]
        np.testing.assert_allclose(block @ block.T, np.eye(len(block)), atol=1e-5)  # they lie on a grid


def test_a_bit_is_the_side_of_the_mean_in_little_bit_order() -> None:
    vectors = gaussian(100, 5) + 3
    binarizer = fitted(vectors, 64)
    codes = binarize.encode(binarizer, vectors)
    assert codes.shape == (100, 8)
    assert codes.dtype == np.uint8
    for row, vector in zip(codes, vectors, strict=True):
        for i, direction in enumerate(binarizer.directions):
            side = float(direction @ (vector - binarizer.mean)) > 0
            assert row[i // 8] >> (i % 8) & 1 == side


def test_the_share_of_differing_bits_estimates_the_angle() -> None:
    # 64 pairs of a known angle: a share has a standard deviation below 0.5 / sqrt(512), their mean an eighth of that.
    # 6 deviations are a false alarm in 10^8 runs, if the seed were not fixed.
    generator = np.random.default_rng(1)
    for angle in (0.3, 1.0, 2.5):
        pairs = np.linalg.qr(generator.normal(size=(64, 40, 2)))[0]
        a = pairs[:, :, 0]
        b = np.cos(angle) * a + np.sin(angle) * pairs[:, :, 1]
        vectors = np.concatenate([a, b, -a, -b]).astype(np.float32)  # of mean 0
        bits = np.unpackbits(binarize.encode(fitted(vectors, 512), vectors), axis=1)
        share = (bits[:64] != bits[64:128]).mean()
        assert abs(share - angle / np.pi) < 6 * 0.5 / np.sqrt(512 * 64)


def test_codes_depend_on_the_seed_and_on_nothing_else() -> None:
    vectors = gaussian(40_000, 8)  # several blocks
    codes = [binarize.encode(fitted(vectors, 64, seed), vectors) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(codes[0], codes[1])
    assert (codes[0] != codes[2]).any()
    np.testing.assert_array_equal(fitted(vectors, 64, 1).encode(vectors), codes[0])


def test_the_description_is_what_a_bundle_records() -> None:
    described = fitted(gaussian(3, 2), 64, 7).describe()
    assert described["name"] == "projection"
    assert described["seed"] == 7
    assert described["name"] in binarize.METHODS


@pytest.mark.parametrize(
    "changed",
    [
        {"method": "none"},
        {"components": 2},
        {"components": -1},
        {"parameters": {"epochs": "3"}},
        {"bits": 0},
        {"bits": 12},
        {"seed": -1},
    ],
)
def test_impossible_arguments(changed: dict[str, object]) -> None:
    arguments = {"method": "projection", "vectors": gaussian(3, 2), "bits": 64, "seed": 0, **changed}
    with pytest.raises(InvalidArgumentError):
        binarize.fit(**arguments)  # type: ignore[arg-type]
