"""Privatizers from Python: what they give, what they refuse, and that nothing typed leaks out of them."""

import copy
import json
import math
import pickle
import random
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import hushbit
import hushbit.testing
from hushbit import _text, errors
from hushbit._text import document_of, privatized_text
from typed import CANARY, slices

SURE = 40.0  # an epsilon at which no bit flips: a word whose code nobody shares stays itself
SEED = bytes(range(32))


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-256.hushbit")


# ---- Privatizers


def test_an_average_pair_costs_no_more_than_the_worst(bundle: hushbit.Bundle) -> None:
    for epsilon in (0.01, 0.3, 3.0, 300.0):
        for mechanism in ("brr", "tem"):
            info = bundle.privatizer(epsilon=epsilon, mechanism=mechanism, oov="drop", allow_unchanged=True).info
            plain = info.effective_epsilon * bundle.info.average_distance
            assert info.average_per_token == pytest.approx(min(plain, info.worst_case_per_token), abs=1e-6)
            assert info.average_per_token <= info.worst_case_per_token
    assert info.average_per_token < plain  # a table of weights has an end


def test_privatizer_info(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=0.5, oov="drop", allow_unchanged=True)
    info = privatizer.info
    assert info.requested_epsilon == 0.5
    assert 0.5 - 1e-12 < info.effective_epsilon <= 0.5
    assert info.flip_probability == pytest.approx(info.flip_threshold / 2**64, rel=1e-15)
    assert info.flip_probability == pytest.approx(1 / (1 + math.exp(0.5)), rel=1e-15)
    assert info.average_per_token == pytest.approx(info.effective_epsilon * bundle.info.average_distance)
    assert info.worst_case_per_token == pytest.approx(info.effective_epsilon * bundle.info.max_distance)
    assert not info.clamped
    assert privatizer.bundle is bundle
    assert (privatizer.mechanism, privatizer.oov, privatizer.punctuation) == ("brr", "drop", "drop")
    assert bundle.privatizer().info.requested_epsilon == bundle.info.default_epsilon
    assert bundle.privatizer(epsilon=0).info.flip_probability == 0.5


def test_epsilon_is_never_shown_alone(bundle: hushbit.Bundle) -> None:
    shown = repr(bundle.privatizer(epsilon=0.5, allow_unchanged=True))
    assert "epsilon 0.5 per differing bit" in shown
    assert f"{0.5 * bundle.info.average_distance:.4g} per token on average" in shown
    assert "at worst" in shown


