"""What classifiers learn from embeddings of whole texts, beside other releases, tested on typed texts.

    tools/bench/embeddings REVIEWS.parquet MESSAGES.parquet [--part embeddings] [--json OUT] > table.md

REVIEWS has the columns review and sentiment, MESSAGES message and spam. Each draw halves the texts anew, releases all
of them, learns from each half and is tested on the other half as typed: accuracy on reviews, the area under the curve
on messages. Figures are means over draws and halves, with their standard error over draws. "16 times" counts 16
releases of each text as as many people, which overstates how different people are.

Embeddings are drawn with fixed seeds from the crowds that the core finds, which the tests compare; words by the core,
from the operating system's randomness.
"""

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score

import hushbit
from hushbit._plumbing.records import json_text
from hushbit.analysis.embeddings.crowds import crowds_of, drawn_from
from hushbit.analysis.embeddings.discriminant import discriminant
from hushbit.analysis.embeddings.moments import Releases
from hushbit.analysis.embeddings.response import response_of
from hushbit.study.mechanisms.priv_unit import PrivUnit

Floats = NDArray[np.float64]
Indexes = NDArray[np.int64]
Learn = Callable[[Indexes, Indexes], tuple[Floats, float]]
"""A function of rows and their labels that learns a linear rule for unit vectors, weights (d,) and a bias."""
EPSILONS = (1.0, 2.0, 4.0)
WORDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("crowds, ε 6 a word", {"mechanism": "crowd", "epsilon": 6.0}),
    ("crowds, ε 2 a word", {"mechanism": "crowd", "epsilon": 2.0}),
    ("TEM, its default", {"mechanism": "tem"}),
    ("BRR, its default", {"mechanism": "brr"}),
)


