"""`hushbit calibrate`: finds the epsilon of a bundle that meets a target."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from hushbit._options import CROWD_SIZES, MECHANISMS
from hushbit._plumbing.extras import extra, require
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import (
    add_beta,
    add_bundle,
    add_embeddings,
    add_extension,
    add_seed,
    checked,
    open_bundle,
    positive,
)
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads
from hushbit.cli._shared.progress import ProgressBar
from hushbit.study.commands.frequencies import frequencies_of
from hushbit.study.commands.vectors import faiss_for, read_vectors
from hushbit.study.names import ON_VECTORS

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit._plumbing.progress import Progress
    from hushbit.study.privacy.calibration import Found
    from hushbit.study.privacy.targets import Measured

_DESCRIPTION = """\
Finds the epsilon, per differing bit, of crowds per word, on real vectors per unit of Euclidean distance, at which a
mechanism on this bundle
  --unchanged SHARE     leaves this share of the words unchanged, on average over the output words; with crowds over
                        words as often as they are typed
  --unchanged SHARE@pN  leaves N percent of the output words unchanged in at most this share of cases: .5@p95
  --support S           turns a word into S different words or more in 200 draws (--draws), on average over the output
                        words: Madlib's S_w. S@pN: for all but N percent of them, as 20@p5
  --near SHARE          releases one of the 10 nearest words (--nearest K), the word itself included, in this share of
                        cases; for crowds only
  --match-madlib EPS    gives an average pair of words the same promise as Madlib at EPS, on the same real vectors
  --worst-case EPS      has a local-DP epsilon of at most EPS for one token, for any two tokens

Madlib and TEM on the real vectors (--mechanism madlib, tem-euclidean) need --embeddings. They are for comparison only.
"""
_EPILOG = """\
examples:
  hushbit calibrate words.hushbit --unchanged 0.5
  hushbit calibrate words.hushbit --unchanged 0.3 --mechanism tem
  hushbit calibrate words.hushbit --unchanged 0.5@p95 --mechanism brr
  hushbit calibrate words.hushbit --support 50 --mechanism madlib --embeddings glove-6b-50d
  hushbit calibrate words.hushbit --match-madlib 10 --embeddings glove-6b-50d
  hushbit calibrate words.hushbit --worst-case 20
  hushbit calibrate words.hushbit --mechanism crowd --crowd-size many --near 0.4
  hushbit calibrate words.hushbit --mechanism crowd --unchanged 0.25 --frequencies counts.txt
