"""scikit-learn's models: `.skops` and `.npz`, completed, and scored by scikit-learn."""

import json
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashed_models import (
    SIZE,
    documents,
    privatize,
    save_skops,
)
from hushbit.errors import InputFileError
from hushbit.hashing import open_model
from hushbit.hashing.formats.npz import write_model


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("averaged", [False, True])
def test_scikit_learn_scores_with_it(tmp_path: Path, classes: int, averaged: bool) -> None:
    import skops.io
    from sklearn.linear_model import SGDClassifier

    model, private = tmp_path / "m.skops", tmp_path / "p.skops"
    before = save_skops(model, SGDClassifier(random_state=0, average=averaged), classes)
    table = privatize(model, private)
    after = skops.io.load(private)
    coefficients = after[-1].coef_
    assert np.array_equal(coefficients.T, table)
    assert (coefficients != 0).any(axis=0).all()
    features = before[0].transform(documents()[0]).toarray()
    # Hashes that training left at zero, or at what is left of two equal numbers, are filled in as well.
    features[:, np.abs(before[-1].coef_).max(axis=0) < 1e-12] = 0
    # The others weigh what they weighed, to the last bit.
    assert np.array_equal(before[-1].decision_function(features), after[-1].decision_function(features))
    assert after.predict(documents(seed=1)[0]).shape == (120,)


def test_no_other_array_gives_genuine_rows_away(tmp_path: Path) -> None:
    from sklearn.linear_model import SGDClassifier

    model, private = tmp_path / "m.skops", tmp_path / "p.skops"
    save_skops(model, SGDClassifier(random_state=0, average=True))
    privatize(model, private)
    with zipfile.ZipFile(private) as archive:
        arrays = [np.load(archive.open(name)) for name in archive.namelist() if name.endswith(".npy")]
    assert sum(array.size >= SIZE for array in arrays) == 1


def test_settings_of_the_vectorizer(tmp_path: Path) -> None:
    from sklearn.linear_model import LogisticRegression

    model = tmp_path / "m.skops"
    save_skops(model, LogisticRegression(), ngram_range=(1, 2), lowercase=False)
    read = open_model(model).model
    assert read.settings["ngram_range"] == [1, 2]
    assert read.settings["lowercase"] is False
    assert read.labels == ("1",)
    assert read.range == SIZE


def test_round_off_is_no_row(tmp_path: Path) -> None:
    """A singular value decomposition leaves 1e-16 where no hash was seen."""
    import skops.io
    from sklearn.linear_model import Ridge

    generator = np.random.default_rng(0)
    features = np.where(np.arange(SIZE) % 3 > 0, generator.normal(size=(60, SIZE)), 0)
    fitted = Ridge(solver="svd").fit(features, generator.normal(size=60))
    assert fitted.coef_[::3].any()
    skops.io.dump(fitted, tmp_path / "m.skops")
    np.savez(tmp_path / "m.npz", coef_=fitted.coef_)
    for name in ("m.skops", "m.npz"):
        model = open_model(tmp_path / name).model
        assert np.array_equal(model.hashes, np.flatnonzero(np.arange(SIZE) % 3))
        assert np.array_equal(model.weights[:, 0], fitted.coef_[model.hashes])
    np.savez(tmp_path / "single.npz", coef_=fitted.coef_.astype(np.float32))
    assert open_model(tmp_path / "single.npz").model.rows == len(model.hashes)


def test_two_models_are_refused(tmp_path: Path) -> None:
    import skops.io
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    fitted = LogisticRegression().fit(np.eye(4), [0, 1, 0, 1])
    skops.io.dump([fitted, LogisticRegression().fit(np.eye(4), [0, 0, 1, 1])], tmp_path / "m.skops")
    with pytest.raises(InputFileError, match="holds a list"):
        open_model(tmp_path / "m.skops")
    skops.io.dump(make_pipeline(fitted, fitted), tmp_path / "m.skops")
    with pytest.raises(InputFileError, match="2 fitted linear models"):
        open_model(tmp_path / "m.skops")
    skops.io.dump(LogisticRegression(), tmp_path / "m.skops")
    with pytest.raises(InputFileError, match="0 fitted linear models"):
        open_model(tmp_path / "m.skops")


def test_damage(tmp_path: Path) -> None:
    """A model is read or refused with any part of the schema changed or lost, and any byte of an array."""
    from sklearn.linear_model import SGDClassifier

    path = tmp_path / "m.skops"
    save_skops(path, SGDClassifier(random_state=0, average=True))
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    generator = np.random.default_rng(0)
    for _ in range(300):
        changed = dict(members)
        if generator.random() < 0.7:
            schema = json.loads(members["schema.json"])
            damage_schema(schema, generator)
            changed["schema.json"] = json.dumps(schema).encode()
        else:
            name = sorted(changed)[generator.integers(len(changed))]
            data = bytearray(changed[name])
            data[generator.integers(min(len(data), 130))] ^= 1 << generator.integers(8)
            changed[name] = bytes(data)
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in changed.items():
                archive.writestr(name, content)
        with suppress(InputFileError):
            open_model(path)


