"""Attackers who try to tell genuine rows of a table from synthetic ones; the strongest counts.

They are given labeled rows of the very table to learn from, which is more than a real attacker has, and observe what
`traces` lists. That none of them succeeds is evidence, not proof: another attacker may.

Chance has a bound. The rows are split at random into parts of m genuine and m synthetic ones, and every part is guessed
by who learned from the earlier parts alone. If genuine and synthetic rows are exchangeable, then an area on a part,
given all earlier ones, is the statistic of Mann and Whitney for m and m rows in random order, whatever was learned. (It
is the mean of such a statistic over the orders of ties, if there are any.) Its generating function is a product of
(1 - q^(m+i)) / (1 - q^i), and ln(sinh(x) / x) is concave in x^2 and rises by 1/6 at most, so that its cumulant function
is at most that of a Gaussian of the same variance, (2m + 1) / (12 m^2). So is that of the mean over parts, because each
is bounded given those before it. Hence P(area >= 1/2 + x) <= exp(-x^2 / (2 variance)), and P(area <= 1/2 - x) too.
The bound is added up over attackers and directions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.hashing.attacks.traces import Table, observe
from hushbit.hashing.table.repeats import one_of_each

BAR = 0.53
"""The area under the ROC beyond which rows count as told apart."""
FALSE_ALARM = 0.01
"""The largest probability of telling exchangeable rows apart, whichever attacker does and in whichever direction."""
MIN_ROWS = 20
"""The least number of distinct rows of either kind that an attack needs."""
_PARTS = 5


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
        """The area of the strongest attacker, in the direction in which it is above 0.5."""
        return 0.5 + abs(self.by_attacker[self.attacker] - 0.5)

    @property
    def standard_error(self) -> float:
        """The largest possible standard error of one attacker's area if rows are exchangeable."""
        each = self.rows // (2 * _PARTS)
        return math.sqrt((2 * each + 1) / (12 * each**2 * (_PARTS - 1)))

    @property
    def limit(self) -> float:
        """What `auc` may be: BAR, or, of few rows, what chance reaches with probability FALSE_ALARM at most."""
        directions = 2 * len(self.by_attacker)
        return max(BAR, 0.5 + self.standard_error * math.sqrt(2 * math.log(directions / FALSE_ALARM)))

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
    with extra("hashing"):
        import sklearn.ensemble  # noqa: F401 - threads can be limited in what is loaded only
        from threadpoolctl import threadpool_limits

    chosen = _choose(genuine, synthetic, max_rows // 2, np.random.default_rng(seed))
    each = len(chosen) // 2
    answers, parts = np.arange(2 * each) < each, np.arange(2 * each) % _PARTS
    with threadpool_limits(1):  # few rows are no work for threads, which would wait for each other
        observed = observe(Table(genuine, synthetic), chosen)
        observed["everything"] = np.hstack(list(observed.values()))
        attackers = {f"boosted trees on {name}": (_trees(seed), found) for name, found in observed.items()}
        attackers["logistic regression on everything"] = (_logistic(2 * each // _PARTS), observed["everything"])
        areas = {}
        for done, (name, (model, features)) in enumerate(attackers.items()):
            progress(done, len(attackers), "attacking")
            areas[name] = _area(model, features, answers, parts)
        progress(len(attackers), len(attackers), "attacking")
    return Attack(areas, 2 * each)


def _choose(
    genuine: NDArray[Any], synthetic: NDArray[Any], most: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Places of distinct rows in random order: genuine ones, and then as many synthetic ones. Parts have as many."""
    distinct = one_of_each(genuine, synthetic, generator=generator)
    kinds = [distinct[distinct < len(genuine)], distinct[distinct >= len(genuine)]]
    each = min(len(kinds[0]), len(kinds[1]), most) // _PARTS * _PARTS
    if each < MIN_ROWS:
        raise TooFewRowsError(
            f"an attack needs {MIN_ROWS} distinct genuine rows and as many synthetic ones; "
            f"there are {len(kinds[0])} and {len(kinds[1])}"
        )
    return np.concatenate([generator.choice(kind, each, replace=False) for kind in kinds])


def _area(model: Any, features: NDArray[np.float64], answers: NDArray[np.bool_], parts: NDArray[np.int64]) -> float:
    """The area under the ROC, the mean over parts, each guessed by the model of those before it."""
    with extra("hashing"):
        from sklearn.metrics import roc_auc_score

    areas = []
    for part in range(1, _PARTS):
        known, asked = parts < part, parts == part
        guesses = model.fit(features[known], answers[known]).predict_proba(features[asked])[:, 1]
        areas.append(roc_auc_score(answers[asked], guesses))
    return float(np.mean(areas))


def _trees(seed: int) -> Any:
    with extra("hashing"):
        from sklearn.ensemble import HistGradientBoostingClassifier

    # Small trees: what is left to find is weak, and larger ones found less of it.
    return HistGradientBoostingClassifier(max_iter=50, max_leaf_nodes=8, random_state=seed)


def _logistic(quantiles: int) -> Any:
    with extra("hashing"):
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import QuantileTransformer, StandardScaler

    # Observations of very different sizes: ranks, which have no overflow either.
    return make_pipeline(
        QuantileTransformer(n_quantiles=min(quantiles, 100), output_distribution="normal", random_state=0),
        StandardScaler(),
        LogisticRegression(C=0.1, max_iter=1000),
    )
