"""Models, corpora and arguments that are broken or want to break something: a clear error, no file, no bomb."""

import io
import json
import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli_runner import run_here
from hashed_models import SIZE, documents, train_crfsuite, train_vowpal
from hushbit.errors import InputFileError
from hushbit.hashing import open_model

# One fit, written whatever an attack on fresh random rows finds.
REGARDLESS = ("--fit", "kernel", "--even-if-told-apart")
WEIGHTS = np.random.default_rng(0).normal(size=(50, 2))


def save(path: Path, **change: Any) -> Path:
    np.savez(path, **{"range": 128, "hashes": np.arange(50), "weights": WEIGHTS, **change})
    return path


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"range": 1 << 60}, "it must be 1 to 2147483648"),
        ({"range": np.uint64((1 << 64) - 1)}, "it must be 1 to 2147483648"),
        ({"bias": np.array(["x", "y"])}, "bias must be real numbers"),
        ({"bias": np.array([[1.0, 2.0]])}, "bias must be real numbers"),
        ({"bias": np.array([1j, 2])}, "bias must be real numbers"),
        ({"bias": np.array([np.nan, 2])}, "bias has NaN"),
        ({"weights": WEIGHTS.astype(complex)}, "real numbers"),
        ({"weights": WEIGHTS[:, :, None]}, "real numbers"),
        ({"labels": np.array([["a", "b"]])}, "labels must be one list"),
    ],
)
def test_bad_arrays(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputFileError, match=complaint):
        open_model(save(tmp_path / "m.npz", **change))


def test_bad_intercepts(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", coef_=np.eye(1, 9), intercept_=np.array(["a"]))
    with pytest.raises(InputFileError, match="intercept_"):
        open_model(tmp_path / "m.npz")


@pytest.mark.parametrize("shape", [(1 << 40, 8), (1 << 62, 1 << 62), (-5, 2), (1 << 31, 1)])
def test_declared_sizes_are_not_believed(tmp_path: Path, shape: tuple[int, int]) -> None:
    path = save(tmp_path / "m.npz")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": shape})
    members["weights.npy"] = header.getvalue() + bytes(100)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(InputFileError, match="holds no whole array"):
        open_model(path)


def test_a_crfsuite_model_s_sizes_are_not_believed(tmp_path: Path) -> None:
    """Each number of the header, and the sizes of the chunks, as large as it gets."""
    import tracemalloc

    path = tmp_path / "m.crfsuite"
    train_crfsuite(path)
    data = path.read_bytes()
    chunks = [data.index(magic) + 4 for magic in (b"FEAT", b"CQDB")]
    places = [*range(16, 48, 4), *(at + step for at in chunks for step in (0, 4, 8, 12, 16))]
    tracemalloc.start()
    for place in places:
        path.write_bytes(data[:place] + struct.pack("<I", 0xFFFFFFF0) + data[place + 4 :])
        with suppress(InputFileError):
            open_model(path, size=SIZE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 21  # 660,000 bytes, whatever the numbers say


@pytest.mark.parametrize("classes", ["0", "99999999999999", "2000000"])
def test_impossible_numbers_of_classes(tmp_path: Path, classes: str) -> None:
    path = tmp_path / "m.txt"
    train_vowpal(path)
    path.write_text(path.read_text().replace("options:", f"options: --oaa {classes}"))
    with pytest.raises(InputFileError, match="classes, in 4096 indices"):
        open_model(path)


def test_headers_keep_their_bytes(tmp_path: Path) -> None:
    """File names among the options need not be UTF-8."""
    path, private = tmp_path / "m.txt", tmp_path / "p.txt"
    train_vowpal(path)
    path.write_bytes(path.read_bytes().replace(b"Id ", b"Id \xff"))
    done = run_here("hashing", "privatize", path, "-o", private, *REGARDLESS)
    assert done.returncode == 0, done.stderr
    assert b"Id \xff\n" in private.read_bytes()


class TestSkops:
    def test_text_labels_of_pandas(self, tmp_path: Path) -> None:
        """The labels are in arrays of Python objects, which skops keeps in its schema."""
        import skops.io
        from sklearn.feature_extraction.text import HashingVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        texts, answers = documents()
        pipeline = make_pipeline(HashingVectorizer(n_features=SIZE), LogisticRegression())
        pipeline.fit(texts, np.array(["bad", "good"], dtype=object)[answers])
        skops.io.dump(pipeline, tmp_path / "m.skops")
        done = run_here("hashing", "privatize", tmp_path / "m.skops", "-o", tmp_path / "p.skops", *REGARDLESS)
        assert done.returncode == 0, done.stderr
        assert open_model(tmp_path / "p.skops").model.labels == ("good",)
        assert set(skops.io.load(tmp_path / "p.skops").predict(texts)) == {"bad", "good"}

    def test_a_vocabulary_is_refused(self, tmp_path: Path) -> None:
        import skops.io
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        pipeline = make_pipeline(CountVectorizer(), LogisticRegression()).fit(*documents())
        skops.io.dump(pipeline, tmp_path / "m.skops")
        with pytest.raises(InputFileError, match="vocabulary of a vectorizer"):
            open_model(tmp_path / "m.skops")


@pytest.mark.parametrize(
    "settings",
    [
        {"ngram_range": "abc"},
        {"ngram_range": [1, "2"]},
        {"ngram_range": None},
        {"token_pattern": "("},
        {"token_pattern": 5},
        {"strip_accents": "bogus"},
    ],
)
def test_settings_of_no_vectorizer(tmp_path: Path, settings: dict[str, Any]) -> None:
    model = save(tmp_path / "m.npz", settings=json.dumps(settings))
    (tmp_path / "c.txt").write_text("some words\n")
    done = run_here("hashing", "cost", model, "--corpus", tmp_path / "c.txt")
    assert done.returncode == 2
    assert b"settings are not those of a HashingVectorizer" in done.stderr


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("c.txt", b"", b"no terms"),
        ("c.csv", b"text\n", b"no terms"),
        ("c.csv", b"", b"no column of text"),
        ("c.csv", b"text\n" + b"x " * 70_000, b"no terms"),
        ("c.parquet", b"PAR1 and no more PAR1", b"not a whole parquet file"),
    ],
)
def test_corpora_without_words(tmp_path: Path, name: str, data: bytes, complaint: bytes) -> None:
    model = save(tmp_path / "m.npz")
    (tmp_path / name).write_bytes(data)
    done = run_here("hashing", "cost", model, "--corpus", tmp_path / name)
    assert done.returncode in (1, 2)
    assert complaint in done.stderr
    assert b"internal error" not in done.stderr


