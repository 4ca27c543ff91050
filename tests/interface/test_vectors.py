"""The core against the golden vectors, through Python; native/tests/vectors_test.cpp reads the same files."""

import copy
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushbit import _core, _core_testing
from hushbit.errors import HushbitError, InvalidTextError, UnknownWordError

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("words-64", "words-256", "twins-128", "single-512")
CROWD_NAMES = ("crowds-64", "outputs-128", "crowds-by-codes")
STATUSES = {8: InvalidTextError, 9: UnknownWordError}
Item = dict[str, Any]


def load(name: str) -> Any:
    return json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text("ascii"))


VECTORS: dict[str, Item] = {name: load(f"privatize-{name}") for name in NAMES + CROWD_NAMES}
# Python has no streams of its own; native/tests/vectors_test.cpp reads those cases.
RUN = [(name, case) for name in VECTORS for case in VECTORS[name]["cases"] if case["stream"] is None]


@pytest.fixture(scope="module")
def bundles(vectors: Path) -> dict[str, _core.Bundle]:
    return {name: _core.Bundle.open(str(vectors / VECTORS[name]["bundle"])) for name in VECTORS}


def close(a: float, b: float | None) -> bool:
    return math.isclose(a, math.inf if b is None else b, rel_tol=1e-12)


def run(bundle: _core.Bundle, case: Item) -> Item:
    """What the core makes of a case, in the form of the file."""
    privatizer = _core.Privatizer(
        bundle,
        mechanism=case["mechanism"],
        epsilon=case["epsilon"],
        beta=case["beta"],
        device_key=None if case["device_key"] is None else bytes.fromhex(case["device_key"]),
        epoch=int(case["epoch"], 16),
        oov=case["oov"],
        punctuation=case["punctuation"],
        mask=bytes.fromhex(case["mask"]),
        crowd_size=case.get("crowd"),
        allow_unchanged=True,
    )
    try:
        seed = None if case["device_key"] is not None else bytes.fromhex(case["seed"])
        result = _core_testing.privatize(privatizer, bytes.fromhex(case["text"]), seed)
    except HushbitError as error:
        status = next(status for status, class_ in STATUSES.items() if isinstance(error, class_))
        return {"status": status, "position": error.position}
    tokens = [
        {
            "kind": token.kind,
            "id": token.word,
            "bytes": [token.byte_begin, token.byte_end],
            "utf16": [token.utf16_begin, token.utf16_end],
            "output": None if token.output_begin == token.output_end else [token.output_begin, token.output_end],
        }
        for token in result.tokens
    ]
    cost = result.cost
    return {
        "status": 0,
        "position": 0,
        "flip_threshold": f"{privatizer.info().flip_threshold:016x}",
        "gamma": privatizer.info().gamma,
        "tokens": tokens,
        "noisy_codes": [code.tobytes().hex() for code in result.noisy_codes],
        "output": result.text.hex(),
        **_crowd_of(privatizer.info()),
        "cost": {key: getattr(cost, key) for key in ("epsilon", "average", "worst_case")},
        "counts": {key: getattr(cost, key) for key in ("words", "unknown", "dropped", "verbatim", "public_words")},
    }


def _crowd_of(info: _core.PrivatizerInfo) -> Item:
    return {
        "crowd_threshold": f"{info.crowd_threshold:016x}",
        "crowd_mass": info.crowd_mass,
        "output_mass": info.output_mass,
        "mean_crowd": info.mean_crowd,
    }


def differences(bundle: _core.Bundle, case: Item) -> list[str]:
    """The keys of a case in which the core disagrees."""
    got = run(bundle, case)
    keys = ["status", "position"]
    if case["status"] == 0 and got["status"] == 0:
        keys += ["flip_threshold", "gamma", "tokens", "noisy_codes", "output"]
        keys += [key for key in ("crowd_threshold", "crowd_mass", "output_mass", "mean_crowd") if key in case]
        wrong = [f"cost.{key}" for key, value in got["cost"].items() if not close(value, case["cost"][key])]
        wrong += [f"cost.{key}" for key, value in got["counts"].items() if value != case["cost"].get(key, 0)]
    else:
        wrong = []
    return wrong + [key for key in keys if got[key] != case[key]]


