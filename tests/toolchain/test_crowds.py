"""How crowds are made: output words, weights, stand-ins, lists and grades."""

import math
import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import CrowdSize
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.bundle import BundleOptions, build_bundle
from hushbit.toolchain.bundle.crowd_sections import encode_crowds
from hushbit.toolchain.crowds import (
    GRADES,
    MANY,
    CrowdOptions,
    Crowds,
    Grade,
    build_crowds,
    choose_outputs,
    excluded_words,
    word_weights,
)
from hushbit.toolchain.crowds.grades import SLOPE_ONE, coin, crowd_mass, grade_for, narrowing
from hushbit.toolchain.crowds.outputs import is_written_in_letters
from hushbit.toolchain.crowds.public_words import public_ids, public_words
from hushbit.toolchain.defaults import EXPORTED_EPSILON, FUNCTION_WORDS, SENSITIVE_WORDS
from hushbit.toolchain.embeddings import Embeddings, Source

TOY_GRADES = (Grade(MANY, math.inf, ((0.1, 1.0), (0.3, 0.5))),)


def taper(segments: list[tuple[int, int]], at: int) -> int:
    """G, from its definition."""
    mass = start = 0
    for end, slope in segments:
        if at <= start:
            break
        mass += (min(at, end) - start) * slope // SLOPE_ONE
        start = end
    return mass


@pytest.fixture(scope="module")
def toy() -> tuple[Crowds, NDArray[np.float32]]:
    generator = np.random.default_rng(5)
    words = [*sorted(f"{a}{b}{c}".encode() for a in "abcde" for b in "abcd" for c in "abcd"), b"zz 9", b"zz-1"]
    vectors = generator.normal(size=(len(words), 12)).astype(np.float32)
    ranks = generator.permutation(len(words)).astype(np.intp)
    options = CrowdOptions(outputs=40, centers=12, grades=TOY_GRADES, components=0)
    return build_crowds(words, ranks, vectors, options), vectors


def test_letters_with_single_joiners_inside() -> None:
    words = ["cat", "don't", "so-called", "naïve", "今天", "हिन्दी", "-", "a--b", "'s", "rock'", "r2d2", "", "a b"]
    assert [word for word in words if is_written_in_letters(word)] == words[:6]


def test_outputs_are_the_most_frequent_words_in_letters() -> None:
    words = ["the", ",", "of", "1999", "cat", "dog"]
    assert choose_outputs(words, 3).tolist() == [0, 2, 4]
    assert choose_outputs(words, 99).tolist() == [0, 2, 4, 5]
    assert choose_outputs(words, "all").tolist() == list(range(6))
    assert choose_outputs(words, ["dog", "1999", "dog"]).tolist() == [3, 5]


def test_output_words_that_are_not_there_are_counted_and_named() -> None:
    with pytest.raises(InvalidArgumentError, match=r"2 output words are not in the vocabulary: 'cow', 'ox'$"):
        choose_outputs(["cat", "dog"], ["cow", "cat", "ox"])
    with pytest.raises(InvalidArgumentError, match=r"7 .*: '0', '1', '2', '3', '4', …$"):
        choose_outputs(["cat"], [str(i) for i in range(7)])
    with pytest.raises(InvalidArgumentError, match="1 output words are too few"):
        choose_outputs(["cat", "9"], 5)


def test_weights_fall_with_the_rank() -> None:
    weights = word_weights(16_384, 1.0)
    assert (np.diff(weights.astype(np.int64)) <= 0).all()
    assert weights[-1] >= 1
    assert int(weights.sum(dtype=np.uint64)) < 1 << 32
    assert weights[0] / weights[990] == pytest.approx(100, rel=1e-3)
    assert len(set(word_weights(100, 0.0).tolist())) == 1
    with pytest.raises(InvalidArgumentError, match="exponent"):
        word_weights(10, -0.5)


@given(
    st.lists(st.integers(1, 1000), min_size=2, max_size=60),
    st.lists(st.tuples(st.floats(0.001, 0.2), st.floats(0.01, 1)), min_size=1, max_size=4),
)
def test_shares_never_exceed_weights_and_every_crowd_has_the_same_mass(
    weights: list[int], steps: list[tuple[float, float]]
) -> None:
    ends = np.cumsum([end for end, _ in steps]).tolist()
    grade = Grade(MANY, math.inf, tuple(zip(ends, [slope for _, slope in steps], strict=True)))
    segments = grade.integers(sum(weights))
    end = segments[-1][0]
    assert all(a < b for a, b in pairwise([0, *[place for place, _ in segments]]))
    assert taper(segments, end) == crowd_mass(segments)
    for order in (weights, sorted(weights), sorted(weights, reverse=True)):
        if sum(weights) < end:
            continue
        reached = [0, *np.cumsum(order).tolist()]
        shares = [taper(segments, min(b, end)) - taper(segments, min(a, end)) for a, b in pairwise(reached)]
        assert all(0 <= share <= weight for share, weight in zip(shares, order, strict=True))
        assert sum(shares) == crowd_mass(segments)


