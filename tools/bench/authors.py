"""Whether releases tell who wrote a text: which of 1,000 people wrote the second half of a review.

    tools/bench/authors REVIEWS.parquet > table.md

REVIEWS has the column review. Reviews of 120 words or more are cut in half. The attacker has the first halves of 1,000
reviews, as typed and with names, knows the bundle, the mechanism and ε, and sees one release of a second half. Both
halves are about the same film, so the figures bound from above what style alone would tell. Other reviews, of which the
attacker has both halves as typed, teach the attack.

- From an embedding: the second half's unit vector is predicted from the first half's by ridge regression, with a normal
  error whose covariance the other reviews tell; the score is the probability that the released direction is in the
  crowd of such a vector. Figures are exact over all directions.
- From words: the likelihood of the released words, if they were typed independently with the frequencies of the first
  half, mixed with those of all texts, and went through the public channel. The share of the mixture is the best one of
  the other reviews. One draw from fixed seeds for each text. From typed words likewise, without the channel.

In the columns: how often the right one of 1,000 is guessed (chance: .001), how often it is among the ten likeliest
(.010), and how often two people are told apart (.500).
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from bag_of_words import release
from embeddings import Floats, Indexes, unit
from scipy import sparse
from scipy.special import ndtr

import hushbit
from hushbit.analysis.embeddings.crowds import crowds_of
from hushbit.analysis.words.estimate import Channel, channel_of, typed_counts

PEOPLE = 1000
FEWEST_WORDS = 120
EMBEDDINGS = (1.0, 2.0, 4.0, 6.0)
WORDS = (2.0, 6.0)
MIXED = (0.05, 0.1, 0.2, 0.4, 0.6)
RIDGES = (0.01, 0.1, 1.0, 10.0)
FIRST = 10
AT_ONCE = 250
SURE = 1e-12


@dataclass(frozen=True)
class Halves:
    """The texts of first and second halves."""

    first: list[str]
    second: list[str]

    def some(self, rows: slice) -> "Halves":
        """The texts of some people."""
        return Halves(self.first[rows], self.second[rows])


def read_halves(bundle: hushbit.Bundle, path: Path) -> Halves:
    """All reviews that are long enough, in a random order."""
    found = Halves([], [])
    texts = parquet.read_table(path, columns=["review"])["review"].to_pylist()
    for row in np.random.default_rng(0).permutation(len(texts)):
        data = texts[row].replace("<br />", " ").encode()
        tokens = [token for token in bundle.tokenize(data.decode()) if token.kind != "punctuation"]
        if len(tokens) >= FEWEST_WORDS:
            cut = tokens[len(tokens) // 2].byte_begin
            found.first.append(data[:cut].decode())
            found.second.append(data[cut:].decode())
    return found


@dataclass(frozen=True)
class Told:
    """How often the attacker is right."""

    named: float
    among_first: float
    of_two: float

    def __str__(self) -> str:
        return " | ".join(f"{value:.3f}".removeprefix("0") for value in (self.named, self.among_first, self.of_two))


def ranks_of(scores: Floats) -> Indexes:
    """How many people have a higher score for a release, of (people, releases); those of equal ones are in order."""
    ranks = np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(ranks, np.argsort(-scores, axis=0, kind="stable"), np.arange(len(scores))[:, np.newaxis], axis=0)
    return ranks


def told(ranks: Indexes, weights: Floats, people: int) -> Told:
    """The success over releases: `ranks`, (releases,), of the person of each, and weights that sum to 1."""
    found = (ranks == 0, ranks < FIRST, 1 - ranks / (people - 1))
    return Told(*(float(value @ weights) for value in found))


# ---- Embeddings


class Predicted:
    """The unit vectors of second halves, predicted from those of first halves, and the covariance of the errors."""

    def __init__(self, first: Floats, second: Floats) -> None:
        half = len(first) // 2
        errors = [self._error(first, second, half, ridge) for ridge in RIDGES]
        self._fit(first, second, RIDGES[int(np.argmin(errors))])
        left = second - self.of(first)
        self.covariance = left.T @ left / len(left)

    def _error(self, first: Floats, second: Floats, half: int, ridge: float) -> float:
        self._fit(first[:half], second[:half], ridge)
        return float(np.mean((second[half:] - self.of(first[half:])) ** 2))

    def _fit(self, first: Floats, second: Floats, ridge: float) -> None:
        self._means = first.mean(axis=0), second.mean(axis=0)
        centered = first - self._means[0]
        square = centered.T @ centered + ridge * len(first) / first.shape[1] * np.eye(first.shape[1])
        self._map = np.linalg.solve(square, centered.T @ (second - self._means[1]))

    def of(self, first: Floats) -> Floats:
        """The predicted vectors."""
        return np.asarray((first - self._means[0]) @ self._map + self._means[1])


def by_embeddings(bundle: hushbit.Bundle, learned: Halves, attacked: Halves, epsilon: float) -> Told:
    """The success from one embedding of each second half, exact over all directions."""
    embedder = bundle.embedder(epsilon=epsilon)
    info = embedder.info
    known = [unit(embedder.vectors(half)) for half in (learned.first, learned.second, attacked.first)]
    predicted = Predicted(known[0], known[1])
    directions = unit(embedder.directions)
    typed = embedder.vectors(attacked.second)
    crowds = crowds_of(typed, embedder.directions, info.crowd_directions)
    # The least inner product within a crowd, which is nearly the same for all vectors.
    least = np.mean(
        [(directions[crowd] @ row).min() for crowd, row in zip(crowds[:100], unit(typed)[:100], strict=True)]
    )
    spread = np.sqrt(np.einsum("ji,ik,jk->j", directions, predicted.covariance, directions))
    scores = ndtr((predicted.of(known[2]) @ directions.T - least) / spread)  # (people, K)
    ranks, found = ranks_of(scores), []
    for person, crowd in enumerate(crowds):
        weights = np.full(info.directions, (1 - info.crowd_probability) / info.directions)
        weights[crowd] += info.crowd_probability / info.crowd_directions
        one = told(ranks[person], weights, len(ranks))
        found.append((one.named, one.among_first, one.of_two))
    return Told(*np.mean(found, axis=0).tolist())


# ---- Words


def by_words(channel: Channel | None, first: sparse.csr_array, seen: sparse.csr_array, mixed: float) -> Told:
    """The success from the words of each second half: released, (people, Y), through a channel, or typed, (people, Y +
    1).
    """
    public = np.asarray(first.sum(axis=0)).ravel() + 1.0
    public /= public.sum()
    scores = []
    for start in range(0, first.shape[0], AT_ONCE):
        counts = first[start : start + AT_ONCE].T.toarray()
        shares = mixed * counts / np.maximum(counts.sum(axis=0), 1) + (1 - mixed) * public[:, np.newaxis]
        expected = shares if channel is None else channel.released(shares)
        scores.append(np.asarray(seen @ np.log(np.maximum(expected, SURE))).T)
    people = seen.shape[0]
    ranks = ranks_of(np.concatenate(scores)).diagonal()
    return told(ranks, np.full(people, 1 / people), people)


def best_mixed(channel: Channel | None, first: sparse.csr_array, seen: sparse.csr_array) -> float:
    """The share that names most of other people."""
    return max(MIXED, key=lambda mixed: by_words(channel, first, seen, mixed).of_two)


def counts_of(bundle: hushbit.Bundle, halves: Halves) -> tuple[Any, Any]:
    """The counts of the words of both halves, (people, Y + 1)."""
    return typed_counts(bundle, halves.first), typed_counts(bundle, halves.second)


def main() -> None:
    """Prints a line for each release, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reviews", type=Path)
    arguments = parser.parse_args()
    bundle = hushbit.open()
    halves = read_halves(bundle, arguments.reviews)
    attacked, learned = halves.some(slice(0, PEOPLE)), halves.some(slice(PEOPLE, 2 * PEOPLE))
    print("| release | ε | named | among ten | two |")
    print("|---|--:|--:|--:|--:|")
    for epsilon in EMBEDDINGS:
        print(f"| embedding | {epsilon:g} | {by_embeddings(bundle, learned, attacked, epsilon)} |", flush=True)
    (first, second), (first_learned, second_learned) = (counts_of(bundle, some) for some in (attacked, learned))
    for epsilon in WORDS:
        privatizer = bundle.privatizer("crowd", epsilon)
        channel = channel_of(privatizer)
        mixed = best_mixed(channel, first_learned, release(privatizer, second_learned, 1))
        found = by_words(channel, first, release(privatizer, second, 2), mixed)
        print(f"| every word, crowds | {epsilon:g} a word | {found} |", flush=True)
    mixed = best_mixed(None, first_learned, second_learned)
    print(f"| as typed | ∞ | {by_words(None, first, second, mixed)} |")


if __name__ == "__main__":
    main()
