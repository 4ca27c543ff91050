"""Files that are not models, and writes that fail."""

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashed_models import SIZE, save_skops, train_crfsuite, train_vowpal
from hushbit._plumbing.atomic import WriteFailedError, write_atomically
from hushbit.errors import InputFileError, InputNotFoundError, InvalidArgumentError
from hushbit.hashing import open_model


def test_pickles_are_not_read(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path(tmp_path / "sprung").touch, ())

    path = tmp_path / "m.skops"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(InputFileError, match="pickle"):
        open_model(path)
    np.savez(tmp_path / "m.npz", coef_=np.array([Trap()], dtype=object))
    with pytest.raises(InputFileError, match="Python objects"):
        open_model(tmp_path / "m.npz")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("data", [b"", b"PK\3\4 and no more", b"hello", b"lCRF"])
@pytest.mark.parametrize("format", [None, "npz", "skops", "vowpal", "crfsuite"])
def test_other_files(tmp_path: Path, data: bytes, format: str | None) -> None:
    path = tmp_path / "m"
    path.write_bytes(data)
    with pytest.raises(InputFileError):
        open_model(path, format=format, size=16)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError, match="no such file"):
        open_model(tmp_path / "m.npz")


def test_another_range(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", range=9, hashes=np.arange(3), weights=np.ones((3, 1)))
    with pytest.raises(InvalidArgumentError, match="has 9 hashes, not 8"):
        open_model(tmp_path / "m.npz", size=8)
    with pytest.raises(InvalidArgumentError, match="no format"):
        open_model(tmp_path / "m.npz", format="csv")


@pytest.mark.parametrize("format", ["npz", "skops", "vowpal", "crfsuite"])
def test_a_failed_write_leaves_nothing(tmp_path: Path, format: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    path = source / f"m.{format}"
    if format == "npz":
        np.savez(path, range=SIZE, hashes=np.arange(9), weights=np.random.default_rng(0).normal(size=(9, 2)))
    elif format == "skops":
        from sklearn.linear_model import LogisticRegression

        save_skops(path, LogisticRegression())
    elif format == "vowpal":
        train_vowpal(path)
    else:
        train_crfsuite(path)
    file = open_model(path, size=SIZE if format == "crfsuite" else None)

    def rows() -> Any:
        yield np.ones((10, file.model.dimensions), dtype=file.model.weights.dtype)
        raise OSError(28, "No space left on device")

    output = tmp_path / "out"
    output.mkdir()
    (output / "p").write_text("what was there")
    with pytest.raises(WriteFailedError, match="No space left"):
        file.write(output / "p", rows())
    assert [item.name for item in output.iterdir()] == ["p"]
    assert (output / "p").read_text() == "what was there"


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_only_regular_files_are_replaced(tmp_path: Path, kind: str) -> None:
    """No device is replaced, which `--plot /dev/null` would do when root says it."""
    target = tmp_path / "target"
    if kind == "fifo":
        os.mkfifo(target)
    else:
        target.mkdir()
    with pytest.raises(WriteFailedError, match="not a regular file"):
        write_atomically(target, b"data")
    assert [item.name for item in tmp_path.iterdir()] == ["target"]
    assert target.is_fifo() == (kind == "fifo")