@pytest.mark.parametrize(
    "segments", [(), ((0.2, 1.0), (0.1, 0.5)), ((1.0, 1.0),), ((0.1, 1.5),), ((0.1, 0.0),), ((0.1, -0.5),)]
)
def test_grades_that_cannot_be(segments: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(InvalidArgumentError):
        Grade(MANY, math.inf, segments)


def test_the_default_grades_end_with_any_epsilon() -> None:
    for size in {grade.size for grade in GRADES}:
        limits = [grade.up_to for grade in GRADES if grade.size == size]
        assert limits == sorted(limits)
        assert limits[-1] == math.inf


def test_nothing_falls_as_epsilon_rises() -> None:
    """The integers of the built-in bundle decide: neither λ nor the chance of a word of full share, which is what a
    crowd keeps, falls at any hundredth of ε; between two hundredths λ may fall by at most one in 200.
    """
    total = 2_147_483_674

    def mass_at(epsilon: float) -> int:
        return crowd_mass(grade_for(GRADES, MANY, epsilon).integers(total))

    coins, shares = [], []
    for step in range(1, 1200):
        epsilon = step / 100
        coins.append(coin(epsilon, mass_at(epsilon), total))
        shares.append(coins[-1] / mass_at(epsilon))
        if step > 1:
            between = epsilon - 0.0099
            assert coin(between, mass_at(between), total) > coins[-2] * 0.995
    assert np.diff(coins).min() >= 0
    assert np.diff(shares).min() > 0
    by_limit = {grade.up_to: grade.segments for grade in GRADES if grade.size == MANY}
    assert by_limit[5.25] == ((0.005, 1.0), (0.02, 0.3))
    assert grade_for(GRADES, MANY, 6.0).segments == by_limit[6.25] == ((0.0025, 1.0), (0.01, 0.3))
    assert grade_for(GRADES, MANY, 7.0).segments == by_limit[math.inf] == ((0.001, 1.0), (0.01, 0.3))


def test_rows_between_grades_need_equal_slopes() -> None:
    with pytest.raises(InvalidArgumentError, match="only the ends"):
        narrowing(Grade(MANY, 5.0, ((0.1, 1.0),)), Grade(MANY, 6.0, ((0.05, 0.5),)))


def test_standins_and_lists_are_the_nearest_by_cosine(toy: tuple[Crowds, NDArray[np.float32]]) -> None:
    crowds, vectors = toy
    centered = vectors - vectors.mean(axis=0)
    units = centered / np.linalg.norm(centered, axis=1, keepdims=True)
    cosines = units @ units[crowds.outputs].T
    own = crowds.outputs
    assert crowds.standins[own].tolist() == list(range(len(own)))
    others = np.setdiff1d(np.arange(len(vectors)), own)
    assert (crowds.standins[others] == cosines[others].argmax(axis=1)).all()
    centers = [entries[0] for entries in crowds.lists]
    assert len(set(centers)) == 12
    between = cosines[own][:, centers]
    assert (crowds.center_of[centers] == np.arange(12)).all()
    borrowing = np.setdiff1d(np.arange(len(own)), centers)
    assert (crowds.center_of[borrowing] == between[borrowing].argmax(axis=1)).all()
    reach = max(grade.integers(crowds.mass)[-1][0] for grade in crowds.grades)
    for entries in crowds.lists:
        by_nearness = np.argsort(-cosines[own[entries[0]]], kind="stable")
        assert entries.tolist() == by_nearness[: len(entries)].tolist()
        reached = np.cumsum(crowds.weights[entries].astype(np.int64))
        assert reached[-1] >= reach > reached[-2]


def test_centers_are_the_most_frequent_output_words(toy: tuple[Crowds, NDArray[np.float32]]) -> None:
    crowds, _ = toy
    centers = [entries[0] for entries in crowds.lists]
    assert sorted(crowds.weights[centers].tolist()) == sorted(crowds.weights.tolist())[-12:]


def test_crowds_that_would_hold_everything_are_refused() -> None:
    words = [b"a", b"b", b"c"]
    vectors = np.eye(3, dtype=np.float32)
    grades = (Grade(MANY, math.inf, ((0.9999999999, 1.0),)),)
    with pytest.raises(InvalidArgumentError, match="3 output words are too few for crowds"):
        build_crowds(words, np.arange(3), vectors, CrowdOptions(grades=grades, components=0))


def test_sections_hold_what_the_crowds_say(toy: tuple[Crowds, NDArray[np.float32]]) -> None:
    crowds, vectors = toy
    sections = encode_crowds(crowds, len(vectors), public=[80, 3])
    count = len(crowds.outputs)
    assert struct.unpack_from("<II", sections.outputs) == (count, 0)
    assert unpacked(sections.outputs[8:], 7, count) == crowds.outputs.tolist()
    assert unpacked(sections.standins, 6, len(vectors)) == crowds.standins.tolist()
    assert np.diff(np.frombuffer(sections.weights, "<u4"), prepend=0).tolist() == crowds.weights.tolist()
    assert sections.crowds is not None
    centers, flags, entries, _ = struct.unpack_from("<IIII", sections.crowds)
    assert (centers, flags, entries) == (12, 1, sum(map(len, crowds.lists)))
    starts = np.frombuffer(sections.crowds, "<u4", centers + 1, 16)
    assert np.diff(starts).tolist() == [len(one) for one in crowds.lists]
    at = 16 + 4 * (centers + 1)
    at += -at % 8
    assert unpacked(sections.crowds[at:], 4, count) == crowds.center_of.tolist()
    at += -(-count * 4 // 64) * 8
    assert unpacked(sections.crowds[at:], 6, entries) == np.concatenate(crowds.lists).tolist()
    assert sections.grades is not None
    rows, _ = struct.unpack_from("<II", sections.grades)
    size, segments, up_to, *numbers = struct.unpack_from("<IId8I", sections.grades, 8)
    assert (rows, size, segments, up_to) == (1, 3, 2, math.inf)
    assert list(zip(numbers[0:4:2], numbers[1:4:2], strict=True)) == crowds.grades[0].integers(crowds.mass)
    assert sections.public == struct.pack("<IIII", 2, 0, 3, 80)


def unpacked(data: bytes, width: int, count: int) -> list[int]:
    number = int.from_bytes(data, "little")
    return [number >> width * i & (1 << width) - 1 for i in range(count)]


def test_public_words_are_never_output_words() -> None:
    words = sorted(word.encode() for word in ["the", "of", "cat", "dog", "cow"])
    found, missing = public_ids(words, public_words(FUNCTION_WORDS))
    assert [words[i] for i in found] == [b"of", b"the"]
    assert "a" in missing
    vectors = np.random.default_rng(1).normal(size=(5, 4)).astype(np.float32)
    options = CrowdOptions(grades=TOY_GRADES, components=0)
    crowds = build_crowds(words, np.arange(5), vectors, options, public=found)
    assert [words[i] for i in crowds.outputs] == [b"cat", b"cow", b"dog"]


# ---- The bundle that is exported -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported() -> tuple[_core.Bundle, Crowds]:
    generator = np.random.default_rng(8)
    words = [f"{a}{b}{c}" for a in "abcdef" for b in "abcdef" for c in "abcdef"] + ["the", "of", "90 21", "x-9"]
    order = generator.permutation(len(words))
    words = [words[i] for i in order if " " not in words[i]]
    vectors = generator.normal(size=(len(words), 16)).astype(np.float32)
    embeddings = Embeddings(words, vectors, Source("toy", "0" * 64), len(words), 0, [])
    chosen = CrowdOptions(outputs=150, centers=40, components=1)
    options = BundleOptions(
        bits=64, binarizer="projection", mechanism="crowd", crowds=chosen, public_words=("the", "nowhere")
    )
    data, report = build_bundle(embeddings, options)
    assert "1 public words are not in the vocabulary" in report.warnings[-1]
    spelled = sorted((word.encode(), i) for i, word in enumerate(words))
    ranks = np.array([i for _, i in spelled])
    public = [i for i, (word, _) in enumerate(spelled) if word == b"the"]
    return _core.Bundle.from_bytes(data), build_crowds(
        [word for word, _ in spelled], ranks, vectors[ranks], chosen, public=public
    )


def test_the_core_reads_the_crowds_that_export_made(exported: tuple[_core.Bundle, Crowds]) -> None:
    bundle, crowds = exported
    bundle.verify()
    info = bundle.info()
    assert (info.format_minor, info.default_mechanism, info.default_crowd_size) == (2, "crowd", "many")
    # 150 words are so few that the usual default would leave more than half of them unchanged.
    assert (info.default_epsilon, info.output_words, info.public_words) == (EXPORTED_EPSILON - 0.5, 150, 1)
    assert info.default_epsilon_brr > 0
    assert info.default_epsilon_tem > 0
    assert bundle.output_words().tolist() == crowds.outputs.tolist()
    everything = np.arange(info.words, dtype=np.uint32)
    assert bundle.stand_ins(everything).tolist() == crowds.outputs[crowds.standins].tolist()


@pytest.mark.parametrize(("size", "epsilon"), [("few", 6.0), ("many", 4.0), ("many", 6.0), ("many", 9.0)])
def test_shares_in_the_core_are_those_of_the_grades(
    exported: tuple[_core.Bundle, Crowds], size: CrowdSize, epsilon: float
) -> None:
    bundle, crowds = exported
    privatizer = _core.Privatizer(bundle, mechanism="crowd", crowd_size=size, epsilon=epsilon, allow_unchanged=True)
    segments = grade_for(crowds.grades, size, epsilon).integers(crowds.mass)
    end = segments[-1][0]
    assert (privatizer.info().crowd_mass, privatizer.info().output_mass) == (crowd_mass(segments), crowds.mass)
    for index, word in enumerate(crowds.outputs.tolist()):
        entries = crowds.lists[crowds.center_of[index]]
        ordered = [index, *entries[entries != index].tolist()]
        reached = [0, *np.cumsum(crowds.weights[ordered].astype(np.int64)).tolist()]
        shares = [taper(segments, min(b, end)) - taper(segments, min(a, end)) for a, b in pairwise(reached)]
        expected = {int(crowds.outputs[y]): share for y, share in zip(ordered, shares, strict=True) if share > 0}
        members = _core.crowd(privatizer, word)
        assert {int(y): int(share) for y, share, _ in members} == expected


def test_the_papers_form_has_no_sections_of_crowds() -> None:
    words = [f"{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    vectors = np.random.default_rng(2).normal(size=(64, 16)).astype(np.float32)
    embeddings = Embeddings(words, vectors, Source("toy", "0" * 64), 64, 0, [])
    chosen = CrowdOptions(outputs="all")
    options = BundleOptions(bits=64, binarizer="projection", mechanism="brr", crowds=chosen, dimensions=0)
    data, report = build_bundle(embeddings, options)
    assert _core.Bundle.from_bytes(data).info().format_minor == 0
    assert report.info.output_words == report.info.words == 64
    with pytest.raises(InvalidArgumentError, match="public words are never drawn as noise"):
        BundleOptions(crowds=chosen, public_words=("the",))


# ---- Words that do not come out --------------------------------------------------------------------------------


def test_excluded_words_are_known_and_never_come_out() -> None:
    words = sorted(word.encode() for word in ["rude", "polite", "cat", "dog", "cow"])
    vectors = np.random.default_rng(1).normal(size=(5, 4)).astype(np.float32)
    options = CrowdOptions(grades=TOY_GRADES, components=0, excluded=("rude", "nowhere"))
    crowds = build_crowds(words, np.arange(5), vectors, options)
    assert [words[i] for i in crowds.outputs] == [b"cat", b"cow", b"dog", b"polite"]
    assert words[crowds.outputs[crowds.standins[words.index(b"rude")]]] != b"rude"


def test_a_word_cannot_be_wanted_and_excluded() -> None:
    words = sorted(word.encode() for word in ["rude", "cat", "dog"])
    vectors = np.eye(3, dtype=np.float32)
    options = CrowdOptions(outputs=["rude", "cat"], grades=TOY_GRADES, components=0, excluded=("rude",))
    with pytest.raises(InvalidArgumentError, match="1 words are both output words and excluded from them, such as 'ru"):
        build_crowds(words, np.arange(3), vectors, options)
    with pytest.raises(InvalidArgumentError, match="not all words can be output words"):
        BundleOptions(crowds=CrowdOptions(outputs="all", excluded=("rude",)))


def test_the_list_of_sensitive_words_has_no_comments_or_duplicates() -> None:
    words = excluded_words(SENSITIVE_WORDS)
    assert len(words) == len(set(words)) > 1000
    assert all(is_written_in_letters(word) and word == word.lower() for word in words)
    assert {"hitler", "rape", "mary"} <= set(words)
    assert not {"april", "london", "mark", "rose", "will", "hope"} & set(words)
