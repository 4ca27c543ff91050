"""Tables of text, which the terminal and web pages both show."""

import math
from dataclasses import dataclass

from hushbit.study.privacy.figures import Mean


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
