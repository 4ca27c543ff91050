"""Tables of pandas, polars and Arrow with names and types of any kind, and the functions added to pandas, polars and
DuckDB. Names and types are checked before anything is drawn, so an error costs nothing."""

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hushbit
import hushbit.corpus
from cli_runner import SURE, assert_no_canary
from corpora import FRAMES, WORDS
from hushbit.errors import BudgetExhaustedError, InvalidArgumentError, UnknownWordError
from typed import CANARY

TYPED = ["cat, music", None, "", "road"]
RELEASED = ["cat music", None, "", "road"]


@pytest.fixture(scope="module")
def bundle() -> hushbit.Bundle:
    return hushbit.open(WORDS)


@pytest.fixture(scope="module")
def privatizer(bundle: hushbit.Bundle) -> hushbit.Privatizer:
    return bundle.privatizer(epsilon=float(SURE), allow_unchanged=True)


def listed(texts: Any) -> list[str | None]:
    return [None if pd.isna(text) else text for text in texts]


# ---- pandas


@pytest.mark.parametrize(
    "dtype",
    [
        *("str", "string", "string[python]", "category", object),
        *(pd.ArrowDtype(type_) for type_ in (pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()))),
    ],
    ids=str,
)
def test_all_types_of_text_of_pandas(privatizer: hushbit.Privatizer, dtype: Any) -> None:
    frame = pd.DataFrame({"text": pd.Series(TYPED, dtype=dtype), "id": [1, 2, 3, 4]}).set_axis([7, 7, 8, 9])
    released = hushbit.corpus.privatize(frame, column="text", privatizer=privatizer)
    assert listed(released["text"]) == RELEASED
    assert released["text"].dtype == pd.Series(["x"], dtype="str").dtype
    assert list(released.index) == [7, 7, 8, 9]


@pytest.mark.parametrize("name", [0, 3.5, ("a", "b"), "self", "text column", True], ids=str)
def test_names_of_any_kind(privatizer: hushbit.Privatizer, name: Any) -> None:
    frame = pd.DataFrame([["x", "cat, road", 1]], columns=pd.Index(["before", name, "after"], tupleize_cols=False))
    released = hushbit.corpus.privatize(frame, column=name, privatizer=privatizer, keep=["after"])
    assert released.to_numpy().tolist() == [["cat road", 1]]
    assert list(released.columns) == [name, "after"]
    assert frame.iloc[0, 1] == "cat, road"


def test_columns_of_several_levels(privatizer: hushbit.Privatizer) -> None:
    frame = pd.DataFrame([["cat, road", 1]], columns=pd.MultiIndex.from_tuples([("a", "text"), ("a", "id")]))
    released = hushbit.corpus.privatize(frame, column=("a", "text"), privatizer=privatizer, keep=[("a", "id")])
    assert released.to_numpy().tolist() == [["cat road", 1]]
    assert released.columns.equals(frame.columns)


class Spent:
    """A privatizer with a ledger, and what was spent from it."""

    def __init__(self, bundle: hushbit.Bundle, folder: Path) -> None:
        self.privatizer = bundle.privatizer(epsilon=1, allow_unchanged=True, budget=hushbit.Budget(folder / "ledger"))

    @property
    def tokens(self) -> int:
        budget = self.privatizer.budget
        assert budget is not None
        return budget.state.tokens_lifetime


@pytest.fixture
def spent(bundle: hushbit.Bundle, tmp_path: Path) -> Spent:
    return Spent(bundle, tmp_path)


@pytest.mark.parametrize("kind", FRAMES)
def test_errors_cost_nothing(spent: Spent, kind: str) -> None:
    texts = FRAMES[kind]({"text": ["cat"], "number": [1]})
    for options, message in (
        ({"column": "number"}, "column number: is not text"),
        ({"column": "words"}, "no column words"),
        ({"column": "text", "keep": ["id"]}, "no column id"),
        ({"column": "text", "keep": "number"}, "keep is one str"),
    ):
        with pytest.raises(InvalidArgumentError, match=message):
            hushbit.corpus.privatize(texts, privatizer=spent.privatizer, **options)
    assert spent.tokens == 0


