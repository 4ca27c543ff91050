"""`hushbit compare`: the mechanisms of the papers at matched privacy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit._plumbing.extras import extra, require
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import (
    add_beta,
    add_bundle,
    add_embeddings,
    add_extension,
    add_seed,
    open_bundle,
    positive,
)
from hushbit.cli._shared.failure import EXIT_OK
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import PAGE
from hushbit.cli._shared.progress import ProgressBar
from hushbit.cli._shared.tables import render
from hushbit.study.commands.vectors import read_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hushbit import Bundle
    from hushbit.study.privacy.comparison import Comparison

_DESCRIPTION = """\
Compares BRR and TEM on the codes of a bundle with Madlib and TEM on the real vectors that the codes were made of. All
use the same epsilon * P_avg, which is the same promise for an average pair of words. --word-epsilon adds crowds of all
sizes, whose epsilon is the same for any pair; where crowds are the bundle's default, they are added at that epsilon.
BRR, TEM on codes, Madlib and crowds release the bundle's output words, and TEM on real vectors any word. So compare the
two kinds of TEM on a bundle that was exported with --output-words all.

The table shows what any two words cost, how many words stay unchanged, and how similar the others are to their
originals. Similarity is the cosine of their vectors, without the mean and the top components, which all words share.

--attained adds what the released word attains of the epsilon of a word: exactly for crowds and TEM on codes, and as a
certified lower bound for BRR and Madlib, whose proof is of the noise that nobody sees.

--distances adds TEM on a metric of your own: a .npy file with a row and a column for each word, in the order of the
words' ids (`hushbit.open(BUNDLE).word(0)`, …). What is found not to be a metric is refused: distances must be
symmetric, 0 between a word and itself and between no others, and keep the triangle inequality, which is checked on a
sample.

Madlib and TEM on real vectors and on your own metric sample in floating point. They are for comparison only; do not
release their output.
"""
_EPILOG = """\
examples:
  hushbit compare words.hushbit --embeddings glove-6b-50d
  hushbit compare words.hushbit --embeddings glove-6b-50d --epsilon 8 --epsilon 12 --html comparison.html
  hushbit compare words.hushbit --embeddings glove-6b-50d --distances angles.npy
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "compare", help="compare mechanisms at matched privacy", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_bundle(parser, required=True)
    add_embeddings(parser, required=True)
    add_extension(parser)
    parser.add_argument(
        "--epsilon",
        type=float,
        action="append",
        metavar="E",
        help="epsilon of Madlib; may be repeated (default: 3 to 15)",
    )
    parser.add_argument(
        "--word-epsilon", type=float, action="append", metavar="E", help="epsilon of crowds, per word; may be repeated"
    )
    reads(
        parser.add_argument(
            "--distances", type=Path, metavar="FILE", help="matrix of distances of the words (.npy), for TEM on them"
        )
    )
    parser.add_argument(
        "--words", type=positive, default=1000, metavar="N", help="number of words to sample (default: 1000)"
    )
    parser.add_argument("--draws", type=positive, default=1, metavar="N", help="number of draws of a word (default: 1)")
    add_beta(parser)
    add_seed(parser)
    parser.add_argument(
        "--attained", action="store_true", help="also bound what released words attain of their epsilon; minutes"
    )
    writes(parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with a plot, too"), kind=PAGE)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    bundle = open_bundle(arguments.bundle)
    require("privacy", "faiss", *([] if arguments.html is None else ["matplotlib"]))  # they are needed late
    with extra("privacy"):
        from hushbit._plumbing.atomic import check_writable
        from hushbit.study.privacy.comparison import MADLIB_EPSILONS, compare
        from hushbit.study.privacy.comparison_view import tables

        if arguments.html is not None:
            check_writable(arguments.html)
        with ProgressBar() as progress:
            comparison = compare(
                bundle,
                read_vectors(bundle, arguments, progress),
                tuple(arguments.epsilon or MADLIB_EPSILONS),
                word_epsilons=_word_epsilons(arguments, bundle),
                words=arguments.words,
                draws=arguments.draws,
                beta=arguments.beta,
                seed=arguments.seed,
                metric=None if arguments.distances is None else _matrix(arguments.distances),
                bound=arguments.attained,
                progress=progress,
            )
        if arguments.html is not None:
            _write_page(arguments.html, comparison)
        lines = render(tables(comparison))
    streams.write_result(comparison.document(), lines, as_json=arguments.json)
    return EXIT_OK


def _word_epsilons(arguments: argparse.Namespace, bundle: Bundle) -> tuple[float, ...]:
    if arguments.word_epsilon is None and bundle.info.default_mechanism == "crowd":
        return (bundle.info.default_epsilon,)
    return tuple(arguments.word_epsilon or ())


def _matrix(path: Path) -> NDArray[np.floating]:
    """Maps the file and does not read it, since it may be large."""
    import numpy as np

    from hushbit.errors import InputFileError

    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError):
        raise InputFileError(f"{path}: is no .npy file of an array") from None
    if not np.issubdtype(matrix.dtype, np.floating):
        raise InputFileError(f"{path}: holds numbers of the type {matrix.dtype}; expected float32 or float64")
    return np.asarray(matrix)


def _write_page(path: Path, comparison: Comparison) -> None:
    from hushbit._plumbing.atomic import write_atomically
    from hushbit.study.privacy.comparison_view import LEAD, plots, tables
    from hushbit.study.privacy.page import page

    text = page("Mechanisms at matched privacy", LEAD, tables(comparison), plots(comparison))
    write_atomically(path, text.encode())
