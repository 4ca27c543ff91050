"""The ranges of native/interface.toml: what is at an edge is accepted, what is just outside is refused.

Python refuses some values before the core sees them, so the core is asked too, by its bindings.
"""

import math
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushbit
from hushbit import _core
from hushbit.errors import InvalidArgumentError

ROOT = Path(__file__).resolve().parents[2]
TABLE = tomllib.loads((ROOT / "native/interface.toml").read_text(encoding="utf-8"))
OPTIONS = [
    (kind, option)
    for kind, row in TABLE["records"].items()
    if not any(each.get("absent") and "python" in each["in"] for each in row.get("differs", []))
    for option in row.get("ranges", {})
]
CALLS = [(kind, call) for kind, row in TABLE["methods"].items() for call in row.get("ranges", {})]
SMALLEST, NAN = math.ulp(0.0), math.nan
MOST_VALUES = 2**24
EDGES: dict[str, tuple[list[float], list[float]]] = {
    "finite, 0 or more": ([0.0, math.nextafter(math.inf, 0)], [-SMALLEST, math.inf, NAN]),
    "strictly between 0 and 1": ([SMALLEST, math.nextafter(1, 0)], [0.0, 1.0, NAN]),
    "0.01 to 16": ([0.01, 16.0], [math.nextafter(0.01, 0), math.nextafter(16, 17), NAN]),
    "0 or more": ([0.0, math.inf], [-SMALLEST, NAN]),
    "1 to 64 bytes": ([1, 64], [0, 65]),
    "32 secret bytes": ([32], [31, 33, 0]),
    "0 to 2^64 - 1": ([0, 2**64 - 1], [-1, 2**64]),
    "0 to 2^32 - 1": ([0, 2**32 - 1], [-1, 2**32]),
    "2 to 2^24 values": ([2], [0, 1]),  # the upper edge has tests of its own, since it takes much memory
}
TOKENS: tuple[list[float], list[float]] = ([0, 2**64 - 2], [-1])
"""Whole numbers; the largest of all is C's sign that there is no cap."""
# What C says by a type: its functions cannot be called with other values.
OF_TYPE = {"device_key", "epoch", "tokens_per_day", "tokens_lifetime"}


def edges_of(option: str, phrase: str) -> tuple[list[float], list[float]]:
    return TOKENS if option.startswith("tokens") else EDGES[phrase]


def cases() -> Iterator[Any]:
    for kind, option in OPTIONS:
        accepted, refused = edges_of(option, TABLE["records"][kind]["ranges"][option])
        for number in accepted:
            yield pytest.param(kind, option, number, True, id=f"{kind}.{option} takes {number}")
        for number in refused:
            yield pytest.param(kind, option, number, False, id=f"{kind}.{option} refuses {number}")


def require(make: Callable[[], object], *, accepted: bool) -> None:
    if accepted:
        make()
    else:
        with pytest.raises(InvalidArgumentError):
            make()


@pytest.fixture(scope="module")
def bundle() -> hushbit.Bundle:
    return hushbit.open(ROOT / "tests/vectors/embed-64.hushbit")


def value_of(option: str, number: float) -> Any:
    """The option, of which `number` is the value, the length or how many there are."""
    known: dict[str, Callable[[Any], Any]] = {
        "mask": lambda length: "x" * length,
        "device_key": bytes,
        "values": lambda count: [f"answer {index}" for index in range(count)],
    }
    return known[option](number) if option in known else number


def others(kind: str, option: str) -> dict[str, Any]:
    """What makes the option count."""
    if kind != "privatizer_options":
        return {"values": "emoji"} if kind == "reporter_options" and option != "values" else {}
    needed: dict[str, dict[str, Any]] = {"beta": {"mechanism": "tem", "epsilon": 0.5}, "mask": {"oov": "mask"}}
    return {"allow_unchanged": True, **needed.get(option, {})}


@pytest.mark.parametrize(("kind", "option", "number", "accepted"), [*cases()])
def test_python_keeps_to_the_range(
    bundle: hushbit.Bundle, tmp_path: Path, kind: str, option: str, number: float, accepted: bool
) -> None:
    makers: dict[str, Callable[..., object]] = {
        "privatizer_options": bundle.privatizer,
        "embedder_options": bundle.embedder,
        "reporter_options": bundle.reporter,
        "budget_limits": lambda **caps: hushbit.Budget(tmp_path / "ledger", **caps),
    }
    arguments = {**others(kind, option), option: value_of(option, number)}
    require(lambda: makers[kind](**arguments), accepted=accepted)


