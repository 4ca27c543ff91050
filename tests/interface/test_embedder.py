"""Embeddings of whole texts, through Python: golden vectors, interface, failures."""

import copy
import json
import math
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import hushbit
import hushbit.testing
from damaged_sections import with_section
from hushbit import _core, _core_testing
from hushbit.errors import (
    BudgetExhaustedError,
    HushbitError,
    InvalidArgumentError,
    InvalidTextError,
    StorageFailedError,
)
from reference import embedding as reference
from reference.bundle_file import read_bundle

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("embed-64", "embed-128")
KEY = bytes(range(32))
SEED = bytes(range(32))
TEXT = "The dog is not at home, and we won't wait!"
Item = dict[str, Any]


def load(name: str) -> Any:
    return json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text("ascii"))


RUN = [(name, case) for name in NAMES for case in load(name)["cases"] if case["stream"] is None]


@pytest.fixture(scope="module")
def bundles(vectors: Path) -> dict[str, hushbit.Bundle]:
    return {name: hushbit.open(vectors / f"{name}.hushbit") for name in NAMES}


@pytest.fixture
def bundle(bundles: dict[str, hushbit.Bundle]) -> hushbit.Bundle:
    return bundles["embed-128"]


@pytest.mark.parametrize(("name", "case"), RUN, ids=[case["name"] for _, case in RUN])
def test_golden_vectors(bundles: dict[str, hushbit.Bundle], name: str, case: Item) -> None:
    embedder = _core.Embedder(
        bundles[name]._native,
        epsilon=case["epsilon"],
        punctuation=case["punctuation"],
        device_key=None if case["device_key"] is None else bytes.fromhex(case["device_key"]),
        epoch=int(case["epoch"], 16),
    )
    text = bytes.fromhex(case["text"])
    seed = None if case["seed"] is None else bytes.fromhex(case["seed"])
    if case["status"] != 0:
        with pytest.raises(InvalidTextError) as failure:
            _core_testing.embed(embedder, text, seed)
        assert failure.value.position == case["position"]
        return
    embedding = _core_testing.embed(embedder, text, seed)
    info = embedder.info()
    assert f"{info.crowd_threshold:016x}" == case["crowd_threshold"]
    assert info.crowd_directions == case["crowd_directions"]
    assert math.isclose(info.effective_epsilon, case["effective_epsilon"], rel_tol=1e-12)
    assert (embedding.index, f"{embedding.signs:016x}") == (case["index"], case["signs"])
    assert [str(number) for number in _core.text_vectors(embedder, [text])[0]] == case["vector"]


def test_directions_are_those_of_the_seed(bundles: dict[str, hushbit.Bundle], vectors: Path) -> None:
    for name, bundle in bundles.items():
        tables = read_bundle((vectors / f"{name}.hushbit").read_bytes()).embedding
        assert tables is not None
        expected = reference.directions(tables.dimensions, tables.directions, tables.seed)
        directions = bundle.embedder().directions
        assert directions.dtype == np.int8
        assert np.array_equal(directions, expected)


def test_the_crowd_is_the_nearest_directions(bundles: dict[str, hushbit.Bundle]) -> None:
    """Vectors with ties, with opposite ends, and as large as they may be, against sorting with integers of Python."""
    generator = np.random.default_rng(5)
    for bundle in bundles.values():
        embedder = bundle.embedder(epsilon=3)
        d = embedder.info.dimensions
        shapes: list[NDArray[np.int64]] = [
            np.zeros(d, dtype=np.int64),
            np.eye(d, dtype=np.int64)[3],
            -np.eye(d, dtype=np.int64)[0] * (1 << 61),
            np.ones(d, dtype=np.int64),
            generator.integers(-3, 4, d),
            generator.integers(-(1 << 56), 1 << 56, d),
            np.where(generator.integers(0, 2, d) == 1, 1 << 56, 1) * generator.integers(-1, 2, d),
        ]
        for vector in shapes:
            scores = embedder.directions.astype(object) @ vector.astype(object)
            expected = [j for _, j in sorted(zip((-scores).tolist(), range(len(scores)), strict=True))]
            crowd = _core.text_crowd(embedder._native, vector).tolist()
            assert crowd == expected[: embedder.info.crowd_directions]


