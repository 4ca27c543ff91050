"""Tables whose texts become embeddings or reports: the same kind comes back, with whole numbers in place of texts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hushbit
import hushbit.corpus
from corpora import FRAMES
from hushbit.analysis.counts import Counted, Wanted, count_frame, design_of, estimate
from hushbit.errors import BudgetExhaustedError, InvalidArgumentError, UnknownWordError
from typed import CANARY

TEXTS = ["the dog", None, "", "not at home", None, "the dog"]


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "embed-128.hushbit")


def read(frame: Any, name: str) -> list[int | None]:
    """The numbers of a column, of a table of any kind. Reads it, which a lazy one allows once."""
    if isinstance(frame, pd.DataFrame):
        return [None if pd.isna(number) else int(number) for number in frame[name]]
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        return frame.lazy().collect()[name].to_list()
    whole = frame.read_all() if isinstance(frame, pa.RecordBatchReader) else frame
    return list(whole.column(name).to_pylist())


def types_of(frame: Any) -> list[str]:
    """The types of the columns, in lower case."""
    if isinstance(frame, pd.DataFrame):
        return [str(dtype).lower() for dtype in frame.dtypes]
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        return [str(dtype).lower() for dtype in frame.collect_schema().dtypes()]
    return [str(type_) for type_ in frame.schema.types]


@pytest.mark.parametrize("kind", FRAMES)
def test_each_text_becomes_its_number(bundle: hushbit.Bundle, kind: str) -> None:
    """A device key makes draws the same as one by one."""
    embedder = bundle.embedder(device_key=bytes(32))
    reporter = bundle.reporter("words", 1.0, device_key=bytes(32))
    indexes = [None if text is None else embedder.embed(text).index for text in TEXTS]
    reports = [None if text is None else reporter.report(text).report for text in TEXTS]

    def frame() -> Any:
        return FRAMES[kind]({"id": list(range(6)), "text": TEXTS, "x": [0] * 6})

    embedded = hushbit.corpus.embed(frame(), embedder, column="text", keep=["id"])
    reported = hushbit.corpus.report(frame(), reporter, column="text")
    assert type(embedded) is type(reported) is type(frame())
    assert types_of(embedded) == ["int64", "uint32"]
    assert types_of(reported) == ["uint64"]
    assert read(embedded, "text") == indexes
    assert read(reported, "text") == reports


@pytest.mark.parametrize("kind", FRAMES)
def test_each_row_is_spent_once_and_errors_cost_nothing(bundle: hushbit.Bundle, tmp_path: Path, kind: str) -> None:
    embeds, reports = hushbit.Budget(tmp_path / "embeds"), hushbit.Budget(tmp_path / "reports")
    embedder = bundle.embedder(2.0, budget=embeds)
    reporter = hushbit.Reporter(None, hushbit.ReporterOptions(["the dog", "home"], 1.0, none=True, budget=reports))
    table: dict[str, list[Any]] = {"text": TEXTS, "number": [1] * 6}
    for column, message in (("number", "column number: is not text"), ("words", "no column words")):
        with pytest.raises(InvalidArgumentError, match=message):
            hushbit.corpus.embed(FRAMES[kind](table), embedder, column=column)
        with pytest.raises(InvalidArgumentError, match=message):
            hushbit.corpus.report(FRAMES[kind](table), reporter, column=column)
    assert (embeds.state.tokens_lifetime, reports.state.tokens_lifetime) == (0, 0)
    read(hushbit.corpus.embed(FRAMES[kind](table), embedder, column="text"), "text")
    read(hushbit.corpus.report(FRAMES[kind](table), reporter, column="text"), "text")
    assert (embeds.state.tokens_lifetime, reports.state.tokens_lifetime) == (4, 4)
    assert (embeds.state.texts_lifetime, reports.state.texts_lifetime) == (4, 4)
    assert embeds.state.worst_case_lifetime == pytest.approx(8)
    assert reports.state.worst_case_lifetime == pytest.approx(4)


def test_a_releaser_of_another_kind_is_refused(bundle: hushbit.Bundle) -> None:
    hushbit.corpus.register_pandas()
    frame = pd.DataFrame({"text": TEXTS})
    embedder: Any = bundle.embedder()
    reporter: Any = bundle.reporter()
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: hushbit.corpus.embed(frame, reporter, column="text"), "the embedder is of type Reporter"),
        (lambda: hushbit.corpus.report(frame, embedder, column="text"), "the reporter is of type Embedder"),
        (
            lambda: hushbit.corpus.privatize(frame, column="text", privatizer=embedder),
            "the privatizer is of type Embedder",
        ),
        (lambda: frame["text"].hushbit.embed(reporter), "the embedder is of type Reporter"),
    ]
    for call, message in calls:
        with pytest.raises(TypeError, match=message):
            call()


def test_errors_name_the_row_and_hold_no_text(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    frame = pl.DataFrame({"text": ["yes", None, CANARY]})
    with pytest.raises(UnknownWordError) as unknown:
        hushbit.corpus.report(frame, bundle.reporter(["yes", "no"]), column="text")
    limited = bundle.embedder(budget=hushbit.Budget(tmp_path / "ledger", tokens_lifetime=1))
    with pytest.raises(BudgetExhaustedError) as exhausted:
        hushbit.corpus.embed(frame, limited, column="text")
    for caught in (unknown, exhausted):
        assert caught.value.__notes__ == ["in column text, row 2 (counted from 0) of the frame or partition"]
        assert CANARY not in str(caught.value)


@pytest.mark.filterwarnings("default")  # of Dask's own
def test_dask_draws_once(bundle: hushbit.Bundle) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pd.DataFrame({"text": ["the dog", None] * 8, "id": range(16)}), npartitions=4)
    reporter = hushbit.Reporter(None, hushbit.ReporterOptions("emoji", 1.0))
    for released, dtype in (
        (hushbit.corpus.embed(frame, bundle.embedder(0.1), column="text", keep=["id"]), "UInt32"),
        (hushbit.corpus.report(frame, reporter, column="text", keep=["id"]), "UInt64"),
    ):
        first = released.compute()
        pd.testing.assert_frame_equal(first, released.compute())
        assert first.dtypes.to_dict() == released.dtypes.to_dict() == {"text": dtype, "id": "int64"}
        assert first["text"].isna().tolist() == [False, True] * 8
    with pytest.raises(TypeError, match="with a device key"):
        hushbit.corpus.embed(frame, bundle.embedder(device_key=bytes(32)), column="text")


def test_series(bundle: hushbit.Bundle) -> None:
    hushbit.corpus.register_pandas()
    hushbit.corpus.register_polars()
    embedder = bundle.embedder(device_key=bytes(32))
    expected = [None if text is None else embedder.embed(text).index for text in TEXTS]
    of_pandas = pd.Series(TEXTS, index=list("abcdef"), name=("a", 1)).hushbit.embed(embedder)
    assert (read(of_pandas.to_frame("t"), "t"), str(of_pandas.dtype)) == (expected, "UInt32")
    assert (list(of_pandas.index), of_pandas.name) == (list("abcdef"), ("a", 1))
    of_polars = pl.Series("text", TEXTS).hushbit.embed(embedder)  # type: ignore[attr-defined]
    assert (of_polars.name, of_polars.dtype, of_polars.to_list()) == ("text", pl.UInt32, expected)
    built_in = pl.Series("text", TEXTS).hushbit.report()  # type: ignore[attr-defined]
    assert (built_in.dtype, built_in.is_null().to_list()) == (pl.UInt64, [text is None for text in TEXTS])


def test_duckdb(bundle: hushbit.Bundle) -> None:
    embedder = bundle.embedder(device_key=bytes(32))
    expected = [None if text is None else embedder.embed(text).index for text in TEXTS]
    with duckdb.connect() as connection:
        hushbit.corpus.register_duckdb(connection, embedder)
        hushbit.corpus.register_duckdb(connection, bundle.reporter(), name="told")
        connection.execute("CREATE TABLE typed AS SELECT unnest(?::VARCHAR[]) AS text", [TEXTS])
        connection.execute("CREATE TABLE released AS SELECT embed(text) AS index, told(text) AS report FROM typed")
        found = connection.execute("SELECT index, report IS NULL FROM released").fetchall()
        assert found == [(index, index is None) for index in expected]
        types = connection.execute("SELECT typeof(index), typeof(report) FROM released LIMIT 1").fetchone()
        assert types == ("UINTEGER", "UBIGINT")


def test_tables_without_rows(bundle: hushbit.Bundle) -> None:
    for empty in (pd.DataFrame({"text": pd.Series([], dtype="str")}), pl.DataFrame({"text": []})):
        released = hushbit.corpus.embed(empty, bundle.embedder(), column="text")
        assert (types_of(released), read(released, "text")) == (["uint32"], [])


def test_a_released_frame_is_counted() -> None:
    """A report of two values is another one's with a probability below 1e-6 at an epsilon of 16."""
    reporter = hushbit.Reporter(None, hushbit.ReporterOptions(["yes", "no"], 16.0))
    frame = pd.DataFrame({"report": ["yes"] * 30 + [None] + ["no"] * 10})
    reported = hushbit.corpus.report(frame, reporter, column="report")
    counted = count_frame(reported.dropna(), Wanted(reporter.info.hash, 16.0), Counted(design_of(2, 16.0)))
    found = estimate(counted.whole, ("yes", "no"))
    assert np.round(found.counts).tolist() == [30, 10]
