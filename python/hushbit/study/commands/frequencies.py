"""The option --frequencies: how often words are typed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hushbit.cli._shared import streams

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.study.privacy.guessing import Frequencies


def frequencies_of(bundle: Bundle, path: str | None) -> Frequencies | None:
    """The frequencies of a file, if one is named. A note says how many of its words the bundle lacks."""
    if path is None:
        return None
    from hushbit.study.privacy.guessing import read_frequencies

    frequencies, unknown = read_frequencies(bundle._native, Path(path))
    if unknown:
        streams.say(f"{path}: {unknown:,} of its words are not in the vocabulary")
    return frequencies
