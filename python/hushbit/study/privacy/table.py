"""Tables of text, for the terminal and for web pages."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hushbit.study.privacy.figures import Listed, Mean, Spread


class Measured(Protocol):
    """Figures of any mechanism at one ε."""

    @property
    def unchanged(self) -> Spread:
        """N_w."""

    @property
    def least_protected(self) -> list[Listed]:
        """The words and their figures."""

    @property
    def most_protected(self) -> list[Listed]:
        """The words and their figures."""


Some = TypeVar("Some", bound=Measured)


@dataclass(frozen=True)
class Table:
    """Text in rows and columns."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str = ""


def interval_text(value: Mean) -> str:
    """The mean and the larger half of its interval."""
    half = max(value.mean - value.low, value.high - value.mean)
    return f"{value.mean:.3f} ± {half:.3f}" if math.isfinite(half) else f"{value.mean:.3f} (one word)"


def count_text(value: Mean) -> str:
    """The mean and the larger half of its interval, for numbers that are not shares."""
    half = max(value.mean - value.low, value.high - value.mean)
    return f"{value.mean:.1f} ± {half:.1f}" if math.isfinite(half) else f"{value.mean:.1f} (one word)"


def percentiles_text(value: Spread, decimals: int) -> str:
    """The percentiles of a spread."""
    return ", ".join(f"{found:.{decimals}f}" for found in (value.p5, value.p50, value.p95))


def half_way(figures: Sequence[Some]) -> Some:
    """The figures at the ε where the share of unchanged words is nearest to one half."""
    return min(figures, key=lambda f: abs(f.unchanged.mean - 0.5))


def listed_words(title: str, figures: Measured) -> Table:
    """The words protected least and most."""
    rows = [
        [printable(a), f"{p:.3f}", f"{s:.1f}", printable(b), f"{q:.3f}", f"{t:.1f}"]
        for (a, p, s), (b, q, t) in zip(figures.least_protected, figures.most_protected, strict=True)
    ]
    note = "Of the measured words, by the chance to stay unchanged, then by the number of distinct outputs."
    columns = ["least", "N_w", "S_w", "most", "N_w", "S_w"]
    return Table(f"{title}: words protected least and most", columns, rows, note)


def printable(word: str) -> str:
    """The word, without what would move the cursor."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in word)