def test_names_that_occur_twice(spent: Spent, privatizer: hushbit.Privatizer) -> None:
    frame = pd.DataFrame([["cat", "road", 1, 2]], columns=["text", "text", "id", "id"])
    for twice in (frame, pa.table([["cat"], ["road"]], names=["text", "text"])):
        with pytest.raises(InvalidArgumentError, match="several columns text"):
            hushbit.corpus.privatize(twice, column="text", privatizer=spent.privatizer)
    assert spent.tokens == 0
    kept = frame.iloc[:, 1:]
    released = hushbit.corpus.privatize(kept, column="text", privatizer=privatizer, keep=["id"])
    assert released.to_numpy().tolist() == [["road", 1, 2]]


@pytest.mark.parametrize("other", [{"text": ["cat"]}, ["cat"], pd.Series(["cat"]), pl.Series(["cat"]), "cat"], ids=type)
def test_what_is_no_table(privatizer: hushbit.Privatizer, other: Any) -> None:
    with pytest.raises(TypeError, match="give a data frame of pandas, polars or Dask"):
        hushbit.corpus.privatize(other, column="text", privatizer=privatizer)


# ---- polars


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["cat, music", "", "road"])], ids=str)
@pytest.mark.parametrize("lazy", [False, True])
def test_polars(privatizer: hushbit.Privatizer, dtype: Any, lazy: bool) -> None:
    frame: Any = pl.DataFrame({"id": [4, 3, 2, 1], "text": pl.Series(TYPED, dtype=dtype), "x": 0})
    released = hushbit.corpus.privatize(
        frame.lazy() if lazy else frame, column="text", privatizer=privatizer, keep=["id"]
    )
    assert isinstance(released, pl.LazyFrame if lazy else pl.DataFrame)
    assert released.collect_schema() == {"id": pl.Int64, "text": pl.String}
    assert released.lazy().collect().to_dict(as_series=False) == {"id": [4, 3, 2, 1], "text": RELEASED}


def test_a_column_of_nothing(privatizer: hushbit.Privatizer) -> None:
    for frame in (pl.DataFrame({"text": [None]}), pa.table({"text": [None]}), pd.DataFrame({"text": [None]})):
        released = hushbit.corpus.privatize(frame, column="text", privatizer=privatizer)
        assert listed(released["text"] if isinstance(frame, pd.DataFrame) else released["text"].to_pylist()
                      if isinstance(frame, pa.Table) else released["text"].to_list()) == [None]  # fmt: skip


