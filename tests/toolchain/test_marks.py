"""Vocabularies that no text can produce are refused, and what becomes of words without letters is said."""

from pathlib import Path

import numpy as np
import pytest

from cli_runner import Here
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.embeddings.marks import refuse_marked

WORDS = [f"{a}{b}{c}{d}" for a in "bcdfg" for b in "aeiou" for c in "lmnrst" for d in "ae"]
MARKED = ["/c/en/{}", "##{}", "▁{}", "Ġ{}", "{}</w>", "{}|noun", "{}_NOUN", "{}/NN", "ENTITY/{}"]


def save(path: Path, words: list[str]) -> Path:
    rng = np.random.default_rng(0)
    lines = (f"{word} {' '.join(f'{number:.4f}' for number in rng.normal(size=16))}\n" for word in words)
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("mark", MARKED)
def test_marked_words_are_refused_by_the_name_of_who_made_them(mark: str, here: Here, tmp_path: Path) -> None:
    """Also where most are words that a text has, as in a vocabulary of pieces."""
    some = [mark.format(word) if place % 3 == 0 else word for place, word in enumerate(WORDS)]
    vectors, bundle = save(tmp_path / "vectors.txt", some), tmp_path / "words.hushbit"
    code, _, err = here("export", "--embeddings", vectors, "--bits", "64", "-o", bundle)
    assert code == 2
    assert "100 of 300 words are spelled like " in err.decode()
    assert "and no text has such words: " in err.decode()
    assert not bundle.exists()


def test_pieces_may_be_left_out(here: Here, tmp_path: Path) -> None:
    some = [f"##{word}" if place % 3 == 0 else word for place, word in enumerate(WORDS)]
    vectors = save(tmp_path / "vectors.txt", some)
    options = ("--exclude-pattern", "^##", "--bits", "64", "--index", "none", "-o", tmp_path / "words.hushbit")
    code, out, _ = here("export", "--embeddings", vectors, *options)
    assert code == 0
    assert b"200 of 300 rows" in out


def test_words_of_ordinary_vocabularies_are_not_marked() -> None:
    ordinary = ["don't", "and/or", "a|b", "#metoo", "e-mail", "b2b", "##", "c/o", "i_o", "wiki"]
    refuse_marked([*WORDS, *ordinary])
    refuse_marked([])
    with pytest.raises(InvalidArgumentError):
        refuse_marked(["##ing"])


def test_words_without_letters_may_all_come_out_and_that_is_said(here: Here, tmp_path: Path) -> None:
    vectors = save(tmp_path / "vectors.txt", [str(number) for number in range(300)])
    options = ("--bits", "64", "--index", "none", "-o", tmp_path / "words.hushbit")
    code, _, err = here("export", "--embeddings", vectors, *options)
    assert code == 0
    assert b"fewer than two words are written in letters, so all may come out" in err
    code, _, err = here("export", "--embeddings", vectors, "--output-words", "all", *options)
    assert code == 0
    assert b"written in letters" not in err
