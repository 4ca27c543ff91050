"""What crowds keep and what they give away, over weights, sizes and the number of output words.

For each form and each ε: what a reader who knows word frequencies guesses right (exact: Bayes-optimal, one release;
over the words beyond the 200 most frequent, told that they are beyond them, and over all), the accuracy of a linear
model on mean vectors that was trained on released reviews and is tested on clean ones, the area under the curve of the
same on text messages, and how near released words are to typed ones.

    tools/bench/crowds REVIEWS.parquet MESSAGES.parquet [--json OUT] > docs/crowd-table.md

REVIEWS has the columns review and sentiment, MESSAGES message and spam. The words are those of the built-in bundle: new
ones are added, and sensitive ones never come out. Needs the package's extras glove and hashing.
"""

import argparse
import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import scipy.sparse
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

import hushbit
from hushbit._plumbing.documents import read_documents
from hushbit._plumbing.records import json_text
from hushbit.study.evaluate.corpus import tokenize
from hushbit.toolchain.crowds import FEW, GRADES, MANY, CrowdOptions, Crowds, Grade, build_crowds, excluded_words
from hushbit.toolchain.crowds.grades import SLOPE_ONE, coin, crowd_mass, grade_for
from hushbit.toolchain.embeddings import VocabularyFilter, extended, read_definitions, read_embeddings

Floats = NDArray[np.float64]
Score = Callable[[Any, NDArray[np.float32], NDArray[np.int64]], float]
WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
NEW_WORDS = Path(__file__).resolve().parents[2] / "tools/generate/english_new_words.txt"
COMMON = 200
EPSILONS = (5.0, 6.0, 7.0)
RELEASES = 3  # accuracies are means over as many releases of all documents,
SPLITS = 3  # and over as many ways to halve them for each
FORMS: dict[str, tuple[CrowdOptions, str]] = {
    "many (the default)": (CrowdOptions(), MANY),
    "few (the default)": (CrowdOptions(), FEW),
    "one level, .005 of the mass": (CrowdOptions(grades=(Grade(MANY, math.inf, ((0.005, 1.0),)), GRADES[0])), MANY),
    "many, weights to the power -.5": (CrowdOptions(alpha=0.5), MANY),
    "many, 8,192 output words": (CrowdOptions(outputs=8192), MANY),
}


