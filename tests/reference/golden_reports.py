"""The golden vectors of reports."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .bundle_file import BundleFile
from .chacha20 import FixedSource, keystream
from .report import Design, Reports
from .report_texts import Kind, Memo, TextReports

EPSILONS = [0.01, 0.1, 0.25, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.5, 6.0, 8.0, 10.0, 12.5, 16.0]
SIZES = [2, 3, 4, 5, 7, 9, 12, 30, 128, 1025, 1400, 16385, 370000, 2**22 + 1, 2**24]
DRAWN = [
    (0.5, 2),
    (1.0, 4),
    (1.0, 13),
    (1.0, 16385),
    (2.0, 1025),
    (2.0, 370000),
    (4.0, 16385),
    (6.0, 1400),
    (8.0, 2**24),
]


def _digest(label: str) -> bytes:
    return hashlib.sha256(f"hushbit vectors: reports {label}".encode()).digest()


def _design(epsilon: float, values: int) -> dict[str, object]:
    reports = Reports(epsilon, values)
    design = reports.design
    return {
        "epsilon": epsilon,
        "values": values,
        "q": design.q,
        "t": design.t,
        "reports": design.reports,
        "set_size": design.own,
        "shared": design.shared,
        "threshold": f"{reports.limit:016x}",
        "effective_epsilon": reports.effective_epsilon,
    }


def _edges(reports: Reports) -> list[bytes]:
    """Streams at the edges of the coin, and such that places are rejected and drawn again."""
    limit, design = reports.limit, reports.design
    words = [
        [limit - 1, 2**64 - 1, 0],
        [limit, 2**64 - 1, 2**64 - 1],
        [0, 2**63, 0],
        [2**64 - 1, 2**63, 2**62],
        [0, *_rejected(design)],
    ]
    more = [2**60 + 1] * 3  # for what is rejected
    return [b"".join(word.to_bytes(8, "little") for word in [*stream, *more]) for stream in words]


def _rejected(design: Design) -> list[int]:
    """Zero is rejected unless the number of places divides 2^64."""
    return [0 if 2**64 % count else 1 for count in (design.own, design.reports)]


def _draw(reports: Reports, value: int, stream: bytes) -> dict[str, object]:
    source = FixedSource(stream)
    words = np.frombuffer(source.take(24), dtype="<u8").tolist()
    report = reports.draw(value, words, source)
    used = len(stream) - source.left
    return {
        "epsilon": reports.epsilon,
        "values": reports.values,
        "value": value,
        "stream": stream[:used].hex(),
        "report": report,
    }


def _draws(epsilon: float, values: int) -> list[dict[str, object]]:
    reports = Reports(epsilon, values)
    chosen = sorted({0, 1, values // 3, values // 2, values - 1})
    drawn = []
    for value in chosen:
        streams = [keystream(_digest(f"{epsilon} {values} {value} {i}"), 0, 64) for i in range(4)]
        drawn += [_draw(reports, value, stream) for stream in [*streams, *_edges(reports)]]
    return drawn


@dataclass(frozen=True)
class Reporter:
    """A reporter of the cases. `texts` are reported as such, then the first of them again under a device key."""

    name: str
    kind: Kind
    epsilon: float
    texts: Sequence[str]
    values: Sequence[int] = ()
    words: Sequence[str] = ()
    bundle: str | None = None
    lines: Sequence[str] = ()
    none: bool = True
    skin_tones: bool = False
    pass_over: Sequence[str] = ()


_TEXTS = (
    "",
    "the",
    "the market and the river said no; don't!",
    "THE Market\u3000said\u2026",
    "zyzzyva, 1234 . , 7",
    "caf\u00e9 CAFE\u0301 cat",
)
# More than are remembered of a text.
_LONG_TEXT = "the market river " * 40
_LONG_NEW_TEXT = " ".join("qx" + chr(97 + i % 26) * 3 + chr(97 + i // 26) for i in range(90))
_EMOJI_TEXTS = (
    "",
    "no emoji, 7 # *",
    "\U0001f600",
    "ok \U0001f44d\U0001f3fd!! \u2764\ufe0f \u2764 \u270c\U0001f3ff",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 7\ufe0f\u20e3 7\u20e3\U0001f1e9\U0001f1ea",
    "\U0001f9d1\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f9d1\U0001f3fe\U0001f575\u200d\u2642\ufe0f",
)
_NEW_TEXTS = (
    "",
    "the market",
    "zyzzyva",
    "the zyzzyva QUUXED Stra\u00dfenbahnzz x9x q",
    "\u4f60\u597d\u5417 \u0645\u0631\u062d\u0628\u0627zz e\u0301e\u0301e\u0301",
    "abcdefghijklmnopqrstuvwxz abcdefghijklmnopqrstuvwx abcdefghijklmnopqrstuvwxyz",
)
_WORDS = ("zyzzyva", "The", "q", "x9", "two words", "\u4f60\u597d", "")


def reporters(emoji: Sequence[str]) -> list[Reporter]:
    """All of the cases. `emoji` are those of emoji.txt."""
    return [
        Reporter("words", "words", 2.0, (*_TEXTS, _LONG_TEXT), (0, 1, 9), bundle="words-64.hushbit"),
        Reporter("words of crowds", "words", 1.0, _TEXTS, (0, 5), bundle="crowds-64.hushbit"),
        Reporter(
            "passed over", "words", 4.0, _TEXTS, bundle="words-64.hushbit", pass_over=("the", "and", "not a word")
        ),
        Reporter("emoji", "emoji", 1.0, (*_EMOJI_TEXTS, "\U0001f600\U0001f44d" * 50), (0, 1849), lines=emoji),
        Reporter("emoji with tones", "emoji", 3.0, _EMOJI_TEXTS, (1850, 3624), lines=emoji, skin_tones=True),
        Reporter("yes or no", "list", 0.5, ("yes", "no"), (0, 1), lines=("yes", "no"), none=False),
        Reporter("answers", "list", 6.0, ("", "b", "B", "\u00e9"), (3,), lines=("a", "b", "\u00e9"), none=True),
        Reporter("many values", "list", 2.0, ("17",), (0, 299), lines=[str(i) for i in range(300)], none=False),
        Reporter("new words", "new-words", 4.0, (*_NEW_TEXTS, _LONG_NEW_TEXT), (0,), _WORDS, bundle="words-64.hushbit"),
        Reporter("new words of crowds", "new-words", 1.0, _NEW_TEXTS, (), _WORDS, bundle="crowds-64.hushbit"),
    ]


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines).encode().hex()


def _cases(reporter: Reporter, bundles: dict[str, BundleFile]) -> Iterator[dict[str, object]]:
    memo = Memo(_digest("device key"), 3)
    for device in (None, memo):
        reports = TextReports(
            reporter.kind,
            reporter.epsilon,
            None if reporter.bundle is None else bundles[reporter.bundle],
            reporter.lines,
            reporter.none,
            reporter.skin_tones,
            reporter.pass_over,
            device,
        )
        inputs: list[tuple[str, str | int]] = [("text", text) for text in reporter.texts]
        inputs += [("value", value) for value in reporter.values]
        inputs += [("word", word) for word in reporter.words]
        for number, (what, given) in enumerate(inputs):
            name = f"{reporter.name} {number}" + (" memoized" if device else "")
            seed = _digest(name)
            report = {"text": reports.report, "value": reports.report_value, "word": reports.report_word}[what]
            yield {
                "name": name,
                "bundle": reporter.bundle,
                "values": reporter.kind,
                "epsilon": reporter.epsilon,
                "list": "".join(f"{line}\n" for line in reporter.lines).encode().hex()
                if reporter.kind == "list"
                else "",
                "none": reporter.none,
                "skin_tones": reporter.skin_tones,
                "pass_over": _lines(reporter.pass_over),
                "device_key": None if device is None else device.device_key.hex(),
                "epoch": f"{0 if device is None else device.epoch:016x}",
                "seed": seed.hex() if device is None else None,
                what: given.encode().hex() if isinstance(given, str) else given,
                "report": report(given, seed),  # type: ignore[operator]
                "hash": reports.hash.hex(),
            }


def report_vectors(bundles: dict[str, BundleFile], emoji: Sequence[str]) -> dict[str, object]:
    """reports.json. `bundles` are read, by name."""
    return {
        "designs": [_design(epsilon, values) for epsilon in EPSILONS for values in SIZES],
        "draws": [draw for epsilon, values in DRAWN for draw in _draws(epsilon, values)],
        "cases": [case for reporter in reporters(emoji) for case in _cases(reporter, bundles)],
    }
