"""Golden vectors of crowds: bundles with output words, stand-ins, lists and public words, and what they privatize."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .brr import distances
from .bundle_maker import make_bundle
from .crowd import CrowdSize, threshold
from .crowd_sections import CrowdTables, Grade
from .golden_cases import REVIEW, TEXTS, Case, words
from .privatizer import Mechanism

_PUBLIC = ("the", "and", "of", "a", "is", "at", "'s")
_KEY = bytes(range(200, 232))
_SIZES: tuple[CrowdSize, ...] = ("one", "few", "many")


def _matrix(codes: dict[str, bytes], names: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(codes[name] for name in names), dtype=np.uint8).reshape(len(names), -1)


def _weights(count: int) -> list[int]:
    return [1 + 5000 // (10 + (i * 37) % count) for i in range(count)]


def crowd_tables(names: Sequence[str], nearness: dict[str, bytes]) -> CrowdTables:
    """Tables for words in the order of ids, near where the codes `nearness` are: three of four are output words, a
    third of which are centers from which the others borrow.
    """
    public = sorted(names.index(word) for word in _PUBLIC if word in names)
    outputs = [id for id in range(len(names)) if id % 4 != 3 and id not in public]
    weights = _weights(len(outputs))
    near = np.stack([distances(code, _matrix(nearness, [names[id] for id in outputs]))
                     for code in _matrix(nearness, names)])  # fmt: skip
    total = sum(weights)
    grades = [
        Grade("few", math.inf, ((total // 100, 65536),)),
        Grade("many", 4.0, ((total // 50, 65536), (total // 8, 20000))),
        Grade("many", math.inf, ((total // 100, 65536), (total // 20, 19661), (total // 8, 0), (total // 6, 3000))),
    ]
    standins = [int(row.argmin()) for row in near]
    for index, id in enumerate(outputs):
        standins[id] = index
    centers = list(range(0, len(outputs), 3))
    lists = []
    for center in centers:
        order = [center, *(i for i in np.argsort(near[outputs[center]], kind="stable").tolist() if i != center)]
        masses = np.cumsum([weights[i] for i in order])
        lists.append(order[: int(np.searchsorted(masses, total // 6)) + 1])
    borrowed = [int(near[id][centers].argmin()) for id in outputs]
    for number, center in enumerate(centers):
        borrowed[center] = number
    return CrowdTables(outputs, standins, weights, True, borrowed, lists, grades, public)


def crowd_bundles(codes_64: dict[str, bytes], codes_128: dict[str, bytes]) -> dict[str, bytes]:
    """File name -> bundle: one with everything, one whose crowds are made of codes and weights."""
    names = sorted(codes_64, key=str.encode)
    tables = crowd_tables(names, codes_128)
    few = names[::5]
    plain = replace(crowd_tables(few, codes_128), lists=None, grades=None, public=[])
    return {
        "crowds-64.hushbit": make_bundle(
            codes_64, epsilon=5.5, index="both", mih_shift=6, mih_flips=10 << 8, tables=tables, mechanism=3,
            defaults=(1.5, 1.25, 3),
        ),
        "outputs-128.hushbit": make_bundle({name: codes_128[name] for name in few}, epsilon=0.45, tables=plain),
    }  # fmt: skip


CODE_CASES_BUNDLE = "words-64.hushbit"
"""A bundle without any of these sections, of which crowds are made too."""


def _case(name: str, text: str, epsilon: float, bundle: str, crowd: CrowdSize | None = None, **other: object) -> Case:
    title = f"crowd, {bundle}: {name}"
    case = Case(title, text.encode(), epsilon, bundle=bundle, mechanism="crowd", crowd=crowd)
    return replace(case, **other)  # type: ignore[arg-type]


def _of_bundle(bundle: str) -> list[Case]:
    chosen = ("sentence", "contractions", "upper case", "twins", "sixteen tokens", "seventeen tokens", "emoji")
    cases = [_case(f"{size}, {name}", TEXTS[name], 5.5, bundle, size) for size in _SIZES for name in chosen]
    epsilons = (0.0, 1e-18, 0.5, 4.0, 4.000001, 7.0, 44.0, 63.0, 63.1, 1e300)
    cases += [_case(f"{size}, epsilon {e}", REVIEW + " Blorb!", e, bundle, size) for size in _SIZES for e in epsilons]
    cases += [_case("the size of the bundle", TEXTS["many tokens"], 6.0, bundle)]
    mixed = "The café, Qwertz said: “blorb won’t 😀 do the DOG’s!”"
    cases += [
        _case("unknown words masked", mixed, 6.0, bundle, "many", oov="mask"),
        _case("unknown words left out", mixed, 6.0, bundle, "few", oov="drop", punctuation="privatize"),
        _case("unknown words refused", mixed, 6.0, bundle, "many", oov="error"),
        _case("unknown words as typed", mixed, 6.0, bundle, "one", oov="verbatim-unsafe"),
        _case("no word at all", "", 6.0, bundle, "many"),
    ]
    repeats = "The dog and THE DOG and the dog, blorb blorb Blorb"
    for size in _SIZES:
        cases += [
            _case(f"memoized, {size}", repeats, 6.0, bundle, size, device_key=_KEY),
            _case(f"memoized, {size}, another epoch", repeats, 6.0, bundle, size, device_key=_KEY, epoch=7),
            _case(f"memoized, {size}, another epsilon", repeats, 6.5, bundle, size, device_key=_KEY),
        ]
    return cases


def _on_stand_ins() -> list[Case]:
    """BRR and TEM where output words have codes only, and public words are there."""
    mechanisms: tuple[tuple[Mechanism, float], ...] = (("brr", 1.5), ("tem", 1.2))
    return [
        Case(f"{mechanism}, stand-ins, {bundle}: {name}{', memoized' if key else ''}", TEXTS[name].encode(), epsilon,
             bundle=bundle, mechanism=mechanism, device_key=key)
        for bundle in ("crowds-64.hushbit", "outputs-128.hushbit")
        for mechanism, epsilon in mechanisms
        for key in (None, _KEY)
        for name in ("sentence", "seventeen tokens", "upper case")
    ]  # fmt: skip


def crowd_stream_cases(bundle: str, mass: int, total: int) -> list[Case]:
    """Corners of the draws, of crowds of many words at epsilon 6 on a bundle that knows `dog`."""
    limit, top = threshold(6.0, mass, total), (1 << 64) - 1

    def rejecting(count: int, *draws: int) -> tuple[int, ...]:
        """What is drawn where a draw of 0 is rejected; no draw is if the count is a power of two."""
        return draws if (1 << 64) % count else ()

    def case(name: str, *draws: int, text: str = "dog") -> Case:
        return _case(name, text, 6.0, bundle, "many", stream=words(*draws))

    return [
        case("coin below the threshold, first of the crowd", limit - 1, top // mass // 2, 7),
        case("coin below the threshold, last of the crowd", limit - 1, top, 7),
        case("coin at the threshold, first of all", limit, 7, top // total // 2),
        case("coin at the threshold, last of all", limit, 7, top),
        case("an unknown word takes no crowd", 0, 7, top, text="blorb"),
        case("draws that are rejected", limit - 1, 0, 0, *rejecting(mass, 0, 5), *rejecting(total, top)),
        case("draws that are rejected, of two", limit - 1, 0, 0, limit, 7, top, *rejecting(mass, top // 3),
             *rejecting(total, top // 2), text="dog blorb"),
    ]  # fmt: skip


BUNDLE_NAMES = ("crowds-64.hushbit", "outputs-128.hushbit", CODE_CASES_BUNDLE)
CROWD_CASES = [case for bundle in BUNDLE_NAMES for case in _of_bundle(bundle)] + _on_stand_ins()
