"""Data frames of pandas and Dask, a cluster, joblib and scikit-learn, with a column or list of texts privatized."""

from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import hushbit
import hushbit.corpus
from cli_runner import SURE, Here
from hushbit.errors import InvalidArgumentError, UnknownWordError
from typed import CANARY

WORKERS = 2


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-256.hushbit")


@pytest.fixture(scope="module")
def privatizer(bundle: hushbit.Bundle) -> hushbit.Privatizer:
    return bundle.privatizer(epsilon=float(SURE), allow_unchanged=True)


TYPED = ["cat, music", None, "", "road"]
RELEASED = ["cat music", None, "", "road"]


@pytest.mark.parametrize("dtype", ["str", object, pd.ArrowDtype(pa.string()), "category"])
def test_pandas(privatizer: hushbit.Privatizer, dtype: Any) -> None:
    frame = pd.DataFrame({"id": [4, 3, 2, 1], "text": pd.Series(TYPED, dtype=dtype), "x": 0})
    frame.index = pd.Index(list("abcd"))
    before = frame.copy()
    released = hushbit.corpus.privatize(frame, column="text", privatizer=privatizer, keep=["id"])
    pd.testing.assert_frame_equal(frame, before)
    assert list(released.columns) == ["id", "text"]
    assert list(released.index) == list("abcd")
    assert [None if pd.isna(text) else text for text in released["text"]] == RELEASED


def test_what_pandas_frames_are_refused(privatizer: hushbit.Privatizer, bundle: hushbit.Bundle) -> None:
    for typed in ([1, 2], ["cat", 3], [["cat"], None], ["\ud800"]):
        values = pd.Series(typed, dtype=object)
        with pytest.raises(InvalidArgumentError, match="column text: is not text"):
            hushbit.corpus.privatize(pd.DataFrame({"text": values}), column="text", privatizer=privatizer)
    with pytest.raises(InvalidArgumentError, match="no column words"):
        hushbit.corpus.privatize(pd.DataFrame({"text": []}), column="words", privatizer=privatizer)
    frame = pd.DataFrame({"text": ["cat", CANARY]})
    with pytest.raises(UnknownWordError) as caught:
        hushbit.corpus.privatize(
            frame, column="text", privatizer=bundle.privatizer(epsilon=1, allow_unchanged=True, oov="error")
        )
    assert caught.value.__notes__ == ["in column text, row 1 (counted from 0) of the frame or partition"]


@pytest.mark.filterwarnings("default")  # of Dask's own
def test_dask_draws_once(bundle: hushbit.Bundle, cluster: Any) -> None:
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    frame = dd.from_pandas(pd.DataFrame({"text": ["cat music road", None] * 8, "id": range(16)}), npartitions=4)
    with distributed.Client(cluster):
        noisy = bundle.privatizer(epsilon=0.1)
        released = hushbit.corpus.privatize(frame, column="text", privatizer=noisy, keep=["id"])
        first, second = released.compute(), released.compute()
        pd.testing.assert_frame_equal(first, second)
        assert first.dtypes.to_dict() == released.dtypes.to_dict()
        assert first["text"].isna().tolist() == [False, True] * 8
        keyed = bundle.privatizer(epsilon=1, allow_unchanged=True, device_key=bytes(32))
        with pytest.raises(TypeError, match="with a device key"):
            hushbit.corpus.privatize(frame, column="text", privatizer=keyed)


@pytest.mark.filterwarnings("default")
def test_the_command_on_a_cluster(here: Here, bundle: hushbit.Bundle, cluster: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["cat music", None, "road"]}), tmp_path / "in.parquet")
    options = (
        "--column",
        "text",
        "--epsilon",
        SURE,
        "--allow-unchanged",
        "--bundle",
        bundle.path or "",
        "--part-rows",
        "2",
    )
    code, _, err = here(
        "corpus", tmp_path / "in.parquet", "-o", tmp_path / "out", *options, "--scheduler", cluster.scheduler_address
    )
    assert code == 0, err
    released = [pq.read_table(part)["text"].to_pylist() for part in sorted((tmp_path / "out").iterdir())]
    assert released == [["cat music", None], ["road"]]


def test_joblib(privatizer: hushbit.Privatizer) -> None:
    done = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(privatizer.privatize)(text) for text in ["cat", "sun"]
    )
    assert [released.text for released in done] == ["cat", "sun"]


# ---- scikit-learn


def test_transformer(privatizer: hushbit.Privatizer) -> None:
    transformer = hushbit.corpus.PrivatizeTransformer(privatizer)
    released = transformer.fit_transform(["cat, music", "road"])
    assert (released.tolist(), released.dtype) == (["cat music", "road"], np.dtype(object))
    assert clone(transformer).get_params() == {"privatizer": privatizer}
    with pytest.raises(TypeError, match="give PrivatizeTransformer a privatizer"):
        hushbit.corpus.PrivatizeTransformer().fit(["cat"])
    with pytest.raises(TypeError) as caught:
        transformer.transform(["cat", None])
    assert caught.value.__notes__ == ["in the text at index 1"]


def test_transformer_in_a_pipeline(privatizer: hushbit.Privatizer) -> None:
    model = make_pipeline(hushbit.corpus.PrivatizeTransformer(privatizer), CountVectorizer(), LogisticRegression())
    texts, labels = ["cat music", "cat", "road sun", "road"] * 3, [0, 0, 1, 1] * 3
    assert model.fit(texts, labels).predict(["music", "sun"]).tolist() == [0, 1]