@dataclass(frozen=True)
class Task:
    """Labeled texts, and the vectors of what was typed."""

    name: str
    texts: list[str]
    labels: Indexes
    vectors: Indexes

    @cached_property
    def units(self) -> Floats:
        """The vectors, of length 1."""
        return unit(self.vectors)

    def halves(self, draw: int) -> tuple[Indexes, Indexes]:
        """Two random halves of the rows."""
        order = np.random.default_rng(draw).permutation(len(self.texts))
        return order[: len(order) // 2], order[len(order) // 2 :]

    def score(self, weights: Floats, bias: float, rows: Indexes) -> float:
        """Accuracy on reviews, area under the curve on messages."""
        found = self.units[rows] @ weights + bias
        if self.name == "messages":
            return float(roc_auc_score(self.labels[rows], found))
        return float(np.mean((found > 0) == (self.labels[rows] == 1)))


def read_task(name: str, path: Path, text: str, label: str, bundle: hushbit.Bundle) -> Task:
    """The texts of a file."""
    table = parquet.read_table(path, columns=[text, label]).to_pydict()
    texts = [one.replace("<br />", " ") for one in table[text]]
    return Task(name, texts, np.array(table[label]), bundle.embedder(epsilon=1).vectors(texts))


def unit(rows: NDArray[Any]) -> Floats:
    """Rows of length 1; zeros stay."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-300))


def measured(task: Task, draws: int, learner: Callable[[int], Learn]) -> list[float]:
    """The score of each draw, the mean over both halves. `learner(draw)` releases all texts."""
    found = []
    for draw in range(draws):
        learn = learner(draw)
        one, other = task.halves(draw)
        scores = [task.score(*learn(train, task.labels[train]), test) for train, test in ((one, other), (other, one))]
        found.append(float(np.mean(scores)))
    return found


def from_embeddings(task: Task, bundle: hushbit.Bundle, epsilon: float, times: int) -> Callable[[int], Learn]:
    """Learns from `times` embeddings of each text, drawn as the core draws them."""
    embedder = bundle.embedder(epsilon=epsilon)
    info = embedder.info
    response = response_of(embedder.directions, info.crowd_directions, info.crowd_probability)

    crowds = crowds_of(task.vectors, embedder.directions, info.crowd_directions)
    empty = np.asarray(~task.vectors.any(axis=1))

    def learner(draw: int) -> Learn:
        generator = np.random.default_rng([draw, round(100 * epsilon), times])
        released = drawn_from(crowds, empty, info.directions, info.crowd_probability, times, generator)

        def learn(rows: Indexes, labels: Indexes) -> tuple[Floats, float]:
            releases = Releases(response, 2).add(released[rows].ravel(), np.repeat(labels, times))
            weights, biases = discriminant(releases)
            return weights[1] - weights[0], float(biases[1] - biases[0])

        return learn

    return learner


def from_vectors(released: Callable[[], Floats]) -> Callable[[int], Learn]:
    """Learns by scikit-learn's discriminant, with the shrinkage of Ledoit and Wolf, from vectors (texts, d)."""

    def learner(_: int) -> Learn:
        found = released()

        def learn(rows: Indexes, labels: Indexes) -> tuple[Floats, float]:
            model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(found[rows], labels)
            return model.coef_[0], float(model.intercept_[0])

        return learn

    return learner


def one_word_each(task: Task, bundle: hushbit.Bundle, epsilon: float) -> Callable[[], Floats]:
    """The unit vector of one word of each text, chosen uniformly and released by crowds."""
    privatizer = bundle.privatizer("crowd", epsilon)
    embedder = bundle.embedder(epsilon=1)
    tokens = [words_of(bundle, text) for text in task.texts]
    generator = np.random.default_rng(1)

    def released() -> Floats:
        words = [row[generator.integers(len(row))] if row else "" for row in tokens]
        return unit(embedder.vectors([privatizer.privatize(word).text for word in words]))

    return released


def words_of(bundle: hushbit.Bundle, text: str) -> list[str]:
    """The tokens of a text but for punctuation."""
    data = text.encode()
    tokens = [token for token in bundle.tokenize(text) if token.kind != "punctuation"]
    return [data[token.byte_begin : token.byte_end].decode() for token in tokens]


def from_priv_unit(task: Task, epsilon: float) -> Callable[[int], Learn]:
    """Learns from what PrivUnit releases of each text's vector, as from embeddings: noise is taken out of M₂."""
    d = task.units.shape[1]
    mechanism = PrivUnit(d, epsilon)
    a = mechanism.mean_square
    b = (1 - a) / (d - 1)

    def learner(draw: int) -> Learn:
        released = mechanism.release(task.units, np.random.default_rng(draw))

        def learn(rows: Indexes, labels: Indexes) -> tuple[Floats, float]:
            drawn = released[rows]
            one, two = (drawn[labels == label].mean(axis=0) / mechanism.mean for label in (0, 1))
            mean = drawn.mean(axis=0) / mechanism.mean
            covariance = (drawn.T @ drawn / len(drawn) - b * np.eye(d)) / (a - b) - np.outer(mean, mean)
            values, axes = np.linalg.eigh(covariance)
            edge = 2 / (math.sqrt(d * len(drawn)) * (a - b))
            weights = axes @ (axes.T @ (two - one) / np.maximum(values, edge))
            return weights, -float(weights @ (one + two)) / 2

        return learn

    return learner


def word_by_word(task: Task, bundle: hushbit.Bundle, options: dict[str, Any]) -> tuple[Callable[[], Floats], float]:
    """The unit vectors of released texts, and what a text costs at worst on average."""
    privatizer = bundle.privatizer(**options)
    embedder = bundle.embedder(epsilon=1)
    costs: list[float] = []

    def released() -> Floats:
        found = list(privatizer.privatize_many(task.texts))
        costs[:] = [one.cost.worst_case for one in found]
        return unit(embedder.vectors([one.text for one in found]))

    first = released()
    return lambda: first, float(np.mean(costs))


class Table:
    """Rows as they are measured: to stdout as Markdown, and all of them to a file as JSON."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows: list[dict[str, Any]] = []
        print("| release | ε of a text | texts | reviews | messages |")
        print("|---|--:|---|--:|--:|")

    def add(self, release: str, epsilon: str, times: str, found: dict[str, list[float]]) -> None:
        """One row, of the scores of each task."""
        cells = [mean_and_error(found[name]) if name in found else "" for name in ("reviews", "messages")]
        print(f"| {release} | {epsilon} | {times} | {cells[0]} | {cells[1]} |", flush=True)
        self.rows.append({"release": release, "epsilon": epsilon, "times": times, **found})
        if self.path is not None:
            self.path.write_text(json_text(self.rows, 1), encoding="utf-8")


def mean_and_error(scores: list[float]) -> str:
    """The figure with its deviation, such as .655 ± .003."""
    error = np.std(scores, ddof=1) / math.sqrt(len(scores)) if len(scores) > 1 else 0
    return f"{np.mean(scores):.3f} ± {error:.3f}".replace("0.", ".")


def measure_embeddings(tasks: list[Task], bundle: hushbit.Bundle, draws: int, table: Table) -> None:
    """Embeddings at every ε, once and 16 times each, and clean vectors."""
    clean = {}
    for task in tasks:
        clean[task.name] = measured(task, draws, from_vectors(partial(getattr, task, "units")))
    table.add("typed, the same vectors", "∞", "once", clean)
    for epsilon in EPSILONS:
        for times in (1, 16):
            found = {task.name: measured(task, draws, from_embeddings(task, bundle, epsilon, times)) for task in tasks}
            table.add("**embedding**", f"{epsilon:g}", "once" if times == 1 else f"{times} times", found)


def measure_others(tasks: list[Task], bundle: hushbit.Bundle, draws: int, table: Table) -> None:
    """Others at the same ε of a whole text."""
    for epsilon in EPSILONS:
        found = {task.name: measured(task, draws, from_priv_unit(task, epsilon)) for task in tasks}
        table.add("PrivUnit, floating point", f"{epsilon:g}", "once", found)
        found = {task.name: measured(task, draws, from_vectors(one_word_each(task, bundle, epsilon))) for task in tasks}
        table.add("one word of each, by crowds", f"{epsilon:g}", "once", found)


def measure_words(tasks: list[Task], bundle: hushbit.Bundle, draws: int, table: Table) -> None:
    """Whole texts word by word, and what they cost; all draws halve the same release."""
    for name, options in WORDS:
        found, costs = {}, []
        for task in tasks:
            released, cost = word_by_word(task, bundle, options)
            found[task.name] = measured(task, draws, from_vectors(released))
            costs.append(f"{cost:,.0f}")
        table.add(f"every word, {name}", "; ".join(costs), "once", found)


PARTS = {"embeddings": measure_embeddings, "others": measure_others, "words": measure_words}


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("messages", type=Path)
    parser.add_argument("--bundle", help="path of a bundle with an embedding (default: the built-in one)")
    parser.add_argument("--draws", type=int, default=5, help="number of draws (default: 5)")
    parser.add_argument("--part", choices=PARTS, action="append", help="a part of the table (default: all)")
    parser.add_argument("--json", type=Path, help="write all scores there, too")
    arguments = parser.parse_args()
    bundle = hushbit.open(arguments.bundle)
    tasks = [
        read_task("reviews", arguments.reviews, "review", "sentiment", bundle),
        read_task("messages", arguments.messages, "message", "spam", bundle),
    ]
    table = Table(arguments.json)
    for name in arguments.part or PARTS:
        print(name, file=sys.stderr)
        PARTS[name](tasks, bundle, arguments.draws, table)


if __name__ == "__main__":
    main()
