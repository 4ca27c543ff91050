"""PrivatizeTransformer with all that may hold texts, and scikit-learn's own checks of estimators on it.

The checks work on tables of numbers, so here a row of numbers becomes a text before it, and the released text a row of
numbers after it. What cannot pass even so is named with the reason; a check named there that passes is a failure, too.
"""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
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

    def fit(self, X: Any, y: Any = None) -> Any:
        return super().fit([])

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
    transformer = RowsAsTexts(bundle.privatizer(epsilon=float(SURE), allow_unchanged=True))
    results = check_estimator(transformer, expected_failed_checks=CANNOT, on_skip=None, on_fail=None)
    by_status: dict[str, set[str]] = {}
    for result in results:
        by_status.setdefault(result["status"], set()).add(result["check_name"])
    assert by_status.get("failed", set()) == set(), [r for r in results if r["status"] == "failed"]
    assert by_status["xfail"] == set(CANNOT)
    assert by_status.get("skipped", set()) == set(NEEDS)
    assert len(by_status["passed"]) >= 25


@pytest.fixture(scope="module")
def transformer(vectors: Path) -> PrivatizeTransformer:
    return PrivatizeTransformer(
        hushbit.open(vectors / "words-256.hushbit").privatizer(epsilon=float(SURE), allow_unchanged=True)
    )


TYPED, RELEASED = ["cat, music", "road"], ["cat music", "road"]


@pytest.mark.parametrize(
    "texts",
    [tuple(TYPED), np.array(TYPED), pd.Series(TYPED, name="text"), pl.Series(TYPED), iter(TYPED)],
    ids=lambda texts: f"{type(texts).__module__}.{type(texts).__name__}",
)
def test_texts_of_one_dimension(transformer: PrivatizeTransformer, texts: Any) -> None:
    assert transformer.transform(texts).tolist() == RELEASED


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, lambda table: np.array([table["text"]]).T])
def test_a_table_with_one_column(transformer: PrivatizeTransformer, kind: Any) -> None:
    """The column is read, not its name, which iterating a frame gives."""
    assert transformer.fit_transform(kind({"text": TYPED})).tolist() == [[text] for text in RELEASED]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, dict])
def test_what_has_texts_in_no_certain_place(transformer: PrivatizeTransformer, kind: Any) -> None:
    table = kind({"text": TYPED, "id": ["x", "y"]})
    for method in (transformer.fit, transformer.transform):
        with pytest.raises(TypeError, match=r"X has 2 columns|X is a"):
            method(table)
    privatizer = transformer.privatizer
    assert privatizer is not None
    for one in (table, kind({"text": TYPED})):
        with pytest.raises(TypeError, match="whose names, not texts, would be privatized"):
            privatizer.privatize_many(one)


def test_columns_of_a_column_transformer(transformer: PrivatizeTransformer) -> None:
    frame = pd.DataFrame({"text": TYPED, "id": [1, 2]})
    columns = ColumnTransformer([("released", clone(transformer), ["text"])], remainder="passthrough")
    assert columns.fit_transform(frame).tolist() == [["cat music", 1], ["road", 2]]
    assert columns.get_feature_names_out().tolist() == ["released__text", "remainder__id"]
    framed = columns.set_output(transform="pandas").fit_transform(frame)
    assert framed["released__text"].tolist() == RELEASED
    whole = clone(transformer).set_output(transform="polars").fit_transform(frame[["text"]])
    assert whole.to_dict(as_series=False) == {"text": RELEASED}


def test_names_of_features(transformer: PrivatizeTransformer) -> None:
    fresh = clone(transformer)
    assert fresh.get_feature_names_out().tolist() == ["x0"]
    assert fresh.fit(TYPED).get_feature_names_out().tolist() == ["x0"]
    assert fresh.fit(pd.Series(TYPED, name="words")).get_feature_names_out().tolist() == ["words"]
    assert fresh.get_feature_names_out(["other"]).tolist() == ["other"]
    with pytest.raises(ValueError, match="2 names"):
        fresh.get_feature_names_out(["a", "b"])


def test_pickled_as_by_joblib(transformer: PrivatizeTransformer) -> None:
    fitted = pickle.loads(pickle.dumps(transformer.fit(TYPED)))
    assert fitted.transform(TYPED).tolist() == RELEASED
    assert fitted.get_feature_names_out().tolist() == ["x0"]
