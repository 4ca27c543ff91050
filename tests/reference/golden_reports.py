"""The golden vectors of reports."""

import hashlib

import numpy as np

from .chacha20 import FixedSource, keystream
from .report import Design, Reports

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


def report_vectors() -> dict[str, object]:
    """reports.json"""
    return {
        "designs": [_design(epsilon, values) for epsilon in EPSILONS for values in SIZES],
        "draws": [draw for epsilon, values in DRAWN for draw in _draws(epsilon, values)],
    }
