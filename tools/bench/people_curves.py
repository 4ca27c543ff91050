"""What classifiers learn from the releases of 1,000 to 1,000,000 people, tested on typed texts.

    tools/bench/people_curves REVIEWS.parquet MESSAGES.parquet [--json OUT] > table.md

REVIEWS has the columns review and sentiment, MESSAGES message and spam. Each draw halves the texts anew, learns from
the releases of each half and is tested on the other half as typed: accuracy on reviews, the area under the curve on
messages. A half has 2,500 reviews or 2,787 messages. More people than that release the same texts again, each text
equally often: that overstates how different people are, and nothing can be learned beyond what a half teaches.

- embeddings of whole texts, drawn with fixed seeds from the crowds that the core finds; the discriminant of releases;
- a report of one word of each text by the core, counted by class, and naive Bayes from the counts;
- every word, released by crowds with fixed seeds at an epsilon a word: regression calibration for reviews and naive
  Bayes for messages, each the better one on its texts (tools/bench/released_words). The curve ends where people would
  send more than --most-words words.

Figures are means over draws and halves with their interval of 95 in 100 over draws, of which each is a mean over its
halves (Student's t). tools/docs/people_figure draws them.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from bag_of_words import release
from embeddings import Floats, Indexes, Task
from scipy import sparse, stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score

import hushbit
from hushbit._plumbing.records import json_text
from hushbit.analysis import CalibratedWordClassifier, WordNaiveBayes
from hushbit.analysis.counts import Tally, design_of, naive_bayes, words_of
from hushbit.analysis.embeddings.crowds import crowds_of, drawn_from
from hushbit.analysis.embeddings.discriminant import discriminant
from hushbit.analysis.embeddings.moments import Releases
from hushbit.analysis.embeddings.response import response_of
from hushbit.analysis.words.estimate import typed_counts

PEOPLE = (1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000)
IN_TABLE = (1_000, 10_000, 100_000, 1_000_000)
EPSILONS = (1.0, 2.0, 4.0)
WORD_EPSILON = 6.0
TYPED = "typed, the vectors of embeddings"

Learned = Callable[[Indexes], Floats]
"""Scores of typed texts, by their rows, above 0 for the second class."""
Learner = Callable[[Indexes, int, np.random.Generator], Learned]
"""Learns from so many people, who have the texts of the given rows."""


@dataclass(frozen=True)
class Curve:
    """A release, its epsilon, the numbers of people, and what makes the learner."""

    release: str
    epsilon: str
    people: Sequence[int]
    make: Callable[[], Learner]


@dataclass(frozen=True)
class Texts(Task):
    """A task whose words are counted, too. counts: (texts, Y + 1), the last column: unknown words."""

    counts: sparse.csr_array

    def told(self, scores: Floats, rows: Indexes) -> float:
        """Accuracy on reviews, area under the curve on messages."""
        if self.name == "messages":
            return float(roc_auc_score(self.labels[rows], scores))
        return float(np.mean((scores > 0) == (self.labels[rows] == 1)))


def read_texts(name: str, path: Path, text: str, label: str, bundle: hushbit.Bundle) -> Texts:
    """The texts of a file."""
    table = parquet.read_table(path, columns=[text, label]).to_pydict()
    texts = [one.replace("<br />", " ") for one in table[text]]
    of_texts = bundle.embedder(epsilon=1).vectors(texts)
    return Texts(name, texts, np.array(table[label]), of_texts, typed_counts(bundle, texts))


def people_of(rows: Indexes, people: int, generator: np.random.Generator) -> Indexes:
    """The text of each person: all of them equally often, and the rest at random without repeats, (people,)."""
    rest = generator.permutation(rows)[: people % len(rows)]
    return np.concatenate([np.repeat(rows, people // len(rows)), rest])


# ---- Learners


def by_embeddings(task: Texts, bundle: hushbit.Bundle, epsilon: float) -> Learner:
    """The discriminant, from an embedding of each person's text."""
    embedder = bundle.embedder(epsilon=epsilon)
    info = embedder.info
    response = response_of(embedder.directions, info.crowd_directions, info.crowd_probability)
    crowds = crowds_of(task.vectors, embedder.directions, info.crowd_directions)
    empty = np.asarray(~task.vectors.any(axis=1))

    def learner(rows: Indexes, people: int, generator: np.random.Generator) -> Learned:
        releases = Releases(response, 2)
        rest = generator.permutation(rows)[: people % len(rows)]
        for of, times in ((rows, people // len(rows)), (rest, 1)):
            drawn = drawn_from(crowds[of], empty[of], info.directions, info.crowd_probability, times, generator)
            releases.add(drawn.ravel(), np.repeat(task.labels[of], times))
        weights, biases = discriminant(releases)
        return lambda tested: task.units[tested] @ (weights[1] - weights[0]) + (biases[1] - biases[0])

    return learner


def by_counts(task: Texts, bundle: hushbit.Bundle, epsilon: float) -> Learner:
    """Naive Bayes, from reports of one word of each person's text; labels are sent beside them."""
    design = design_of(len(words_of(bundle).names), epsilon)
    reporter = bundle.reporter(values="words", epsilon=epsilon)
    known = task.counts[:, :-1].tocsr()
    tokens = np.repeat(known.indices, known.data.astype(np.int64)) + 1  # 0 is the value of a text without words
    sizes = np.asarray(known.sum(axis=1)).ravel().astype(np.int64)
    firsts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def learner(rows: Indexes, people: int, generator: np.random.Generator) -> Learned:
        texts = people_of(rows, people, generator)
        places = firsts[texts] + (generator.random(people) * sizes[texts]).astype(np.int64)
        values = np.where(sizes[texts] > 0, tokens[np.minimum(places, len(tokens) - 1)], 0)
        reports = reporter.report_values(values).astype(np.int64)
        tallies = {}
        for label in (0, 1):
            tallies[str(label)] = Tally(design)
            tallies[str(label)].add(reports[task.labels[texts] == label])
        model = naive_bayes(tallies)
        weights, prior = model.weights[1:, 1] - model.weights[1:, 0], float(model.priors[1] - model.priors[0])
        return lambda tested: np.asarray(known[tested] @ weights) + prior

    return learner


def by_words(task: Texts, bundle: hushbit.Bundle, most_words: int) -> Learner:
    """The classifier for released words that is better on such texts, from every word of each person's text."""
    privatizer = bundle.privatizer("crowd", WORD_EPSILON)
    kind = WordNaiveBayes if task.name == "messages" else CalibratedWordClassifier

    def learner(rows: Indexes, people: int, generator: np.random.Generator) -> Learned:
        texts = people_of(rows, people, generator)
        if task.counts[texts].sum() > most_words:
            raise TooManyError
        released = release(privatizer, task.counts[texts], int(generator.integers(200)))
        model = kind(privatizer).fit(released, task.labels[texts])
        return lambda tested: np.asarray(model.decision_function(task.counts[tested]))

    return learner


class TooManyError(Exception):
    """People would send more words than the bench is to draw."""


def by_typed(task: Texts) -> Learner:
    """What the typed vectors of a half teach: the end of the curves of embeddings."""

    def learner(rows: Indexes, _: int, __: np.random.Generator) -> Learned:
        model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(task.units[rows], task.labels[rows])
        return lambda tested: np.asarray(model.decision_function(task.units[tested]))

    return learner


# ---- Curves


def scores_of(task: Texts, learner: Learner, people: int, draws: int) -> list[float] | None:
    """The score of each draw, the mean over both halves; None if there are too many words."""
    found = []
    for draw in range(draws):
        one, other = task.halves(draw)
        generator = np.random.default_rng([draw, people])
        try:
            scores = [
                task.told(learner(train, people, generator)(test), test) for train, test in ((one, other), (other, one))
            ]
        except TooManyError:
            return None
        found.append(float(np.mean(scores)))
    return found


def cell(scores: list[float] | None) -> str:
    """The figure and half its interval of 95 in 100, such as .655 ± .003."""
    if scores is None:
        return ""
    half = stats.t.ppf(0.975, len(scores) - 1) * np.std(scores, ddof=1) / math.sqrt(len(scores))
    return f"{np.mean(scores):.3f} ± {half:.3f}".replace("0.", ".")


def learners_of(task: Texts, bundle: hushbit.Bundle, most_words: int) -> Iterator[Curve]:
    """What is measured on a task, in the order of the table."""
    yield Curve(TYPED, "∞", (len(task.texts) // 2,), partial(by_typed, task))
    for epsilon in EPSILONS:
        yield Curve("embedding", f"{epsilon:g}", PEOPLE, partial(by_embeddings, task, bundle, epsilon))
    for epsilon in EPSILONS:
        yield Curve("report of a word, counted", f"{epsilon:g}", PEOPLE, partial(by_counts, task, bundle, epsilon))
    cost = WORD_EPSILON * task.counts.sum() / len(task.texts)
    name = f"{WORD_EPSILON:g} a word, {cost:,.0f}"
    yield Curve("every word, crowds", name, IN_TABLE, partial(by_words, task, bundle, most_words))


def read_rows(path: Path | None) -> list[dict[str, Any]]:
    """What an earlier run measured, if there is such a file."""
    if path is None or not path.exists():
        return []
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def measure(tasks: list[Texts], bundle: hushbit.Bundle, arguments: argparse.Namespace) -> None:
    """Prints a row for each task and learner, as Markdown."""
    print("| texts | release | ε | " + " | ".join(f"{people:,}" for people in IN_TABLE) + " |")
    print("|---|---|--:" + "|--:" * len(IN_TABLE) + "|")
    rows = read_rows(arguments.json)
    for task in tasks:
        for curve in learners_of(task, bundle, arguments.most_words):
            if arguments.only not in f"{task.name}, {curve.release}, {curve.epsilon}":
                continue
            learner = curve.make()
            found: dict[int, list[float]] = {}
            for people in curve.people:
                scores = scores_of(task, learner, people, arguments.draws)
                if scores is None:
                    break
                found[people] = scores
                print(f"{task.name}, {curve.release}, {curve.epsilon}, {people:,}: {cell(scores)}", file=sys.stderr)
            shown = dict.fromkeys(IN_TABLE, *found.values()) if curve.release == TYPED else found
            cells = " | ".join(cell(shown.get(people)) for people in IN_TABLE)
            print(f"| {task.name} | {curve.release} | {curve.epsilon} | {cells} |", flush=True)
            names = {"texts": task.name, "release": curve.release, "epsilon": curve.epsilon}
            rows = [row for row in rows if any(row[name] != value for name, value in names.items())]
            rows.append({**names, "scores": found})
            if arguments.json is not None:
                arguments.json.write_text(json_text(rows, 1), encoding="utf-8")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("messages", type=Path)
    parser.add_argument("--draws", type=int, default=5, help="number of draws, 2 or more (default: 5)")
    parser.add_argument("--most-words", type=int, default=8_000_000, help="released words of a half (default: 8000000)")
    parser.add_argument("--only", default="", help="curves whose name has this, as in 'messages, embedding, 2'")
    parser.add_argument("--json", type=Path, help="write all scores there, too; other curves of the file are kept")
    arguments = parser.parse_args()
    bundle = hushbit.open()
    tasks = [
        read_texts("reviews", arguments.reviews, "review", "sentiment", bundle),
        read_texts("messages", arguments.messages, "message", "spam", bundle),
    ]
    measure(tasks, bundle, arguments)


if __name__ == "__main__":
    main()
