"""Trained words are told by their n-grams, and such models are refused; models of words alone are not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression

from cli_runner import Here
from hashed_models import seed_rows
from hushbit.hashing import HashedModel, fit_rows
from hushbit.hashing.attacks import relatives
from hushbit.hashing.attacks.attack import BAR
from hushbit.hashing.attacks.relatives import WordAttack, attack_words, has_relatives, kinds_of_relatives
from hushbit.hashing.commands.dictionary import frequent_words
from hushbit.hashing.table.model import sorted_model

SIZE = 1 << 17
PAIRS = {"ngram_range": (1, 2)}
LETTERS = {"analyzer": "char_wb", "ngram_range": (3, 5)}


@pytest.fixture(scope="module")
def words() -> list[str]:
    return frequent_words()


@pytest.fixture(autouse=True)
def fewer_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing all would take most of the time."""
    monkeypatch.setattr(relatives, "_MOST_WORDS", 200)


def messages(words: list[str]) -> tuple[list[str], list[int]]:
    """800 messages of 8 frequent words and 3 rare ones, each of which is in one or two messages."""
    generator = np.random.default_rng(1)
    rare = generator.permutation(words[2000:8000])[:2000]
    texts = [" ".join([*generator.choice(words[:150], 8), *generator.choice(rare, 3)]) for _ in range(800)]
    return [" ".join(generator.permutation(text.split())) for text in texts], generator.integers(0, 2, 800).tolist()


_TRAINED: dict[str, HashedModel] = {}


def trained(words: list[str], settings: dict[str, Any]) -> HashedModel:
    """The same model whenever the settings are the same."""
    name = json.dumps(settings)
    if name not in _TRAINED:
        _TRAINED[name] = train(words, settings)
    return _TRAINED[name]


def train(words: list[str], settings: dict[str, Any]) -> HashedModel:
    texts, answers = messages(words)
    features = HashingVectorizer(n_features=SIZE, **settings).transform(texts)
    weights = LogisticRegression(C=10).fit(features, answers).coef_.T
    hashes = np.flatnonzero(weights[:, 0])
    return sorted_model(SIZE, hashes, weights[hashes], np.zeros(1), ("spam",), dict(settings))


def completed(model: HashedModel) -> tuple[np.ndarray, np.ndarray]:
    table, genuine = np.empty((SIZE, 1)), np.zeros(SIZE, dtype=bool)
    genuine[model.hashes] = True
    table[genuine] = model.weights
    drawn = fit_rows(model.weights, "kernel").draw(model.missing, generator_for_tests=np.random.default_rng(2))
    table[~genuine] = drawn[:]
    return table, genuine


def attacked(words: list[str], trained_on: dict[str, Any], settings: dict[str, Any]) -> WordAttack:
    table, genuine = completed(trained(words, trained_on))
    found = attack_words(settings, genuine, lambda hashes: table[hashes], words)
    assert found is not None
    return found


@pytest.mark.parametrize(("settings", "kind"), [(PAIRS, "pairs of words"), (LETTERS, "runs of letters")])
def test_ngrams_tell_words(words: list[str], settings: dict[str, Any], kind: str) -> None:
    found = attacked(words, settings, settings)
    assert found.by_relatives[kind] > 0.6
    assert found.succeeded
    assert abs(found.controls[kind] - 0.5) < found.limit - 0.5


def test_words_alone_are_not_told(words: list[str]) -> None:
    """All relatives are tried where the file does not say what features are. Seeds are fixed."""
    found = attacked(words, {}, {})
    assert "pairs of words" in found.by_relatives
    assert not found.succeeded


def test_relatives() -> None:
    assert kinds_of_relatives({"analyzer": "word", "ngram_range": [1, 1]}) == {}
    assert kinds_of_relatives({"n_features": 512}) == {}
    assert not has_relatives({})
    assert all(has_relatives(settings) for settings in (PAIRS, LETTERS, {"ngram_range": [2, 2]}, {"analyzer": "char"}))
    pairs = kinds_of_relatives(PAIRS)["pairs of words"]
    assert pairs("cat", ["the", "a"]) == [["cat", "cat the", "cat a", "the cat", "a cat"]]
    letters = kinds_of_relatives({"analyzer": "char_wb", "ngram_range": [3, 3]})["runs of letters"]
    assert letters("cat", []) == [[" ca", "cat", "at "], ["cat", "at "]]


def test_the_limit_counts_kinds() -> None:
    assert WordAttack({"one": 0.6}, {}, 3000).limit < WordAttack({"one": 0.6, "other": 0.5}, {}, 3000).limit
    assert WordAttack({"one": 0.6}, {}, 100_000).limit == BAR
    few = WordAttack({"one": 0.6, "other": 0.5}, {}, 40)
    assert (few.auc, few.relatives, few.succeeded) == (0.6, "one", False)


def test_few_words_are_not_attacked(words: list[str]) -> None:
    table, genuine = completed(trained(words, PAIRS))
    assert attack_words(PAIRS, genuine, lambda hashes: table[hashes], words[:30]) is None


# ---- The commands


def saved(path: Path, model: HashedModel, *, say: bool) -> Path:
    settings: dict[str, Any] = {"settings": np.array(json.dumps(model.settings))} if say else {}
    np.savez(path, range=SIZE, hashes=model.hashes, weights=model.weights, labels=["spam"], **settings)
    return path


def test_models_that_say_ngrams_are_refused(
    words: list[str], tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed_rows(monkeypatch)
    model, private = saved(tmp_path / "m.npz", trained(words, PAIRS), say=True), tmp_path / "p.npz"
    code, _, err = here("hashing", "privatize", model, "-o", private)
    assert code == 1
    assert b"its features are n-grams" in err
    assert not private.exists()
    code, out, err = here("hashing", "privatize", model, "-o", private, "--fit", "kernel", "--even-if-told-apart")
    assert code == 0, err
    assert b"NOT PRIVATE: trained words can be told by the n-grams" in out
    code, out, err = here("hashing", "attack", model, private, "--json")
    assert code == 0, err
    assert json.loads(out)["attack_on_words"]["told_apart"] is True


def test_models_that_say_nothing_are_attacked(
    words: list[str], tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed_rows(monkeypatch)
    model, private = saved(tmp_path / "m.npz", trained(words, LETTERS), say=False), tmp_path / "p.npz"
    code, _, err = here("hashing", "privatize", model, "-o", private, "--fit", "kernel")
    assert code == 1
    assert b"trained words can be told by their n-grams" in err
    assert not private.exists()