@pytest.mark.parametrize(("name", "case"), RUN, ids=[f"{name}-{case['name']}" for name, case in RUN])
def test_case(bundles: dict[str, _core.Bundle], name: str, case: Item) -> None:
    assert differences(bundles[name], case) == []


def _tampered(case: Item) -> Iterator[tuple[str, Item]]:
    """Copies of a case with one thing changed, and the key that must be reported."""
    for key, change in {
        "flip_threshold": lambda c: c.update(flip_threshold=f"{int(c['flip_threshold'], 16) + 1:016x}"),
        "tokens": lambda c: c["tokens"][-1]["utf16"].__setitem__(1, c["tokens"][-1]["utf16"][1] + 1),
        "noisy_codes": lambda c: c["noisy_codes"].reverse(),
        "output": lambda c: c.update(output=c["output"] + "20"),
        "cost.worst_case": lambda c: c["cost"].update(worst_case=c["cost"]["worst_case"] * (1 + 1e-9)),
        "cost.unknown": lambda c: c["cost"].update(unknown=c["cost"]["unknown"] + 1),
        "status": lambda c: c.update(status=9),
    }.items():
        changed = copy.deepcopy(case)
        change(changed)  # type: ignore[no-untyped-call]
        yield key, changed


def test_a_changed_vector_is_noticed(bundles: dict[str, _core.Bundle]) -> None:
    case = next(case for _, case in RUN if case["name"].endswith("sentence"))
    noticed = [key in differences(bundles["words-64"], changed) for key, changed in _tampered(case)]
    assert noticed == [True] * 7
    other_seed = {**case, "seed": "00" * 32}
    assert {"noisy_codes", "output"} <= set(differences(bundles["words-64"], other_seed))
    memoized = next(case for _, case in RUN if case["name"] == "memoized, brr, words-64.hushbit: repeats")
    for change in ({"device_key": "00" * 32}, {"epoch": "1".zfill(16)}, {"epsilon": memoized["epsilon"] + 0.01}):
        assert {"noisy_codes", "output"} <= set(differences(bundles["words-64"], {**memoized, **change}))


@pytest.mark.parametrize("name", VECTORS)
def test_bundle(bundles: dict[str, _core.Bundle], name: str) -> None:
    bundle, vectors = bundles[name], VECTORS[name]
    bundle.verify()
    info = bundle.info()
    assert info.hash.hex() == vectors["bundle_hash"]
    of_crowds = [key for key in vectors if "default" in key or key in ("output_words", "public_words")]
    for key in ["bits", "average_distance", "max_distance", "max_word_bytes", *of_crowds]:
        assert getattr(info, {"default_crowd": "default_crowd_size"}.get(key, key)) == vectors[key]
    words = [bytes.fromhex(word) for word in vectors["words"]]
    assert [bundle.word(id) for id in range(info.words)] == words
    assert [bundle.find(word) for word in words] == list(range(info.words))
    assert bundle.find(b"no such word") is None


@pytest.mark.parametrize("name", VECTORS)
def test_nearest(bundles: dict[str, _core.Bundle], name: str) -> None:
    for item in VECTORS[name]["nearest"]:
        code = np.frombuffer(bytes.fromhex(item["code"]), dtype=np.uint8)
        distances, ties, words = bundles[name].nearest(code[None, :])
        assert (distances[0], ties[0], words[0]) == (item["distance"], item["ties"], item["word"])
        ids, near = bundles[name].neighbors(code, len(item["neighbors"]["ids"]))
        assert (ids.tolist(), near.tolist()) == (item["neighbors"]["ids"], item["neighbors"]["distances"])


def test_coin(bundles: dict[str, _core.Bundle]) -> None:
    for item in load("coin"):
        info = _core.Privatizer(bundles["single-512"], epsilon=item["epsilon"]).info()
        assert f"{info.flip_threshold:016x}" == item["flip_threshold"]
        assert close(info.effective_epsilon, item["effective_epsilon"])
        assert info.clamped is item["clamped"]


