"""Values of command-line arguments, checked as they are parsed."""

from __future__ import annotations

import argparse
import math


def positive(text: str) -> int:
    """A whole number, 1 or more."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 1 or more")
    return value


def epsilon(text: str) -> float:
    """A finite number, 0 or more."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a finite number, 0 or more")
    return value


def mask(text: str) -> str:
    """A replacement of 1 to 64 bytes in UTF-8 that stays on its line."""
    if not 1 <= len(text.encode("utf-8", "surrogateescape")) <= 64:
        raise argparse.ArgumentTypeError("the mask must have 1 to 64 bytes")
    if not text.isprintable():
        raise argparse.ArgumentTypeError("the mask must be printable text in UTF-8")
    return text
