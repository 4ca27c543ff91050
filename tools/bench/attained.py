"""What the ε of a released word attains, of each mechanism, beside what is proved, as a table of Markdown.

    tools/bench/attained words.hushbit glove-6b-50d [--draws 100000] > table.md

Exact for crowds and TEM; a lower bound, certified at 95 %, for BRR and Madlib. BRR and TEM on codes have the ε per bit
that matches Madlib's 3 and 10 by P_avg. The same files give the same table.
"""

import argparse

import numpy as np

import hushbit
from hushbit.study.mechanisms import Brr, CrowdMechanism, EuclideanTem, HammingTem, vectors_of
from hushbit.study.mechanisms.base import Mechanism
from hushbit.study.mechanisms.core import CoreMechanism
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.names import TITLES
from hushbit.study.privacy.attained import DRAWS, attained
from hushbit.study.privacy.matching import largest_euclidean_distance
from hushbit.toolchain.embeddings import read_embeddings


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Bound what released words attain of their epsilon.")
    parser.add_argument("bundle")
    parser.add_argument("embeddings")
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"draws of each of two words (default: {DRAWS})")
    arguments = parser.parse_args()
    bundle = hushbit.open(arguments.bundle)
    native, vectors = bundle._native, vectors_of(bundle, read_embeddings(arguments.embeddings))
    outputs, generator = native.output_words(), np.random.default_rng(0)
    largest, _ = largest_euclidean_distance(vectors)
    mechanisms: list[tuple[str, Mechanism]] = [
        ("crowd-many", CrowdMechanism(native, 6.0, "many")),
        ("tem", HammingTem(native, 0.15)),
        ("tem", HammingTem(native, 0.5)),
        ("tem-euclidean", EuclideanTem(vectors, 3.0)),
        ("brr", Brr(native, 0.1503)),
        ("brr", Brr(native, 0.5011)),
        ("brr", Brr(native, 0.9)),
        ("madlib", Madlib(vectors, 3.0, outputs=outputs)),
        ("madlib", Madlib(vectors, 10.0, outputs=outputs)),
    ]
    print("| mechanism | own ε | ε of a word, proved | attained |\n|---|--:|--:|--:|")
    for name, mechanism in mechanisms:
        if isinstance(mechanism, CoreMechanism):
            proved = mechanism.info.worst_case_per_token
        elif isinstance(mechanism, EuclideanTem):
            proved = mechanism.worst_case(largest)
        else:
            proved = mechanism.epsilon * largest
        found = attained(mechanism, vectors, outputs, proved, generator, arguments.draws)
        print(f"| {TITLES[name]} | {mechanism.epsilon:.4g} | {proved:.4g} | {found} |", flush=True)


if __name__ == "__main__":
    main()
