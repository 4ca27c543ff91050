"""What other forms of embeddings of whole texts would give, beside the form that is shipped.

    tools/bench/embedding_trials REVIEWS.parquet MESSAGES.parquet > table.md

REVIEWS has the columns review and sentiment, MESSAGES message and spam. As in tools/bench/embeddings: each draw halves
the texts anew, learns from one release of each text of a half and is tested on the other half as typed; accuracy on
reviews, the area under the curve on messages; means over draws and halves, with the standard error over draws. Learned
by one discriminant for all forms, with the moments that uniform directions would have. Draws are from fixed seeds, in
floating point: nothing of this is private, and nothing of it is shipped but the first form.

- centered, typed: the mean unit vector of the typed texts of a half is taken from each unit vector. Nobody has that
  mean without reading what was typed.
- centered, learned: the mean is estimated from releases of a tenth of the half's people, whose releases teach nothing
  else; the others release centered vectors.
- K: fewer or more directions. Ternary: half of the coordinates of each direction are 0. Real: uniform on the sphere.
- word pairs: the codes of neighboring words are multiplied bit by bit, their mean is projected to its 16 principal
  axes, which typed texts tell, and joined to the first 16 or all 32 coordinates of the shipped vector.
"""

import argparse
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from embeddings import Floats, Indexes, Learn, Task, mean_and_error, measured, read_task, unit

import hushbit
from hushbit._text import encode

EPSILONS = (2.0, 4.0)
VECTORS = 512
BLOCK = 128
LEARN_CENTER = 0.1


@dataclass(frozen=True)
class Form:
    """Public unit directions (K, d), and what a release from the crowd of k of them by the chance λ answers."""

    directions: Floats
    crowd: int
    chance: float
    mean: float
    mean_square: float

    def release(self, vectors: Floats, generator: np.random.Generator) -> Floats:
        """The released directions of vectors, (n, d)."""
        found = np.empty_like(vectors)
        for first in range(0, len(vectors), BLOCK):
            rows = slice(first, first + BLOCK)
            products = vectors[rows] @ self.directions.T
            near = np.argpartition(products, -self.crowd, axis=1)[:, -self.crowd :]
            count = len(products)
            own = near[np.arange(count), generator.integers(self.crowd, size=count)]
            anywhere = generator.integers(len(self.directions), size=count)
            found[rows] = self.directions[np.where(generator.random(count) < self.chance, own, anywhere)]
        return found


def form_of(directions: Floats, epsilon: float) -> Form:
    """The form with the size of crowds whose releases point best along the vector, on average over random ones."""
    count, d = directions.shape
    along, squares = np.zeros(count), np.zeros(count)
    random = unit(np.random.default_rng(0).standard_normal((VECTORS, d)))
    for first in range(0, VECTORS, BLOCK):
        products = -np.sort(-(random[first : first + BLOCK] @ directions.T), axis=1)
        along += products.sum(axis=0)
        squares += (products**2).sum(axis=0)
    sizes = np.arange(1, count + 1)
    along, squares = np.cumsum(along) / sizes / VECTORS, np.cumsum(squares) / sizes / VECTORS
    odds = math.expm1(epsilon) * sizes / count
    chances = odds / (1 + odds)
    best = int(np.argmax(chances * along))
    chance = float(chances[best])
    return Form(
        directions, best + 1, chance, float(chance * along[best]), float(chance * squares[best] + (1 - chance) / d)
    )


def signs(count: int, d: int) -> Floats:
    """Directions of random signs."""
    return unit(np.random.default_rng(1).choice([-1.0, 1.0], size=(count, d)))


def ternary(count: int, d: int) -> Floats:
    """Directions of random signs, half of whose coordinates are 0."""
    generator = np.random.default_rng(1)
    kept = np.argsort(generator.random((count, d)), axis=1) < d // 2
    return unit(kept * generator.choice([-1.0, 1.0], size=(count, d)))


def real(count: int, d: int) -> Floats:
    """Directions uniform on the sphere."""
    return unit(np.random.default_rng(1).standard_normal((count, d)))


# ---- Learning


def discriminant(released: Floats, labels: Indexes, form: Form) -> tuple[Floats, float]:
    """Weights and bias for unit vectors, as tools/bench/embeddings learns from PrivUnit."""
    d = released.shape[1]
    a, b = form.mean_square, (1 - form.mean_square) / (d - 1)
    one, two = (released[labels == label].mean(axis=0) / form.mean for label in (0, 1))
    mean = released.mean(axis=0) / form.mean
    covariance = (released.T @ released / len(released) - b * np.eye(d)) / (a - b) - np.outer(mean, mean)
    values, axes = np.linalg.eigh(covariance)
    edge = 2 / (math.sqrt(d * len(released)) * (a - b))
    weights = axes @ (axes.T @ (two - one) / np.maximum(values, edge))
    return weights, -float(weights @ (one + two)) / 2


