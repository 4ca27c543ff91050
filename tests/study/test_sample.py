"""`hushbit sample`: what a word becomes, against enumeration on toys."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hushbit
from cli_runner import Here, assert_no_canary
from hushbit import errors
from hushbit.study.mechanisms import Brr, CrowdMechanism, HammingTem
from hushbit.study.privacy.becomes import Question, becomes
from reference.enumeration import distributions
from reference.toys import TOYS
from typed import CANARY


@pytest.fixture(scope="module")
def toy_bundle(tmp_path_factory: pytest.TempPathFactory) -> hushbit.Bundle:
    path = tmp_path_factory.mktemp("sample") / "toy.hushbit"
    path.write_bytes(SCATTERED.bundle())
    return hushbit.open(path)


SCATTERED = next(toy for toy in TOYS if toy.name == "scattered")


def test_brr_is_counted_with_intervals(toy_bundle: hushbit.Bundle) -> None:
    """All 12 chances of 12 words lie in intervals that each miss with 5 %: no more than 20 of 144 do.

    More would be missed with a chance below 1e-4.
    """
    question = Question(("brr",), epsilons=(1.0,), top=12, draws=2000)
    found, notes = becomes(toy_bundle, SCATTERED.words, question)
    assert notes == []
    rows = distributions(SCATTERED.codes, SCATTERED.bits, Brr(toy_bundle._native, 1.0).info.flip_threshold)
    missed = 0
    for row, exact in zip(found, rows, strict=True):
        assert not row.exact
        assert row.draws == 2000
        assert row.unchanged.chance == pytest.approx(float(exact[ord(row.word) - 97]), abs=0.07)
        assert row.others == pytest.approx(1 - sum(output.chance for output in row.outputs), abs=1e-12)
        chances = [output.chance for output in row.outputs]
        assert chances == sorted(chances, reverse=True)
        for output in row.outputs:
            missed += not output.low <= float(exact[ord(output.word) - 97]) <= output.high
    assert missed <= 20


def test_tem_is_exact(toy_bundle: hushbit.Bundle) -> None:
    (row,), _ = becomes(toy_bundle, ["c"], Question(("tem",), epsilons=(0.7,), top=3))
    tem = HammingTem(toy_bundle._native, 0.7)
    weights = np.array([float(tem.weights[(SCATTERED.codes[2] ^ code).bit_count()]) for code in SCATTERED.codes])
    chances = dict(zip(SCATTERED.words, weights / weights.sum(), strict=True))
    assert row.exact
    assert len(row.outputs) == 3
    for output in row.outputs:
        assert output.chance == output.low == output.high == pytest.approx(chances[output.word])
    assert row.outputs[0].chance == pytest.approx(max(chances.values()))
    assert row.unchanged.chance == pytest.approx(chances["c"])


@pytest.mark.parametrize("name", ["crowd-few", "crowd-many", "randomized-response"])
def test_crowds_are_exact(vectors: Path, name: str) -> None:
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    word = bundle.word(int(bundle._native.output_words()[5]))
    (row,), _ = becomes(bundle, [word], Question((name,), epsilons=(3.0,), top=10_000))
    assert row.exact
    assert sum(output.chance for output in row.outputs) == pytest.approx(1, abs=1e-12)
    size = {"crowd-few": "few", "crowd-many": "many", "randomized-response": "one"}[name]
    crowds = CrowdMechanism(bundle._native, 3.0, size)  # type: ignore[arg-type]
    counts = crowds.replace(np.full(20_000, bundle.find(word), dtype=np.uint32), generator=np.random.default_rng(1))
    seen = float((counts == bundle.find(word)).mean())
    assert seen == pytest.approx(row.unchanged.chance, abs=6 * 0.5 / 20_000**0.5)


def test_shares_are_matched_between_mechanisms(vectors: Path) -> None:
    bundle = hushbit.open(vectors / "crowds-64.hushbit")
    word = bundle.word(int(bundle._native.output_words()[5]))
    question = Question(("tem", "randomized-response"), shares=(0.2, 0.6))
    found, notes = becomes(bundle, [word], question)
    assert [(row.share, row.mechanism) for row in found] == [
        (share, name) for share in (0.2, 0.6) for name in ("tem", "randomized-response")
    ]
    assert not notes
    # Crowds of many keep a word no more often than its share of the crowd: said, and shown at the usual epsilon.
    found, notes = becomes(bundle, [word], replace(question, mechanisms=("crowd-many",), shares=(0.999,)))
    assert [(row.share, row.mechanism, row.epsilon) for row in found] == [(None, "crowd-many", 6.0)]
    assert "crowd-many is not shown at 0.999" in notes[0]
    assert notes[1] == "crowd-many at epsilon 6 per word instead"


def test_what_cannot_be(toy_bundle: hushbit.Bundle) -> None:
    for wrong in ({"mechanisms": ("none",)}, {"mechanisms": ()}, {"shares": (), "epsilons": ()}, {"epsilons": (1.0,)}):
        with pytest.raises(errors.InvalidArgumentError):
            replace(Question(("brr",), shares=(0.5,)), **wrong)
    with pytest.raises(errors.UnknownWordError):
        becomes(toy_bundle, ["nowhere"], Question(("brr",), epsilons=(1.0,)))
    with pytest.raises(errors.InvalidArgumentError, match="need the vectors"):
        becomes(toy_bundle, ["a"], Question(("madlib",), epsilons=(1.0,)))


def test_command(vectors: Path, here: Here) -> None:
    path = vectors / "crowds-64.hushbit"
    bundle = hushbit.open(path)
    first, second = (bundle.word(int(id)) for id in bundle._native.output_words()[[3, 8]])
    code, out, err = here("sample", path, first, second, "--unchanged", "0.05", "--draws", "200")
    assert code == 0, err
    for said in (f"What '{first}' becomes", f"What '{second}' becomes", "BRR", "Crowds, few", "Randomized response"):
        assert said in out.decode()
    assert "200 draws each" in out.decode()
    code, out, err = here("sample", path, first, "--mechanism", "crowd-few", "--epsilon", "2", "--top", "3", "--json")
    assert code == 0, err
    (row,) = json.loads(out)["rows"]
    assert (row["mechanism"], row["exact"], len(row["outputs"])) == ("crowd-few", True, 3)


def test_an_unknown_word_is_not_in_the_error(toy_bundle: hushbit.Bundle) -> None:
    with pytest.raises(errors.UnknownWordError) as caught:
        becomes(toy_bundle, [CANARY], Question(("brr",), shares=(0.5,)))
    assert_no_canary(str(caught.value).encode())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["Qzx-unknown"], 1, "not in the vocabulary"),
        (["the", "--epsilon", "1"], 2, "name one with --mechanism"),
        (["the", "--mechanism", "madlib"], 2, "need each other"),
        (["the", "--mechanism", "brr", "--embeddings", "x"], 2, "need each other"),
        (["the", "--unchanged", "1"], 2, "between 0 and 1"),
        (["the", "--unchanged", ".5", "--epsilon", "1"], 2, "not allowed with"),
    ],
)
def test_bad_input(vectors: Path, here: Here, arguments: list[str], code: int, said: str) -> None:
    found, out, err = here("sample", vectors / "words-64.hushbit", *arguments)
    assert found == code
    assert said in err.decode()
    assert not out