def damage_schema(schema: Any, generator: np.random.Generator) -> None:
    """Removes or replaces one node, found by a random walk."""
    node = schema
    while True:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        key = keys[generator.integers(len(keys))]
        if isinstance(node[key], dict | list) and node[key] and generator.random() < 0.85:
            node = node[key]
            continue
        if generator.random() < 0.3:
            del node[key]
        else:
            node[key] = [None, 1, "x", [], {}, "999.npy", [1]][generator.integers(7)]
        return


@pytest.mark.parametrize("schema", ["", "[]", "{", '{"content": {"coef_": 1}}'])
def test_damaged_schemas(tmp_path: Path, schema: str) -> None:
    path = tmp_path / "m.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", schema)
    with pytest.raises(InputFileError):
        open_model(path)


class TestNpz:
    def test_sparse(self, tmp_path: Path) -> None:
        path, private = tmp_path / "m.npz", tmp_path / "p.npz"
        weights = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)
        hashes = np.random.default_rng(0).permutation(SIZE)[:200]
        np.savez(path, range=SIZE, hashes=hashes, weights=weights, bias=np.arange(3), labels=["x", "y", "z"])
        model = open_model(path).model
        assert np.array_equal(model.weights, weights[np.argsort(hashes)])
        table = privatize(path, private)
        arrays = np.load(private)
        assert np.array_equal(arrays["hashes"], np.arange(SIZE))
        assert np.array_equal(arrays["weights"], table)
        assert arrays["weights"].dtype == np.float32
        assert arrays["labels"].tolist() == ["x", "y", "z"]
        assert arrays["bias"].tolist() == [0, 1, 2]

    def test_coefficients_of_scikit_learn(self, tmp_path: Path) -> None:
        from sklearn.feature_extraction.text import HashingVectorizer
        from sklearn.linear_model import LogisticRegression

        texts, answers = documents()
        features = HashingVectorizer(n_features=SIZE).transform(texts)
        fitted = LogisticRegression().fit(features, answers)
        before = fitted.decision_function(features)
        path, private = tmp_path / "m.npz", tmp_path / "p.npz"
        np.savez(path, coef_=fitted.coef_, intercept_=fitted.intercept_, classes_=fitted.classes_)
        table = privatize(path, private)
        arrays = np.load(private)
        assert np.array_equal(arrays["coef_"], table.T)
        fitted.coef_ = arrays["coef_"]
        assert np.array_equal(fitted.decision_function(features), before)

    def test_written_models_are_read(self, tmp_path: Path) -> None:
        weights = np.random.default_rng(0).normal(size=(20, 2))
        np.savez(tmp_path / "m.npz", range=99, hashes=np.arange(20), weights=weights)
        model = open_model(tmp_path / "m.npz").model
        write_model(tmp_path / "again.npz", model)
        again = open_model(tmp_path / "again.npz").model
        assert (again.range, again.labels) == (99, ("0", "1"))
        assert np.array_equal(again.weights, weights)

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            ({"hashes": np.array([0, 1, 1])}, "occur twice"),
            ({"hashes": np.array([0, 1, SIZE])}, f"outside 0 to {SIZE - 1}"),
            ({"hashes": np.array([0.0, 1.0, 2.0])}, "whole numbers"),
            ({"hashes": np.array([0, 1])}, "2 hashes, but 3 rows"),
            ({"weights": np.array([[1.0], [np.inf], [2.0]])}, "NaN or infinite weights, first hash 1"),
            ({"weights": np.array([["a"], ["b"], ["c"]])}, "real numbers"),
            ({"bias": np.zeros(3)}, "same number of dimensions"),
            ({"range": np.array([1, 2])}, "one whole number"),
            ({"range": np.array(0)}, "1 to 2147483648"),
            ({"settings": np.array("[]")}, "JSON object"),
            ({"labels": np.array([{"a": 1}], dtype=object)}, "Python objects"),
        ],
    )
    def test_bad_arrays(self, tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
        arrays: dict[str, Any] = {"range": SIZE, "hashes": np.arange(3), "weights": np.ones((3, 1))}
        np.savez(tmp_path / "m.npz", **{**arrays, **change})
        with pytest.raises(InputFileError, match=complaint) as caught:
            open_model(tmp_path / "m.npz")
        assert "m.npz" in str(caught.value)

    @pytest.mark.parametrize("missing", ["range", "hashes", "weights"])
    def test_missing_arrays(self, tmp_path: Path, missing: str) -> None:
        arrays: dict[str, Any] = {"range": SIZE, "hashes": np.arange(3), "weights": np.ones((3, 1))}
        del arrays[missing]
        np.savez(tmp_path / "m.npz", **arrays)
        with pytest.raises(InputFileError, match=missing):
            open_model(tmp_path / "m.npz")


def test_settings_survive_in_npz(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "m.npz",
        range=9,
        hashes=np.arange(4),
        weights=np.random.default_rng(0).normal(size=(4, 1)),
        settings=json.dumps({"ngram_range": [1, 2]}),
    )
    privatize(tmp_path / "m.npz", tmp_path / "p.npz")
    assert open_model(tmp_path / "p.npz").model.settings == {"ngram_range": [1, 2]}
