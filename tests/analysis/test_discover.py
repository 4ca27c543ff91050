"""New words: hashes and sums by the definition, words that many type are found, and nothing else."""

import csv
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import hushbit
from cli_runner import Here
from hushbit.analysis.counts.beginnings import END, HASHES, LENGTHS, NewWords, beginning, buckets_of, scores_of
from hushbit.analysis.counts.discover import discover, every_letter, extensions, letters_of
from hushbit.analysis.counts.values import new_words_of
from hushbit.errors import InvalidArgumentError
from reports import Whole, draw, sets_by_definition

LETTERS = "etaoinsrhldcumfpgwybvkxjqz"


def bucket_by_definition(word: str, length: int, number: int) -> int:
    text = word[:length] if len(word) >= length else word + "\0"
    digest = hashlib.sha256(b"hushbit new words 1\0" + text.encode()).digest()
    mixing = hashlib.sha256(b"hushbit new words hash 1\0" + bytes([number])).digest()
    factor, term = (int.from_bytes(mixing[place : place + 8], "little") for place in (0, 8))
    return (factor * (int.from_bytes(digest[:8], "little") >> 12) + term) % 2**64 >> 54


def reported(words: list[str | None], epsilon: float, generator: np.random.Generator) -> Whole:
    """A report of each person's new word; None for people without any."""
    design = NewWords(epsilon).design
    typed = [word for word in dict.fromkeys(words) if word is not None] or [""]
    places = {word: place for place, word in enumerate(typed)}
    table = np.array([buckets_of([beginning(word, length) for word in typed]) for length in LENGTHS])
    groups = generator.integers(0, len(LENGTHS) * HASHES, len(words))
    of = np.array([-1 if word is None else places[word] for word in words])
    buckets = table[groups // HASHES, of, groups % HASHES].astype(np.int64)
    return groups * design.space.points + draw(design, np.where(of < 0, 0, 1 + buckets), generator)


def test_buckets_are_those_of_the_definition() -> None:
    for word in ("covfefe", "hi", "ящик", "a-b", "twentyfourlettersofaword"):
        for length in LENGTHS:
            found = buckets_of([beginning(word, length)])[0]
            for number in (0, 1, 255):
                assert found[number] == bucket_by_definition(word, length, number)
    assert beginning("abc", 3) == "abc"
    assert beginning("abc", 4) == "abc" + END


def test_sums() -> None:
    generator = np.random.default_rng(1)
    heard = NewWords(6.0)
    points = heard.design.space.points
    reports = generator.integers(0, len(LENGTHS) * HASHES * points, 1000)
    heard.add(np.append(reports, [-1, len(LENGTHS) * HASHES * points]))
    assert heard.refused == {"out of range": 2}
    sets = sets_by_definition(heard.design.space)
    groups, places = np.divmod(reports, points)
    expected = np.zeros_like(heard.hits)
    np.add.at(expected.reshape(-1, expected.shape[2]), groups, sets[:, places].T[:, : expected.shape[2]])
    assert (heard.hits == expected).all()
    first, second = NewWords(6.0), NewWords(6.0)
    first.add(reports[:100])
    second.add(reports[100:])
    assert ((first + second).hits == heard.hits).all()
    assert ((first + second).reports == heard.reports).all()
    buckets = buckets_of(["abc"])
    assert scores_of(heard.hits[2], buckets)[0] == sum(heard.hits[2, r, 1 + buckets[0, r]] for r in range(HASHES))
    with pytest.raises(InvalidArgumentError, match="one epsilon"):
        _ = first + NewWords(5.0)


def test_extensions() -> None:
    assert extensions(["x"], "ab", 2) == (["x" + END, "xa" + END, "xb" + END, "xaa", "xab", "xba", "xbb"], True)
    many, complete = extensions(["x"] * 10, LETTERS * 2, 4)
    assert not complete
    assert len(many) <= 2_000_000
    assert {"a", "ß", "ж", "ك", "中", "'"} <= set(every_letter())
    assert letters_of(["aab", "a b"]) == ["a", "b"]


@pytest.mark.slow
def test_words_that_many_type_are_found() -> None:
    """Two words of 4 in 100 each, one in letters of another script, among 400 rare ones; ε 6, 300,000 people, three
    runs. A run misses a word with a chance below 1e-3, and finds a false one with a chance of .05 at most."""
    generator = np.random.default_rng(2)
    rare = ["".join(generator.choice(list(LETTERS), size)) for size in generator.integers(2, 13, 400)]
    false = 0
    for _ in range(3):
        chances = [0.04, 0.04, 0.32, *[0.6 / len(rare)] * len(rare)]
        words = ["covfefe", "ковид", None, *rare]
        typed = [words[place] for place in generator.choice(len(words), 300_000, p=chances)]
        heard = NewWords(6.0)
        heard.add(reported(typed, 6.0, generator))
        found = discover(heard, LETTERS)
        shares = {word.word: word for word in found.words}
        assert {"covfefe", "ковид"} <= shares.keys()
        for word in ("covfefe", "ковид"):
            assert abs(shares[word].share - 0.04) < 0.006
            assert shares[word].low < shares[word].share < shares[word].high
        false += len(shares.keys() - set(words))
    assert false <= 1


def test_what_is_missing_is_said() -> None:
    generator = np.random.default_rng(3)
    heard = NewWords(6.0)
    heard.add(reported([None] * 20_000, 6.0, generator))
    found = discover(heard, LETTERS)
    assert found.words == []
    assert "of 20,000 reports, a word is found if it is in" in found.explanation()
    assert 0.01 < found.least < 1
    with pytest.raises(InvalidArgumentError, match="of 0 reports none is about one of the 12 lengths"):
        discover(NewWords(6.0), LETTERS)


def test_the_command(tmp_path: Path, here: Here) -> None:
    """Half of 30,000 people type one word."""
    generator = np.random.default_rng(4)
    reports = reported(["covfefe", None] * 15_000, 6.0, generator)
    values = new_words_of(hushbit.open()).hash
    path = tmp_path / "reports.jsonl"
    lines = [
        f'{{"report": {report}, "values": "{values}", "epsilon": 6, "version": 1}}\n' for report in reports.tolist()
    ]
    path.write_text("".join([*lines, "no report\n"]), encoding="utf-8")
    code, out, err = here("discover", path, "--json", "-o", tmp_path / "words.csv")
    assert code == 0, err
    assert b"words found 1: of 30,000 reports" in err
    document = json.loads(out)
    assert [word["word"] for word in document["words"]] == ["covfefe"]
    assert document["words"][0]["low"] < 0.5 < document["words"][0]["high"]
    assert document["refused"] == {"damaged": 1}
    with (tmp_path / "words.csv").open(encoding="utf-8", newline="") as file:
        assert [row["word"] for row in csv.DictReader(file)] == ["covfefe"]
