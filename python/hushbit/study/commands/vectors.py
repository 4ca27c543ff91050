"""Vectors of the words of a bundle, for commands that compare mechanisms on them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit._plumbing.progress import Progress
    from hushbit.study.mechanisms import Vectors
    from hushbit.toolchain.embeddings import Embeddings


def read_vectors(bundle: Bundle, arguments: argparse.Namespace, progress: Progress) -> Vectors:
    """The vectors of the words of a bundle, from what --embeddings and --extend name. Needs the extra `privacy`."""
    from hushbit.study.mechanisms import vectors_of

    return vectors_of(bundle, read_extended(arguments, progress))


def read_extended(arguments: argparse.Namespace, progress: Progress) -> Embeddings:
    """What --embeddings names, with the new words of --extend."""
    from hushbit.toolchain.embeddings import extended, read_definitions, read_embeddings

    embeddings = read_embeddings(arguments.embeddings, progress=progress)
    return embeddings if arguments.extend is None else extended(embeddings, read_definitions(Path(arguments.extend)))


def faiss_for(mechanisms: Iterable[str]) -> list[str]:
    """Imports what only Madlib needs of the extra `privacy`, so that it is missed early, if Madlib is among the
    mechanisms.
    """
    return ["faiss"] if "madlib" in mechanisms else []
