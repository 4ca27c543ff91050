"""The promise of embeddings, in rational arithmetic: every pair of texts of up to three tokens on toy bundles.

Crowds, vectors and coins are the core's; docs/proofs.md has the claim.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

import hushbit
import hushbit.testing
from embedding_toys import TOYS, WORDS
from hushbit import _core
from reference import crowd as reference_crowd
from reference.millionths import at_most_as_stated

UNKNOWN = "zzz"
RANGE = 1 << 64
TEXTS = [" ".join(words) for length in range(4) for words in product((*WORDS, UNKNOWN), repeat=length)]
Row = list[Fraction]


def _crowds(embedder: _core.Embedder) -> Iterator[list[int] | None]:
    """The crowd of each text; None for one without."""
    for vector in _core.text_vectors(embedder, [text.encode() for text in TEXTS]):
        yield _core.text_crowd(embedder, vector).tolist() if vector.any() else None


def _row(info: _core.EmbedderInfo, crowd: list[int] | None) -> Row:
    """The chance of each direction."""
    chance = Fraction(info.crowd_threshold, RANGE) if crowd is not None else Fraction(0)
    row = [(1 - chance) / info.directions] * info.directions
    for direction in crowd or ():
        row[direction] += chance / info.crowd_directions
    return row


def _largest_ratio(rows: list[Row]) -> Fraction:
    """The largest ratio over all pairs of texts and all directions."""
    largest: Fraction = max(max(column) / min(column) for column in zip(*rows, strict=True))
    return largest


def _bound(info: _core.EmbedderInfo) -> Fraction:
    odds = Fraction(info.crowd_threshold, RANGE - info.crowd_threshold)
    return 1 + odds * info.directions / info.crowd_directions


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0, 5.0, 12.0, 70.0])
@pytest.mark.parametrize("name", TOYS)
def test_no_two_texts_are_farther_apart_than_stated(name: str, epsilon: float) -> None:
    embedder = _core.Embedder(TOYS[name], epsilon=epsilon)
    info = embedder.info()
    rows = [_row(info, crowd) for crowd in _crowds(embedder)]
    assert len(rows) == len(TEXTS) == 259
    assert all(sum(row) == 1 for row in rows)
    ratio = _largest_ratio(rows)
    assert ratio <= _bound(info)
    if name == "no vectors":
        assert ratio == 1
    elif info.crowd_directions < info.directions:
        assert ratio == _bound(info)  # tight: the empty text reaches none of a crowd more often
    # The integers promise no more than was asked for, and the reported epsilon is no less than what they promise.
    assert info.effective_epsilon <= epsilon
    exact = reference_crowd.epsilon_of(info.crowd_threshold, info.crowd_directions, info.directions)
    assert min(epsilon, exact) <= info.effective_epsilon <= exact * (1 + 1e-12)


@pytest.mark.parametrize("name", ["small", "many ties", "stand-ins"])
def test_one_direction_less_or_twice_breaks_the_bound(name: str) -> None:
    """Planted faults: a text whose crowd is one smaller than k, and one whose crowd has a member twice."""
    embedder = _core.Embedder(TOYS[name], epsilon=2.0)
    info = embedder.info()
    crowds = list(_crowds(embedder))
    rows = [_row(info, crowd) for crowd in crowds]
    crowd = next(crowd for crowd in crowds if crowd is not None)
    twice = _row(info, [crowd[0], *crowd[:-1]])
    assert sum(twice) == 1
    assert _largest_ratio([*rows, twice]) > _bound(info)
    chance = Fraction(info.crowd_threshold, RANGE)
    smaller = [(1 - chance) / info.directions] * info.directions
    for direction in crowd[:-1]:
        smaller[direction] += chance / (info.crowd_directions - 1)
    assert sum(smaller) == 1
    assert _largest_ratio([*rows, smaller]) > _bound(info)


def test_a_threshold_higher_by_one_costs_more() -> None:
    """The threshold is the largest that promises no more than the epsilon that was asked for."""
    for name, bundle in TOYS.items():
        for epsilon in (0.5, 1.0, 2.0, 3.7, 6.0):
            info = _core.Embedder(bundle, epsilon=epsilon).info()
            limit, size, count = info.crowd_threshold, info.crowd_directions, info.directions
            assert limit == reference_crowd.threshold(at_most_as_stated(epsilon), size, count), name
            assert reference_crowd.epsilon_of(limit + 1, size, count) > at_most_as_stated(epsilon)


def test_texts_are_drawn_with_these_chances() -> None:
    """Chi-square of the whole way from text to index, for some texts of a toy; false alarm 1 in 10⁶ for all of them."""
    native = _core.Embedder(TOYS["small"], epsilon=2.0)
    info = native.info()
    crowds = dict(zip(TEXTS, _crowds(native), strict=True))
    chosen = ["", UNKNOWN, "a", "b e", "c c c", "d zzz a"]
    draws = 20_000
    for text in chosen:
        indexes, error = native.embed_batch(np.arange(draws + 1, dtype=np.int64) * len(text), text.encode() * draws)
        assert error is None
        expected = np.array([float(chance) for chance in _row(info, crowds[text])]) * draws
        found = np.bincount(indexes, minlength=info.directions)
        assert stats.chisquare(found, expected).pvalue > 1e-6 / len(chosen)


@pytest.mark.slow
def test_the_built_in_bundle_draws_with_these_chances() -> None:
    """All directions of two texts, 16,384 cells in groups of 64 by index, members and others apart."""
    embedder = hushbit.open().embedder(epsilon=2)
    info = embedder.info
    draws = 200_000
    for text in ("They charged my card twice for the same ticket.", "so funny and moving, I cried at the end"):
        vector = embedder.vectors([text])[0]
        member = np.zeros(info.directions, dtype=np.int64)
        member[_core.text_crowd(embedder._native, vector)] = 1
        chance = np.full(info.directions, (1 - info.crowd_probability) / info.directions)
        chance += info.crowd_probability * member / info.crowd_directions
        cell = np.arange(info.directions) // 64 * 2 + member
        found = np.bincount(cell[embedder.embed_indexes([text] * draws)], minlength=cell.max() + 1)
        expected = np.bincount(cell, chance, minlength=cell.max() + 1) * draws
        assert expected.min() > 5
        assert stats.chisquare(found, expected).pvalue > 1e-6
