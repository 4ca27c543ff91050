"""`hushbit evaluate`: the figures of the papers on labeled text."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hushbit._plumbing.extras import extra, require
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import add_embeddings, add_extension, epsilon, natural, open_bundle, positive, share
from hushbit.cli._shared.failure import EXIT_OK
from hushbit.cli._shared.files import inside, reads, writes
from hushbit.cli._shared.kinds import RESULTS
from hushbit.cli._shared.progress import ProgressBar
from hushbit.cli._shared.tables import render
from hushbit.study.commands.vectors import read_extended
from hushbit.study.names import EVALUATED, MECHANISMS

if TYPE_CHECKING:
    from hushbit.study.evaluate.inputs import EvaluationOptions

_DESCRIPTION = """\
Redraws the figures of the BRR and TEM papers on your own labeled text. For each mechanism and epsilon it trains a
classifier on privatized text and tests it on clean text. It attacks the classifier to infer who was in the training
text, and attacks the privatized words to infer what was typed: word by word, and as a reader of the context. It also
measures time and size.

Documents are split into four parts, of equal size unless --train-share says otherwise: to train on, to test on, and
two for the attack on members. --pairs adds a second task: privatized texts must find the text that belongs to them.

DATA is a CSV or Parquet file with a column of texts and one of labels, or the folder of the Large Movie Review Dataset.
Epsilons are Madlib's. The other mechanisms use those that give an average pair of words the same promise; brr-pmax and
tem-pmax use those that give the farthest pair the same promise. Crowds promise the same for any two words, so they have
epsilons of their own, per word. Randomized response is a crowd of one word. Tables and figures compare all mechanisms
by the local-DP epsilon of a word.
OUT receives results.json, which contains everything, figures as PNG and SVG, and report.html with all of them. If a run
was interrupted, start it again with the same OUT: it resumes from the finished trials.
"""
_EPILOG = """\
examples:
  hushbit evaluate reviews.parquet --bundle words.hushbit --embeddings glove-6b-50d -o out
  hushbit evaluate aclImdb --bundle words.hushbit --embeddings glove.6B.zip/glove.6B.300d.txt --trials 3 -o out
  hushbit evaluate reviews.csv --bundle words.hushbit --embeddings glove-6b-50d --mechanisms brr,madlib \\
    --epsilons 5,10 --trials 1 -o out
  hushbit evaluate reviews.csv --bundle words.hushbit --embeddings glove-6b-50d \\
    --mechanisms crowd-many,crowd-few,randomized-response,brr --word-epsilons 5,6,7 -o out
"""
# The names are written here, since the modules that write the files take seconds to import.
_FIGURES = ("utility", "control", "membership-clean", "membership-privatized", "inversion", "repeats", "reading",
            "frontier", "time", "size")  # fmt: skip
_MECHANISMS_HELP = f"some of {', '.join(EVALUATED)} (default: {', '.join(MECHANISMS)})"
OUTPUTS = ("results.json", "report.html", *(f"{name}.{kind}" for name in _FIGURES for kind in ("png", "svg")))
"""What is written to OUT."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "evaluate", help="redraw the papers' figures on labeled text", description=_DESCRIPTION, epilog=_EPILOG
    )
    reads(parser.add_argument("data", metavar="DATA", type=Path, help="file of labeled texts"), inside("*/*/*.txt"))
    reads(parser.add_argument("--bundle", metavar="BUNDLE", required=True, help="bundle, a .hushbit file"))
    add_embeddings(parser, required=True)
    add_extension(parser)
    writes(
        parser.add_argument(
            "-o", "--output", metavar="OUT", type=Path, required=True, help="folder of the results; it may be new"
        ),
        lambda folder: [Path(folder, name) for name in OUTPUTS],
        kind=RESULTS,
    )
    parser.add_argument("--mechanisms", type=_names, metavar="NAME,...", help=_MECHANISMS_HELP)
    parser.add_argument(
        "--epsilons", type=_epsilons, metavar="E,...", help="epsilons of Madlib (default: 3,4,5,8,10,15)"
    )
    parser.add_argument(
        "--word-epsilons", type=_epsilons, metavar="E,...", help="epsilons of crowds, per word (default: 4,5,6,7,8)"
    )
    parser.add_argument(
        "--trials",
        type=positive,
        default=5,
        metavar="N",
        help="number of trials of each mechanism at each epsilon (default: 5)",
    )
    parser.add_argument(
        "--epochs",
        type=positive,
        default=20,
        metavar="N",
        help="number of epochs of training (default: 20, as in the papers)",
    )
    parser.add_argument(
        "--train-share", type=share, default=0.25, metavar="S", help="share of the documents to train on (default: .25)"
    )
    parser.add_argument(
        "--skip",
        type=_names,
        default=(),
        metavar="PART,...",
        help="what to leave out: some of attained, inversion, reading, timing",
    )
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="number of trials at a time (default: one for each CPU)"
    )
    parser.add_argument(
        "--seed", type=natural, default=0, metavar="N", help="random seed of everything that is drawn (default: 0)"
    )
    parser.add_argument("--text-column", metavar="NAME", help="column of the texts")
    parser.add_argument("--label-column", metavar="NAME", help="column of the labels")
    reads(
        parser.add_argument(
            "--pairs",
            metavar="CSV",
            type=Path,
            help="second task: a file of texts and what belongs to each, in two columns",
        )
    )
    parser.add_argument("--json", action="store_true", help="print results.json in place of tables")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    bundle = open_bundle(arguments.bundle)
    require("evaluate")  # all of it: some are needed late
    with extra("evaluate"):
        from hushbit._plumbing.documents import read_documents
        from hushbit._plumbing.parallel import processors
        from hushbit.study.evaluate.inputs import prepare
        from hushbit.study.evaluate.pairs import read_pairs

        options = _options(arguments)
        documents = read_documents(arguments.data, arguments.text_column, arguments.label_column)
        arguments.output.mkdir(parents=True, exist_ok=True)
        with ProgressBar() as progress:
            embeddings = read_extended(arguments, progress)
            pairs = None if arguments.pairs is None else read_pairs(arguments.pairs, bundle._native)
            inputs = prepare(documents, bundle, embeddings, options, progress, pairs)
            from hushbit.study.evaluate.run import (
                evaluate,
            )  # imports torch, which takes seconds: bad input is reported before

            document = evaluate(inputs, arguments.output, arguments.jobs or processors(), progress)
        from hushbit.study.evaluate.figures import write_outputs
        from hushbit.study.evaluate.view import tables_of

        write_outputs(document, arguments.output)
        streams.write_result(document, render(tables_of(document)), as_json=arguments.json)
    return EXIT_OK


def _options(arguments: argparse.Namespace) -> EvaluationOptions:
    from hushbit.study.evaluate.inputs import EvaluationOptions

    given = {
        "mechanisms": arguments.mechanisms,
        "epsilons": arguments.epsilons,
        "word_epsilons": arguments.word_epsilons,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return EvaluationOptions(
        trials=arguments.trials,
        epochs=arguments.epochs,
        seed=arguments.seed,
        train_share=arguments.train_share,
        skip=arguments.skip,
        **chosen,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",")))


def _epsilons(text: str) -> tuple[float, ...]:
    return tuple(epsilon(part) for part in text.split(","))
