"""Prints how well the strongest attacker tells rows of each kind of table and fit apart, in Markdown.

python tests/measure_hashed_tables.py
"""

import numpy as np

from hashed_tables import KINDS, table
from hushbit.hashing import FIT_KINDS, HashedModel, attack, fit_rows


def main() -> None:
    """One line a kind of table, classifiers of several labels last."""
    print(f"| table | {' | '.join(FIT_KINDS)} |\n|{'---|' * (1 + len(FIT_KINDS))}")
    for kind in KINDS:
        print(f"| {kind} | {cells(table(kind))} |", flush=True)
    for kind in ("passive-aggressive", "support vector"):
        print(f"| {kind}, 4 labels | {cells(table(kind, 4))} |", flush=True)


def cells(model: HashedModel) -> str:
    """Areas under the ROC, by fit, with fixed seeds."""
    areas = []
    for kind in FIT_KINDS:
        synthetic = fit_rows(model.weights, kind).draw(model.missing, generator_for_tests=np.random.default_rng(5))
        areas.append(f"{attack(model.weights, synthetic[:]).auc:.3f}")
    return " | ".join(areas)


if __name__ == "__main__":
    main()
