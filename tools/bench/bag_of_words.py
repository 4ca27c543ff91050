"""What mapping clean text through the public channel gives to a bag of words that was trained on released text.

Each half of the texts is trained on once, as released, and the other half tested on: as typed, and as typed and mapped
by `expected_counts`. Beside them a model that is trained and tested on typed text. Counts of words, scaled to 100 words
a text; logistic regression. Two classes: the share of right answers, and the area under the curve.

    tools/bench/bag_of_words REVIEWS.parquet:review:sentiment MESSAGES.parquet:message:spam [--epsilons 5,6,7]

With the built-in bundle; draws are from fixed seeds.
"""

import argparse
import itertools
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import hushbit
from hushbit import _core_testing
from hushbit.analysis.words.estimate import Channel, channel_of, typed_counts
from hushbit.study.mechanisms.core import UNKNOWN

C = 0.1
TEXTS_AT_ONCE = 500  # mapped counts are dense
WORDS_AT_ONCE = 4_000_000  # released at a time: drawing takes ten times the memory of the counts


def main() -> None:
    """Prints a line for each, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+", metavar="FILE:TEXT:LABEL", help="Parquet files and two columns of each")
    parser.add_argument("--crowds", default="many,few")
    parser.add_argument("--epsilons", default="5,6,7")
    arguments = parser.parse_args()
    bundle = hushbit.open()
    print("| texts | crowds | ε | trained on typed | on released | and mapped | gain | area: released | mapped |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for source in arguments.texts:
        path, column, label = source.rsplit(":", 2)
        table = pq.read_table(path, columns=[column, label]).to_pydict()
        labels = np.array(table[label])
        typed = typed_counts(bundle, [text.replace("<br />", " ") for text in table[column]])
        order = np.random.default_rng(0).permutation(len(labels))
        halves = order[: len(order) // 2], order[len(order) // 2 :]
        splits = [halves, halves[::-1]]
        best = np.mean([scores(fit(typed[a, :-1], labels[a]), typed[b, :-1], labels[b]) for a, b in splits], axis=0)
        for crowd in arguments.crowds.split(","):
            for epsilon in map(float, arguments.epsilons.split(",")):
                privatizer = bundle.privatizer("crowd", epsilon, crowd_size=crowd)
                channel = channel_of(privatizer)
                released = release(privatizer, typed)
                found = []
                for train, test in splits:
                    model = fit(released[train], labels[train])
                    found.append(
                        [
                            *scores(model, typed[test, :-1], labels[test]),
                            *mapped(model, channel, typed[test], labels[test]),
                        ]
                    )
                accuracy, area, accuracy_mapped, area_mapped = np.mean(found, axis=0)
                print(
                    f"| {column} | {crowd} | {epsilon:g} | {best[0]:.3f} | {accuracy:.3f} | {accuracy_mapped:.3f} "
                    f"| {accuracy_mapped - accuracy:+.3f} | {area:.3f} | {area_mapped:.3f} |",
                    flush=True,
                )


def release(privatizer: hushbit.Privatizer, typed: sparse.csr_array, seed: int = 7) -> sparse.csr_array:
    """Counts of what the counted words are released as, (texts, Y)."""
    words = np.cumsum(np.asarray(typed.sum(axis=1)).ravel())
    borders = np.searchsorted(words, np.arange(WORDS_AT_ONCE, words[-1], WORDS_AT_ONCE))
    edges = np.unique([0, *borders, typed.shape[0]]).tolist()
    number = int.from_bytes(bytes([seed] * 32))
    parts = [
        _release(privatizer, typed[first:last], (number ^ first).to_bytes(32))
        for first, last in itertools.pairwise(edges)
    ]
    return sparse.vstack(parts, format="csr")


def _release(privatizer: hushbit.Privatizer, typed: sparse.csr_array, seed: bytes) -> sparse.csr_array:
    ids = privatizer.bundle._native.output_words()
    counts = typed.tocoo()
    often = counts.data.astype(int)
    words = np.repeat(np.append(ids, UNKNOWN).astype(np.uint32)[counts.col], often)
    out = np.searchsorted(ids, _core_testing.replace(privatizer._native, words, seed))
    shape = (typed.shape[0], len(ids))
    released = sparse.csr_array((np.ones(len(out)), (np.repeat(counts.row, often), out)), shape=shape)
    released.sum_duplicates()
    return released


def scaled(counts: Any) -> Any:
    """Scales counts to 100 words a text."""
    sums = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    return sparse.diags_array(100 / sums) @ counts


def fit(counts: sparse.csr_array, labels: NDArray[np.int64]) -> LogisticRegression:
    """A model."""
    return LogisticRegression(C=C, max_iter=500).fit(scaled(counts), labels)


def scores(model: LogisticRegression, counts: Any, labels: NDArray[np.int64]) -> tuple[float, float]:
    """The share of right answers, and the area under the curve."""
    return told(model.decision_function(scaled(counts)), labels)


def mapped(model: LogisticRegression, channel: Channel, typed: Any, labels: NDArray[np.int64]) -> tuple[float, float]:
    """The same for counts that go through the channel first."""
    parts = [typed[at : at + TEXTS_AT_ONCE].T.toarray() for at in range(0, len(labels), TEXTS_AT_ONCE)]
    return told(np.concatenate([model.decision_function(scaled(channel.released(part).T)) for part in parts]), labels)


def told(decisions: NDArray[np.float64], labels: NDArray[np.int64]) -> tuple[float, float]:
    """The share of right decisions above or below 0, and the area under the curve."""
    return float(np.mean((decisions > 0) == labels)), float(roc_auc_score(labels, decisions))


if __name__ == "__main__":
    main()