def test_huge_epsilon_is_clamped(bundle: hushbit.Bundle) -> None:
    info = bundle.privatizer(epsilon=1e9, allow_unchanged=True).info
    assert info.clamped
    assert info.requested_epsilon == 1e9
    assert info.effective_epsilon == pytest.approx(64 * math.log(2), rel=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": -1.0}, "epsilon is -1.0"),
        ({"epsilon": math.nan}, "epsilon is nan"),
        ({"epsilon": math.inf}, "epsilon is inf"),
        ({"mechanism": "laplace"}, "mechanism is 'laplace'"),
        ({"oov": "verbatim"}, "oov is 'verbatim'"),
        ({"punctuation": "keep"}, "punctuation is 'keep'"),
        ({"oov": "mask", "mask": ""}, "mask"),
        ({"oov": "mask", "mask": "x" * 65}, "mask"),
        ({"oov": "mask", "mask": "\ud800"}, "mask"),
    ],
)
def test_privatizer_refuses(bundle: hushbit.Bundle, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        bundle.privatizer(**options)
    assert isinstance(caught.value, hushbit.HushbitError)


# ---- Privatizing


def test_privatized_text(bundle: hushbit.Bundle) -> None:
    text = "The cat, 😀 and QZX-99 slept."
    released = bundle.privatizer(epsilon=0.5, allow_unchanged=True).privatize(text)
    assert slices(text, released.tokens) == ["The", "cat", ",", "😀", "and", "QZX", "-", "99", "slept", "."]
    assert released.text == " ".join(token.replacement for token in released.tokens if token.replacement is not None)
    assert [token.kind for token in released.tokens].count("unknown") == released.cost.unknown == 3
    assert all((token.replacement is None) == (token.kind == "punctuation") for token in released.tokens)
    assert all(token.replacement in bundle for token in released.tokens if token.replacement is not None)
    assert (released.cost.words, released.cost.dropped, released.cost.verbatim) == (3, 4, 0)


def test_cost_is_the_sum_over_released_tokens(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=0.5, allow_unchanged=True)
    cost = privatizer.privatize("the cat, and the qzx.").cost
    assert cost.epsilon == privatizer.info.effective_epsilon
    assert cost.average == pytest.approx(5 * privatizer.info.average_per_token)
    assert cost.worst_case == pytest.approx(5 * privatizer.info.worst_case_per_token)


def test_costs_add_up(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=0.5, allow_unchanged=True)
    one, two = (privatizer.privatize(text).cost for text in ("the cat", "and a qzx!"))
    both = one + two
    assert both.average == pytest.approx(one.average + two.average)
    assert both.worst_case == pytest.approx(one.worst_case + two.worst_case)
    assert (both.epsilon, both.words, both.unknown, both.dropped) == (one.epsilon, 4, 1, 1)
    assert sum([one, two]) == sum([one, two], hushbit.Cost.zero()) == both
    assert sum([], hushbit.Cost.zero()) == hushbit.Cost.zero()
    for nothing in (1, 0.0, None, "0"):
        with pytest.raises(TypeError):
            nothing + one
    with pytest.raises(errors.InvalidArgumentError, match="different epsilons"):
        one + bundle.privatizer(epsilon=1, allow_unchanged=True).privatize("the cat").cost


def cost_of(worst_case: float) -> hushbit.Cost:
    return replace(hushbit.Cost.zero(), epsilon=0.5, average=worst_case / 2, worst_case=worst_case, words=1)


def test_sums_of_costs_are_rounded_up() -> None:
    """Each sum is the smallest double that is not below the exact one, unless all are numbers of millionths."""
    generator = random.Random(1)
    values = [0.0, 5e-324, 1e-310, 0.1, 0.2, 1.0, 2.0**-53, 2.0**53, 1e300]
    values += [generator.uniform(0, 1) * 10 ** generator.randint(-20, 20) for _ in range(200)]
    for a in values:
        for b in generator.choices(values, k=20):
            both = (cost_of(a) + cost_of(b)).worst_case
            if all(value < 1e9 and round(value * 1e6) / 1e6 == value for value in (a, b)):
                assert both == (round(a * 1e6) + round(b * 1e6)) / 1e6
                continue
            exact = Fraction(a) + Fraction(b)
            assert Fraction(both) >= exact
            assert both == 0 or Fraction(math.nextafter(both, 0)) < exact
    assert sum(cost_of(0.1) for _ in range(10)).worst_case == 1  # type: ignore[union-attr]
    assert sum(map(cost_of, [18.1, 18.1, 17.8])).worst_case == 54  # type: ignore[union-attr]
    assert sum(map(cost_of, [0.1] * 10 + [1e-7])).worst_case > 1  # type: ignore[union-attr]
    largest = math.nextafter(math.inf, 0)
    for a, b in ((math.inf, 1.0), (1.0, math.inf), (math.inf, math.inf), (largest, largest)):
        assert (cost_of(a) + cost_of(b)).worst_case == math.inf


def test_results_turn_into_dictionaries(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    budget = hushbit.Budget(tmp_path / "a.budget")
    privatizer = bundle.privatizer(oov="verbatim-unsafe", budget=budget)
    released = privatizer.privatize("the Qzx!")
    records: list[Any] = [
        released,
        *released.tokens,
        released.cost,
        bundle.info,
        *bundle.info.sections,
        privatizer.info,
    ]
    records += [*bundle.tokenize("the Qzx!"), *bundle.neighbors("the", 2), budget.state]
    for record in records:
        made = record.to_dict()
        assert list(made) == [field.name for field in fields(record)]
        assert json.loads(json.dumps(made, allow_nan=False)) == made  # so all of it is what JSON has
    assert released.to_dict()["cost"] == released.cost.to_dict()
    assert released.cost.to_dict()["worst_case"] == "Infinity"
    assert released.to_dict()["tokens"][1] == released.tokens[1].to_dict()
    assert released.to_dict()["tokens"][1]["replacement"] == "Qzx"
    assert bundle.info.to_dict()["sections"][0]["name"] == bundle.info.sections[0].name
    assert budget.state.to_dict()["day"] == budget.state.day.isoformat()


@pytest.mark.parametrize("text", ["", " \t\n", "\0", "!", "🙂🙂", "cat\0cat", "x" * 100_000, "the " * 10_000])
def test_any_text_goes(bundle: hushbit.Bundle, text: str) -> None:
    released = bundle.privatizer(epsilon=SURE, allow_unchanged=True).privatize(text)
    assert len(released.text.split()) == sum(token.replacement is not None for token in released.tokens)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("drop", "the cat music"), ("mask", "the cat <?> music <?>"), ("verbatim-unsafe", "the cat QZX music Zxq")],
)
def test_policies_for_unknown_tokens(bundle: hushbit.Bundle, policy: Any, expected: str) -> None:
    released = bundle.privatizer(epsilon=SURE, oov=policy, mask="<?>", allow_unchanged=True).privatize(
        "The cat QZX music Zxq."
    )
    assert released.text == expected
    assert released.cost.unknown == 2


