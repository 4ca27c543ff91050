"""An attacker who tries to tell genuine rows of a table from synthetic ones.

It is given labeled rows to learn from, which is more than a real one has, and sees of each row: the weights, their sum,
how many other rows of the table are the same but for the sign, and how often each weight occurs in its column. An
accuracy of 0.5 is chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

_FOLDS = 5


@dataclass(frozen=True)
class Attack:
    """Both on rows that the attacker did not learn from, half of them genuine: `accuracy`, and area under the ROC."""

    accuracy: float
    auc: float
    rows: int


def attack(table: NDArray[Any], genuine: NDArray[np.bool_], *, max_rows: int = 10_000, seed: int = 0) -> Attack:
    """Trains gradient-boosted trees on the rows of a complete (R, d) table; `genuine` says which are.

    At most `max_rows` rows are used, as many genuine as synthetic. Needs scikit-learn. Raises InvalidArgumentError if
    there are fewer than 20 of either.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

    each = min(int(genuine.sum()), int((~genuine).sum()), max_rows // 2)
    if each < 20:
        raise InvalidArgumentError("an attack needs 20 genuine and 20 synthetic rows or more")
    generator = np.random.default_rng(seed)
    chosen = np.concatenate(
        [generator.choice(np.flatnonzero(kind), each, replace=False) for kind in (genuine, ~genuine)]
    )
    features = observe(table)[chosen]
    answers = genuine[chosen]
    model = HistGradientBoostingClassifier(max_iter=50, random_state=seed)
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
    with threadpool_limits(1):  # so few rows are no work for threads, which would wait for each other
        guesses = cross_val_predict(model, features, answers, cv=folds, method="predict_proba")[:, 1]
    accuracy = float(np.mean((guesses > 0.5) == answers))
    return Attack(accuracy, float(roc_auc_score(answers, guesses)), 2 * each)


def observe(table: NDArray[Any]) -> NDArray[np.float64]:
    """What the attacker sees of every row: d weights, their sum, how often the row occurs, and each of its weights.

    (R, 2d + 2), of d weights; how often is a logarithm.
    """
    from hushbit.hashing.repeats import row_counts

    sums = table.sum(axis=1, dtype=np.float64, keepdims=True)
    occurrences = [row_counts(columns) for columns in (table, *np.hsplit(table, table.shape[1]))]
    return np.hstack([table.astype(np.float64), sums, np.log(np.column_stack(occurrences))])