@dataclass(frozen=True)
class Texts:
    """Known ids of the words of all documents in a row, -1 for unknown ones, where each begins, and its label."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    labels: NDArray[np.int64]


def read_texts(path: Path, text: str, label: str, id_of: dict[str, int]) -> Texts:
    """The documents of a file."""
    table = parquet.read_table(path).to_pydict()
    documents = [
        [id_of.get(word, -1) for word in WORD.findall(document.lower().replace("<br />", " "))]
        for document in table[text]
    ]
    starts = np.cumsum([0, *map(len, documents)])
    return Texts(np.concatenate([np.array(one, dtype=np.int64) for one in documents]), starts, np.array(table[label]))


class Channel:
    """The exact chances of a form of crowds, at one ε."""

    def __init__(self, crowds: Crowds, size: Any, epsilon: float) -> None:
        self.crowds = crowds
        self.weights = crowds.weights.astype(np.int64)
        segments = grade_for(crowds.grades, size, epsilon).integers(crowds.mass)
        self.mass = crowd_mass(segments)
        self.coin = coin(epsilon, self.mass, crowds.mass)
        rows, columns, shares = [], [], []
        for index in range(len(crowds.outputs)):
            entries = crowds.lists[crowds.center_of[index]]
            members = np.concatenate([[index], entries[entries != index]])
            reached = np.concatenate([[0], np.cumsum(self.weights[members])])
            share = np.diff(taper(np.minimum(reached, segments[-1][0]), segments))
            kept = share > 0
            rows.append(np.full(kept.sum(), index))
            columns.append(members[kept])
            shares.append(share[kept])
        self.rows, self.columns = np.concatenate(rows), np.concatenate(columns)
        self.shares = np.concatenate(shares)
        self.mean_crowd = len(self.rows) / len(crowds.outputs)

    def release(self, typed: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
        """A draw for each word, by id; -1 is an unknown one."""
        known = np.maximum(typed, 0)
        stand_in = self.crowds.standins[known].astype(np.int64)
        begin = np.concatenate([[0], np.cumsum(self.shares)])[np.searchsorted(self.rows, stand_in)]
        near = self.columns[
            np.searchsorted(np.cumsum(self.shares), begin + generator.integers(self.mass, size=len(typed)), "right")
        ]
        anywhere = np.searchsorted(
            np.cumsum(self.weights), generator.integers(self.crowds.mass, size=len(typed)), "right"
        )
        from_crowd = (generator.random(len(typed)) < self.coin) & (typed >= 0)
        return self.crowds.outputs[np.where(from_crowd, near, anywhere)].astype(np.int64)

    def guesses(self, prior: Floats) -> NDArray[np.int64]:
        """The id that most likely became each output word, where words are typed as often as `prior` says."""
        order = np.argsort(prior, kind="stable")
        best, chance = np.zeros(len(self.weights), dtype=np.int64), np.zeros(len(self.weights))
        best[self.crowds.standins[order]] = order
        chance[self.crowds.standins[order]] = prior[order]
        noise = (1 - self.coin) * self.weights / self.crowds.mass
        likely = chance[self.rows] * (self.coin * self.shares / self.mass + noise[self.columns])
        by_chance = np.argsort(likely, kind="stable")
        row, value = np.zeros(len(noise), dtype=np.int64), np.zeros(len(noise))
        row[self.columns[by_chance]], value[self.columns[by_chance]] = self.rows[by_chance], likely[by_chance]
        return np.where(value > chance.max() * noise, best[row], best[chance.argmax()])

    def success(self, guesses: NDArray[np.int64], prior: Floats) -> float:
        """The share of typed words that are guessed right."""
        count = len(self.weights)
        shares = scipy.sparse.csr_matrix((self.shares, (self.rows, self.columns)), shape=(count, count))
        own = np.asarray(shares[self.crowds.standins[guesses], np.arange(count)]).ravel()
        chances = self.coin * own / self.mass + (1 - self.coin) * self.weights / self.crowds.mass
        return float((chances * prior[guesses]).sum() / prior.sum())


def taper(mass: NDArray[np.int64], segments: list[tuple[int, int]]) -> NDArray[np.int64]:
    """G of docs/proofs.md."""
    total, start = np.zeros_like(mass), 0
    for end, slope in segments:
        total += (np.clip(mass, start, end) - start) * slope // SLOPE_ONE
        start = end
    return total


def mean_vectors(ids: NDArray[np.int64], texts: Texts, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """(documents, dimensions): unknown words count as zero."""
    rows = np.where((ids >= 0)[:, None], vectors[np.maximum(ids, 0)], np.float32(0))
    lengths = np.diff(texts.starts)
    sums = np.zeros((len(lengths), vectors.shape[1]), dtype=np.float32)
    sums[lengths > 0] = np.add.reduceat(rows, texts.starts[:-1][lengths > 0], axis=0)
    return (sums / np.maximum(lengths, 1)[:, None]).astype(np.float32)


def trained_and_tested(
    released: NDArray[np.float32], clean: NDArray[np.float32], labels: NDArray[np.int64], score: Score
) -> tuple[list[float], list[float]]:
    """Trains on each half of each split once, as released, and tests on the other, as typed.

    Clean vectors are standardized as released ones, which moves the threshold, then by their own mean and deviation.
    """
    found: tuple[list[float], list[float]] = ([], [])
    for split in range(SPLITS):
        order = np.random.default_rng(split).permutation(len(labels))
        halves = order[: len(order) // 2], order[len(order) // 2 :]
        for train, test in (halves, halves[::-1]):
            scaler = StandardScaler().fit(released[train])
            model = LogisticRegression(C=0.01, max_iter=300).fit(scaler.transform(released[train]), labels[train])
            for scores, by in zip(found, (scaler, StandardScaler().fit(clean[test])), strict=True):
                scores.append(score(model, by.transform(clean[test]), labels[test]))
    return found


def accuracy(model: Any, clean: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The share of right answers."""
    return float(model.score(clean, labels))


