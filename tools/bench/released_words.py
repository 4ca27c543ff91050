"""What classifiers learn from words released by crowds, tested on typed texts.

Each draw halves the texts anew, releases all of them, learns from each half and is tested on the other half as typed:
by mapping typed counts through the channel (`expected_counts`, logistic regression on counts scaled to 100 words), by
regression calibration, and by naive Bayes. Figures are means over draws and halves, with their standard error over
draws; the gain is that over the mapping of the same draws.

    tools/bench/released_words REVIEWS.parquet:review:sentiment MESSAGES.parquet:message:spam [--draws 5]

With the built-in bundle; draws are from fixed seeds. Two classes. In the columns: the share of right answers, its gain,
and the area under the curve.
"""

import argparse
import sys
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from bag_of_words import fit, mapped, release, told
from embeddings import mean_and_error
from numpy.typing import NDArray
from scipy import sparse

import hushbit
from hushbit.analysis import CalibratedWordClassifier, WordNaiveBayes
from hushbit.analysis.words.estimate import channel_of, typed_counts
from hushbit.errors import InvalidArgumentError

Scores = tuple[float, float]
MAPPED = "mapped"
LEARNERS: dict[str, Any] = {"calibration": CalibratedWordClassifier, "naive Bayes": WordNaiveBayes}


def main() -> None:
    """Prints a line for each text and learner, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+", metavar="FILE:TEXT:LABEL", help="Parquet files and two columns of each")
    parser.add_argument("--crowds", default="many", help="sizes of crowds (default: many)")
    parser.add_argument("--epsilons", default="6", help="epsilons of a word (default: 6)")
    parser.add_argument("--draws", type=int, default=5, help="number of draws (default: 5)")
    arguments = parser.parse_args()
    bundle = hushbit.open()
    print("| texts | crowds | ε | learned by | right | gain | area |")
    print("|---|---|--:|---|--:|--:|--:|")
    for source in arguments.texts:
        path, column, label = source.rsplit(":", 2)
        table = pq.read_table(path, columns=[column, label]).to_pydict()
        labels = np.array(table[label])
        typed = typed_counts(bundle, [text.replace("<br />", " ") for text in table[column]])
        for crowd in arguments.crowds.split(","):
            for epsilon in map(float, arguments.epsilons.split(",")):
                privatizer = bundle.privatizer("crowd", epsilon, crowd_size=crowd)
                found = [measured(privatizer, typed, labels, draw) for draw in range(arguments.draws)]
                for name in (MAPPED, *LEARNERS):
                    print(f"| {column} | {crowd} | {epsilon:g} | {name} | {cells(found, name)} |", flush=True)


def cells(found: list[dict[str, Scores]], name: str) -> str:
    """The cells of one learner in all draws."""
    if any(name not in draw for draw in found):
        return "no step helps | | "
    right, area = (mean_and_error([draw[name][score] for draw in found]) for score in (0, 1))
    gains = [draw[name][0] - draw[MAPPED][0] for draw in found]
    gain = "" if name == MAPPED else f"{np.mean(gains):+.3f}".replace("0.", ".")
    return f"{right} | {gain} | {area}"


def measured(
    privatizer: hushbit.Privatizer, typed: sparse.csr_array, labels: NDArray[Any], draw: int
) -> dict[str, Scores]:
    """The scores of each learner in one draw, the means over both halves; without a learner that fails on a half."""
    order = np.random.default_rng(draw).permutation(len(labels))
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    released = release(privatizer, typed, draw)
    channel = channel_of(privatizer)
    scores: dict[str, list[Scores]] = {name: [] for name in (MAPPED, *LEARNERS)}
    for train, test in (halves, halves[::-1]):
        model = fit(released[train], labels[train])
        scores[MAPPED].append(mapped(model, channel, typed[test], labels[test]))
        for name, learner in LEARNERS.items():
            try:
                learned = learner(privatizer).fit(released[train], labels[train])
            except InvalidArgumentError as error:
                print(f"{name}, draw {draw}: {error}", file=sys.stderr)
                continue
            scores[name].append(told(learned.decision_function(typed[test]), labels[test]))
            print(f"{name}, draw {draw}: {scores[name][-1]} {getattr(learned, 'steps_', '')}", file=sys.stderr)
    return {name: mean_of(both) for name, both in scores.items() if len(both) == len(halves)}


def mean_of(both: list[Scores]) -> Scores:
    """The mean of two halves."""
    right, area = np.mean(both, axis=0)
    return float(right), float(area)


if __name__ == "__main__":
    main()
