"""Attackers who try to tell genuine rows of a table from synthetic ones; the strongest counts.

They are given labeled rows of the very table to learn from, which is more than a real attacker has, and observe what
`traces` lists. That none of them succeeds is evidence, not proof: another attacker may.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.hashing.repeats import find_groups
from hushbit.hashing.traces import Table, observe

BAR = 0.53
"""The area under the ROC beyond which rows count as told apart."""
MIN_ROWS = 20
"""Of distinct rows of either kind that an attack needs."""
_FOLDS = 5
# Standard errors that the strongest of seven attackers, in either direction, may be above a half by chance. Of 100
# pairs of samples of one distribution, 10 were above 3 and none above 3.93.
_CHANCE = 4.0


class TooFewRowsError(InvalidArgumentError):
    """There are not enough distinct rows for an attacker to learn from, so that nothing is known."""


@dataclass(frozen=True)
class Attack:
    """Areas under the ROC by attacker, on rows that it did not learn from, half of them genuine: 0.5 is chance.

    An area below 0.5 is a finding as well: who turns the attacker's guesses around has one above it.
    """

    by_attacker: dict[str, float]
    rows: int

    @property
    def attacker(self) -> str:
        """The strongest."""
        return max(self.by_attacker, key=lambda name: abs(self.by_attacker[name] - 0.5))

    @property
    def auc(self) -> float:
        """Of the strongest, in the direction in which it is above 0.5."""
        return 0.5 + abs(self.by_attacker[self.attacker] - 0.5)

    @property
    def standard_error(self) -> float:
        """Of one attacker's area if it guesses: that of the Mann-Whitney statistic."""
        each = self.rows // 2
        return float(np.sqrt((2 * each + 1) / (12 * each**2)))

    @property
    def limit(self) -> float:
        """What `auc` may be: BAR, or what the strongest of several guessers reaches by chance where rows are few."""
        return max(BAR, 0.5 + _CHANCE * self.standard_error)

    @property
    def succeeded(self) -> bool:
        """Whether rows can be told apart."""
        return self.auc > self.limit


def attack(
    genuine: NDArray[Any],
    synthetic: NDArray[Any],
    *,
    max_rows: int = 10_000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Attack:
    """Trains every attacker on rows of a table that (n, d) `genuine` and (m, d) `synthetic` rows make up.

    Rows that are equal but for their sign count once: who knows one of them knows all. At most `max_rows` rows are
    used, as many genuine as synthetic. Needs scikit-learn. Raises TooFewRowsError if there are fewer than MIN_ROWS
    distinct rows of either.
    """
    import sklearn.ensemble  # noqa: F401 - threads can be limited in what is loaded only
    from threadpoolctl import threadpool_limits

    kinds = [find_groups(genuine).index, len(genuine) + find_groups(synthetic).index]
    each = min(len(kinds[0]), len(kinds[1]), max_rows // 2)
    if each < MIN_ROWS:
        raise TooFewRowsError(f"an attack needs {MIN_ROWS} distinct genuine rows and as many synthetic ones")
    generator = np.random.default_rng(seed)
    chosen = np.concatenate([generator.choice(kind, each, replace=False) for kind in kinds])
    answers = np.arange(2 * each) < each
    with threadpool_limits(1):  # so few rows are no work for threads, which would wait for each other
        observed = observe(Table(genuine, synthetic), chosen)
        observed["everything"] = np.hstack(list(observed.values()))
        attackers = {f"boosted trees on {name}": (_trees(seed), found) for name, found in observed.items()}
        attackers["logistic regression on everything"] = (_logistic(each), observed["everything"])
        areas = {}
        for done, (name, (model, features)) in enumerate(attackers.items()):
            progress(done, len(attackers), "attacking")
            areas[name] = _area(model, features, answers, seed)
    return Attack(areas, 2 * each)


def _area(model: Any, features: NDArray[np.float64], answers: NDArray[np.bool_], seed: int) -> float:
    """Under the ROC, the mean over folds."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
    return float(cross_val_score(model, features, answers, cv=folds, scoring="roc_auc").mean())


def _trees(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=50, random_state=seed)


def _logistic(quantiles: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import QuantileTransformer, StandardScaler

    # Observations of very different sizes: ranks, which have no overflow either.
    return make_pipeline(
        QuantileTransformer(n_quantiles=min(quantiles, 100), output_distribution="normal", random_state=0),
        StandardScaler(),
        LogisticRegression(C=0.1, max_iter=1000),
    )
