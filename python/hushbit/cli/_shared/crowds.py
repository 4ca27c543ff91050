"""Arguments that describe crowds: grades, and the exponent of weights."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hushbit.toolchain.crowds import Grade


def grade(text: str) -> Grade:
    """The type of --grade."""
    from hushbit.errors import InvalidArgumentError
    from hushbit.toolchain.crowds import Grade

    try:
        size, up_to, shares = text.split(":")
        pairs = [share.split("x") for share in shares.split(",")]
        segments = tuple((float(end), float(part)) for end, part in pairs)
        return Grade(size, float(up_to), segments)  # type: ignore[arg-type]
    except (ValueError, InvalidArgumentError) as error:
        reason = str(error) if isinstance(error, InvalidArgumentError) else "write SIZE:E:ENDxPART,…"
        raise argparse.ArgumentTypeError(f"{text!r}: {reason}") from None


def exponent(text: str) -> float:
    """The type of --weights."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