@pytest.mark.parametrize(("kind", "option", "number", "accepted"), [*cases()])
def test_the_core_keeps_to_the_range(
    bundle: hushbit.Bundle, tmp_path: Path, kind: str, option: str, number: float, accepted: bool
) -> None:
    native = bundle._native
    caps = {"worst_case_per_day": math.inf, "worst_case_lifetime": math.inf, "tokens_per_day": 1, "tokens_lifetime": 1}
    makers: dict[str, Callable[..., object]] = {
        "privatizer_options": lambda **options: _core.Privatizer(native, **options),
        "embedder_options": lambda **options: _core.Embedder(native, **options),
        "reporter_options": lambda **options: _core.Reporter(native, **options),
        "budget_limits": lambda **limits: _core.Budget(bytes(tmp_path / "ledger"), **{**caps, **limits}),
    }
    value = value_of(option, number)
    arguments = {**others(kind, option), option: value.encode() if isinstance(value, str) else value}
    if option == "values":
        arguments = {"values": "list", "list": "\n".join(value).encode()}
    if option in OF_TYPE and not accepted:
        with pytest.raises((InvalidArgumentError, TypeError, ValueError)):
            makers[kind](**arguments)
    else:
        require(lambda: makers[kind](**arguments), accepted=accepted)


def many_values() -> bytes:
    """2^24 different values, one a line: all words of four of 64 letters."""
    letters = np.frombuffer(bytes(range(33, 97)), dtype=np.uint8)
    lines = np.full((MOST_VALUES, 5), ord("\n"), dtype=np.uint8)
    for place in range(4):
        lines[:, place] = letters[np.arange(MOST_VALUES) >> 6 * place & 63]
    return lines.tobytes()


def test_one_value_more_than_the_most_is_refused() -> None:
    more = many_values() + b"another\n"
    with pytest.raises(InvalidArgumentError, match="16777216 are the most"):
        _core.Reporter(None, values="list", list=more)


@pytest.mark.slow
def test_the_most_values_are_accepted() -> None:
    assert _core.Reporter(None, values="list", list=many_values()).info().value_count == MOST_VALUES


def test_none_counts_as_a_value() -> None:
    assert hushbit.Reporter(None, hushbit.ReporterOptions(["one answer"], none=True)).info.value_count == 2


@pytest.mark.parametrize(("kind", "call"), CALLS)
def test_methods_keep_to_their_ranges(bundle: hushbit.Bundle, tmp_path: Path, kind: str, call: str) -> None:
    embedder = bundle.embedder()
    reporter = bundle.reporter(["yes", "no", "perhaps"])
    budget = hushbit.Budget(tmp_path / "ledger")
    direction = embedder.directions[0]
    calls: dict[str, Callable[[Any], object]] = {
        "bundle.word": bundle.word,
        "bundle.neighbors": lambda k: bundle.neighbors(bundle.word(0), k),
        "embedder.nearest_words": lambda k: embedder.nearest_words(direction, k),
        "reporter.report_value": reporter.report_value,
        "reporter.value": lambda value: reporter._native.spellings(value, 1),
        "budget.spend": budget.spend,
        "budget.spend_texts": lambda texts: budget.spend_texts(0.0, texts),
    }
    counts = {"words": bundle.info.words, "output words": bundle.info.output_words, "values": reporter.info.value_count}
    phrase = TABLE["methods"][kind]["ranges"][call]
    known = {f"0 to the number of {name} - 1": ([0, count - 1], [-1, count]) for name, count in counts.items()}
    known |= {f"1 to the number of {name}": ([1, count], [0, count + 1]) for name, count in counts.items()}
    accepted, refused = (EDGES | known)[phrase]
    for number in accepted:
        calls[f"{kind}.{call}"](number)
    for number in refused:
        with pytest.raises(InvalidArgumentError if call != "value" else (InvalidArgumentError, TypeError)):
            calls[f"{kind}.{call}"](number)