"""
_MATCH_NOTES = (
    "P_avg depends on the vocabulary: the same epsilons do not match on another one.",
    "Matching by P_max gives the epsilon of the line `by P_max`. It makes BRR look better only by adding less noise.",
)
_FLOATING = "Mechanisms on real vectors draw in floating point: compare with them, do not release what they draw."


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "calibrate", help="find the epsilon that meets a target", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_bundle(parser)
    wish = parser.add_mutually_exclusive_group(required=True)
    wish.add_argument(
        "--unchanged",
        type=_wish,
        metavar="SHARE",
        help="share of words that stay unchanged, between 0 and 1, or that of a percentile: .5@p95",
    )
    wish.add_argument(
        "--support",
        type=_wish,
        metavar="S",
        help="number of different outputs (S_w), more than 1, or that of a percentile: 20@p5",
    )
    wish.add_argument(
        "--near",
        type=float,
        metavar="SHARE",
        help="share of outputs among the nearest words, between 0 and 1; for crowds",
    )
    wish.add_argument(
        "--match-madlib", type=float, metavar="EPS", help="epsilon of Madlib to match; needs --embeddings"
    )
    wish.add_argument("--worst-case", type=float, metavar="EPS", help="worst-case cost of one token, above 0")
    add_embeddings(parser)
    add_extension(parser)
    parser.add_argument(
        "--mechanism",
        choices=(*MECHANISMS, *ON_VECTORS),
        help="mechanism whose epsilon is wanted (default: that of the bundle)",
    )
    parser.add_argument("--crowd-size", choices=CROWD_SIZES, help="size of the crowds (default: that of the bundle)")
    parser.add_argument(
        "--draws", type=positive, default=200, metavar="N", help="number of draws of a word for S_w (default: 200)"
    )
    parser.add_argument(
        "--nearest", type=positive, default=10, metavar="K", help="number of nearest words for --near (default: 10)"
    )
    reads(
        parser.add_argument(
            "--frequencies",
            metavar="FILE",
            help="file with a word and a count in each line: how often words are typed, for crowds (default: the "
            "weights of the bundle)",
        )
    )
    add_beta(parser)
    add_seed(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


class _Wish(NamedTuple):
    value: float
    percentile: float | None


def _wish(text: str) -> _Wish:
    """A number, or a number and the percentile of words that it is for: `.5@p95`."""
    number, _, percentile = text.partition("@p")
    value = checked(number, float, lambda found: found == found, "a number, or a number and a percentile like .5@p95")
    if "@p" not in text:
        return _Wish(value, None)
    return _Wish(value, checked(percentile, float, lambda found: 0 <= found <= 100, "a percentile, 0 to 100"))


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    bundle = open_bundle(arguments.bundle)
    mechanism = arguments.mechanism or bundle.info.default_mechanism
    _check(arguments, mechanism)
    require("privacy", "scipy", *faiss_for([mechanism]))
    with extra("privacy"), ProgressBar() as progress:
        document = _document(bundle, mechanism, arguments, progress)
    streams.write_result(document, _human(document), as_json=arguments.json)
    return EXIT_OK


def _check(arguments: argparse.Namespace, mechanism: str) -> None:
    """Checks that the options belong together. Raises CommandError."""
    if mechanism in ON_VECTORS:
        if arguments.embeddings is None:
            raise CommandError(f"--mechanism {mechanism} needs --embeddings", EXIT_USAGE)
        if arguments.match_madlib is not None:
            raise CommandError("--match-madlib finds the epsilon of codes: on vectors it is Madlib's own", EXIT_USAGE)
    elif (arguments.match_madlib is None) != (arguments.embeddings is None):
        raise CommandError("--match-madlib and --embeddings need each other", EXIT_USAGE)
    if mechanism == "crowd":
        if arguments.match_madlib is not None:
            raise CommandError("--match-madlib is for mechanisms on a distance: crowds have none", EXIT_USAGE)
    elif arguments.near is not None:
        raise CommandError("--near is for crowds: name --mechanism crowd", EXIT_USAGE)


def _document(bundle: Bundle, mechanism: str, arguments: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    if mechanism in ON_VECTORS:
        return {**_on_vectors(bundle, mechanism, arguments, progress), "notes": [_FLOATING]}
    if arguments.match_madlib is not None:
        found, extra = _match(bundle, arguments, progress)
        return {**_costs(bundle, mechanism, found, arguments), **extra, "notes": list(_MATCH_NOTES)}
    return {**_costs(bundle, mechanism, _found(bundle, mechanism, arguments, progress), arguments), "notes": []}


def _found(bundle: Bundle, mechanism: str, arguments: argparse.Namespace, progress: Progress) -> Found:
    from hushbit.study.privacy import calibration, targets

    native, seed, beta = bundle._native, arguments.seed, arguments.beta
    if arguments.support is not None or (
        arguments.unchanged is not None and arguments.unchanged.percentile is not None
    ):
        draws = arguments.draws
        if mechanism == "crowd":
            measured = targets.words_of_crowds(native, arguments.crowd_size, seed=seed, draws=draws)
        else:
            measured = targets.words_on_codes(native, mechanism, seed=seed, beta=beta, draws=draws, progress=progress)
        return _for_target(measured, arguments, progress)
    if mechanism == "crowd":
        return _of_crowds(bundle, arguments, progress)
    if arguments.worst_case is not None:
        return calibration.epsilon_for_worst_case(native, mechanism, arguments.worst_case, beta)
    share = arguments.unchanged.value
    return calibration.epsilon_for_unchanged(native, mechanism, share, seed=seed, beta=beta, progress=progress)


def _for_target(measured: Measured, arguments: argparse.Namespace, progress: Progress) -> Found:
    from hushbit.study.privacy.targets import Target, epsilon_for_target

    target = (
        Target("support", *arguments.support)
        if arguments.unchanged is None
        else Target("unchanged", *arguments.unchanged)
    )
    return epsilon_for_target(measured, target, progress=progress)


def _on_vectors(bundle: Bundle, mechanism: str, arguments: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    import numpy as np

    from hushbit.study.mechanisms import EuclideanTem
    from hushbit.study.privacy import targets
    from hushbit.study.privacy.comparison import Distances
    from hushbit.study.privacy.vector_figures import epsilon_for_worst_case

    vectors = read_vectors(bundle, arguments, progress)
    distances = Distances.measure(bundle, vectors, np.random.default_rng(arguments.seed), progress)
    largest = distances.vectors_largest
    if arguments.worst_case is not None:
        found = epsilon_for_worst_case(mechanism, len(vectors), largest, arguments.worst_case, arguments.beta)
    else:
        seed, beta, draws = arguments.seed, arguments.beta, arguments.draws
        measured = targets.words_on_vectors(bundle._native, mechanism, vectors, seed=seed, beta=beta, draws=draws)
        found = _for_target(measured, arguments, progress)
    worst = found.epsilon * largest
    if mechanism == "tem-euclidean":
        worst = EuclideanTem(vectors, found.epsilon, arguments.beta).worst_case(largest)
    return _document_of(mechanism, found) | {
        "crowd": None,
        "epsilon_unit": "distance",
        "effective_epsilon": found.epsilon,
        "average_per_token": min(worst, found.epsilon * distances.vectors_average),
        "worst_case_per_token": worst,
        "distances": distances.document(),
    }


def _of_crowds(bundle: Bundle, arguments: argparse.Namespace, progress: Progress) -> Found:
    from hushbit.study.privacy import crowd_calibration as crowds
    from hushbit.study.privacy.guessing import public_frequencies

    native, size = bundle._native, arguments.crowd_size
    if arguments.worst_case is not None:
        return crowds.crowd_epsilon_for_worst_case(native, size, arguments.worst_case)
    frequencies = frequencies_of(bundle, arguments.frequencies)
    if frequencies is None:
        frequencies = public_frequencies(native)
    if arguments.near is not None:
        k = arguments.nearest
        return crowds.crowd_epsilon_for_near(native, size, arguments.near, k, frequencies, progress)
    return crowds.crowd_epsilon_for_unchanged(native, size, arguments.unchanged.value, frequencies, progress)


def _match(bundle: Bundle, arguments: argparse.Namespace, progress: Progress) -> tuple[Found, dict[str, Any]]:
    import numpy as np

    from hushbit.study.mechanisms.base import require_positive
    from hushbit.study.privacy.calibration import Found
    from hushbit.study.privacy.comparison import Distances

    require_positive(arguments.match_madlib)
    vectors = read_vectors(bundle, arguments, progress)
    distances = Distances.measure(bundle, vectors, np.random.default_rng(arguments.seed), progress)
    average, largest = distances.match(arguments.match_madlib)
    extra = {"madlib_epsilon": arguments.match_madlib, "epsilon_by_largest": largest, "distances": distances.document()}
    return Found(average, "P_avg of the real vectors over P_avg of the codes, times Madlib's epsilon"), extra


def _costs(bundle: Bundle, mechanism: str, found: Found, arguments: argparse.Namespace) -> dict[str, Any]:
    from hushbit import _core

    crowd = arguments.crowd_size if mechanism == "crowd" else None
    info = _core.Privatizer(
        bundle._native,
        mechanism=mechanism,
        epsilon=found.epsilon,
        beta=arguments.beta,
        crowd_size=crowd,
        allow_unchanged=True,
    ).info()
    return _document_of(mechanism, found) | {
        "crowd": info.crowd_size,
        "epsilon_unit": info.epsilon_unit,
        "effective_epsilon": info.effective_epsilon,
        "average_per_token": info.average_per_token,
        "worst_case_per_token": info.worst_case_per_token,
    }


def _document_of(mechanism: str, found: Found) -> dict[str, Any]:
    return {
        "mechanism": mechanism,
        "epsilon": found.epsilon,
        "unchanged": found.unchanged,
        "near": found.near,
        "distinct": found.distinct,
        "how": found.how,
    }


def _human(document: dict[str, Any]) -> list[str]:
    if document["epsilon_unit"] == "word":
        rows = [
            ("epsilon", f"{document['epsilon']:.6g} per word for crowds ({document['crowd']}), between any two words")
        ]
    else:
        unit = "differing bit" if document["epsilon_unit"] == "bit" else "unit of Euclidean distance"
        rows = [
            ("epsilon", f"{document['epsilon']:.6g} per {unit} for {document['mechanism']}, which adds up to"),
            ("", f"{document['average_per_token']:.6g} per token on average, for two words P_avg apart"),
            ("", f"{document['worst_case_per_token']:.6g} per token at worst"),
        ]
    if document["unchanged"] is not None:
        rows.append(("unchanged", f"{document['unchanged']:.1%} of the words, on average"))
    if document["distinct"] is not None:
        rows.append(("S_w", f"{document['distinct']:.1f} different outputs, on average over the words"))
    if document["near"] is not None:
        rows.append(("near", f"{document['near']:.1%} of the words become a near one or stay"))
    if "distances" in document:
        found = document["distances"]
        sampled = "" if found["vectors_average_exact"] else " (sampled: {:.4f} to {:.4f})"
        if "epsilon_by_largest" in document:
            rows.append(("by P_max", f"{document['epsilon_by_largest']:.6g} per differing bit"))
        rows += [
            ("P_avg", f"vectors {found['vectors_average']:.4f}{sampled.format(*found['vectors_average_interval'])}, "
                      f"codes {found['codes_average']:.4f} bits"),
            ("P_max", f"vectors {'' if found['vectors_largest_exact'] else 'at most '}{found['vectors_largest']:.4f}, "
                      f"codes {found['codes_largest']} bits"),
        ]  # fmt: skip
    rows.append(("found by", document["how"]))
    rows += [("note", note) for note in document["notes"]]
    return [f"{name:<11}{value}" for name, value in rows]
