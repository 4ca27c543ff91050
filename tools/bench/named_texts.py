"""What a reader learns of one text: which of 1,000 it is, which of two, whether a word is in it, what it is about.

    tools/bench/named_texts REVIEWS.parquet MESSAGES.parquet [--json OUT] > table.md

The reader knows the bundle, the mechanism and ε, and has a list of texts, one of which was released, each as likely.
No reader does better: the guess is the text that most likely gives the release, at random among equals.

- named: the share of texts that are named rightly among the 1,000. For embeddings it is exact, over all directions; for
  words and for several releases it is over one draw for each text.
- of two: the share of pairs of texts that are told apart, exact for embeddings: 1/2 + half of the total variation.
- a word: the same for a text and the text without one of its words, chosen at random.
- topic: how often one release tells the label of its text, by the discriminant that was learned from typed texts.

Texts are the first 60 words of reviews, and messages of 5 words or more, no two of which have the same words.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import hushbit
from hushbit import _core, _core_testing
from hushbit.analysis.embeddings.crowds import crowds_of, drawn_from
from hushbit.study.mechanisms.core import UNKNOWN

Floats = NDArray[np.float64]
TEXTS = 1000
REVIEW_WORDS = 60
FEWEST_WORDS = 5
EMBEDDINGS = (1.0, 2.0, 4.0, 6.0)
WORDS = (2.0, 6.0)
SEVERAL = (10, 100)


@dataclass(frozen=True)
class Texts:
    """The list that the reader has."""

    texts: list[str]
    words: list[list[str]]
    labels: NDArray[np.int64]


def read_texts(bundle: hushbit.Bundle, path: Path, column: str, label: str, most: int | None) -> Texts:
    """TEXTS different texts of a file, at random."""
    table = parquet.read_table(path, columns=[column, label]).to_pydict()
    order = np.random.default_rng(0).permutation(len(table[column]))
    found: dict[tuple[str, ...], int] = {}
    for row in order:
        text = table[column][row].replace("<br />", " ")
        data = text.encode()
        tokens = [token for token in bundle.tokenize(text) if token.kind != "punctuation"][:most]
        words = tuple(data[token.byte_begin : token.byte_end].decode() for token in tokens)
        if len(words) >= FEWEST_WORDS and len(found) < TEXTS:
            found.setdefault(words, table[label][row])
    return Texts([" ".join(words) for words in found], [list(words) for words in found], np.array([*found.values()]))


# ---- Embeddings: exact


class Embeddings:
    """The distribution of the direction that each text releases."""

    def __init__(self, bundle: hushbit.Bundle, epsilon: float) -> None:
        self.embedder = bundle.embedder(epsilon=epsilon)
        info = self.embedder.info
        self.count, self.size, self.chance = info.directions, info.crowd_directions, info.crowd_probability

    def crowds(self, texts: list[str]) -> NDArray[np.bool_]:
        """(texts, K): which directions are in the crowd of a text; none where it has no known word."""
        typed = self.embedder.vectors(texts)
        found = np.zeros((len(texts), self.count), dtype=np.bool_)
        np.put_along_axis(found, crowds_of(typed, self.embedder.directions, self.size).astype(np.int64), True, axis=1)
        return np.asarray(found & np.any(typed, axis=1, keepdims=True))

    def named(self, crowds: NDArray[np.bool_]) -> float:
        """How often the reader names the right one of the texts of `crowds`."""
        texts = len(crowds)
        near = crowds.sum(axis=0)  # how many texts are as likely as the best, given a direction
        right = np.where(near > 0, crowds / np.maximum(near, 1), 1 / texts)
        anywhere = right.mean(axis=1)
        within = (right * crowds).sum(axis=1) / self.size
        has_crowd = crowds.any(axis=1)
        return float(np.where(has_crowd, self.chance * within + (1 - self.chance) * anywhere, anywhere).mean())

    def of_two(self, crowds: NDArray[np.bool_], others: NDArray[np.bool_]) -> Floats:
        """How often each text of `crowds` is told from that of the same row of `others`."""
        return np.asarray(0.5 + self.chance / 2 * self.variation(crowds, others))

    def variation(self, crowds: NDArray[np.bool_], others: NDArray[np.bool_]) -> Floats:
        """The total variation distance between draws from two crowds, 1 if they share no direction."""
        one, two = (rows.astype(np.float32) / np.float32(self.size) for rows in (crowds, others))
        # A text without known words draws from all directions in both cases.
        for rows in (one, two):
            rows[~rows.any(axis=1)] = np.float32(1 / self.count)
        return np.asarray(np.abs(one - two).sum(axis=1) / 2, dtype=np.float64)

    def draws(self, texts: list[str], times: int, seed: int) -> NDArray[np.uint32]:
        """`times` directions for each text, (texts, times), drawn as the core draws them."""
        typed = self.embedder.vectors(texts)
        crowds = crowds_of(typed, self.embedder.directions, self.size)
        generator = np.random.default_rng(seed)
        return drawn_from(crowds, np.asarray(~typed.any(axis=1)), self.count, self.chance, times, generator)

    def named_by_several(self, crowds: NDArray[np.bool_], draws: NDArray[np.uint32]) -> float:
        """How often the right text is named by several releases of each, (texts, releases)."""
        hits = np.zeros((len(crowds),) * 2, dtype=np.float32)  # row: released; column: guessed
        for released in draws.T:
            hits += crowds[:, released].T
        return share_of_best(hits)

    def topic(self, typed: Texts, labels: NDArray[np.int64]) -> float:
        """How often one release tells the label, by a discriminant of the typed texts of the other half.

        The mean of the two labels' shares: 1/2 is chance.
        """
        units = self.embedder.vectors(typed.texts).astype(np.float64)
        units /= np.maximum(np.linalg.norm(units, axis=1, keepdims=True), 1e-300)
        released = self.embedder.directions[self.embedder.embed_indexes(typed.texts)]
        half = len(labels) // 2
        scores = []
        for train, test in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
            model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto", priors=[0.5, 0.5])
            model.fit(units[train], labels[train])
            right = (released[test] @ model.coef_[0] > 0) == (labels[test] == 1)
            scores += [right[labels[test] == label].mean() for label in (0, 1)]
        return float(np.mean(scores))


def share_of_best(likelihoods: NDArray[Any]) -> float:
    """How often the right text, that of the row, is the likeliest of a row; at random among equals."""
    best = likelihoods >= likelihoods.max(axis=1, keepdims=True) - 1e-9
    return float((best.diagonal() / best.sum(axis=1)).mean())


# ---- Words


class Words:
    """The distribution of the words that each text releases, word by word, by the default crowds."""

    def __init__(self, bundle: hushbit.Bundle, epsilon: float, texts: Texts) -> None:
        self.privatizer = bundle.privatizer("crowd", epsilon)._native
        self.typed = [_ids(bundle, words) for words in texts.words]
        self.words = np.unique(np.concatenate(self.typed))
        self.outputs = bundle._native.output_words()
        self.chances = self._chances()

    def _chances(self) -> NDArray[np.float32]:
        """(different typed words, output words): the probability of each output."""
        info = self.privatizer.info()
        weights = _core.output_weights(self.privatizer)[self.outputs].astype(np.float64)
        noise = weights / weights.sum()
        found = np.tile(noise.astype(np.float32), (len(self.words), 1))
        for row, word in enumerate(self.words.tolist()):
            if word != UNKNOWN:
                crowd = _core.crowd(self.privatizer, word)
                found[row] *= np.float32(1 - info.crowd_probability)
                places = np.searchsorted(self.outputs, crowd[:, 0])
                found[row, places] += (info.crowd_probability / info.crowd_mass * crowd[:, 1]).astype(np.float32)
        return found

    def named(self) -> float:
        """How often the reader names the right text: length and order tell, too. One draw for each text."""
        by_length: dict[int, list[int]] = {}
        for text, ids in enumerate(self.typed):
            by_length.setdefault(len(ids), []).append(text)
        right = 0.0
        for length, texts in by_length.items():
            rows = np.searchsorted(self.words, np.stack([self.typed[text] for text in texts]))
            for place, text in enumerate(texts):
                seed = np.random.default_rng([length, text]).bytes(32)
                released = _core_testing.replace(self.privatizer, self.typed[text], seed)
                scores = np.log(self.chances[rows, np.searchsorted(self.outputs, released)]).sum(axis=1)
                best = scores >= scores.max() - 1e-6
                right += best[place] / best.sum()
        return right / len(self.typed)


def _ids(bundle: hushbit.Bundle, words: list[str]) -> NDArray[np.uint32]:
    """The ids of the words of a text; unknown ones have one of their own."""
    tokens = [token for token in bundle.tokenize(" ".join(words)) if token.kind != "punctuation"]
    return np.array([UNKNOWN if token.word_id is None else token.word_id for token in tokens], dtype=np.uint32)


# ---- The table


def measure(bundle: hushbit.Bundle, texts: Texts) -> list[dict[str, Any]]:
    """All figures of one kind of text."""
    generator = np.random.default_rng(1)
    without = [
        " ".join(words[:drop] + words[drop + 1 :])
        for words, drop in ((words, generator.integers(len(words))) for words in texts.words)
    ]
    order = generator.permutation(len(texts.texts))
    rows: list[dict[str, Any]] = []
    for epsilon in EMBEDDINGS:
        form = Embeddings(bundle, epsilon)
        crowds = form.crowds(texts.texts)
        draws = form.draws(texts.texts, max(SEVERAL), seed=2)
        rows.append(
            {
                "release": "embedding",
                "epsilon": epsilon,
                "named": form.named(crowds),
                "of_two": float(form.of_two(crowds, crowds[np.roll(order, 1)][np.argsort(order)]).mean()),
                "bound": float(np.exp(epsilon) / (1 + np.exp(epsilon))),
                "word": float(form.of_two(crowds, form.crowds(without)).mean()),
                "topic": form.topic(texts, texts.labels),
                **{f"named_{times}": form.named_by_several(crowds, draws[:, :times]) for times in SEVERAL},
            }
        )
    for epsilon in WORDS:
        rows.append(
            {"release": "every word, crowds", "epsilon": epsilon, "named": Words(bundle, epsilon, texts).named()}
        )
    return rows


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("messages", type=Path)
    parser.add_argument("--bundle", help="path of a bundle with an embedding (default: the built-in one)")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    arguments = parser.parse_args()
    bundle = hushbit.open(arguments.bundle)
    kinds = {
        "messages": read_texts(bundle, arguments.messages, "message", "spam", None),
        "reviews": read_texts(bundle, arguments.reviews, "review", "sentiment", REVIEW_WORDS),
    }
    columns = ["named", *(f"named_{times}" for times in SEVERAL), "of_two", "bound", "word", "topic"]
    titles = ["named", *(f"by {times} releases" for times in SEVERAL), "of two", "at most", "a word", "topic"]
    print(f"| texts | release | ε | {' | '.join(titles)} |")
    print("|---|---|--:|" + "--:|" * len(titles))
    document: dict[str, Any] = {}
    for kind, texts in kinds.items():
        document[kind] = measure(bundle, texts)
        for row in document[kind]:
            unit = " a word" if "word" in str(row["release"]) else ""
            cells = [f"{row[name]:.4f}" if name in row else "" for name in columns]
            print(f"| {kind} | {row['release']} | {row['epsilon']:g}{unit} | {' | '.join(cells)} |", flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(document, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
