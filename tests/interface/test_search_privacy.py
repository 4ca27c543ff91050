"""However a privatizer searches, it draws the same words with the same chances.

The same seed gives the same words on every layout by every search, so one of them stands for all where chances are
tested. Those tests are seeded: their level, 1e-6 for each p-value, is the chance that a correct core would have failed
under a random seed.
"""

import hashlib

import numpy as np
import pytest

from hushbit import _core, _core_testing
from reference.enumeration import distributions
from reference.statistics import chi_square_p
from reference.toys import TOYS, Toy
from search_cases import KINDS, Codes, bundle_of, distances_of, make_codes, searches
from typed import word_of

LEVEL = 1e-6
SEED = hashlib.sha256(b"tests of searches").digest()


def toy_bundle(toy: Toy, index: str) -> _core.Bundle:
    """The codes of a toy in a layout of the product."""
    ids = np.arange(len(toy.words), dtype=np.uint32)
    codes = _core.Bundle.from_bytes(toy.bundle()).codes(ids)
    return bundle_of(codes, index, [word.encode() for word in toy.words])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 3.0])
def test_the_same_seed_gives_the_same_text(kind: str, epsilon: float) -> None:
    generator = np.random.default_rng(5)
    codes = make_codes(kind, 700, 64, generator)
    text = " ".join(map(word_of, generator.integers(720, size=150))).encode()  # some of them unknown
    bundles = {index: bundle_of(codes, index) for index, _ in searches()}
    for mechanism in ("brr", "tem"):
        released = {}
        for index, search in searches():
            privatizer = _core.Privatizer(
                bundles[index], mechanism=mechanism, epsilon=epsilon, search=search, allow_unchanged=True
            )
            result = _core_testing.privatize(privatizer, text, SEED)
            released[index, search] = (result.text, result.noisy_codes.tobytes())
            assert {token.kind for token in result.tokens} == {"word", "unknown"}
        assert len(set(released.values())) == 1
        assert len(set(released["none", "rows"][0].split(b" "))) > 20


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_toys_are_the_same_on_every_layout(toy: Toy) -> None:
    """What the two tests below rest on."""
    words = np.arange(2000, dtype=np.uint32) % len(toy.words)
    for mechanism, epsilon in (("brr", 1.0), ("tem", 0.7)):
        drawn = {
            _core_testing.replace(
                _core.Privatizer(toy_bundle(toy, index), mechanism=mechanism, epsilon=epsilon, search=search),
                words,
                SEED,
            ).tobytes()
            for index, search in searches()
        }
        assert len(drawn) == 1


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_brr_over_clusters_draws_the_enumerated_distribution(toy: Toy) -> None:
    privatizer = _core.Privatizer(toy_bundle(toy, "clusters"), epsilon=1.0, search="clusters")
    rows = distributions(toy.codes, toy.bits, privatizer.info().flip_threshold)
    for word, row in enumerate(rows):
        drawn = _core_testing.replace(privatizer, np.full(20_000, word, dtype=np.uint32), bytes([word, *SEED[1:]]))
        counts = np.bincount(drawn, minlength=len(row))
        assert chi_square_p(counts, [float(chance) * 20_000 for chance in row]) > LEVEL


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_tem_over_clusters_draws_what_its_weights_say(toy: Toy) -> None:
    privatizer = _core.Privatizer(toy_bundle(toy, "both"), mechanism="tem", epsilon=0.7)
    for word, code in enumerate(toy.codes):
        weights = np.array([float(_core.weights(privatizer)[(code ^ other).bit_count()]) for other in toy.codes])
        drawn = _core_testing.replace(privatizer, np.full(20_000, word, dtype=np.uint32), bytes([word, *SEED[1:]]))
        counts = np.bincount(drawn, minlength=len(weights))
        assert chi_square_p(counts, weights / weights.sum() * 20_000) > LEVEL


def many_ties() -> Codes:
    """600 words of three codes, of which that of word 0 has about 200: far more than a search keeps."""
    generator = np.random.default_rng(1)
    codes = make_codes("random", 3, 64, generator)[generator.integers(3, size=600)]
    return np.asarray(codes, dtype=np.uint8)


@pytest.mark.parametrize(("index", "search"), searches())
def test_many_ties_are_broken_uniformly(index: str, search: str) -> None:
    """BRR without noise draws one of the words that have the same code, each with the same chance."""
    codes = many_ties()
    same = np.flatnonzero((codes == codes[0]).all(axis=1))
    assert len(same) > 150
    # At the largest epsilon, of 2^64 coins one flips.
    privatizer = _core.Privatizer(bundle_of(codes, index), epsilon=100.0, search=search, allow_unchanged=True)
    drawn = _core_testing.replace(privatizer, np.full(30_000, 0, dtype=np.uint32), SEED)
    counts = np.bincount(drawn, minlength=len(codes))
    assert counts[same].sum() == 30_000
    assert chi_square_p(counts[same], np.full(len(same), 30_000 / len(same))) > LEVEL


@pytest.mark.parametrize("index", ["none", "clusters", "both"])
def test_tem_draws_uniformly_from_a_shell(index: str) -> None:
    """All codes but one at the same distance of it: more words than the search of a shell keeps in one round."""
    codes = make_codes("tied", 12_000, 64, np.random.default_rng(2))
    codes[0] = 0
    assert set(distances_of(codes[1:], codes[:1]).ravel().tolist()) == {16}
    privatizer = _core.Privatizer(bundle_of(codes, index), mechanism="tem", epsilon=0.5)
    drawn = _core_testing.replace(privatizer, np.zeros(6000, dtype=np.uint32), SEED)
    parts = np.bincount(drawn * 40 // len(codes), minlength=40)  # by id, 300 words each
    weights = _core.weights(privatizer).astype(float)
    expected = np.full(40, 300 * weights[16])
    expected[0] += weights[0] - weights[16]
    assert chi_square_p(parts, expected / expected.sum() * 6000) > LEVEL
