"""The audit of users: the attack finds members where there is something to find, and nothing where there is not."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from hushbit import errors
from hushbit.study.audit.users import (
    Texts,
    as_written,
    audit,
    groups_as_users,
    sureness,
    without_rare_words,
    words_at_random,
)
from hushbit.study.evaluate.corpus import Corpus

WORDS = 400
USERS = 80


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """The models are tiny."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def texts() -> Texts:
    """Labels are coins: a model can only learn by heart, so members are known by how sure it is."""
    generator = np.random.default_rng(1)
    documents, length = USERS * 5, 12
    ids = generator.integers(WORDS, size=documents * length, dtype=np.uint32)
    return Texts(
        Corpus(ids, np.arange(documents + 1, dtype=np.int64) * length),
        generator.integers(2, size=documents),
        groups_as_users(documents, 5, generator),
        2,
        generator.normal(size=(WORDS, 16)).astype(np.float32),
    )


def test_groups_as_users() -> None:
    users = groups_as_users(23, 5, np.random.default_rng(0))
    np.testing.assert_array_equal(np.bincount(users), [5, 5, 5, 8])
    assert (np.diff(users) < 0).any()


def test_members_are_found_where_a_model_learns_by_heart(texts: Texts) -> None:
    clean, noise = audit(texts, [("clean", as_written), ("random", words_at_random(WORDS))], epochs=40)
    assert clean.auc.value > 0.8
    assert clean.attack_accuracy > 0.7
    assert min(clean.precision, clean.recall) > 0.6
    assert clean.unchanged == 1
    # 20 members and 20 others: 6 standard errors of an AUC of a half are .55, so only the interval says something.
    assert noise.auc.low < 0.5 < noise.auc.high
    assert noise.unchanged < 0.02
    assert audit(texts, [("clean", as_written)], epochs=40) == [clean]


def test_counts_are_what_they_are_called(texts: Texts) -> None:
    (row,) = audit(texts, [("clean", as_written)], epochs=3)
    size = USERS // 4
    taken = row.recall * size
    wrongly = taken / row.precision - taken if row.precision else size * (1 - 2 * row.attack_accuracy)
    assert taken == pytest.approx(round(taken))
    assert wrongly == pytest.approx(round(wrongly))
    assert row.attack_accuracy == pytest.approx((taken + size - wrongly) / (2 * size))


def test_rare_words_are_left_out() -> None:
    typed = np.array([3, 3, 3, 1, 1, 0], dtype=np.uint32)
    words, stays = without_rare_words(typed, 2, 5)(np.array([0, 1, 3, 4], dtype=np.uint32), np.random.default_rng(0))
    np.testing.assert_array_equal(words[stays], [1, 3])


def test_documents_without_words_stay(texts: Texts) -> None:
    """Leaving words out may leave none of a document."""
    (row,) = audit(texts, [("scrubbed", without_rare_words(texts.corpus.ids, 3, WORDS))], epochs=2)
    assert 0 < row.unchanged < 0.05


def test_sureness_is_of_all_texts_of_a_user(texts: Texts) -> None:
    class Model:
        def outputs(self, corpus: Corpus) -> np.ndarray:
            first = corpus.ids[corpus.starts[:-1]] / WORDS  # something that tells documents apart
            return np.log(np.stack([first * 0.9 + 0.05, 0.95 - first * 0.9], axis=1)).astype(np.float32)

    found = sureness(Model(), texts, np.array([7, 2]))  # type: ignore[arg-type]
    documents = np.flatnonzero(texts.users == 2)
    first = texts.corpus.ids[texts.corpus.starts[documents]] / WORDS * 0.9 + 0.05
    own = np.log(np.where(texts.labels[documents] == 0, first, 1 - first))
    assert found[1] == pytest.approx(
        [own.mean(), own.std(), own.min(), own.max(), (own > np.log(0.5)).mean()], rel=1e-4
    )


def test_too_few_users(texts: Texts) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="8 of them"):
        replace(texts, users=texts.users % 7)
