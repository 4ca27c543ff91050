"""`hushbit hashing`: term-level privacy for feature-hashed models."""

from __future__ import annotations

import argparse
from pathlib import Path

from hushbit.cli._shared.arguments import CommandParser, positive, share
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import MODEL, PICTURE
from hushbit.hashing.fit import AUTO_FIT, AUTO_FIT_KINDS, FIT_KINDS
from hushbit.hashing.formats import MODEL_FORMATS

_DESCRIPTION = """\
Fills in every hash that a feature-hashed model lacks, so that the table does not reveal which terms it was trained on,
and says what that costs.

MODEL is a scikit-learn linear model (.skops, or .npz), a readable model of Vowpal Wabbit, or a CRFsuite model whose
attributes are hashes in decimal digits. What the figures mean, and what they do not, is in docs/feature-hashing.md.
"""
_EPILOG = """\
examples:
  hushbit hashing privatize model.skops -o private.skops --plot fit.png
  hushbit hashing cost model.skops --features-of-term 12
  hushbit hashing cost model.skops --corpus training.txt --delta 1e-6 --json
  hushbit hashing attack model.skops private.skops
  hushbit hashing evaluate model.skops private.skops --texts held_out.csv
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command and its own commands."""
    parser = subparsers.add_parser(
        "hashing", help="privatize feature-hashed models", description=_DESCRIPTION, epilog=_EPILOG
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=CommandParser)
    privatize = commands.add_parser(
        "privatize",
        help="fill in the missing rows of a model",
        description="Writes the model with a row for every hash, the missing ones drawn from the fitted distribution.\n"
        "The rows are attacked first, as by `attack`. If they can be told apart, nothing is written, and the exit\n"
        "code is 1.",
        epilog="example:\n  hushbit hashing privatize model.skops -o private.skops --plot fit.png\n",
    )
    cost = commands.add_parser(
        "cost",
        help="show what a filled table costs a term",
        description="Says what the filled table costs a term of K features, or every term of a corpus, by K.",
        epilog="examples:\n  hushbit hashing cost model.skops --features-of-term 12\n"
        "  hushbit hashing cost model.skops --corpus training.txt --delta 1e-6 --json\n",
    )
    attack = commands.add_parser(
        "attack",
        help="try to tell genuine rows from synthetic ones",
        description="Trains several classifiers to tell genuine rows of PRIVATE from synthetic ones, and shows\n"
        "what the strongest achieves.",
        epilog="example:\n  hushbit hashing attack model.skops private.skops\n",
    )
    evaluate = commands.add_parser(
        "evaluate",
        help="show how well a model classifies, before and after",
        description="Shows precision, recall and F1 of each class on labeled texts, before and after, and whether the\n"
        "scores of made-up words tell which rows are genuine: an attack by queries alone. MODEL must say how features\n"
        "are made of texts, as a pipeline with a HashingVectorizer does.",
        epilog="example:\n  hushbit hashing evaluate model.skops private.skops --texts held_out.csv\n",
    )
    for command in (privatize, cost, attack, evaluate):
        reads(command.add_argument("model", metavar="MODEL", type=Path, help="trained model"))
        command.add_argument(
            "--format", choices=MODEL_FORMATS, help="format of MODEL (default: what its first bytes say)"
        )
        command.add_argument("--range", type=positive, metavar="R", help="number of hashes; CRFsuite models need it")
    _add_privatize(privatize)
    _add_cost(cost)
    _add_attack(attack)
    _add_evaluate(evaluate)


def _add_privatize(parser: argparse.ArgumentParser) -> None:
    writes(
        parser.add_argument("-o", "--output", type=Path, metavar="PRIVATE", required=True, help="model to write"),
        kind=MODEL,
    )
    parser.add_argument(
        "--fit",
        choices=(AUTO_FIT, *FIT_KINDS),
        default=AUTO_FIT,
        help=f"how rows are drawn; {AUTO_FIT} takes the first of {', '.join(AUTO_FIT_KINDS)} that no attacker tells"
        f" apart (default: {AUTO_FIT})",
    )
    parser.add_argument(
        "--even-if-told-apart",
        action="store_true",
        help="write the model although synthetic rows can be told apart from genuine ones; it is then not private",
    )
    writes(
        parser.add_argument(
            "--plot", type=Path, metavar="FILE", help="draw histograms of genuine and synthetic weights to this file"
        ),
        kind=PICTURE,
    )
    _add_common(parser)
    parser.set_defaults(run=_run_privatize)


def _add_cost(parser: argparse.ArgumentParser) -> None:
    terms = parser.add_mutually_exclusive_group()
    terms.add_argument(
        "--features-of-term", type=positive, metavar="K", help="number of features of the term in question"
    )
    reads(
        terms.add_argument(
            "--corpus", type=Path, metavar="FILE", help="corpus whose terms are counted: text, .csv or .parquet"
        )
    )
    reads(
        terms.add_argument(
            "--term-features",
            type=Path,
            metavar="FILE",
            help="file that lists every term and feature, in lines `term<TAB>feature`",
        )
    )
    parser.add_argument("--column", metavar="NAME", help="column of the text in a .csv or .parquet corpus")
    parser.add_argument(
        "--ngrams",
        type=_ngrams,
        metavar="A-B",
        help="numbers of words in a feature (default: those of the model, or 1-1)",
    )
    parser.add_argument(
        "--top", type=positive, default=20, metavar="N", help="number of the costliest terms to show (default: 20)"
    )
    writes(
        parser.add_argument("--plot", type=Path, metavar="FILE", help="draw epsilon over K to this file"), kind=PICTURE
    )
    _add_common(parser)
    parser.set_defaults(run=_run_cost)


def _add_attack(parser: argparse.ArgumentParser) -> None:
    reads(
        parser.add_argument(
            "private", metavar="PRIVATE", type=Path, help="model that `hushbit hashing privatize` wrote for MODEL"
        )
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=_run_attack)


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    reads(
        parser.add_argument(
            "private", metavar="PRIVATE", type=Path, help="model that `hushbit hashing privatize` wrote for MODEL"
        )
    )
    reads(
        parser.add_argument(
            "--texts", metavar="FILE", type=Path, required=True, help="file of labeled texts: .csv or .parquet"
        )
    )
    # The second name is that of `hushbit hashing cost`.
    parser.add_argument(
        "--text-column", "--column", dest="column", metavar="NAME", help="column of the texts (default: text or review)"
    )
    parser.add_argument("--label-column", metavar="NAME", help="column of the labels (default: label or sentiment)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=_run_evaluate)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--delta", type=share, default=1e-5, metavar="D", help="delta of the cost, between 0 and 1 (default: 1e-5)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _run_privatize(arguments: argparse.Namespace) -> int:
    from hushbit.hashing.commands.privatize import run

    return run(arguments)


def _run_cost(arguments: argparse.Namespace) -> int:
    from hushbit.hashing.commands.cost import run

    return run(arguments)


def _run_attack(arguments: argparse.Namespace) -> int:
    from hushbit.hashing.commands.attack import run

    return run(arguments)


def _run_evaluate(arguments: argparse.Namespace) -> int:
    from hushbit.hashing.commands.evaluate import run

    return run(arguments)


def _ngrams(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal()) or not 1 <= int(low) <= int(high or low):
        raise argparse.ArgumentTypeError(f"'{text}' is not a range of words like 1-3")
    return int(low), int(high or low)