def plain(task: Task, form: Form) -> Callable[[int], Learn]:
    """Learns from one release of each text."""

    def learner(draw: int) -> Learn:
        released = form.release(task.units, np.random.default_rng([draw, len(form.directions)]))
        return lambda rows, labels: discriminant(released[rows], labels, form)

    return learner


def plain_scores(forms: Mapping[float, Form], draws: int, task: Task, epsilon: float) -> list[float]:
    """The score of each draw, of vectors as they are."""
    return measured(task, draws, plain(task, forms[epsilon]))


def with_vectors(task: Task, vectors: Any) -> Task:
    """The task with real vectors in place of its own."""
    return replace(task, vectors=vectors)


def centered_scores(forms: Mapping[float, Form], draws: int, learned: bool, task: Task, epsilon: float) -> list[float]:
    """The score of each draw where a center is taken from the unit vectors, see the head of this file."""
    form, found = forms[epsilon], []
    for draw in range(draws):
        generator = np.random.default_rng([draw, 77])
        one, other = task.halves(draw)
        scores = []
        for train, test in ((one, other), (other, one)):
            center, rest = task.units[train].mean(axis=0), train
            if learned:
                first, rest = np.split(train, [int(LEARN_CENTER * len(train))])
                center = form.release(task.units[first], generator).mean(axis=0) / form.mean
            moved = with_vectors(task, unit(task.units - center))
            rule = discriminant(form.release(moved.units[rest], generator), task.labels[rest], form)
            scores.append(moved.score(*rule, test))
        found.append(float(np.mean(scores)))
    return found


# ---- Word pairs


def with_pairs(task: Task, bundle: hushbit.Bundle, kept: int, added: int) -> Task:
    """`kept` coordinates of the shipped vectors, joined to `added` of pairs of words, both of length 1."""
    native = bundle._native
    pairs = np.zeros((len(task.texts), 8 * native.codes(native.output_words()[:1]).shape[1]))
    for row, text in enumerate(task.texts):
        ids = [token.word for token in native.tokenize(encode(text)) if token.word is not None]
        if len(ids) > 1:
            packed = native.codes(native.stand_ins(np.array(ids, dtype=np.uint32)))
            codes = np.unpackbits(packed, axis=1, bitorder="little") * 2.0 - 1
            pairs[row] = (codes[1:] * codes[:-1]).mean(axis=0)
    centered = pairs - pairs.mean(axis=0)
    axes = np.linalg.svd(centered, full_matrices=False)[2][:added]
    return with_vectors(task, np.hstack([unit(task.units[:, :kept]), unit(centered @ axes.T)]))


def paired_scores(
    forms: Mapping[float, Form], draws: int, paired: Mapping[str, Task], task: Task, epsilon: float
) -> list[float]:
    """The score of each draw, of vectors with pairs of words."""
    return measured(paired[task.name], draws, plain(paired[task.name], forms[epsilon]))


def main() -> None:
    """Prints a row for each form, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("messages", type=Path)
    parser.add_argument("--draws", type=int, default=5, help="number of draws (default: 5)")
    arguments = parser.parse_args()
    bundle = hushbit.open()
    tasks = [
        read_task("reviews", arguments.reviews, "review", "sentiment", bundle),
        read_task("messages", arguments.messages, "message", "spam", bundle),
    ]
    print("| form | " + " | ".join(f"{task.name}, ε {epsilon:g}" for task in tasks for epsilon in EPSILONS) + " |")
    print("|---|" + "--:|" * (len(tasks) * len(EPSILONS)))
    shipped = bundle.embedder(epsilon=1).directions.astype(np.float64)
    directions: dict[str, Floats] = {
        "as shipped: signs, K = 16,384": unit(shipped),
        "K = 4,096": signs(4096, 32),
        "K = 65,536": signs(65536, 32),
        "ternary directions": ternary(16384, 32),
        "real directions": real(16384, 32),
    }

    def show(name: str, cell: Callable[[Task, float], list[float]]) -> None:
        cells = [mean_and_error(cell(task, epsilon)) for task in tasks for epsilon in EPSILONS]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)

    for name, of in directions.items():
        forms = {epsilon: form_of(of, epsilon) for epsilon in EPSILONS}
        show(name, partial(plain_scores, forms, arguments.draws))
    forms = {epsilon: form_of(unit(shipped), epsilon) for epsilon in EPSILONS}
    for name, learned in (("centered, typed", False), ("centered, learned", True)):
        show(name, partial(centered_scores, forms, arguments.draws, learned))
    for kept in (16, 32):
        paired = {task.name: with_pairs(task, bundle, kept, 16) for task in tasks}
        forms = {epsilon: form_of(signs(16384, kept + 16), epsilon) for epsilon in EPSILONS}
        show(f"{kept} coordinates and 16 of word pairs", partial(paired_scores, forms, arguments.draws, paired))


if __name__ == "__main__":
    main()
