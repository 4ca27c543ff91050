"""`hushbit corrections`: the actual cost of mechanisms of earlier papers."""

from __future__ import annotations

import argparse
from typing import Any

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import epsilon, positive
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError

_DESCRIPTION = """\
Corrects the epsilons of two mechanisms of Lyu et al. (2020), as the appendix of the UeDP paper does:

  dpnr    Laplace noise of scale 1/epsilon on each of k coordinates in [0, 1]: k * epsilon for a word, not epsilon;
          with word dropout mu it is ln((1 - mu) e^(k epsilon) + mu)
  bits    randomized response at epsilon on each bit of numbers in binary. The correction weights each bit by its
          value in the number: 2^(m+1) epsilon for the sign, 2^(i-1) epsilon and 2^(-i) epsilon for integer and
          fraction bits. The local-DP epsilon of a bit is epsilon regardless of this weight, and is printed next to it
--features R adds the total of R numbers, --iterations T that of T iterations of training with fresh noise in each. If
the noise is drawn once and read again in every iteration, the iterations cost nothing more.

Hushbit's codes are learned and are not such an encoding: every bit has the same weight in the Hamming metric.
docs/privacy.md explains the two figures of a bit.
"""
_EPILOG = """\
examples:
  hushbit corrections dpnr --coordinates 768 --epsilon 0.05 --dropout 0.1
  hushbit corrections bits --integer-bits 4 --fraction-bits 5 --epsilon 0.1
  hushbit corrections bits --integer-bits 4 --fraction-bits 5 --epsilon 0.1 --features 768 --iterations 10
"""
_Result = tuple[dict[str, Any], list[str]]  # the result for programs, and lines for people


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "corrections", help="show the actual cost of two earlier mechanisms", description=_DESCRIPTION, epilog=_EPILOG
    )
    parser.add_argument("mechanism", choices=("dpnr", "bits"), help="mechanism, see above")
    parser.add_argument("--epsilon", type=epsilon, required=True, metavar="E", help="epsilon as the paper states it")
    parser.add_argument(
        "--coordinates", type=positive, metavar="K", help="number of coordinates of the representation, for dpnr"
    )
    parser.add_argument(
        "--dropout", type=float, metavar="MU", help="probability that a word is dropped, for dpnr (default: 0)"
    )
    parser.add_argument("--integer-bits", type=int, metavar="M", help="number of bits before the point, for bits")
    parser.add_argument("--fraction-bits", type=int, metavar="N", help="number of bits after the point, for bits")
    parser.add_argument(
        "--features",
        type=positive,
        default=1,
        metavar="R",
        help="number of features that stand for a text, for bits (default: 1)",
    )
    parser.add_argument(
        "--iterations",
        type=positive,
        default=1,
        metavar="T",
        help="number of iterations of training, each with fresh noise (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    document, lines = _dpnr(arguments) if arguments.mechanism == "dpnr" else _bits(arguments)
    document = {"mechanism": arguments.mechanism, "stated_epsilon": arguments.epsilon, **document}
    lines.insert(0, f"{'stated':<13}{arguments.epsilon:.6g}")
    streams.write_result(document, lines, as_json=arguments.json)
    return EXIT_OK


def _dpnr(arguments: argparse.Namespace) -> _Result:
    from hushbit.study.privacy.corrections import dpnr_dropout_epsilon, dpnr_epsilon, total_epsilon

    if arguments.coordinates is None or arguments.integer_bits is not None or arguments.fraction_bits is not None:
        raise CommandError("dpnr needs --coordinates, and no bits", EXIT_USAGE)
    if arguments.features != 1:
        raise CommandError("--features is only used with bits: dpnr counts its --coordinates", EXIT_USAGE)
    rows = [("word", dpnr_epsilon(arguments.coordinates, arguments.epsilon))]
    if arguments.dropout is not None:
        dropped = dpnr_dropout_epsilon(arguments.coordinates, arguments.epsilon, arguments.dropout)
        rows.append(("with dropout", dropped))
    if arguments.iterations > 1:
        rows.append(("iterations", total_epsilon(rows[-1][1], 1, arguments.iterations)))
    return {"real_epsilons": dict(rows)}, [f"{name:<13}{value:.6g}" for name, value in rows]


def _bits(arguments: argparse.Namespace) -> _Result:
    from hushbit.study.privacy.corrections import encoding_epsilons, encoding_local_dp, encoding_sum, total_epsilon

    if arguments.integer_bits is None or arguments.fraction_bits is None or arguments.coordinates is not None:
        raise CommandError("bits needs --integer-bits and --fraction-bits, and no coordinates", EXIT_USAGE)
    if arguments.dropout is not None:
        raise CommandError("--dropout is only used with dpnr", EXIT_USAGE)
    counts = arguments.integer_bits, arguments.fraction_bits, arguments.epsilon
    rows = encoding_epsilons(*counts)
    stated, whole = encoding_sum(*counts), encoding_local_dp(*counts)
    document = {
        "correction_states": dict(rows),
        "local_dp_per_bit": arguments.epsilon,
        "correction_states_of_a_number": stated,
        "local_dp_of_a_number": whole,
    }
    lines = [f"{'':<13}{'correction states':>17}{'local DP':>12}"]
    lines += [f"{name:<13}{value:>17.6g}{arguments.epsilon:>12.6g}" for name, value in rows]
    lines.append(f"{'whole number':<13}{stated:>17.6g}{whole:>12.6g}")
    features, iterations = arguments.features, arguments.iterations
    if features * iterations > 1:
        stated, whole = (total_epsilon(value, features, iterations) for value in (stated, whole))
        document |= {"features": features, "iterations": iterations}
        document |= {"correction_states_in_total": stated, "local_dp_in_total": whole}
        lines.append(f"{'in total':<13}{stated:>17.6g}{whole:>12.6g}")
    return document, lines