def test_terms_that_are_not_utf_8(tmp_path: Path) -> None:
    model = save(tmp_path / "m.npz")
    (tmp_path / "t.tsv").write_bytes(b"ab\tcd\na\xff\tb\n")
    done = run_here("hashing", "cost", model, "--term-features", tmp_path / "t.tsv")
    assert b"t.tsv, line 2: byte 1 is not UTF-8" in done.stderr


@pytest.mark.parametrize("scale", [1e300, 1e-305])
def test_extreme_weights(tmp_path: Path, scale: float) -> None:
    """No divergence depends on the unit, so that squares which are no numbers must not matter."""
    costs = []
    for name, factor in (("a.npz", 1.0), ("b.npz", scale)):
        done = run_here("hashing", "cost", save(tmp_path / name, weights=WEIGHTS * factor), "--json")
        assert done.stderr == b""
        costs.append(json.loads(done.stdout))
    np.testing.assert_allclose(costs[0]["kurtosis"], costs[1]["kurtosis"], rtol=1e-6)
    for one, other in zip(costs[0]["costs"], costs[1]["costs"], strict=True):
        assert other["composed"]["epsilon"] == pytest.approx(one["composed"]["epsilon"], rel=1e-6)


class TestOutputs:
    @pytest.mark.parametrize("output", ["m.npz", "./m.npz", "link.npz"])
    def test_the_model_is_not_replaced(self, tmp_path: Path, output: str) -> None:
        model = save(tmp_path / "m.npz")
        (tmp_path / "link.npz").symlink_to(model)
        before = model.read_bytes()
        done = run_here("hashing", "privatize", "m.npz", "-o", output, cwd=tmp_path)
        assert done.returncode == 2
        assert b"same file" in done.stderr
        assert model.read_bytes() == before

    def test_plots_are_checked_first(self, tmp_path: Path) -> None:
        model = save(tmp_path / "m.npz")
        for plot, complaint in (("x.xyz", b".png, .svg, .pdf"), ("no/x.png", b"there is no folder")):
            for command in (("privatize", model, "-o", "p.npz"), ("cost", model)):
                done = run_here("hashing", *command, "--plot", plot, cwd=tmp_path)
                assert done.returncode in (1, 2)
                assert complaint in done.stderr
        done = run_here("hashing", "privatize", model, "-o", "p.png", "--plot", "p.png", cwd=tmp_path)
        assert b"one file" in done.stderr
        assert [item.name for item in tmp_path.iterdir()] == ["m.npz"]

    @pytest.mark.slow
    def test_plots_of_odd_models(self, tmp_path: Path) -> None:
        """Many labels, none of which is a formula, and costs that are all infinite."""
        labels = [f"$a_{i}$ \\frac{{" for i in range(30)]
        weights = np.random.default_rng(0).normal(size=(50, 30))
        many = save(tmp_path / "m.npz", weights=weights, labels=labels)
        done = run_here(
            "hashing", "privatize", many, "-o", tmp_path / "p.npz", "--plot", tmp_path / "a.svg", *REGARDLESS
        )
        assert done.returncode == 0, done.stderr
        two = save(tmp_path / "two.npz", hashes=np.arange(2), weights=WEIGHTS[:2])
        done = run_here("hashing", "cost", two, "--plot", tmp_path / "b.pdf")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "a.svg").stat().st_size > 1000
        assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")

    def test_labels_do_not_move_the_cursor(self, tmp_path: Path) -> None:
        model = save(tmp_path / "m.npz", labels=np.array(["a\x1b[31m\n", "b"]))
        done = run_here("hashing", "privatize", model, "-o", tmp_path / "p.npz", *REGARDLESS)
        assert b"\x1b" not in done.stdout
        assert b"a?[31m?" in done.stdout
