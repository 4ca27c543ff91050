"""What every binarizer must hold, and what each one is for."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.toolchain import binarize
from hushbit.toolchain.binarize.bit_statistics import bit_statistics, check_codes
from hushbit.toolchain.binarize.errors import DivergenceError
from hushbit.toolchain.binarize.linear import LinearBinarizer
from hushbit.toolchain.binarize.preprocessing import default_components, fit_preprocessing
from hushbit.toolchain.binarize.rounding import on_grid
from hushbit.toolchain.bundle import BundleOptions, build_bundle
from hushbit.toolchain.embeddings import Embeddings, Source

METHODS = sorted(binarize.METHODS)


def clustered(count: int = 2000, dimensions: int = 20, seed: int = 0) -> NDArray[np.float32]:
    """Words in groups of ten, off center, with one component that is much larger than the others, as in GloVe."""
    generator = np.random.default_rng(seed)
    groups = generator.normal(size=(count // 10, dimensions)).repeat(10, axis=0)
    vectors = groups + 0.5 * generator.normal(size=groups.shape) + 1
    vectors[:, :1] += 5 * generator.normal(size=(len(vectors), 1))
    return np.asarray(vectors, dtype=np.float32)


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_codes_and_hash(method: str) -> None:
    vectors = clustered()
    a, b, c = (binarize.fit(method, vectors, bits=64, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(a.encode(vectors), b.encode(vectors))
    assert (a.encode(vectors) != c.encode(vectors)).any()
    assert binarize.encoder_hash(a) == binarize.encoder_hash(b) != binarize.encoder_hash(c)


@pytest.mark.parametrize("method", METHODS)
def test_another_version_of_numpy_learns_the_same(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decompositions of another version differ in their last bits, and in nothing else."""
    vectors = clustered()
    before = binarize.fit(method, vectors, bits=64)
    generator = np.random.default_rng(9)
    calls = []

    def noisy(function: Any) -> Any:
        def changed(*arguments: Any, **options: Any) -> Any:
            calls.append(function)
            results = function(*arguments, **options)
            return type(results)(*(a * (1 + 4e-16 * generator.normal(size=a.shape)) for a in results))

        return changed

    for name in ("eigh", "svd", "qr"):
        monkeypatch.setattr(np.linalg, name, noisy(getattr(np.linalg, name)))
    after = binarize.fit(method, vectors, bits=64)
    assert calls
    assert binarize.encoder_hash(after) == binarize.encoder_hash(before)
    np.testing.assert_array_equal(binarize.encode(after, vectors), binarize.encode(before, vectors))


def test_the_hash_is_of_what_was_learned() -> None:
    """The hash depends on every bit of it, and not on how it lies in memory."""
    learned = binarize.fit("itq", clustered(), bits=64)
    assert isinstance(learned, LinearBinarizer)
    expected = binarize.encoder_hash(learned)
    big, columns = learned.directions.astype(">f8"), np.asfortranarray(learned.directions)
    for same in (big, columns, learned.directions[::-1].copy()[::-1]):
        assert binarize.encoder_hash(replace(learned, directions=same)) == expected
    changed = learned.directions.copy()
    changed[3, 4] = np.nextafter(changed[3, 4], 2)
    for other in (
        replace(learned, directions=changed),
        replace(learned, directions=learned.directions.astype(np.float32)),
        replace(learned, seed=1),
        replace(learned, mean=learned.mean + 1),
    ):
        assert binarize.encoder_hash(other) != expected
    # As docs/bundle-format.md says.
    described = {"kind": "linear", "name": "itq", "seed": 0, "parameters": learned.parameters}
    data = json.dumps(described, sort_keys=True, separators=(",", ":")).encode()
    data += b"\ndirections <f8 (64, 20)\n" + learned.directions.astype("<f8").tobytes()
    data += b"\nmean <f8 (20,)\n" + learned.mean.astype("<f8").tobytes()
    assert hashlib.sha256(data).hexdigest() == expected


