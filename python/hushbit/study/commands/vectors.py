"""Vectors of the words of a bundle, for commands that compare mechanisms on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit._plumbing.progress import Progress
    from hushbit.study.mechanisms import Vectors


def read_vectors(bundle: Bundle, source: str, progress: Progress) -> Vectors:
    """The vectors of the words of a bundle, from what --embeddings names. Needs the extra `privacy`."""
    from hushbit.study.mechanisms import vectors_of
    from hushbit.toolchain.embeddings import read_embeddings

    return vectors_of(bundle, read_embeddings(source, progress=progress))


def faiss_for(mechanisms: Iterable[str]) -> list[str]:
    """What only Madlib needs of the extra `privacy`, and late, if it is among the mechanisms."""
    return ["faiss"] if "madlib" in mechanisms else []