def test_verbatim_costs_infinitely_much(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(oov="verbatim-unsafe")
    cost = privatizer.privatize("the qzx").cost
    assert (cost.average, cost.worst_case, cost.verbatim) == (math.inf, math.inf, 1)
    assert math.isfinite(privatizer.privatize("the cat").cost.worst_case)


def test_punctuation_can_be_privatized(bundle: hushbit.Bundle) -> None:
    released = bundle.privatizer(epsilon=SURE, punctuation="privatize", allow_unchanged=True).privatize("cat!")
    assert released.text == "cat !"
    assert released.cost.words == 2


def test_fresh_noise_every_time(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=0)
    # A repetition of 20 uniform words has a probability of far less than 1e-40.
    assert privatizer.privatize("cat " * 20).text != privatizer.privatize("cat " * 20).text


def test_many_texts_keep_their_order(bundle: hushbit.Bundle) -> None:
    words = ["cat", "music", "road", "hard", "password", "sun"]
    texts = [" ".join([words[i % len(words)]] * (i % 7)) for i in range(200)]
    privatizer = bundle.privatizer(epsilon=SURE, allow_unchanged=True)
    assert [released.text for released in privatizer.privatize_many(texts, threads=4)] == texts
    assert [released.text for released in privatizer.privatize_many(iter(texts))] == texts
    assert list(privatizer.privatize_many([])) == []


def test_many_texts_say_which_failed(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(oov="error")
    with pytest.raises(errors.UnknownWordError) as caught:
        list(privatizer.privatize_many(["the cat", f"the {CANARY}", "\ud800"], threads=2))
    assert caught.value.position == 4
    assert "index 1" in caught.value.__notes__[0]
    with pytest.raises(TypeError, match="not one str"):
        privatizer.privatize_many("the cat")
    with pytest.raises(TypeError) as wrong:
        list(privatizer.privatize_many(["the", 3]))  # type: ignore[list-item]
    assert "index 1" in wrong.value.__notes__[0]
    with pytest.raises(errors.InvalidArgumentError, match="threads"):
        privatizer.privatize_many(["the"], threads=0)


def test_threads_share_a_privatizer(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=SURE, allow_unchanged=True)
    texts = [" ".join(["cat", "music"] * (1 + i)) for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert [released.text for released in pool.map(privatizer.privatize, texts * 5)] == texts * 5


# ---- Seeded, for tests


def test_seeded_is_repeatable(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=0.5, allow_unchanged=True)
    text = "the cat and the qzx slept"
    first = hushbit.testing.privatize(privatizer, text, SEED)
    assert first == hushbit.testing.privatize(privatizer, text, SEED)
    assert first.text != hushbit.testing.privatize(privatizer, text, bytes(32)).text
    with pytest.raises(errors.InvalidArgumentError, match="32"):
        hushbit.testing.privatize(privatizer, text, b"short")
    with pytest.raises(TypeError, match="seed must be bytes"):
        hushbit.testing.privatize(privatizer, text, 7)  # type: ignore[arg-type]


# ---- What must not happen


@pytest.mark.parametrize("text", [b"bytes", bytearray(b"x"), None, 7, ["the"]])
def test_only_str_is_text(bundle: hushbit.Bundle, text: Any) -> None:
    for call in (bundle.privatizer().privatize, bundle.tokenize):
        with pytest.raises(TypeError, match=f"text must be str, not {type(text).__name__}"):
            call(text)


def test_lone_surrogates_are_refused_with_their_place(bundle: hushbit.Bundle) -> None:
    for call in (bundle.privatizer().privatize, bundle.tokenize):
        with pytest.raises(errors.InvalidTextError, match="character 3, byte 7") as caught:
            call(f"é😀 \udc80{CANARY}")
        assert caught.value.position == 7
        assert_clean(caught.value)


def test_errors_hold_nothing_typed(bundle: hushbit.Bundle) -> None:
    with pytest.raises(errors.UnknownWordError) as caught:
        bundle.privatizer(oov="error").privatize(f"the {CANARY}")
    assert caught.value.position == 4
    assert_clean(caught.value)


def assert_clean(error: BaseException) -> None:
    """The error, and every error it came from, shows nothing of the text."""
    assert error.__cause__ is None
    assert error.__context__ is None
    assert CANARY not in repr(error) + str(error) + repr(error.__dict__) + repr(error.args)
    assert CANARY not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("oov", ["random", "drop", "mask"])
def test_results_hold_nothing_typed(bundle: hushbit.Bundle, oov: Any) -> None:
    released = bundle.privatizer(oov=oov).privatize(f"the {CANARY}, {CANARY.lower()} {CANARY.upper()}")
    shown = repr(released) + str(released) + repr(released.tokens) + released.text
    assert CANARY.lower() not in shown.lower()
    assert "token" not in repr(released)  # ranges and kinds tell of the text as typed


def test_token_repr_hides_which_word_it_is(bundle: hushbit.Bundle) -> None:
    assert "word_id" not in repr(bundle.tokenize("cat"))


def test_results_are_frozen(bundle: hushbit.Bundle) -> None:
    released = bundle.privatizer().privatize("the cat")
    for record, name in ((released, "text"), (released.cost, "epsilon"), (released.tokens[0], "kind")):
        with pytest.raises(FrozenInstanceError):
            setattr(record, name, "x")
        assert not hasattr(record, "__dict__")
    assert pickle.loads(pickle.dumps(released)) == released


def test_a_bundle_refuses_to_be_pickled(bundle: hushbit.Bundle) -> None:
    for act in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            act(bundle)


def test_a_privatizer_outlives_its_bundle(vectors: Path) -> None:
    privatizer = hushbit.open(vectors / "words-256.hushbit").privatizer(epsilon=SURE, allow_unchanged=True)
    assert privatizer.privatize("cat").text == "cat"


# ---- Errors


def test_every_status_has_its_error() -> None:
    for status in range(1, 10):
        error = errors.from_status(status, "what, where, what to do", 7)
        assert type(error) is not hushbit.HushbitError
        assert (str(error), error.position) == ("what, where, what to do", 7)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.position) == (type(error), str(error), 7)
    assert type(errors.from_status(99, "x", 0)) is hushbit.HushbitError


# ---- What the command line uses in place of texts


def test_lines_are_privatized_up_to_the_first_that_fails(bundle: hushbit.Bundle) -> None:
    native = bundle.privatizer(epsilon=SURE, oov="error", allow_unchanged=True)._native
    results, error = native.privatize_lines([b"the cat", b"", b"music.", f"the {CANARY}".encode(), b"the"])
    assert [result.text for result in results] == [b"the cat", b"", b"music"]
    assert isinstance(error, errors.UnknownWordError)
    assert error.position == 4
    assert error.__traceback__ is None
    assert native.privatize_lines([]) == ([], None)
    assert isinstance(native.privatize_lines([b"the", b"\xff"])[1], errors.InvalidTextError)


def test_documents_and_costs_without_records(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=0.5, oov="mask", allow_unchanged=True)
    results, _ = privatizer._native.privatize_lines([text.encode() for text in ("The cat, 😀 QZX-99", "", "music")])
    released = [privatized_text(result) for result in results]
    assert [document_of(result) for result in results] == [text.to_dict() for text in released]
    assert released[0].tokens is released[0].tokens
    assert released[0] == privatized_text(results[0]) != released[2]
    together = _text.cost_of(results)
    assert together.worst_case == pytest.approx(
        sum((text.cost for text in released), hushbit.Cost.zero()).worst_case, rel=1e-15
    )
    assert together.worst_case >= math.fsum(text.cost.worst_case for text in released)
    assert (together.words, together.unknown, together.dropped) == (3, 2, 3)
