#!/usr/bin/env python3
"""Shows the whole loop: simulated phones release, a shuffler mixes, an analyst learns and counts, a phone uses it.

show_loop.py [--phones N] [--made] [-o DIR]: the weights of the classifier and, with matplotlib, a chart go to DIR.
docs/loop.md goes through it.
"""

import argparse
import json
import re
import secrets
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from loop_messages import CLASSES, Messages, read_messages  # beside this file
from numpy.typing import NDArray

import hushbit
from hushbit.analysis.counts import Counted, Wanted, count_files, design_of, estimate, listed
from hushbit.analysis.counts.estimates import Estimates
from hushbit.analysis.embeddings.discriminant import discriminant
from hushbit.analysis.embeddings.moments import Releases
from hushbit.analysis.embeddings.response import response_of
from hushbit.analysis.embeddings.weights import Weights
from hushbit.analysis.shuffler import shuffle

EPSILON = 2.0  # of the embedding, and as much again of the report
WATCHED = ["call", "now", "free", "ok", "good", "home", "time", "day", "love", "text"]
LEAST = 10  # releases that the shuffler waits for; in earnest it is the number of people that hides one
TYPED = ["Win cash now! Text to claim your free phone", "Are you home for dinner, or still at work?"]
Spam = NDArray[np.bool_]


# ---- On each phone, the app


def watched_word(text: str) -> str:
    """One of the watched words of a text, drawn by the operating system's randomness; empty if there is none."""
    found = [word for word in re.findall(r"\w+", text.lower()) if word in WATCHED]
    return secrets.choice(found) if found else ""


def send(messages: Messages, embedder: hushbit.Embedder, reporter: hushbit.Reporter, spool: Path) -> list[str]:
    """Writes what all phones send. Returns the watched words that were drawn, which no analyst ever sees.

    Embeddings go to a folder by their label, which the owner of a phone gave: it is sent as it is.
    """
    drawn = [watched_word(text) for text in messages.texts]
    indexes = embedder.embed_indexes(messages.texts).tolist()
    lines: dict[str, list[str]] = {name: [] for name in (*CLASSES, "reports")}
    for index, spam, word in zip(indexes, messages.spam, drawn, strict=True):
        lines[CLASSES[spam]].append(json.dumps({"index": index, "epsilon": EPSILON}))
        lines["reports"].append(reporter.report(word).to_json())
    for name, sent in lines.items():
        (spool / name).mkdir(parents=True)
        (spool / name / "sent.jsonl").write_text("".join(f"{line}\n" for line in sent))
    print(f"two of the lines sent    {lines[CLASSES[0]][0]}   {lines['reports'][0]}")
    return drawn


# ---- The shuffler, which is another party's


def mix(spool: Path, mixed: Path) -> dict[str, Path]:
    """The mixed file of each folder."""
    files = {}
    for folder in sorted(spool.iterdir()):
        output = mixed / folder.name
        output.mkdir(parents=True)
        batch = shuffle(folder, output, LEAST).output
        if batch is None:
            raise SystemExit(f"fewer than {LEAST} phones sent something of the kind {folder.name}: give more --phones")
        files[folder.name] = batch
    return files


# ---- The analyst, who has the mixed files alone


def learn(files: dict[str, Path], embedder: hushbit.Embedder) -> Weights:
    """The classifier: what hushbit.analysis.EmbeddingClassifier does for those who have scikit-learn."""
    info = embedder.info
    response = response_of(embedder.directions, info.crowd_directions, info.crowd_probability)
    releases = Releases(response, len(CLASSES))
    for number, name in enumerate(CLASSES):
        indexes = [json.loads(line)["index"] for line in files[name].read_text().splitlines()]
        releases.add(indexes, np.full(len(indexes), number))
    return Weights.rounded(info.hash, CLASSES, *discriminant(releases))


def count(file: Path) -> Estimates:
    """How many phones have each watched word."""
    values = listed(WATCHED, none=True)
    counted = count_files([file], Wanted(values.hash, EPSILON), Counted(design_of(len(values.names), EPSILON)))
    return estimate(counted.whole, values.names)


# ---- What it is compared with


def learn_from_typed(messages: Messages, embedder: hushbit.Embedder) -> Weights:
    """The linear discriminant of the messages themselves, which no analyst has."""
    vectors = embedder.vectors(messages.texts).astype(float)
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    spam = np.array(messages.spam)
    means = np.stack([units[~spam].mean(axis=0), units[spam].mean(axis=0)])
    within = np.cov((units - means[spam.astype(int)]).T)
    weights = np.linalg.solve(within, means.T).T
    shares = np.array([1 - spam.mean(), spam.mean()])
    return Weights.rounded(embedder.info.hash, CLASSES, weights, np.log(shares) - (weights * means).sum(axis=1) / 2)


