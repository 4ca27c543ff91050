"""`hushbit audit`: whether a mechanism keeps its promise on a bundle."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hushbit._options import CROWD_SIZES
from hushbit._plumbing.extras import extra
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import (
    add_beta,
    add_bundle,
    add_embeddings,
    add_extension,
    add_seed,
    epsilon,
    open_bundle,
    positive,
)
from hushbit.cli._shared.failure import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.progress import ProgressBar
from hushbit.study.commands.vectors import read_vectors
from hushbit.study.names import MECHANISMS, ON_VECTORS

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit._plumbing.progress import Progress
    from hushbit.study.audit import Check

_DESCRIPTION = """\
Checks the promise Pr[M(w)=y] <= e^(epsilon * d(w, w')) * Pr[M(w')=y].

  brr            its coin; exactly, by enumeration, on a small vocabulary of the bundle's words and some of their bits,
                 and draws against that; on the whole bundle, seeded releases of words and unknown tokens, computed
                 again by comparing every word, for each search that the bundle has; their coins counted; likelihood
                 ratios
  tem            its weights; in closed form for every output of the bundle; draws; on the whole bundle, seeded releases
                 computed again; likelihood ratios
  crowd          its coin; in integers, that no share of any crowd of the bundle is above its weight and that all
                 crowds have one mass, which is the bound for every pair of words; stand-ins; draws of words of the
                 bundle; seeded releases drawn again. The bound is e^epsilon, whatever the distance
  embedding      its coin; crowds of texts of many lengths, compared with sorting all directions, which is the bound
                 for every pair of texts; seeded releases drawn again; frequencies of releases without a seed. The
                 bound is e^epsilon between any two texts
  report         its coin; sets of values, compared with their definition; seeded reports drawn again; frequencies of
                 reports without a seed. The bound is e^epsilon between any two texts
  madlib         its noise; likelihood ratios. Needs --embeddings
  tem-euclidean  in closed form on a small vocabulary; draws. Needs --embeddings

For brr, tem and crowd also releases as users get them, by the randomness of the operating system and without a seed, in
this process and by `hushbit privatize` in other ones: whether noise repeats, whether it is even, and the coin. A
generator that returns constant bytes, or the same bytes in each process, fails.

A statistical check of a correct mechanism fails with a probability of one in a million. A pass is not a proof: each
check states the smallest deviation that it would have detected, and what it cannot see. The proofs are in
docs/proofs.md.
"""
_EPILOG = """\
examples:
  hushbit audit words.hushbit --epsilon 0.5
  hushbit audit words.hushbit --epsilon 0.5 --mechanism tem --json
  hushbit audit words.hushbit --epsilon 6 --mechanism crowd --crowd-size many
  hushbit audit --epsilon 2 --mechanism embedding
  hushbit audit --epsilon 1 --mechanism report
  hushbit audit words.hushbit --epsilon 10 --mechanism madlib --embeddings glove-6b-50d

exit codes:
  0 all checks passed, 5 one did not
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "audit", help="check that a mechanism keeps its promise", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_bundle(parser)
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        required=True,
        metavar="E",
        help="epsilon per unit of distance; per word with crowds, per whole text of embeddings and reports",
    )
    parser.add_argument(
        "--mechanism",
        choices=(*MECHANISMS, "crowd", "embedding", "report"),
        help="mechanism to check (default: that of the bundle)",
    )
    parser.add_argument("--crowd-size", choices=CROWD_SIZES, help="size of the crowds (default: that of the bundle)")
    add_embeddings(parser)
    add_extension(parser)
    add_beta(parser)
    parser.add_argument(
        "--words", type=positive, default=24, metavar="N", help="number of words of the small vocabulary (default: 24)"
    )
    parser.add_argument(
        "--bits", type=positive, default=12, metavar="N", help="number of bits of its codes, at most 16 (default: 12)"
    )
    parser.add_argument(
        "--draws", type=positive, default=4000, metavar="N", help="number of draws for each word (default: 4000)"
    )
    parser.add_argument(
        "--pairs",
        type=positive,
        default=20,
        metavar="N",
        help="number of pairs of words whose likelihoods are compared (default: 20)",
    )
    parser.add_argument(
        "--tokens",
        type=positive,
        default=4000,
        metavar="N",
        help="number of tokens to release on the whole bundle and compute again (default: 4000)",
    )
    add_seed(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    if (arguments.mechanism in ON_VECTORS) != (arguments.embeddings is not None):
        raise CommandError("--embeddings goes with madlib and tem-euclidean, and they need it", EXIT_USAGE)
    bundle = open_bundle(arguments.bundle)
    arguments.mechanism = arguments.mechanism or bundle.info.default_mechanism
    with extra("privacy"), ProgressBar() as progress:
        checks = _checks(bundle, arguments, progress)
    passed = all(check.passed for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{'ok' if check.passed else 'FAILED':<7} {check.name:<18} {check.detail}")
        lines.append(f"{'':<26} would notice {check.notices}")
        lines.append(f"{'':<26} cannot see {check.blind}")
    streams.write_result(_document(arguments, checks, passed), lines, as_json=arguments.json)
    return EXIT_OK if passed else EXIT_MISMATCH


def _checks(bundle: Bundle, arguments: argparse.Namespace, progress: Progress) -> list[Check]:
    from hushbit.study.audit import run as audits
    from hushbit.study.audit.embeddings import audit_embeddings
    from hushbit.study.audit.reports import audit_reports
    from hushbit.study.audit.unseeded import check_unseeded
    from hushbit.study.mechanisms.core import Brr, CoreMechanism, HammingTem
    from hushbit.study.mechanisms.crowd import CrowdMechanism

    options = audits.AuditOptions(
        arguments.words, arguments.bits, arguments.draws, arguments.pairs, arguments.tokens, arguments.seed
    )
    native, epsilon, beta = bundle._native, arguments.epsilon, arguments.beta
    if arguments.mechanism == "embedding":
        return audit_embeddings(native, epsilon, options, progress=progress)
    if arguments.mechanism == "report":
        return audit_reports(native, epsilon, options, progress=progress)
    mechanism: CoreMechanism | None = None
    if arguments.mechanism == "brr":
        mechanism, checks = Brr(native, epsilon), audits.audit_brr(native, epsilon, options, progress=progress)
    elif arguments.mechanism == "tem":
        mechanism = HammingTem(native, epsilon, beta)
        checks = audits.audit_tem(native, epsilon, beta, options, progress=progress)
    elif arguments.mechanism == "crowd":
        mechanism = CrowdMechanism(native, epsilon, arguments.crowd_size)
        checks = audits.audit_crowds(native, epsilon, arguments.crowd_size, options, progress=progress)
    if mechanism is not None:
        return checks + check_unseeded(mechanism, bundle.path, arguments.tokens, progress)
    vectors = read_vectors(bundle, arguments, progress)
    if arguments.mechanism == "madlib":
        return audits.audit_madlib(vectors, epsilon, options, progress=progress)
    return audits.audit_euclidean_tem(vectors, epsilon, beta, options)


def _document(arguments: argparse.Namespace, checks: list[Check], passed: bool) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "mechanism": arguments.mechanism,
        "epsilon": arguments.epsilon,
        "seed": arguments.seed,
        "passed": passed,
        "checks": [asdict(check) for check in checks],
    }
