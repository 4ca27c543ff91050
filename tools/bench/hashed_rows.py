"""How well attackers tell synthetic rows from genuine ones, for each kind of table and fit, in Markdown.

    tools/bench/hashed_rows [--seed N] [--table NAME...]

Areas under the ROC. For each fit: the strongest of Hushbit's attackers; it is `refused` where rows count as told apart.
Then what `--fit auto` takes, and the area of another attacker on these very rows, which shares no code with Hushbit's:
boosted trees on weights, gaps, digits and multiplicities of all labels at once. The tables are those of the tests. Rows
are drawn with a seed, so that the same versions of libraries print the same table.
"""

import argparse

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from hashed_tables import KINDS, table
from hushbit.hashing import FIT_KINDS, Attack, HashedModel, attack, choose_fit, fit_rows

Floats = NDArray[np.float64]
TABLES = {
    **{kind: (kind, 2) for kind in KINDS},
    "passive-aggressive, 4 labels": ("passive-aggressive", 4),
    "support vector, 4 labels": ("support vector", 4),
}
FOLDS = 5


def main() -> None:
    """One line a table."""
    parser = argparse.ArgumentParser(description="Measure how well rows can be told apart.")
    parser.add_argument("--seed", type=int, default=5, help="random seed of the synthetic rows (default: 5)")
    parser.add_argument(
        "--table",
        nargs="+",
        choices=TABLES,
        default=list(TABLES),
        help="only this table; may be repeated (default: all of them)",
    )
    arguments = parser.parse_args()
    columns = ("table", "distinct rows", "limit", *FIT_KINDS, "`auto` takes", "another attacker")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name in arguments.table:
        with threadpool_limits(1):
            print(f"| {name} | {' | '.join(cells(table(*TABLES[name]), arguments.seed))} |", flush=True)


def cells(model: HashedModel, seed: int) -> list[str]:
    """Rows that were compared, the limit, areas by fit, the choice, and what another attacker reaches."""
    found: list[Attack] = []
    for kind in FIT_KINDS:
        synthetic = fit_rows(model.weights, kind).draw(model.missing, generator_for_tests=np.random.default_rng(seed))
        found.append(attack(model.weights, synthetic[:]))
    trial, _ = choose_fit(model, generator_for_tests=np.random.default_rng(seed))
    choice = f"refused ({trial.fitted.kind})" if trial.attack.succeeded else trial.fitted.kind
    area, error = other_attacker(model.weights, trial.synthetic[:])
    return [
        f"{found[0].rows:,}",
        f"{found[0].limit:.3f}",
        *(f"{one.auc:.3f}{' refused' if one.succeeded else ''}" for one in found),
        choice,
        f"{area:.3f} ± {error:.3f}",
    ]


def other_attacker(genuine: Floats, synthetic: Floats) -> tuple[float, float]:
    """The area under the ROC in five-fold cross-validation, and its standard error if rows cannot be told apart.

    Of rows that are equal but for the sign, one is used.
    """
    every = np.concatenate([genuine, synthetic]).astype(np.float64)
    answers = np.arange(len(every)) < len(genuine)
    groups = np.unique(canonical(every), axis=0, return_inverse=True)[1].reshape(-1)
    features = describe(every, groups)
    generator = np.random.default_rng(0)
    order = generator.permutation(len(every))
    order = generator.permutation(order[np.unique(groups[order], return_index=True)[1]])
    each = min(int(answers[order].sum()), int((~answers[order]).sum()))
    kept = np.concatenate([order[answers[order]][:each], order[~answers[order]][:each]])
    areas = []
    for known, asked in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(kept, answers[kept]):
        model = HistGradientBoostingClassifier(
            learning_rate=0.05, max_iter=150, max_leaf_nodes=15, l2_regularization=1.0, random_state=1
        )
        model.fit(features[kept[known]], answers[kept[known]])
        areas.append(roc_auc_score(answers[kept[asked]], model.predict_proba(features[kept[asked]])[:, 1]))
    return float(np.mean(areas)), float(1 / np.sqrt(6 * each))


def canonical(rows: Floats) -> Floats:
    """Rows of one sign: the first weight that is not zero is positive."""
    first = np.take_along_axis(rows, np.argmax(rows != 0, axis=1)[:, None], axis=1)
    return rows * np.sign(first) + 0.0


def describe(rows: Floats, groups: NDArray[np.int64]) -> Floats:
    """What the attacker sees of each row: of every label alone, of all labels together, and of the row."""
    found = [np.bincount(groups)[groups], np.abs(rows).sum(axis=1), rows.sum(axis=1), (rows == 0).sum(axis=1)]
    pooled = np.unique(np.abs(rows), return_counts=True)
    for weights in rows.T:
        values, counts = np.unique(weights, return_counts=True)
        found += [weights, counts[np.searchsorted(values, weights)], *gaps(values, weights)]
        sizes = np.abs(weights)
        found += [pooled[1][np.searchsorted(pooled[0], sizes)], *gaps(pooled[0], sizes)]
        found += [np.char.str_len(sizes.astype(str)), sizes.view(np.int64) % 1024]
    return np.column_stack(found).astype(np.float64)


def gaps(values: Floats, weights: Floats) -> list[Floats]:
    """Logarithms of the distances to the next smaller and larger distinct value, their sum and their difference."""
    at = np.searchsorted(values, weights) + 1
    padded = np.concatenate([values[:1] - 1, values, values[-1:] + 1])
    below, above = np.log(weights - padded[at - 1]), np.log(padded[at + 1] - weights)
    return [below, above, below + above, below - above]


if __name__ == "__main__":
    main()