def test_keystream() -> None:
    for item in load("keystream"):
        want = bytes.fromhex(item["bytes"])
        assert _core_testing.keystream(bytes.fromhex(item["seed"]), item["offset"], len(want)) == want


def _flip_probability(bundle: _core.Bundle, epsilon: float) -> float:
    return _core.Privatizer(bundle, epsilon=epsilon, allow_unchanged=True).info().flip_probability


def test_vectors_exercise_what_they_should(bundles: dict[str, _core.Bundle]) -> None:
    """A vector file that lost its interesting cases would pass everything above."""
    assert len(load("coin")) >= 35
    assert len(load("keystream")) >= 21
    assert min(len(VECTORS[name]["nearest"]) for name in NAMES) >= 9
    cases = [case for name in NAMES for case in VECTORS[name]["cases"]]
    assert len(cases) >= 197
    good = [case for case in cases if case["status"] == 0]
    assert {case["status"] for case in cases} == {0, 8, 9}
    assert {case["oov"] for case in good} == {"random", "drop", "mask", "error", "verbatim-unsafe"}
    assert {token["kind"] for case in good for token in case["tokens"]} == {"word", "unknown", "punctuation"}
    assert {min(len(case["noisy_codes"]), 33) for case in good} >= {0, 1, 16, 17, 33}, "groups of 16 and their ends"
    assert sum(case["stream"] is not None for case in good) >= 10
    assert {case["mechanism"] for case in good} == {"brr", "tem"}
    memoized = [case for case in good if case["device_key"] is not None]
    assert {case["mechanism"] for case in memoized} == {"brr", "tem"}
    assert {int(case["epoch"], 16) for case in memoized} >= {0, 1, 2**64 - 1}
    changed = sum(bytes.fromhex(case["text"]).lower().split() != bytes.fromhex(case["output"]).split() for case in good)
    assert changed > 80, "noise changes words"
    layouts = {section.name for name in NAMES for section in bundles[name].sections()}
    assert layouts == {"meta", "words", "codes", "clusters", "order", "mih"}
    info = bundles["words-256"].info()
    noise = {_flip_probability(bundles["words-256"], case["epsilon"]) * info.bits
             for case in VECTORS["words-256"]["cases"] if case["mechanism"] == "brr"}  # fmt: skip
    assert min(noise) < info.mih_flips < max(noise), "some searches begin with the hash, others do not"
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names)


def test_vectors_of_crowds_exercise_what_they_should(bundles: dict[str, _core.Bundle]) -> None:
    cases = [case for name in CROWD_NAMES for case in VECTORS[name]["cases"]]
    good = [case for case in cases if case["status"] == 0]
    assert len(good) >= 180
    assert {case["mechanism"] for case in good} == {"brr", "tem", "crowd"}
    for name in CROWD_NAMES:
        of_bundle = [case for case in VECTORS[name]["cases"] if case["status"] == 0 and case["mechanism"] == "crowd"]
        assert {case["crowd"] for case in of_bundle} == {"one", "few", "many", None}
        assert any(case["device_key"] for case in of_bundle)
        assert sum(case["stream"] is not None for case in of_bundle) >= 7
        assert len({(case["crowd_mass"], case["crowd"]) for case in of_bundle}) >= 3
        assert {token["kind"] for case in of_bundle for token in case["tokens"]} == {"word", "unknown", "punctuation"}
    assert sum(case["cost"]["public_words"] for case in good) > 20
    sections = {section.name for name in CROWD_NAMES for section in bundles[name].sections()}
    assert sections >= {"outputs", "standins", "weights", "crowds", "grades", "public", "clusters", "mih"}
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_vectors_are_what_the_reference_writes() -> None:
    """The reference takes a minute for what the core does at once; test_case compares the core with the same files."""
    command = [sys.executable, str(ROOT / "tools/generate/vectors"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