def test_the_grid() -> None:
    generator = np.random.default_rng(2)
    for scale in (1e-30, 0.3, 1.0, 7e5):
        array = scale * generator.normal(size=5000)
        rounded = on_grid(array)
        assert np.abs(rounded - array).max() <= np.abs(array).max() * 2.0**-20
        np.testing.assert_array_equal(on_grid(rounded), rounded)
        np.testing.assert_array_equal(on_grid(array * (1 + 1e-15 * generator.normal(size=5000))), rounded)
    nearly = np.array([1.0, -1e-17, 0.5])
    assert on_grid(nearly).tobytes() == np.array([1.0, 0.0, 0.5]).tobytes()  # not -0
    for one in (np.nextafter(1.0, 0), 1.0, np.nextafter(1.0, 2)):  # a power of two begins a step of its own elsewhere
        assert on_grid(np.array([one, 0.3]))[1] == on_grid(np.array([1.0, 0.3]))[1]
    assert on_grid(np.zeros(3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("method", METHODS)
def test_a_word_is_encoded_by_itself(method: str) -> None:
    vectors = clustered()
    binarizer = binarize.fit(method, vectors, bits=64)
    codes = binarize.encode(binarizer, vectors)
    assert codes.shape == (len(vectors), 8)
    assert codes.dtype == np.uint8
    np.testing.assert_array_equal(np.concatenate([binarizer.encode(vectors[i : i + 1]) for i in range(50)]), codes[:50])
    order = np.random.default_rng(1).permutation(len(vectors))
    np.testing.assert_array_equal(binarize.encode(binarizer, vectors[order]), codes[order])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("bits", "dimensions"), [(8, 20), (64, 20), (128, 40), (64, 100)])
def test_bits_are_balanced_and_none_is_dead(method: str, bits: int, dimensions: int) -> None:
    vectors = clustered(dimensions=dimensions)
    codes = binarize.encode(binarize.fit(method, vectors, bits=bits), vectors)
    found = bit_statistics(codes)
    assert (found.dead, found.bits, found.words) == (0, bits, 2000)
    assert found.imbalance < 0.06


@pytest.mark.parametrize("method", METHODS)
def test_description(method: str) -> None:
    described = binarize.fit(method, clustered(), bits=64, seed=7, components=2).describe()
    assert (described["name"], described["seed"], described["parameters"]["components"]) == (method, 7, 2)


@given(scale=st.floats(0.01, 100), seed=st.integers(0, 5))
@settings(max_examples=10, deadline=None)
def test_codes_do_not_depend_on_the_scale_of_the_vectors(scale: float, seed: int) -> None:
    vectors = clustered(640, 10, seed)
    for method in METHODS:
        codes = [binarize.fit(method, v, bits=32).encode(v) for v in (vectors, (vectors * scale).astype(np.float32))]
        assert (np.unpackbits(codes[0] ^ codes[1]).mean()) < 0.01  # rounding may turn a bit, and steer the training


@given(components=st.integers(0, 9), seed=st.integers(0, 100))
@settings(max_examples=25, deadline=None)
def test_all_but_the_top(components: int, seed: int) -> None:
    vectors = clustered(100, 10, seed)
    kept = fit_preprocessing(vectors, components).apply(vectors)
    centered = vectors - vectors.mean(axis=0, dtype=np.float64)
    values = np.linalg.svd(centered, compute_uv=False)
    assert kept.shape == (100, 10 - components)
    np.testing.assert_allclose(np.linalg.svd(kept, compute_uv=False), values[components:], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(kept.mean(axis=0), 0, atol=1e-5)


def test_default_components() -> None:
    assert [default_components(d) for d in (1, 10, 50, 100, 300)] == [0, 1, 5, 10, 10]


def test_itq_quantizes_better_than_the_rotation_it_starts_from() -> None:
    vectors = clustered(dimensions=32)

    def error(iterations: int) -> float:
        parameters = {"iterations": str(iterations)}
        binarizer = binarize.fit("itq", vectors, bits=32, components=0, parameters=parameters)
        scores = binarizer.scores(vectors)
        scores /= np.linalg.norm(scores, axis=1, keepdims=True)
        return float(((np.where(scores > 0, 1, -1) / np.sqrt(32) - scores) ** 2).sum(axis=1).mean())

    assert error(30) < 0.98 * error(0)


def test_the_autoencoder_learns_to_reconstruct() -> None:
    vectors = clustered(4000)
    errors = [
        binarize.fit("autoencoder", vectors, bits=64, parameters={"learning_rate": rate}).describe()["parameters"]
        for rate in ("0", "0.003")
    ]
    assert errors[1]["reconstruction_error"] < 0.9 * errors[0]["reconstruction_error"] < 0.9


def test_divergence_is_an_error_that_says_what_to_change() -> None:
    with pytest.raises(DivergenceError, match=r"lower the learning rate, now 10, or the regularizer, now 0\.1"):
        binarize.fit("autoencoder", clustered(), bits=64, parameters={"learning_rate": "10"})


def test_a_poor_reconstruction_is_a_warning() -> None:
    noise = np.random.default_rng(0).normal(size=(1000, 200)).astype(np.float32)
    binarizer = binarize.fit("autoencoder", noise, bits=8, parameters={"learning_rate": "0"})
    assert isinstance(binarizer, LinearBinarizer)
    assert any("worse than their mean" in warning for warning in binarizer.warnings)


def test_dead_and_collapsed_bits() -> None:
    generator = np.random.default_rng(0)
    good = generator.integers(0, 256, size=(500, 8), dtype=np.uint8)
    assert check_codes(good) == ()
    dead = good.copy()
    dead[:, 0] |= 4
    with pytest.raises(DivergenceError, match="1 of 64 bits are the same for every word: use fewer bits"):
        check_codes(dead)
    collapsed = good[:, :1].repeat(8, axis=1)  # 8 bits, eight times
    assert bit_statistics(collapsed).effective == pytest.approx(8, rel=0.05)
    assert "vary like 8 independent bits" in check_codes(collapsed)[0]
    assert check_codes(dead[:63]) == ()  # too few words to tell


def test_no_bundle_of_dead_bits_and_none_by_an_encoder_that_does_not_fit() -> None:
    words = [f"w{i:03}" for i in range(100)]
    vectors = clustered(100, 10)
    embeddings = Embeddings(words, vectors, Source("toy", "0" * 64), 100, 0, [])
    directions = np.random.default_rng(0).normal(size=(64, 10))
    directions[7] = 0
    dead = LinearBinarizer("itq", 0, {}, vectors.mean(axis=0, dtype=np.float64), directions)
    with pytest.raises(DivergenceError, match="1 of 64 bits are the same for every word"):
        build_bundle(embeddings, BundleOptions(bits=64, encoder=dead))
    other = binarize.fit("projection", clustered(100, 9), bits=64)
    with pytest.raises(InvalidArgumentError, match="takes vectors of 9 dimensions; these have 10"):
        build_bundle(embeddings, BundleOptions(bits=64, encoder=other))
    with pytest.raises(InvalidArgumentError, match="codes of 64 bits, not 128"):
        BundleOptions(bits=128, encoder=other)


def test_bit_statistics_by_hand() -> None:
    codes = np.array([[0b0011], [0b0001], [0b0010], [0b0000]], dtype=np.uint8)
    found = bit_statistics(codes)
    assert (found.dead, found.correlation, found.effective) == (6, 0, 2)
    assert found.imbalance == 0.5 * 6 / 8


@pytest.mark.parametrize(
    ("method", "parameters", "said"),
    [
        ("autoencoder", {"rate": "1"}, "no parameter 'rate'; its parameters are: learning_rate"),
        ("autoencoder", {"epochs": "many"}, "cannot be 'many'"),
        ("autoencoder", {"epochs": "0"}, "epochs is 0"),
        ("autoencoder", {"device": "tpu"}, "it must be cpu or cuda"),
        ("projection", {"epochs": "1"}, "no parameter 'epochs'"),
        ("itq", {"iterations": "-1"}, "0 or more"),
        ("neighborhood", {"nearest": "0"}, "nearest must be 1 or more"),
        ("neighborhood", {"blend": "nan"}, "blend is nan"),
        ("neighborhood", {"anchors": "2001"}, "too small for the binarizer neighborhood with 2001 anchors"),
        ("neighborhood", {"anchors": "3"}, "more anchors than `nearest`"),
    ],
)
def test_impossible_parameters(method: str, parameters: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidArgumentError, match=said):
        binarize.fit(method, clustered(), bits=64, parameters=parameters)


def test_neighborhood_codes_are_near_within_a_group_and_far_elsewhere() -> None:
    vectors = clustered(2000)
    distances = {}
    for method in ("neighborhood", "projection"):
        bits = np.unpackbits(binarize.fit(method, vectors, bits=256, components=1).encode(vectors), axis=1)
        inside = (bits[0::10] != bits[1::10]).sum(axis=1).mean()
        outside = (bits[0::10] != np.roll(bits[0::10], 1, axis=0)).sum(axis=1)
        distances[method] = (inside, outside.std())
    assert distances["neighborhood"][1] < 0.7 * distances["projection"][1]  # everybody else is about as far
    assert distances["neighborhood"][0] < 90
