#!/usr/bin/env python3
"""Trains, privatizes and attacks two feature-hashed models: example_hashing.py REVIEWS TAGGED FOLDER.

A logistic model of reviews, and a tagger of address words, a CRF with passive-aggressive training. Models go to FOLDER,
a report in Markdown to stdout.
"""

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hushbit import hashing
from hushbit.hashing.attacks.attack import attack
from hushbit.hashing.fit.quality import excess_kurtosis, ks_distance

REVIEW_HASHES, TAG_HASHES = 1 << 16, 1 << 15
DELTA = 1e-5
TERM_FEATURES = (1, 10, 100)
Scores = dict[str, float]
Sentence = list[tuple[str, str]]  # words and their tags


def main() -> None:
    """Runs both examples."""
    reviews, tagged, folder = map(Path, sys.argv[1:])
    print("## Reviews: a logistic model\n")
    reviews_example(reviews, folder)
    print("\n## Addresses: a CRF, passive-aggressive training\n")
    tags_example(tagged, folder)


def reviews_example(path: Path, folder: Path) -> None:
    """Four fifths train, one fifth tests."""
    import skops.io
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    answers, texts = read_reviews(path)
    cut = len(texts) * 4 // 5
    pipeline = make_pipeline(HashingVectorizer(n_features=REVIEW_HASHES), LogisticRegression(C=10, max_iter=300))
    pipeline.fit(texts[:cut], answers[:cut])
    model = folder / "reviews.skops"
    skops.io.dump(pipeline, model)

    def scores(file: Path) -> Scores:
        return measure(answers[cut:], skops.io.load(file).predict(texts[cut:]))

    print(f"{cut:,} reviews to train, {len(texts) - cut:,} to test.\n")
    compare(model, REVIEW_HASHES, scores)


def tags_example(path: Path, folder: Path) -> None:
    """Four fifths of the addresses train, one fifth tests; scores are of words."""
    import pycrfsuite

    sentences = read_addresses(path)
    cut = len(sentences) * 4 // 5
    trainer = pycrfsuite.Trainer(algorithm="pa", verbose=False)
    for sentence in sentences[:cut]:
        trainer.append(attributes(sentence), [tag for _, tag in sentence])
    model = folder / "tags.crfsuite"
    trainer.train(str(model))
    tests = sentences[cut:]

    def scores(file: Path) -> Scores:
        tagger = pycrfsuite.Tagger()
        tagger.open(str(file))
        found = [tag for sentence in tests for tag in tagger.tag(attributes(sentence))]
        return measure([tag for sentence in tests for _, tag in sentence], found)

    print(f"{cut:,} addresses to train, {len(tests):,} to test, {len({t for s in sentences for _, t in s})} labels.\n")
    compare(model, TAG_HASHES, scores)


def compare(path: Path, size: int, scores: Callable[[Path], Scores]) -> None:
    """Privatizes with every fit and prints scores, fit, attack and cost."""
    model = hashing.open_model(path, size=size).model
    kurtosis = max(excess_kurtosis(column) for column in model.weights.T)
    print(f"{model.rows:,} of {size:,} hashes have genuine rows, of {model.dimensions} weights each.")
    print(f"Excess kurtosis of a dimension: {kurtosis:.0f} at most.\n")
    print("| model | accuracy | precision | recall | KS distance | AUC | strongest attacker |")
    print("|---|---|---|---|---|---|---|")
    print(f"| before | {scored(scores(path))} | | | |")
    for kind in hashing.FIT_KINDS:
        private = path.with_name(f"{path.stem}-{kind}{path.suffix}")
        print(f"| {kind} | {scored_fit(path, private, size, kind, scores)} |", flush=True)
    print("\n| K | all rows (composed) | per draw (as published) |\n|---|---|---|")
    composed = hashing.cost_curve(model, TERM_FEATURES, DELTA)
    for whole, one in zip(composed, hashing.cost_curve(model, TERM_FEATURES, DELTA, draws=1), strict=True):
        print(f"| {whole.removed} | {shown(whole.epsilon)} | {shown(one.epsilon)} |")


def scored_fit(path: Path, private: Path, size: int, kind: str, scores: Callable[[Path], Scores]) -> str:
    """Writes one private model and returns its part of the table."""
    file = hashing.open_model(path, size=size)
    model = file.model
    file.write(private, hashing.complete_rows(model, hashing.fit_rows(model.weights, kind)))
    table = hashing.open_model(private, size=size).model.weights
    genuine = np.zeros(size, dtype=np.bool_)
    genuine[model.hashes] = True
    distance = max(ks_distance(one, other) for one, other in zip(table[genuine].T, table[~genuine].T, strict=True))
    found = attack(table[genuine], table[~genuine])
    return f"{scored(scores(private))} | {distance:.3f} | {found.auc:.3f} | {found.attacker}"


def measure(truth: Any, guesses: Any) -> Scores:
    """Accuracy, and precision and recall averaged over classes, weighted by how frequent they are."""
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    precision, recall, _, _ = precision_recall_fscore_support(truth, guesses, average="weighted", zero_division=0)
    return {"accuracy": accuracy_score(truth, guesses), "precision": precision, "recall": recall}


def shown(epsilon: float) -> str:
    """Three digits, or that the divergence is infinite for every alpha."""
    return "infinite" if np.isinf(epsilon) else f"{epsilon:.3g}"


def scored(scores: Scores) -> str:
    """Three cells."""
    return " | ".join(f"{scores[name]:.3f}" for name in ("accuracy", "precision", "recall"))


def read_reviews(path: Path) -> tuple[list[int], list[str]]:
    """Numbers and texts, from the first column of 0 and 1 and the text column."""
    import csv

    from hushbit.hashing.costs.terms import read_documents

    texts = read_documents(path, None)
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        columns = pq.read_table(path).to_pydict()
    else:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        columns = {name: [row[name] for row in rows] for name in rows[0]}
    answers = next(column for column in columns.values() if {str(value) for value in column} == {"0", "1"})
    return [int(answer) for answer in answers], texts


def read_addresses(path: Path) -> list[Sentence]:
    """The words of each address with their tags, in a fixed random order."""
    root = ET.parse(path).getroot()  # noqa: S314 - of a package that pip has installed
    sentences = [[(part.text or "", part.tag) for part in address] for address in root]
    order = np.random.default_rng(0).permutation(len(sentences))
    return [sentences[i] for i in order if sentences[i]]


def attributes(sentence: Sentence) -> list[list[str]]:
    """The hashes of each word's features: itself, its ending and shape, and its neighbors."""
    words = ["<", *(word.lower() for word, _ in sentence), ">"]
    result = []
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        shape = "".join("0" if c.isdigit() else "a" if c.isalpha() else c for c in word)
        features = [f"w={word}", f"end={word[-3:]}", f"shape={shape}", f"before={before}", f"after={after}",
                    f"pair={before} {word}"]  # fmt: skip
        rows, _ = hashing.hash_features(features, TAG_HASHES)
        result.append([str(row) for row in sorted(set(rows.tolist()))])
    return result


if __name__ == "__main__":
    main()