def test_vectors_that_could_overflow_are_refused(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder()
    vector = np.full(embedder.info.dimensions, 1 << 60, dtype=np.int64)
    with pytest.raises(InvalidArgumentError, match="2\\^62"):
        _core.text_crowd(embedder._native, vector)
    with pytest.raises(InvalidArgumentError, match="2\\^62"):
        _core_testing.draw_directions(embedder._native, np.full_like(vector, -(1 << 63)), 1)


@pytest.mark.parametrize("zero", [False, True])
def test_draws_have_the_stated_distribution(bundle: hushbit.Bundle, zero: bool) -> None:
    """Chi-square over all directions, each crowd member and each other one its own cell; false alarm 1 in 10⁶."""
    embedder = bundle.embedder(epsilon=2)
    info = embedder.info
    vector = np.arange(info.dimensions, dtype=np.int64) * (0 if zero else 1)
    count = 60_000
    drawn = np.bincount(_core_testing.draw_directions(embedder._native, vector, count, SEED), minlength=info.directions)
    chance = np.full(info.directions, 1 / info.directions)
    if not zero:
        share = info.crowd_threshold / 2**64
        chance *= 1 - share
        chance[_core.text_crowd(embedder._native, vector)] += share / info.crowd_directions
    assert stats.chisquare(drawn, count * chance).pvalue > 1e-6


def test_crowd_sizes_are_the_best_ones(bundles: dict[str, hushbit.Bundle]) -> None:
    for bundle in bundles.values():
        for epsilon in (0.0, 0.12, 0.13, 1.0, 2.0, 3.3, 6.0, 8.0, 11.9, 12.0, 40.0):
            info = bundle.embedder(epsilon=epsilon).info
            assert info.crowd_directions == reference.crowd_size(info.dimensions, info.directions, epsilon)


def test_an_embedding_has_its_direction(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder()
    released = embedder.embed(TEXT)
    assert released.direction == tuple(embedder.directions[released.index].tolist())
    assert released.epsilon == embedder.epsilon <= 2
    assert json.loads(json.dumps(released.to_dict()))["index"] == released.index
    assert hushbit.testing.embed(embedder, TEXT, SEED) == hushbit.testing.embed(embedder, TEXT, SEED)


def test_many_texts(bundle: hushbit.Bundle) -> None:
    """A device key makes all three ways agree."""
    embedder = bundle.embedder(device_key=KEY)
    texts = [TEXT, "", "blorb", *(f"dog {i}" for i in range(600))]
    single = [embedder.embed(text).index for text in texts]
    assert [released.index for released in embedder.embed_many(texts, threads=2)] == single
    for threads in (1, 3):
        indexes = embedder.embed_indexes(texts, threads=threads)
        assert indexes.dtype == np.uint32
        assert indexes.tolist() == single
    assert embedder.embed_indexes([]).tolist() == []
    assert embedder.embed_indexes(["dog"], threads=8).tolist() == [embedder.embed("dog").index]


def test_a_text_that_fails_among_many(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder()
    texts = ["dog"] * 300 + ["secret \ud800"] + ["dog"] * 5
    for call in (embedder.embed_indexes, lambda texts: list(embedder.embed_many(texts))):
        with pytest.raises(InvalidTextError) as failure:
            call(texts)
        assert "at index 300" in failure.value.__notes__[0]
        assert "secret" not in str(failure.value)
    with pytest.raises(TypeError, match="one str"):
        embedder.embed_indexes("dog")
    with pytest.raises(InvalidArgumentError, match="threads"):
        embedder.embed_many(["dog"], threads=0)


def test_memoized_embeddings_repeat_for_the_same_text(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder(device_key=KEY)
    assert embedder.info.memoized
    texts = [f"{a} {b}" for a in ("dog", "home", "blorb", "zork") for b in ("the", "not", "qux")]
    first = embedder.embed_indexes(texts)
    assert np.array_equal(first, embedder.embed_indexes(texts))
    assert np.array_equal(first, embedder.embed_indexes([text.upper().replace(" ", ", ") for text in texts]))
    for other in (
        bundle.embedder(device_key=KEY, epoch=1),
        bundle.embedder(device_key=KEY, epsilon=2.01),
        bundle.embedder(device_key=KEY[::-1]),
    ):
        assert (other.embed_indexes(texts) != first).sum() > 6  # of 12; by chance all but 1 in 10⁶ times


def test_budget_counts_texts(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    budget = hushbit.Budget(tmp_path / "budget", worst_case_lifetime=5.0)
    embedder = bundle.embedder(epsilon=2, budget=budget)
    embedder.embed(TEXT)
    list(embedder.embed_many([""]))
    state = budget.state
    assert state.tokens_lifetime == 2
    assert (state.texts_today, state.texts_lifetime) == (2, 2)
    assert state.worst_case_lifetime == pytest.approx(4.0, abs=1e-5)
    with pytest.raises(BudgetExhaustedError):
        embedder.embed_indexes([TEXT])
    with pytest.raises(InvalidTextError):
        bundle.embedder(budget=budget).embed("\ud800")
    assert budget.state.tokens_lifetime == 2


def test_audit_log_says_the_cost_only(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    log = tmp_path / "log"
    embedder = bundle.embedder(epsilon=2, audit_log=log)
    embedder.embed(TEXT)
    embedder.embed("")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[0] == lines[1]
    assert set(lines[0]) == {"day", "bundle", "mechanism", "memoized", "unit", "epsilon", "worst_case"}
    assert (lines[0]["mechanism"], lines[0]["unit"], lines[0]["memoized"]) == ("embedding", "text", False)
    assert lines[0]["worst_case"] == lines[0]["epsilon"] == pytest.approx(2)
    assert lines[0]["bundle"] == bundle.info.hash
    with pytest.raises(StorageFailedError):
        bundle.embedder(audit_log=tmp_path)


def test_nearest_words(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder()
    words = [bundle.word(id) for id in bundle._native.output_words().tolist()]
    vectors = np.array(embedder.vectors(words), dtype=float)
    direction = np.linspace(-1, 1, embedder.info.dimensions)
    found = embedder.nearest_words(direction, 5)
    # A vector of a text is that of its word times a weight, unless the weight is 0 or the word is no text of its own.
    by_word = dict(zip(words, vectors, strict=True))
    for near in found:
        vector = by_word[near.word]
        if vector.any():
            cosine = vector @ direction / np.linalg.norm(vector) / np.linalg.norm(direction)
            assert near.cosine == pytest.approx(cosine)
    cosines = [near.cosine for near in found]
    assert cosines == sorted(cosines, reverse=True)
    everything = embedder.nearest_words(direction, bundle.info.output_words)
    assert everything[:5] == found
    assert len({near.word for near in everything}) == bundle.info.output_words
    with pytest.raises(InvalidArgumentError, match="direction has"):
        embedder.nearest_words(direction[1:])
    with pytest.raises(InvalidArgumentError, match="not finite"):
        embedder.nearest_words(direction * math.nan)
    with pytest.raises(InvalidArgumentError, match="k is 0"):
        embedder.nearest_words(direction, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": math.nan}, "epsilon"),
        ({"epsilon": math.inf}, "epsilon"),
        ({"punctuation": "keep"}, "punctuation"),
        ({"device_key": b"short"}, "device_key"),
        ({"epoch": -1}, "epoch"),
    ],
)
def test_impossible_options(bundle: hushbit.Bundle, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        bundle.embedder(**options)


def test_a_bundle_without_an_embedding_says_so(vectors: Path) -> None:
    bundle = hushbit.open(vectors / "words-64.hushbit")
    with pytest.raises(InvalidArgumentError, match="has no embedding"):
        bundle.embedder()


def test_pickled_as_its_description(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder(epsilon=3, punctuation="privatize")
    again = pickle.loads(pickle.dumps(embedder))
    assert again.info == embedder.info
    assert again.punctuation == "privatize"
    assert copy.deepcopy(embedder) is embedder
    with pytest.raises(TypeError, match="device key"):
        pickle.dumps(bundle.embedder(device_key=KEY))
    assert "epsilon 3 per text" in repr(embedder)


def test_damaged_sections_are_refused(vectors: Path) -> None:
    """Each number of the section's header out of range, with the table's hash and CRCs made to fit."""
    data = (vectors / "embed-128.hushbit").read_bytes()
    section = _section(data)
    changed = [section[:-1], section + b"\0", section[:63]]
    for at, value in ((0, 0), (0, 12), (0, 72), (4, 1), (4, 65537), (16, 1), (60, 1)):
        changed.append(section[:at] + struct.pack("<I", value) + section[at + 4 :])
    for bad in changed:
        with pytest.raises(HushbitError, match="damaged"):
            _core.Bundle.from_bytes(with_section(data, 13, bad))


def _section(data: bytes) -> bytes:
    info = _core.Bundle.from_bytes(data).sections()[-1]
    assert info.name == "embedding"
    return data[info.offset : info.offset + info.length]