def accuracy_and_area(classifier: hushbit.Classifier, messages: Messages) -> tuple[float, float]:
    """The share of messages as typed, which no phone has sent, that is labeled right, and the area under the ROC."""
    chances = np.array([classifier.classify(text).probabilities["spam"] for text in messages.test_texts])
    spam = np.array(messages.test_spam)
    above = chances[spam][:, None] - chances[~spam]
    return float(((chances > 0.5) == spam).mean()), float((above > 0).mean() + (above == 0).mean() / 2)


# ---- What is shown


def show_counts(found: Estimates, drawn: list[str]) -> NDArray[np.int64]:
    """A line for each word, with an interval if it is told. Returns the true counts, in the order of the values."""
    true = np.array([drawn.count(""), *(drawn.count(word) for word in WATCHED)])
    print(f"\n{'word':<8}{'counted':>8}   {'95 of 100 hold':<16}{'true':>5}")
    for place in found.order():
        told = f"{found.low[place]:.0f} to {found.high[place]:.0f}" if found.told[place] else "not told"
        print(f"{found.names[place]:<8}{found.counts[place]:>8.0f}   {told:<16}{true[place]:>5}")
    return true


def draw(found: Estimates, true: NDArray[np.int64], path: Path) -> None:
    """The counts beside the true ones, with the intervals of those that are told."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("\nno chart was drawn: pip install matplotlib")
        return
    places = found.order()[::-1]
    heights = np.arange(len(places))
    told = found.told[places]
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.hlines(
        heights[told], found.low[places][told], found.high[places][told], color="#94a3b8", linewidth=4, label="interval"
    )
    axes.plot(found.counts[places], heights, "o", color="#1d4ed8", label="counted from what was sent")
    axes.plot(true[places], heights, "x", color="#b91c1c", markersize=8, label="true")
    axes.set_yticks(heights, [found.names[place] for place in places])
    axes.set_xlabel(f"phones of {found.reports:,}; an ε of {EPSILON:g} for each report")
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
    print(f"\nchart: {path}")


def main() -> None:
    """Goes through the loop once."""
    parser = argparse.ArgumentParser(description="Show the whole loop: phones, shuffler, analyst, phone.")
    parser.add_argument("--phones", type=int, default=1000, metavar="N", help="how many phones (default: 1000)")
    parser.add_argument("--made", action="store_true", help="use made sentences even if the shared data is there")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/demo"), metavar="DIR")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    bundle = hushbit.open()
    embedder = bundle.embedder(epsilon=EPSILON)
    reporter = bundle.reporter(WATCHED, epsilon=EPSILON, none=True)
    messages = read_messages(arguments.phones, arguments.made)
    print(f"{len(messages.texts):,} simulated phones, one message each: {messages.source}")
    print(f"each sends an embedding and a report; together they cost {2 * EPSILON:g} for the whole message")
    with TemporaryDirectory(dir=arguments.output) as folder:
        drawn = send(messages, embedder, reporter, Path(folder, "spool"))
        files = mix(Path(folder, "spool"), Path(folder, "mixed"))
        weights, found = learn(files, embedder), count(files["reports"])
        path = arguments.output / "spam.json"
        weights.write(path)
        phone = embedder.classifier(path)
        learn_from_typed(messages, embedder).write(Path(folder, "typed.json"))
        unprotected = embedder.classifier(Path(folder, "typed.json"))
    most = max(np.mean(messages.test_spam), 1 - np.mean(messages.test_spam))
    print(f"\n{len(messages.test_texts):,} other messages, as typed         accuracy   area")
    print(f"learned from what was sent             {'{:8.3f}{:7.3f}'.format(*accuracy_and_area(phone, messages))}")
    print(
        f"learned from the messages themselves   {'{:8.3f}{:7.3f}'.format(*accuracy_and_area(unprotected, messages))}"
    )
    print(f"always the more frequent class         {most:8.3f}{0.5:7.3f}")
    true = show_counts(found, drawn)
    print(f"\ntyped on a phone that has {path}")
    for text in TYPED:
        print(f"  {phone.classify(text).probabilities['spam']:.2f} spam   {text}")
    draw(found, true, arguments.output / "loop.svg")


if __name__ == "__main__":
    main()
