"""The weights and the matrix of private embeddings, as the toolchain computes them."""

import numpy as np
import pytest
from numpy.typing import NDArray

import hushbit
from hushbit import _core
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.embedding import embedding_of, word_weights


@pytest.fixture(scope="module")
def english() -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    bundle = hushbit.open()
    ids = bundle._native.output_words()
    weights = _core.output_weights(bundle.privatizer()._native)[ids]
    return bundle._native.codes(ids), weights.astype(np.float64)


def signs(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.unpackbits(codes, axis=1, bitorder="little").astype(np.int64) * 2 - 1


def test_frequent_words_weigh_less() -> None:
    shares = np.array([0.5, 0.1, 0.001, 0.0, 0.399])
    weights = word_weights(shares)
    assert weights.tolist() == [1, 3, 128, 255, 1]  # 255 · .001 / (.001 + p), never below 1


def test_the_mean_text_is_0_and_words_vary_alike_along_all_axes(
    english: tuple[NDArray[np.uint8], NDArray[np.float64]],
) -> None:
    codes, frequencies = english
    matrix, weights = embedding_of(codes, frequencies)
    assert (matrix.shape, matrix.dtype) == ((32, 256), np.dtype(np.int16))
    assert (weights.shape, weights.dtype) == ((16384,), np.dtype(np.uint8))
    share = frequencies / frequencies.sum() * weights
    vectors = signs(codes) @ matrix.T.astype(np.int64)
    moments = (vectors * (share * weights)[:, None]).T @ vectors / (share @ weights)
    mean = share @ vectors / share.sum()
    assert np.linalg.norm(mean) < 0.01 * np.sqrt(np.trace(moments))  # but for rounding it is 0
    np.testing.assert_allclose(moments / moments[0, 0], np.eye(32), atol=0.01)  # rounding changes them by less


def test_the_same_numbers_whatever_the_order_of_words(english: tuple[NDArray[np.uint8], NDArray[np.float64]]) -> None:
    codes, frequencies = english
    order = np.random.default_rng(1).permutation(len(codes))
    matrix, weights = embedding_of(codes, frequencies)
    again, weights_again = embedding_of(codes[order], frequencies[order] * 7.3)
    np.testing.assert_array_equal(matrix, again)
    np.testing.assert_array_equal(weights[order], weights_again)


def test_codes_of_few_words_have_few_axes() -> None:
    codes = np.random.default_rng(2).integers(0, 256, size=(4, 8), dtype=np.uint8)
    matrix, weights = embedding_of(codes, np.array([4.0, 3.0, 2.0, 1.0]))
    assert (
        np.linalg.matrix_rank(matrix.astype(float), tol=100) == 1
    )  # of three: four words, and their mean is projected out
    assert weights.all()
    single, _ = embedding_of(codes[:1], np.ones(1))
    assert not single.any()


def test_impossible_arguments_are_refused() -> None:
    codes = np.zeros((2, 8), dtype=np.uint8)
    with pytest.raises(InvalidArgumentError, match="as many words"):
        embedding_of(codes, np.ones(3))
    for bad in ([1.0, -1.0], [0.0, 0.0], [1.0, np.nan]):
        with pytest.raises(InvalidArgumentError, match="finite, 0 or more"):
            embedding_of(codes, np.array(bad))
