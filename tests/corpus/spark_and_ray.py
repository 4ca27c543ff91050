"""The recipes of docs/corpora.md for Spark, Ray and Hugging Face datasets do what they say, on the real ones.

Not one of the everyday tests: these packages are large, and Spark needs Java. The suite `recipes` of the full tier
installs them and runs this file.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hushbit
from corpora import write_reviews
from test_corpora_page import BLOCK, PAGE

ROWS = 2000


@pytest.fixture(scope="module")
def recipes(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The names that the page defines up to its recipes, which draw from crowds of a toy bundle."""
    folder = tmp_path_factory.mktemp("recipes")
    (folder / "words.hushbit").write_bytes((vectors / "crowds-64.hushbit").read_bytes())
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        write_reviews(folder / "reviews.parquet", hushbit.open("words.hushbit"))
        names: dict[str, Any] = {"__name__": "__main__"}  # so that its classes are pickled as they are
        for kind, code in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
            if kind == "python":
                exec(compile(code, str(PAGE), "exec"), names)
            if "release_with_datasets" in names:
                break
        yield names


@pytest.fixture(scope="module")
def typed() -> pd.DataFrame:
    """Some texts are missing."""
    texts = ["cat, road" if i % 10 else None for i in range(ROWS)]
    return pd.DataFrame({"id": range(ROWS), "text": texts, "label": [i % 2 for i in range(ROWS)]})


RELEASES = {"privatize": "string", "embed": "long", "report": "long"}


def check(released: pd.DataFrame, release: str) -> None:
    """Every row is there once, and what is missing stays missing; texts are drawn, so they differ from row to row."""
    assert sorted(released.columns) == ["label", "text"]
    assert sorted(released["label"]) == sorted(i % 2 for i in range(ROWS))
    assert released["text"].isna().sum() == ROWS // 10
    texts = released["text"].dropna()
    assert texts.nunique() > 20
    if release == "privatize":
        assert {len(text.split()) for text in texts} == {2}
    else:
        assert (texts == texts.astype("int64")).all()


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
        yield session
        session.stop()


@pytest.mark.parametrize("release", RELEASES)
def test_spark(recipes: dict[str, Any], typed: pd.DataFrame, spark: Any, tmp_path: Path, release: str) -> None:
    frame = spark.createDataFrame(typed).repartition(4)
    recipes["release_with_spark"](frame, str(tmp_path / "released"), recipes[release], RELEASES[release])
    check(pd.read_parquet(tmp_path / "released"), release)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    import ray  # type: ignore[import-not-found, unused-ignore]

    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.parametrize("release", RELEASES)
def test_ray(recipes: dict[str, Any], typed: pd.DataFrame, ray: Any, tmp_path: Path, release: str) -> None:
    recipes["release_with_ray"](ray.data.from_pandas(typed), str(tmp_path / "released"), recipes[release])
    check(pd.read_parquet(tmp_path / "released"), release)


@pytest.mark.parametrize("release", RELEASES)
def test_datasets(recipes: dict[str, Any], typed: pd.DataFrame, release: str) -> None:
    from datasets import Dataset  # type: ignore[import-not-found, unused-ignore]

    dataset = Dataset.from_pandas(typed, preserve_index=False)
    check(recipes["release_with_datasets"](dataset, recipes[release]).to_pandas(), release)
