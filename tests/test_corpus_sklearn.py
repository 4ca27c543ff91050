"""scikit-learn's own checks of estimators, on PrivatizeTransformer, as far as texts can pass them.

They work on tables of numbers, so here a row of numbers becomes a text before it, and the released text a row of
numbers after it. What cannot pass even so is named with the reason; a check named there that passes is a failure, too.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

import hushbit
from cli_runner import SURE
from hushbit.corpus import PrivatizeTransformer

WORDS = ["cat", "music", "road", "sun"]
CANNOT = {
    "check_estimator_sparse_tag": "it wants an error for a sparse table, from a fit that looks at no text",
}
NEEDS = {"check_array_api_input": "an environment variable that SciPy reads when it is imported"}


class RowsAsTexts(PrivatizeTransformer):
    """The transformer between what makes texts of numbers and what makes numbers of texts.

    At the epsilon below it always releases the same.
    """

    def transform(self, X: Any) -> Any:
        rows = np.asarray(X, dtype=float)
        released = super().transform([" ".join(WORDS[int(16 * value) % 4] for value in row) for row in rows])
        return np.array([[text.split().count(word) for word in WORDS] for text in released], dtype=float)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        tags.non_deterministic = False
        return tags


@pytest.mark.filterwarnings("default")  # of scikit-learn's own
def test_checks_of_estimators(vectors: Path) -> None:
    bundle = hushbit.open(vectors / "words-256.hushbit")
    transformer = RowsAsTexts(bundle.privatizer(epsilon=float(SURE)))
    results = check_estimator(transformer, expected_failed_checks=CANNOT, on_skip=None, on_fail=None)
    by_status: dict[str, set[str]] = {}
    for result in results:
        by_status.setdefault(result["status"], set()).add(result["check_name"])
    assert by_status.get("failed", set()) == set(), [r for r in results if r["status"] == "failed"]
    assert by_status["xfail"] == set(CANNOT)
    assert by_status.get("skipped", set()) == set(NEEDS)
    assert len(by_status["passed"]) >= 25
