"""The options of a privatizer: one record for each language, and all of them those of the C header."""

import re
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest

import hushbit
from hushbit import _core, _options
from hushbit._options import DEFAULTS, PrivatizerOptions
from hushbit.study.names import EVALUATED, LONG_TITLES, MECHANISMS, TITLES
from hushbit.toolchain import defaults

ROOT = Path(__file__).parents[2]
NAMES = {
    "mechanism": (_options.MECHANISMS, _core.MECHANISMS),
    "oov": (_options.OOV_POLICIES, _core.OOV_POLICIES),
    "punctuation": (_options.PUNCTUATION_POLICIES, _core.PUNCTUATION_POLICIES),
    "search": (_options.SEARCHES, _core.SEARCHES),
    "crowd_size": (_options.CROWD_SIZES, _core.CROWD_SIZES),
}


@pytest.fixture
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-64.hushbit")


def enum_of_c(name: str) -> dict[str, int]:
    """The values of an enum of the header, by what follows the prefix that all have."""
    header = re.sub("//.*", "", (ROOT / "native/include/hushbit/types.h").read_text(encoding="utf-8"))
    found = re.search(rf"typedef enum hushbit_{name} \{{(.*?)\}} hushbit_{name};", header, re.DOTALL)
    assert found, name
    values = {key: int(value) for key, value in re.findall(r"HUSHBIT_(\w+)\s*=\s*(\d+)", found[1])}
    prefixes = {
        "oov_policy": "OOV_",
        "punctuation_policy": "PUNCTUATION_",
        "search": "SEARCH_",
        "crowd_size": "CROWD_SIZE_",
    }
    prefix = prefixes.get(name, "")
    return {key.removeprefix(prefix): value for key, value in values.items()}


@pytest.mark.parametrize("field", NAMES)
def test_names_are_those_of_the_header(field: str) -> None:
    names, values = NAMES[field]
    enum = field if field in ("mechanism", "search", "crowd_size") else f"{field}_policy"
    assert names == tuple(values)
    of_c = [value for name, value in enum_of_c(enum).items() if name != "DEFAULT"]
    assert sorted(values.values()) == sorted(of_c)


def test_mechanisms_have_codes_and_titles() -> None:
    assert defaults.MECHANISM_CODES == _core.MECHANISMS
    assert set(TITLES) == set(LONG_TITLES)
    assert set(TITLES) == set(EVALUATED)
    assert set(MECHANISMS) > set(_options.ON_CODES)
    assert defaults.EXPORTED_MECHANISM in _options.MECHANISMS


def test_defaults_are_those_of_the_header(bundle: hushbit.Bundle) -> None:
    of_c = bundle._native.default_options()
    assert of_c.pop("mechanism") == _core.MECHANISMS[bundle.info.default_mechanism]
    assert of_c.pop("epsilon") == bundle.info.default_epsilon
    ours = {name: getattr(DEFAULTS, name) for name in of_c}
    ours |= {name: NAMES[name][1][ours[name]] for name in ours if name in NAMES}
    assert ours | {"mask": DEFAULTS.mask.encode()} == of_c
    rest = {field.name for field in fields(PrivatizerOptions)} - set(of_c)
    assert {name: getattr(DEFAULTS, name) for name in rest} == dict.fromkeys(
        ("mechanism", "epsilon", "device_key", "budget", "audit_log", "crowd_size")
    ) | {"allow_unchanged": False}


def test_a_privatizer_takes_the_fields_as_arguments(bundle: hushbit.Bundle) -> None:
    assert list(signature(bundle.privatizer).parameters) == [field.name for field in fields(PrivatizerOptions)]
    privatizer = bundle.privatizer("tem", 0.5, oov="drop", allow_unchanged=True)
    assert (privatizer.mechanism, privatizer.info.requested_epsilon, privatizer.oov) == ("tem", 0.5, "drop")
    with pytest.raises(TypeError, match="positional"):
        bundle.privatizer("tem", 0.5, 0.001)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="sigma"):
        bundle.privatizer(sigma=1)  # type: ignore[call-arg]


def test_options_do_not_show_a_key() -> None:
    assert "secret" not in repr(PrivatizerOptions(device_key=b"secret" + bytes(26)))


def test_kotlin_has_the_same() -> None:
    sources = ROOT / "android/hushbit/src/main/kotlin/dev/hushbit"
    text = (sources / "PrivatizerOptions.kt").read_text(encoding="utf-8")
    for enum, name in (
        ("mechanism", "Mechanism"),
        ("oov_policy", "OovPolicy"),
        ("punctuation_policy", "PunctuationPolicy"),
    ):
        found = re.search(rf"enum class {name}\(.*?^\}}", text, re.DOTALL | re.MULTILINE)
        assert found, name
        assert {
            key: int(value) for key, value in re.findall(r"^    (\w+)\((\d+)\),", found[0], re.MULTILINE)
        } == enum_of_c(enum)
    defaults = dict(re.findall(r"public val (\w+): [\w?]+ = (.+),", text))
    assert float(defaults["beta"]) == DEFAULTS.beta
    assert defaults["mask"] == f'"{DEFAULTS.mask}"'
    assert defaults["oov"] == f"OovPolicy.{DEFAULTS.oov.upper()}"
    assert defaults["punctuation"] == f"PunctuationPolicy.{DEFAULTS.punctuation.upper()}"


def test_swift_has_the_same() -> None:
    text = (ROOT / "ios/Sources/Hushbit/PrivatizerOptions.swift").read_text(encoding="utf-8")
    named = set(re.findall(r"HUSHBIT_\w+", text))
    for enum, prefix in (("mechanism", ""), ("oov_policy", "OOV_"), ("punctuation_policy", "PUNCTUATION_")):
        assert {f"HUSHBIT_{prefix}{name}" for name in enum_of_c(enum)} <= named
    defaults = dict(re.findall(r"(\w+): [\w?]+ = ([\w.]+)", text))
    assert float(defaults["beta"]) == DEFAULTS.beta
    assert (defaults["oov"], defaults["punctuation"]) == (f".{DEFAULTS.oov}", f".{DEFAULTS.punctuation}")
