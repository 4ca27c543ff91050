"""`hushbit hashing evaluate`: scores are scikit-learn's, and queries tell genuine rows where some are missing."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_recall_fscore_support

from cli_runner import Here, assert_no_canary
from hashed_models import documents, privatize, save_skops
from hushbit import errors
from hushbit.hashing import open_model
from hushbit.hashing.attacks.scoring import Scorer, quality, query_attack
from typed import CANARY

TEXTS, ANSWERS = documents(80, seed=9)


@pytest.mark.parametrize("vectorizer", [{}, {"norm": None, "ngram_range": (1, 2)}, {"alternate_sign": False}])
@pytest.mark.parametrize("classes", [2, 3])
def test_scores_are_those_of_scikit_learn(tmp_path: Path, vectorizer: dict[str, object], classes: int) -> None:
    pipeline = save_skops(tmp_path / "model.skops", LogisticRegression(C=10), classes, **vectorizer)
    scorer = Scorer(open_model(tmp_path / "model.skops").model)
    expected = pipeline.decision_function(TEXTS)
    np.testing.assert_allclose(scorer.scores(TEXTS), expected.reshape(len(TEXTS), -1), rtol=1e-6, atol=1e-9)
    names = [str(name) for name in pipeline.classes_]
    assert scorer.classify(TEXTS, names) == [str(label) for label in pipeline.predict(TEXTS)]


def test_quality_is_that_of_scikit_learn() -> None:
    truth, guesses = list("aabbbcca"), list("abbbcccc")
    found = quality(truth, guesses)
    precision, recall, f1, texts = precision_recall_fscore_support(truth, guesses, zero_division=0)
    assert [one.label for one in found.classes] == ["a", "b", "c"]
    np.testing.assert_allclose([one.precision for one in found.classes], precision)
    np.testing.assert_allclose([one.recall for one in found.classes], recall)
    np.testing.assert_allclose([one.f1 for one in found.classes], f1)
    np.testing.assert_array_equal([one.texts for one in found.classes], texts)
    assert found.accuracy == 5 / 8
    assert quality(["a", "a"], ["b", "b"]).classes[1].precision == 0


def test_queries_read_a_table_with_missing_rows_and_no_complete_one(tmp_path: Path) -> None:
    """Every missing row answers 0 before; rows drawn by the fitted law are told apart by chance after.

    About 150 rows of either kind: the interval of 95 % holds .5, for the seed that is used.
    """
    save_skops(tmp_path / "model.skops", LogisticRegression(C=10))
    model = open_model(tmp_path / "model.skops").model
    privatize(tmp_path / "model.skops", tmp_path / "private.skops")
    genuine = np.zeros(model.range, dtype=np.bool_)
    genuine[model.hashes] = True
    before = query_attack(Scorer(model), genuine)
    after = query_attack(Scorer(open_model(tmp_path / "private.skops").model), genuine)
    assert before.auc > 0.99
    assert after.low < 0.6
    assert after.high < 0.85
    assert before.words == after.words >= 40


def test_what_cannot_be_scored(tmp_path: Path) -> None:
    save_skops(tmp_path / "model.skops", LogisticRegression(C=10))
    model = open_model(tmp_path / "model.skops").model
    scorer = Scorer(model)
    with pytest.raises(errors.InvalidArgumentError, match="have no label '1'"):
        scorer.classify(TEXTS, ["x", "y"])
    with pytest.raises(errors.InvalidArgumentError, match=r"they have \d+ others") as caught:
        scorer.classify(TEXTS, [f"{CANARY} {text}" for text in TEXTS])  # the texts, named for their labels
    assert_no_canary(str(caught.value).encode())
    with pytest.raises(errors.InvalidArgumentError, match="tells two classes apart"):
        scorer.classify(TEXTS, ["0", "1", "2"])
    with pytest.raises(errors.InvalidArgumentError, match="needs 10 genuine rows"):
        query_attack(scorer, np.ones(model.range, dtype=np.bool_))
    model.settings.clear()
    with pytest.raises(errors.InvalidArgumentError, match="does not say how features are made"):
        Scorer(model)


def test_command(tmp_path: Path, here: Here) -> None:
    model, private, texts = (tmp_path / name for name in ("model.skops", "private.skops", "texts.csv"))
    pipeline = save_skops(model, LogisticRegression(C=10))
    privatize(model, private)
    with texts.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerows([["text", "label"], *zip(TEXTS, ANSWERS, strict=True)])
    code, out, err = here("hashing", "evaluate", model, private, "--texts", texts)
    assert code == 0, err
    for said in ("precision, recall, F1", "attack by queries", "80 texts"):
        assert said in out.decode()
    code, out, _ = here("hashing", "evaluate", model, private, "--texts", texts, "--json")
    found = json.loads(out)
    assert found["quality"]["before"]["accuracy"] == pytest.approx(pipeline.score(TEXTS, ANSWERS))
    assert [one["label"] for one in found["quality"]["after"]["classes"]] == ["0", "1"]
    assert found["attack_by_queries"]["before"]["auc"] > 0.99
    code, _, err = here("hashing", "evaluate", model, model, "--texts", texts)
    assert code == 1
    assert "is not complete" in err.decode()
