"""What an attacker with a dictionary tells of a hashed model that was completed by `--fit kernel`.

A logistic model of 2^18 hashes, with words alone, words and their pairs, and runs of letters. First the attacker of
`hushbit hashing privatize`, with its control. Then, of words alone, an attacker who knows how often a word was typed if
it was typed at all, and has learned how the row of such a word looks: boosted trees on the weight, its size and its
repeats, in cross-validation, on words that were typed so often against 4,000 words of the bundle that were not.

    tools/bench/hashed_words MESSAGES.parquet:message:spam

Draws are from fixed seeds. Takes about a minute of processor time.
"""

import argparse
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

import hushbit
from hushbit.hashing import fit_rows, hash_features
from hushbit.hashing.attacks.relatives import attack_words
from hushbit.hashing.commands.dictionary import frequent_words
from hushbit.hashing.table.repeats import row_counts

SIZE = 1 << 18
FEATURES: dict[str, dict[str, Any]] = {
    "words alone": {},
    "words and pairs": {"ngram_range": (1, 2)},
    "runs of 3 to 5 letters": {"analyzer": "char_wb", "ngram_range": (3, 5)},
}
OFTEN = {"in one text": (1, 1), "in 2 or 3": (2, 3), "in 10 or more": (10, 1 << 30), "in any": (1, 1 << 30)}
OTHERS = 4000


def main() -> None:
    """Prints two tables of Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", metavar="FILE:TEXTS:LABELS", help="a Parquet file and two of its columns")
    path, column, label = parser.parse_args().texts.rsplit(":", 2)
    table = pq.read_table(path, columns=[column, label])
    texts, answers = table[column].to_pylist(), table[label].to_pylist()
    dictionary = frequent_words()
    print("| features | area by n-grams | control |\n|---|--:|--:|")
    for name, settings in FEATURES.items():
        rows, genuine = completed(texts, answers, settings)
        found = attack_words(settings, genuine, rows.__getitem__, dictionary)
        shown = f"{found.auc:.3f} | {found.controls[found.relatives]:.3f}" if found else "no n-grams |"
        print(f"| {name} | {shown} |", flush=True)
    rows, _ = completed(texts, answers, {})
    print("\n| words typed | words | area by the row |\n|---|--:|--:|")
    for often, words, area in by_row(rows, texts):
        print(f"| {often} | {words:,} | {area:.3f} |", flush=True)


def completed(
    texts: list[str], answers: list[int], settings: dict[str, Any]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The rows of a trained model, with synthetic ones, and which are genuine."""
    features = HashingVectorizer(n_features=SIZE, **settings).transform(texts)
    rows = LogisticRegression(C=10, max_iter=300).fit(features, answers).coef_.T
    genuine = rows[:, 0] != 0
    drawn = fit_rows(rows[genuine], "kernel").draw(int((~genuine).sum()), generator_for_tests=np.random.default_rng(1))
    rows[~genuine] = drawn[:]
    return rows, genuine


def by_row(rows: NDArray[np.float64], texts: list[str]) -> list[tuple[str, int, float]]:
    """How often, how many words, and the area of who knows how often."""
    counter = CountVectorizer()
    counts = np.asarray((counter.fit_transform(texts) > 0).sum(axis=0)).ravel()
    typed = {word: int(counts[place]) for word, place in counter.vocabulary_.items()}
    bundle = hushbit.open()
    every = [word for word in map(bundle.word, range(bundle.words)) if word.isascii() and word.isalpha()]
    absent = [word for word in every if len(word) > 1 and word not in typed]
    others = np.random.default_rng(0).choice(np.array(absent), OTHERS, replace=False).tolist()
    repeats = row_counts(rows)
    found = []
    for often, (low, high) in OFTEN.items():
        words = [word for word in every if low <= typed.get(word, 0) <= high]
        hashes = hash_features([*words, *others], SIZE)[0]
        seen = np.column_stack([rows[hashes], np.abs(rows[hashes]), np.log(repeats[hashes])])
        answers = np.arange(len(hashes)) < len(words)
        trees = HistGradientBoostingClassifier(max_iter=50, max_leaf_nodes=8, random_state=0)
        guesses = cross_val_predict(trees, seen, answers, cv=5, method="predict_proba")[:, 1]
        found.append((often, len(words), float(roc_auc_score(answers, guesses))))
    return found


if __name__ == "__main__":
    main()
