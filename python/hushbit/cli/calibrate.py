"""`hushbit calibrate`: find the epsilon of a bundle that meets a target."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hushbit._options import ON_CODES
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import add_beta, add_bundle, add_embeddings, add_seed, open_bundle
from hushbit.cli._shared.extras import privacy_extra
from hushbit.cli._shared.failure import EXIT_OK
from hushbit.cli._shared.progress import ProgressBar

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit._progress import Progress
    from hushbit.study.privacy.calibration import Found

_DESCRIPTION = """\
Finds the epsilon, per differing bit, at which a mechanism on this bundle
  --unchanged SHARE     leaves this share of the words unchanged, on average over the vocabulary
  --match-madlib EPS    gives an average pair of words the same promise as Madlib at EPS, on the same real vectors
  --worst-case EPS      has a local-DP epsilon of at most EPS for one token, for any two tokens
"""
_EPILOG = """\
examples:
  hushbit calibrate words.hushbit --unchanged 0.5
  hushbit calibrate words.hushbit --unchanged 0.3 --mechanism tem
  hushbit calibrate words.hushbit --match-madlib 10 --embeddings glove-6b-50d
  hushbit calibrate words.hushbit --worst-case 20
"""
_MATCH_NOTES = (
    "P_avg depends on the vocabulary: the same epsilons do not match on another one.",
    "Matching by P_max gives the epsilon of the line `by P_max`. It makes BRR look better only by adding less noise.",
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "calibrate", help="find the epsilon that meets a target", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_bundle(parser)
    wish = parser.add_mutually_exclusive_group(required=True)
    wish.add_argument("--unchanged", type=float, metavar="SHARE", help="between 0 and 1")
    wish.add_argument("--match-madlib", type=float, metavar="EPS", help="Madlib's epsilon; needs --embeddings")
    wish.add_argument("--worst-case", type=float, metavar="EPS", help="of one token, above 0")
    add_embeddings(parser)
    parser.add_argument("--mechanism", choices=ON_CODES, help="whose epsilon (the bundle's default)")
    add_beta(parser)
    add_seed(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit.cli._shared.failure import EXIT_USAGE, CommandError

    if (arguments.match_madlib is None) != (arguments.embeddings is None):
        raise CommandError("--match-madlib and --embeddings need each other", EXIT_USAGE)
    bundle = open_bundle(arguments.bundle)
    with privacy_extra(), ProgressBar() as progress:
        document = _document(bundle, arguments, progress)
    streams.write_result(document, _human(document), as_json=arguments.json)
    return EXIT_OK


def _document(bundle: Bundle, arguments: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    from hushbit.study.privacy import calibration

    native, mechanism = bundle._native, arguments.mechanism or bundle.info.default_mechanism
    notes: list[str] = []
    extra: dict[str, Any] = {}
    if arguments.unchanged is not None:
        found = calibration.epsilon_for_unchanged(
            native, mechanism, arguments.unchanged, seed=arguments.seed, beta=arguments.beta, progress=progress
        )
    elif arguments.worst_case is not None:
        found = calibration.epsilon_for_worst_case(native, mechanism, arguments.worst_case, arguments.beta)
    else:
        found, extra = _match(bundle, arguments, progress)
        notes += _MATCH_NOTES
    return {**_costs(bundle, mechanism, found, arguments.beta), **extra, "notes": notes}


def _match(bundle: Bundle, arguments: argparse.Namespace, progress: Progress) -> tuple[Found, dict[str, Any]]:
    import numpy as np

    from hushbit.study.mechanisms import vectors_of
    from hushbit.study.mechanisms.base import require_positive
    from hushbit.study.privacy.calibration import Found
    from hushbit.study.privacy.comparison import Distances
    from hushbit.toolchain.embeddings import read_embeddings

    require_positive(arguments.match_madlib)
    vectors = vectors_of(bundle, read_embeddings(arguments.embeddings, progress=progress))
    distances = Distances.measure(bundle, vectors, np.random.default_rng(arguments.seed), progress)
    average, largest = distances.match(arguments.match_madlib)
    extra = {"madlib_epsilon": arguments.match_madlib, "epsilon_by_largest": largest, "distances": distances.document()}
    return Found(average, "P_avg of the real vectors over P_avg of the codes, times Madlib's epsilon"), extra


def _costs(bundle: Bundle, mechanism: str, found: Found, beta: float) -> dict[str, Any]:
    from hushbit import _core

    info = _core.Privatizer(bundle._native, mechanism=mechanism, epsilon=found.epsilon, beta=beta).info()
    return {
        "mechanism": mechanism,
        "epsilon": found.epsilon,
        "effective_epsilon": info.effective_epsilon,
        "average_per_token": info.average_per_token,
        "worst_case_per_token": info.worst_case_per_token,
        "unchanged": found.unchanged,
        "how": found.how,
    }


def _human(document: dict[str, Any]) -> list[str]:
    rows = [
        ("epsilon", f"{document['epsilon']:.6g} per differing bit for {document['mechanism']}, which adds up to"),
        ("", f"{document['average_per_token']:.6g} per token on average, for two words P_avg apart"),
        ("", f"{document['worst_case_per_token']:.6g} per token at worst"),
    ]
    if document["unchanged"] is not None:
        rows.append(("unchanged", f"{document['unchanged']:.1%} of the words, on average"))
    if "distances" in document:
        found = document["distances"]
        sampled = "" if found["vectors_average_exact"] else " (sampled: {:.4f} to {:.4f})"
        rows += [
            ("by P_max", f"{document['epsilon_by_largest']:.6g} per differing bit"),
            ("P_avg", f"vectors {found['vectors_average']:.4f}{sampled.format(*found['vectors_average_interval'])}, "
                      f"codes {found['codes_average']:.4f} bits"),
            ("P_max", f"vectors {'' if found['vectors_largest_exact'] else 'at most '}{found['vectors_largest']:.4f}, "
                      f"codes {found['codes_largest']} bits"),
        ]  # fmt: skip
    rows.append(("found by", document["how"]))
    rows += [("note", note) for note in document["notes"]]
    return [f"{name:<11}{value}" for name, value in rows]