def test_a_lazy_frame_is_drawn_once_and_chunk_by_chunk(spent: Spent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushbit.corpus.polars_frames.CHUNK_ROWS", 10)
    frame = pl.LazyFrame({"text": ["cat road"] * 95, "id": range(95)})
    released = hushbit.corpus.privatize(frame, column="text", privatizer=spent.privatizer, keep=["id"])
    released.explain()
    assert spent.tokens == 0
    assert released.select("id").collect()["id"].to_list() == list(range(95))
    assert spent.tokens == 190
    with pytest.raises(InvalidArgumentError, match="were drawn already"):
        released.collect()
    assert spent.tokens == 190
    some = hushbit.corpus.privatize(frame, column="text", privatizer=spent.privatizer, keep=["id"])
    assert some.head(15).filter(pl.col("id") > 3).select("id").collect()["id"].to_list() == list(range(4, 15))
    assert spent.tokens == 190 + 30


# ---- Arrow


@pytest.mark.parametrize(
    "type_", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
@pytest.mark.parametrize("kind", ["table", "batch", "reader"])
def test_arrow(privatizer: hushbit.Privatizer, kind: str, type_: pa.DataType) -> None:
    schema = pa.schema([("id", pa.int8()), ("text", type_)], metadata={"a": "b"})
    batch = pa.RecordBatch.from_arrays([pa.array([4, 3, 2, 1], pa.int8()), pa.array(TYPED, type_)], schema=schema)
    frame: Any = batch
    if kind != "batch":
        frame = pa.Table.from_batches([batch.slice(0, 1), batch.slice(1)])
    if kind == "reader":
        frame = frame.to_reader()
    released = hushbit.corpus.privatize(frame, column="text", privatizer=privatizer, keep=["id"])
    assert type(released) is type(frame)
    assert released.schema.metadata == {b"a": b"b"}
    whole = released.read_all() if kind == "reader" else released
    assert whole.to_pydict() == {"id": [4, 3, 2, 1], "text": RELEASED}


def test_a_record_batch_without_rows(privatizer: hushbit.Privatizer) -> None:
    batch = pa.RecordBatch.from_pylist([], schema=pa.schema([("text", pa.string())]))
    assert hushbit.corpus.privatize(batch, column="text", privatizer=privatizer).num_rows == 0


def test_a_reader_reads_no_more_than_is_asked_for(spent: Spent) -> None:
    batches = pa.table({"text": ["cat"] * 9}).to_batches(max_chunksize=3)
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    released = hushbit.corpus.privatize(reader, column="text", privatizer=spent.privatizer)
    assert spent.tokens == 0
    assert released.read_next_batch().num_rows == 3
    assert spent.tokens == 3


# ---- Functions of pandas, polars and DuckDB


def test_a_series_of_pandas(privatizer: hushbit.Privatizer) -> None:
    hushbit.corpus.register_pandas()
    series = pd.Series(TYPED, index=list("abcd"), name=("a", 1))
    released = series.hushbit.privatize(privatizer)
    assert listed(released) == RELEASED
    assert (list(released.index), released.name) == (list("abcd"), ("a", 1))
    with pytest.raises(InvalidArgumentError, match="is not text"):
        pd.Series([1]).hushbit.privatize(privatizer)


def test_a_series_of_polars(privatizer: hushbit.Privatizer) -> None:
    hushbit.corpus.register_polars()
    released = pl.Series("text", TYPED).hushbit.privatize(privatizer)  # type: ignore[attr-defined]
    assert (released.name, released.to_list()) == ("text", RELEASED)
    with pytest.raises(InvalidArgumentError, match="column text: is not text"):
        pl.Series("text", [1]).hushbit.privatize(privatizer)  # type: ignore[attr-defined]


def test_without_a_privatizer_it_is_the_built_in_bundle() -> None:
    hushbit.corpus.register_polars()
    released = pl.Series(["the weather is lovely"]).hushbit.privatize()  # type: ignore[attr-defined]
    assert len(released[0].split()) == 4


def test_duckdb(privatizer: hushbit.Privatizer) -> None:
    with duckdb.connect() as connection:
        hushbit.corpus.register_duckdb(connection, privatizer)
        connection.execute("CREATE TABLE typed AS SELECT unnest(['cat, music', NULL, '', 'road']) AS text")
        connection.execute("CREATE TABLE released AS SELECT privatize(text) AS text FROM typed")
        assert [text for (text,) in connection.execute("FROM released").fetchall()] == RELEASED
        assert connection.execute("SELECT privatize('sun')").fetchall() == [("sun",)]


def test_duckdb_draws_equal_texts_apart(bundle: hushbit.Bundle) -> None:
    """All words come out equally often at epsilon 0, so 1,000 draws of one text are not one."""
    with duckdb.connect() as connection:
        hushbit.corpus.register_duckdb(connection, bundle.privatizer(epsilon=0), name="noise")
        query = "SELECT count(DISTINCT noise({})) FROM range(1000)"
        for text in ("'cat'", "CASE WHEN range < 0 THEN '' ELSE 'cat' END"):
            (found,) = connection.execute(query.format(text)).fetchone() or (0,)
            assert found > 50


def test_errors_in_duckdb_hold_no_text(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    limited = bundle.privatizer(
        epsilon=1, allow_unchanged=True, budget=hushbit.Budget(tmp_path / "ledger", tokens_lifetime=1)
    )
    with duckdb.connect() as connection:
        hushbit.corpus.register_duckdb(
            connection, bundle.privatizer(epsilon=1, allow_unchanged=True, oov="error"), name="strict"
        )
        hushbit.corpus.register_duckdb(connection, limited, name="limited")
        for name, kind in (("strict", UnknownWordError), ("limited", BudgetExhaustedError)):
            query = f"SELECT {name}('cat {CANARY} ' || range) FROM range(3)"
            with pytest.raises(duckdb.Error, match=kind.__name__) as caught:
                connection.execute(query).fetchall()
            assert_no_canary(str(caught.value).encode())
