"""`hushbit embed --projection` as a user runs it: an app's own vectors from arrays and tables."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushbit
from cli_runner import Here
from hushbit.toolchain.projection import learn_projection

NUMBERS = 40


@pytest.fixture
def vectors_of_texts() -> np.ndarray:
    return np.random.default_rng(3).standard_normal((2500, NUMBERS)).astype(np.float32)


@pytest.fixture
def projection(tmp_path: Path, vectors_of_texts: np.ndarray) -> Path:
    path = tmp_path / "encoder.projection"
    path.write_bytes(learn_projection(vectors_of_texts[:500]))
    return path


@pytest.fixture
def array(tmp_path: Path, vectors_of_texts: np.ndarray) -> Path:
    path = tmp_path / "vectors.npy"
    np.save(path, vectors_of_texts)
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(bytes(range(32)))
    return path


def write_table(path: Path, rows: list[Any], fixed: bool = False) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kind = pa.list_(pa.float32(), NUMBERS) if fixed else pa.list_(pa.float64())
    pq.write_table(pa.table({"vector": pa.array(rows, type=kind), "id": list(range(len(rows)))}), path)
    return path


def test_arrays_and_tables_release_alike(
    here: Here, projection: Path, array: Path, key: Path, vectors_of_texts: np.ndarray, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    embedder = hushbit.open_projection(projection, 3, device_key=key.read_bytes(), epoch=2)
    expected = embedder.embed_vectors(vectors_of_texts).tolist()
    options = ("--projection", projection, "--epsilon", "3", "--memoize", key, "--epoch", "2")
    code, out, err = here("embed", *options, array)
    assert code == 0, err
    documents = [json.loads(line) for line in out.splitlines()]
    assert [document["index"] for document in documents] == expected
    assert {document["epsilon"] for document in documents} == {embedder.epsilon}
    assert b"vectors released 2500, epsilon 3 each, 7500 in all" in err
    for fixed in (False, True):
        table = write_table(tmp_path / f"{fixed}.parquet", list(vectors_of_texts), fixed)
        output = tmp_path / f"out-{fixed}.parquet"
        code, out, err = here("embed", *options, table, "--column", "vector", "-o", output)
        assert (code, out) == (0, b""), err
        written = pq.read_table(output)
        assert written["index"].to_pylist() == expected
        assert written.schema.metadata == {
            b"hushbit_projection": embedder.info.hash.encode(),
            b"hushbit_epsilon": repr(embedder.epsilon).encode(),
        }


def test_a_budget_ends_the_command_and_counts_texts(here: Here, projection: Path, array: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "sent.budget"
    spend = ("--budget", ledger, "--budget-lifetime", "5")
    code, out, err = here("embed", "--projection", projection, array, *spend)
    assert (code, len(out.splitlines())) == (6, 2)
    assert b"vectors.npy, row 3: the budget of 5 in all has 1 left" in err
    assert b"vectors released 2, epsilon 2 each, 4 in all" in err
    assert hushbit.Budget.read(ledger).texts_lifetime == 2


@pytest.mark.parametrize(("value", "row"), [(float("nan"), 1500), (float("inf"), 2), (1e300, 7)])
def test_a_number_that_is_none(
    here: Here, projection: Path, vectors_of_texts: np.ndarray, tmp_path: Path, value: float, row: int
) -> None:
    rows = vectors_of_texts.astype(np.float64)
    rows[row - 1, 5] = value
    path = tmp_path / "odd.npy"
    np.save(path, rows)
    code, out, err = here("embed", "--projection", projection, path)
    assert (code, len(out.splitlines())) == (1, row - 1)
    assert f"odd.npy, row {row}: ".encode() in err
    assert b"nothing of this row was released" in err


def test_vectors_that_are_none(here: Here, projection: Path, array: Path, tmp_path: Path) -> None:
    def refused(*arguments: str | Path) -> bytes:
        code, out, err = here("embed", "--projection", projection, *arguments)
        assert code != 0
        assert out == b""
        return err

    one = [0.5] * NUMBERS
    assert b"rows 1 to 2: a vector is missing" in refused(
        write_table(tmp_path / "a.parquet", [one, None]), "--column", "vector"
    )
    assert b"rows 1 to 2: a vector is missing" in refused(
        write_table(tmp_path / "b.parquet", [one, one[1:]]), "--column", "vector"
    )
    good = write_table(tmp_path / "c.parquet", [one])
    assert b"say which column" in refused(good)
    assert b"there is no column words" in refused(good, "--column", "words")
    assert b"the column id holds int64; lists of numbers are needed" in refused(good, "--column", "id")
    assert b"a .npy array has none" in refused(array, "--column", "vector")
    np.save(tmp_path / "flat.npy", np.zeros(NUMBERS))
    assert b"flat.npy: holds float64 of shape 40;" in refused(tmp_path / "flat.npy")
    np.save(tmp_path / "short.npy", np.zeros((3, NUMBERS - 1)))
    assert b"short.npy, row 1: " in refused(tmp_path / "short.npy")
    (tmp_path / "no.npy").write_bytes(b"no array")
    assert b"no.npy: is no array" in refused(tmp_path / "no.npy")
    (tmp_path / "no.parquet").write_bytes(b"no table")
    assert b"no.parquet: is no whole Parquet file" in refused(tmp_path / "no.parquet", "--column", "vector")
    assert b"vectors are read from" in refused(projection)
    assert b"name one file of vectors" in refused()
    assert b"needs a bundle" in refused(array, "--words", "3")
    code, _, err = here("embed", array, "--column", "vector")
    assert (code, b"--column is only used with --projection" in err) == (2, True)