def area(model: Any, clean: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The area under the curve of hits and false alarms."""
    return float(roc_auc_score(labels, model.decision_function(clean)))


def task_scores(channel: Channel, reviews: Texts, messages: Texts, vectors: NDArray[np.float32]) -> dict[str, float]:
    """The scores of models that were trained on released documents and are tested on clean ones, and how they vary."""
    scores: dict[str, list[float]] = {}
    for name, texts, score in (("accuracy", reviews, accuracy), ("area", messages, area)):
        clean = mean_vectors(texts.ids, texts, vectors)
        scores[f"{name}_clean"], _ = trained_and_tested(clean, clean, texts.labels, score)
        scores[name], scores[f"{name}_centered"] = [], []
        for release in range(RELEASES):
            ids = channel.release(texts.ids, np.random.default_rng(1 + release))
            as_is, centered = trained_and_tested(mean_vectors(ids, texts, vectors), clean, texts.labels, score)
            scores[name] += as_is
            scores[f"{name}_centered"] += centered
    means = {name: float(np.mean(found)) for name, found in scores.items()}
    return means | {f"{name}_deviation": float(np.std(found)) for name, found in scores.items()}


def measure(channel: Channel, reviews: Texts, messages: Texts, vectors: NDArray[np.float32]) -> dict[str, float]:
    """One row of the table."""
    known = reviews.ids[reviews.ids >= 0]
    prior = np.bincount(known, minlength=len(vectors)).astype(np.float64)
    rare = prior.copy()
    rare[np.argsort(-prior, kind="stable")[:COMMON]] = 0
    out = channel.release(known, np.random.default_rng(1))
    lengths = np.linalg.norm(vectors, axis=1)
    cosines = np.einsum("ij,ij->i", vectors[known], vectors[out]) / (lengths[known] * lengths[out])
    all_guesses = channel.guesses(prior)
    return {
        "lambda": channel.coin,
        "mean_crowd": channel.mean_crowd,
        "attack_rare": channel.success(all_guesses, rare),
        "attack_rare_told": channel.success(channel.guesses(rare), rare),
        "attack_all": channel.success(all_guesses, prior),
        **task_scores(channel, reviews, messages, vectors),
        "cosine": float(cosines.mean()),
        "unchanged": float(np.mean(out == known)),
    }


def mean_tokens(path: Path, text: str, label: str) -> float:
    """The tokens of a text, as the mechanisms count them."""
    texts = read_documents(path, text, label).texts
    _, coverage = tokenize(hushbit.open()._native, texts)
    return (coverage.words + coverage.unknown) / len(texts)


def print_table(rows: list[dict[str, Any]]) -> None:
    """The table in Markdown."""
    figures = [
        "ε",
        "ε of a review",
        "ε of a message",
        "λ",
        "words in a crowd",
        "rare words",
        "rare, told so",
        "all words",
        "accuracy",
        "centered",
        "messages",
    ]
    print(f"| crowds | {' | '.join(figures)} |")
    print("|---|" + "--:|" * len(figures))
    for row in rows:
        print(
            f"| {row['form']} | {row['epsilon']:g} | {row['epsilon_review']:,.0f} | {row['epsilon_message']:.0f} "
            f"| {row['lambda']:.2f} | {row['mean_crowd']:.0f} "
            f"| {row['attack_rare']:.3f} | {row['attack_rare_told']:.3f} | {row['attack_all']:.3f} "
            f"| {row['accuracy']:.3f} | {row['accuracy_centered']:.3f} | {row['area']:.3f} |"
        )


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Measure what crowds keep and what they give away.")
    parser.add_argument("reviews", type=Path)
    parser.add_argument("messages", type=Path)
    parser.add_argument("--embeddings", default="glove-6b-50d")
    parser.add_argument("--form", action="append", choices=FORMS, help="only this form; may be repeated")
    parser.add_argument("--json", type=Path, help="write all figures there, too")
    arguments = parser.parse_args()
    embeddings = extended(read_embeddings(arguments.embeddings), read_definitions(NEW_WORDS))
    excluded = excluded_words("english-sensitive-words")
    kept, _ = VocabularyFilter().apply(embeddings.words)
    spelled = sorted((embeddings.words[i].encode(), i) for i in kept)
    ranks = np.array([i for _, i in spelled], dtype=np.intp)
    words, vectors = [word for word, _ in spelled], embeddings.vectors[ranks]
    id_of = {word.decode(): i for i, word in enumerate(words)}
    reviews = read_texts(arguments.reviews, "review", "sentiment", id_of)
    messages = read_texts(arguments.messages, "message", "spam", id_of)
    tokens = {
        "review": mean_tokens(arguments.reviews, "review", "sentiment"),
        "message": mean_tokens(arguments.messages, "message", "spam"),
    }
    rows: list[dict[str, Any]] = []
    build = cache(lambda options: build_crowds(words, ranks, vectors, replace(options, excluded=excluded)))
    for name in arguments.form or FORMS:
        options, size = FORMS[name]
        crowds = build(options)
        for epsilon in EPSILONS:
            print(f"{name}, ε {epsilon:g}", file=sys.stderr)
            figures = measure(Channel(crowds, size, epsilon), reviews, messages, vectors)
            costs = {f"epsilon_{kind}": epsilon * mean for kind, mean in tokens.items()}
            rows.append({"form": name, "epsilon": epsilon, **costs, **figures})
            if arguments.json is not None:
                arguments.json.write_text(json_text(rows, 1), encoding="utf-8")
    print_table(rows)


if __name__ == "__main__":
    main()
